import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { LANGUAGES } from '../../src/messages/languages.ts';
import { translatorFor } from '../../src/messages/translator.ts';
import { ask, callTool, textOf } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';

/*
 * What the service says of its own, in the language of the shop or of the caller. The names of members
 * and the codes never change.
 */

/** Bytes of the listing of the five tools. English has its own, lower limit. */
const LISTING_BYTES_MAX = 9000;
const INSTRUCTIONS_MAX = 600;

const OFFERINGS = new URL('../relevance/german/offerings.jsonl', import.meta.url);

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await service.perform('shop.set', { shop: 'shop-1', locale: 'de-DE' });
  await service.importText(readFileSync(OFFERINGS, 'utf8'));
});

afterAll(() => service.close());

describe('search v3', () => {
  const search = async (query: string, accepted?: string) => {
    const headers = accepted === undefined ? {} : { 'accept-language': accepted };
    const response = await service.fetch(`/rest/search/v3/?${query}`, { headers });
    expect(response.headers.get('vary')).toBe('Accept-Language');
    return response.json();
  };

  test.each([
    [undefined, '„Zirbenholz“ im Namen.'],
    ['*', '„Zirbenholz“ im Namen.'],
    ['pl', '„Zirbenholz“ im Namen.'],
    ['fr-CH, en;q=0.5', '«\u00a0Zirbenholz\u00a0» dans le nom.'],
    ['en', '“Zirbenholz” in the name.'],
  ])('with Accept-Language %p, a reason is %p', async (accepted, explanation) => {
    const { results } = await search('q=Zirbenholz&skip_scoring=true', accepted);
    expect(results[0]).toMatchObject({ externalId: 'brotkasten', matchedOn: ['name'] });
    expect(results[0].explanation).toStartWith(explanation.slice(0, -1));
  });

  test('warnings too', async () => {
    const { meta } = await search('q=Besteck&lmit=5', 'nl');
    expect(meta.warnings).toEqual(['De onbekende queryparameter “lmit” wordt genegeerd.']);
  });
});

test('search v2 has nothing that a language changes', async () => {
  const response = await service.fetch('/rest/search/v2/?q=Besteck');
  expect(response.headers.get('vary')).toBeNull();
});

describe('tools speak the shop’s language', () => {
  const tell = async (tool: string, args: Record<string, unknown>) =>
    textOf(await callTool(service.fetch, tool, args)).split('\n');

  test('search_offerings, in all sentences around the catalogue’s own text', async () => {
    const [head, fence, , line, , options, reason] = await tell('search_offerings', {
      question: 'Toaster in Schwarz',
    });
    expect(head).toBe('2 Artikel zu „Toaster in Schwarz“, die besten zuerst.');
    expect(fence).toStartWith('Der Text zwischen den catalogue-Tags stammt vom Shop');
    expect(line).toStartWith('1. Toaster für zwei Scheiben: 49,00 EUR, ausverkauft. https:');
    expect(options).toContain('Auswahl: Farbe Creme, Mint, Schwarz (ausverkauft). Gewählt: ');
    expect(reason).toContain('Grund: „Toaster“ im Namen;');
  });

  test.each([
    [
      'single_product_express_checkout',
      { product_id: 'kuechenwaage' },
      '„Digitale Küchenwaage“ ist ausverkauft. Einen anderen Artikel aus search_offerings anbieten.',
    ],
    [
      'single_product_express_checkout',
      { product_id: 'toaster' },
      'Von „Toaster für zwei Scheiben“ passen 3 Varianten.',
    ],
    ['get_booking_link', { offering_id: 'teller' }, '„Speiseteller Porzellan, 4er-Set“ lässt sich'],
    ['get_product_link', { product_id: 'nobody' }, 'Diesen Artikel führt der Shop nicht.'],
    ['list_all_offerings', {}, 'Alle 39 verfügbaren Artikel.'],
  ])('%s of %p', async (tool, args, start) => {
    expect((await tell(tool, args))[0]).toStartWith(start);
  });
});

test('the landing page is written in the shop’s language', async () => {
  const response = await service.fetch(`/rest/org/ai/${service.organization.id}/`);
  const page = await response.text();
  expect(page).toContain('bietet 39 Produkte und 1 buchbare Leistung: ');
  expect(page).toContain('- Shop: Preise in EUR, Sprache der Texte: Deutsch (Deutschland)\n');
  expect(page).toContain('## So wird dieser Shop genutzt\n');
  expect(page).toContain('- Pfannen (2): 39,90 bis 48,00 EUR\n');
  expect(page).toContain(': ab 48,00 EUR; Pfannen von Schmiede Odenthal; auf Lager.');
  expect(page.match(/\b(?:the|from|with|is)\b/g)).toBeNull();
});

test.each(LANGUAGES)(
  'in %s the tools are listed in that language, and are as cheap',
  async (locale) => {
    await service.perform('shop.set', { shop: 'shop-1', locale });
    const { text } = translatorFor(locale);
    const { result } = await ask(service.fetch, 'tools/list');
    const tools = result['tools'] as { name: string; title: string; description: string }[];
    expect(tools[1]).toMatchObject({
      name: 'search_offerings',
      title: text('title.search_offerings'),
      description: text('describe.search_offerings'),
    });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(LISTING_BYTES_MAX);
    const { instructions } = (await ask(service.fetch, 'initialize', {})).result;
    expect(instructions).toStartWith(text('instructions.shop', { shop: 'Acme' }));
    expect(String(instructions).length).toBeLessThanOrEqual(INSTRUCTIONS_MAX - 'Acme'.length);
    await service.perform('shop.set', { shop: 'shop-1', locale: 'de-DE' });
  },
);
