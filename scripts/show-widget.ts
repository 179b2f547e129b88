/**
 * Shows the widget in a minimal assistant, with results from the sample catalogue.
 *
 *   bun scripts/show-widget.ts           then open the address it prints
 *   bun scripts/show-widget.ts --port N  on that port
 *
 * The address takes `state` (found, list, loading, empty, error, cancelled), `theme`, `locale`, `width`
 * and `mode` (inline, fullscreen). Every load of the page reads the widget's source again.
 */
import { parseArgs } from 'node:util';
import { widgetHtml } from '../src/assets/widget.ts';
import { translatorFor } from '../src/messages/translator.ts';
import type { Showing, ToolAnswer } from './widget/assistant.ts';
import { serveAssistantPage } from './widget/assistant-page.ts';
import { sampleAnswers } from './widget/tool-results.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8790' } } });
const page = await serveAssistantPage(Number(values.port), async ({ url, picturesUrl }, query) => {
  const { question, searched, listed, answers } = await sampleAnswers(picturesUrl);
  const input = { question };
  const nothing = { query: question, count: 0, results: [], contexts: [] };
  const failure: ToolAnswer = {
    isError: true,
    content: [{ type: 'text', text: 'The catalogue is busy.' }],
  };
  const states: Readonly<Record<string, Pick<Showing, 'input' | 'result' | 'cancelled'>>> = {
    found: { input, result: searched },
    list: { input: {}, result: listed },
    loading: { input },
    empty: { input, result: { structuredContent: nothing } },
    error: { input, result: failure },
    cancelled: { input, cancelled: 'stopped by you' },
  };
  return {
    html: widgetHtml(translatorFor('en')),
    imageOrigins: [url],
    width: Number(query.get('width') ?? '720'),
    context: {
      theme: query.get('theme') === 'dark' ? 'dark' : 'light',
      displayMode: query.get('mode') === 'fullscreen' ? 'fullscreen' : 'inline',
      locale: query.get('locale') ?? 'en-IE',
    },
    answers,
    ...(states[query.get('state') ?? 'found'] ?? { input, result: searched }),
  };
});
console.log(`${page.url}/?state=found&theme=light&width=720`);
