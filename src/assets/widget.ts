import { readPage } from './pages.ts';

/**
 * The widget that assistants show around the offerings of a tool result: a self-contained HTML
 * document that loads nothing but the offerings' images.
 */
export function widgetHtml(): string {
  return readPage('widget');
}
