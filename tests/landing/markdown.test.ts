import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { escapeMarkdown, markdownLink, pageText } from '../../src/landing/markdown.ts';
import { allNodes, parseMarkdown, visibleText } from '../support/parse-markdown.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

const LIMIT = 300;
const LINK = 'https://shop.example/products/mug';

/** The contexts in which a page puts text. */
const PLACES: readonly (readonly [string, (text: string) => string, readonly string[]])[] = [
  ['a heading', (text) => `# ${text}`, ['root', 'heading', 'text']],
  ['a quotation', (text) => `> ${text}`, ['root', 'blockquote', 'paragraph', 'text']],
  ['an item', (text) => `- ${text}`, ['root', 'list', 'listItem', 'paragraph', 'text']],
  ['a paragraph', (text) => text, ['root', 'paragraph', 'text']],
];

describe.each(PLACES)('text in %s', (_, put, shape) => {
  function expectPlain(given: string): void {
    const clean = pageText(given, { limit: LIMIT });
    if (clean === '') return;
    const tree = parseMarkdown(put(escapeMarkdown(clean)));
    expect([clean, allNodes(tree).map(({ type }) => type as string)]).toEqual([clean, [...shape]]);
    expect(visibleText(tree)).toBe(clean);
  }

  test(`stays plain text for each of ${HOSTILE_TEXTS.length} attacks`, () => {
    for (const text of HOSTILE_TEXTS) expectPlain(text);
  });

  test('stays plain text for random input', () => {
    const word = fc.constantFrom(...'\\`*_[]<>#|~&!()-+=.:;"\' \n1a@/', 'www.', 'http://', '&amp;');
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(word).map((all) => all.join('')),
    );
    fc.assert(fc.property(text, expectPlain), { numRuns: 300 });
  });
});

test('text in a link stays in the link, which leads to the catalogue’s URL', () => {
  for (const text of HOSTILE_TEXTS) {
    const clean = pageText(text, { limit: LIMIT });
    if (clean === '') continue;
    const tree = parseMarkdown(`- ${markdownLink(clean, LINK)}: more`);
    const links = allNodes(tree).filter((node) => node.type === 'link');
    expect([clean, links.map(({ url }) => url)]).toEqual([clean, [LINK]]);
    expect(visibleText(tree)).toBe(`${clean}: more`);
  }
});

test.each([
  'https://shop.example/a(b)c',
  'https://shop.example/a)b](https://evil.example)',
  'https://shop.example/?q="a"&copy;=1&amp=2&lt;b',
  'https://shop.example/a\\b|c`d*e*_f_~g~<h>[i]',
  "https://shop.example/it's%20here#top",
  'https://xn--mller-kva.example/ü/%E2%82%AC?ä=ö',
])('a URL stays one URL: %s', (url) => {
  const [link, ...further] = allNodes(parseMarkdown(markdownLink('x', url))).filter(
    ({ type }) => type === 'link',
  );
  expect(further).toEqual([]);
  const target = new URL((link as { url: string }).url);
  expect(decodeURIComponent(target.href)).toBe(decodeURIComponent(new URL(url).href));
});

test.each([
  null,
  '',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://shop.example/x',
  '/relative',
  'https://user:secret@shop.example/',
  `https://shop.example/${'x'.repeat(3000)}`,
])('an unsafe URL is not linked: %p', (url) => {
  expect(markdownLink('Mug', url)).toBe('Mug');
});

test('keeps mail addresses at the shop’s own, parent and sub domains, and breaks all others', () => {
  const text = 'hello@acme.example, x@mail.shop.acme.example, y@evil.example, z@notacme.example';
  expect(pageText(text, { limit: 200, ownHosts: ['shop.acme.example'] })).toBe(
    'hello@acme.example, x@mail.shop.acme.example, y (at) evil.example, z (at) notacme.example',
  );
});

test('truncates text at its limit, at the end of a word', () => {
  expect(pageText('one two three', { limit: 9 })).toBe('one two…');
  expect(pageText('one two three', { limit: 13 })).toBe('one two three');
  expect(pageText(`${'x'.repeat(1_000_000)}`, { limit: 10 })).toBe(`${'x'.repeat(9)}…`);
});

test('words that only look like an address keep their colon', () => {
  expect(pageText('Payment data: card numbers. Ratio 1:2', { limit: 100 })).toBe(
    'Payment data: card numbers. Ratio 1:2',
  );
});
