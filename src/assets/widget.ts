import { messagesUnder, type Translator } from '../messages/translator.ts';
import { readPage } from './pages.ts';

/**
 * The widget that assistants show around the offerings of a tool result: a self-contained HTML
 * document that loads nothing but the offerings' images.
 */
export function widgetHtml({ language, text }: Translator): string {
  // Only `</` could end a script element.
  const messages = JSON.stringify(messagesUnder('widget.', language)).replaceAll('<', '\\u003c');
  return readPage('widget')
    .replace('lang="en"', `lang="${language}"`)
    .replace('<title></title>', () => `<title>${text('widget.title')}</title>`)
    .replace('id="messages">{}', () => `id="messages">${messages}`);
}
