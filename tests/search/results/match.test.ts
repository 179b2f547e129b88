import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ByteBuffer } from '../../../src/collections/byte-buffer.ts';
import { escapeHtml } from '../../../src/domain/html.ts';
import { addHighlights } from '../../../src/http/search/highlight-json.ts';
import type { TermGroup } from '../../../src/search/query/expand-terms.ts';
import {
  groupFinder,
  type Highlight,
  highlight,
  highlightMatches,
  type TextMatch,
} from '../../../src/search/results/match.ts';
import { ENGLISH, termOf } from '../../support/english.ts';
import { processorMs } from '../../support/processor-time.ts';

function groups(...terms: string[]): TermGroup[] {
  return terms.map((term) => ({ term, alternatives: term.split('|'), idf: 1 }));
}

/** As an answer writes it. */
function written(highlighted: Highlight): string {
  const json = new ByteBuffer();
  addHighlights([highlighted], json);
  return JSON.parse(Buffer.from(json.view()).toString())[0].snippet;
}

function snippetOf(text: string, ...terms: string[]): string | null {
  const highlighted = highlight('body', text, groupFinder(groups(...terms)), ENGLISH);
  return highlighted === null ? null : written(highlighted);
}

test.each([
  ['jacket', ['jacket'], 0],
  ['jacket', ['jack*'], 0],
  ['jacket', ['jack'], -1],
  ['jack', ['jacket'], -1],
  ['coat', ['rain', 'jacket|coat'], 1],
  ['jacket', ['ra*', 'jack*', 'jacket'], 1],
  ['jacket', ['jacket', 'jack*'], 0],
])('%s is asked for by the first of %p that it matches: %p', (term, asked, expected) => {
  expect(groupFinder(groups(...asked))(term)).toBe(expected);
});

describe('a snippet', () => {
  test.each([
    ['marks what matched', 'A red shoe.', ['red'], 'A <mark>red</mark> shoe.'],
    ['as it is spelled', 'Crème Brûlées', ['brulee'], 'Crème <mark>Brûlées</mark>'],
    ['in every place', 'red, red', ['red'], '<mark>red</mark>, <mark>red</mark>'],
    ['not the possessive', "Men's", ['men'], '<mark>Men</mark>&#39;s'],
    [
      'and nothing but that is HTML',
      '<b>red</b> & "red"',
      ['red'],
      '&lt;b&gt;<mark>red</mark>&lt;/b&gt; &amp; &quot;<mark>red</mark>&quot;',
    ],
    ['of pairs of characters, once', '東京都', ['東京', '京都'], '<mark>東京</mark>都'],
  ])('%s', (_, text, terms, snippet) => {
    expect(snippetOf(text, ...terms)).toBe(snippet);
  });

  test('is absent if nothing matches', () => {
    expect([snippetOf('a red shoe', 'blue'), snippetOf('', 'blue')]).toEqual([null, null]);
  });

  test('is cut at blanks around the window that matches most of the question', () => {
    const filler = 'lorem ipsum '.repeat(30);
    const snippet = snippetOf(`red ${filler}a red rain jacket ${filler}`, 'red', 'rain', 'jacket')!;
    expect(snippet).toContain('<mark>red</mark> <mark>rain</mark> <mark>jacket</mark>');
    expect(snippet).toMatch(/^…(lorem|ipsum) .* (lorem|ipsum)…$/);
  });

  test('shows a match that is longer than a snippet', () => {
    const word = 'x'.repeat(300);
    expect(snippetOf(`a ${word} b`, termOf(word))).toContain(`<mark>${word}</mark>`);
  });

  test('takes no longer for a text that consists of matches', () => {
    const text = 'red '.repeat(50_000);
    expect(processorMs(() => snippetOf(text, 'red'))).toBeLessThan(2000);
  });
});

/** Text with many matches, markup, long words and surrogate pairs. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'red',
        'Réds',
        '<mark>',
        '</mark>',
        '<script>',
        '&amp;',
        '"',
        "'",
        ' ',
        '👩',
        '東京',
      ),
      fc.string({ unit: 'grapheme', maxLength: 10 }),
      fc.constantFrom('y'.repeat(90), ' lorem ipsum dolor sit amet', '👩'.repeat(50)),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

const unescapeHtml = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

test('whatever the text, a snippet is a part of it with no markup but <mark>', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const text = `${before} red ${after}`;
      const snippet = snippetOf(text, 'red', '東京')!;
      const unmarked = snippet.replaceAll(/<mark>([^<]*)<\/mark>/g, '$1');
      expect(unmarked).not.toMatch(/[<>"']/);
      expect(unmarked).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
      const whole = unescapeHtml(unmarked);
      const isStretch = ['', '…'].some((head) =>
        ['', '…'].some(
          (tail) =>
            whole.startsWith(head) &&
            whole.endsWith(tail) &&
            text.includes(whole.slice(head.length, whole.length - tail.length)),
        ),
      );
      expect(isStretch).toBe(true);
      expect(snippet.isWellFormed()).toBe(text.isWellFormed());
      expect(snippet).toMatch(/<mark>[^<]+<\/mark>/);
      // 160 code units, a mark of two at each end, and half a pair.
      expect(whole.length).toBeLessThanOrEqual(164);
    }),
    { numRuns: 500 },
  );
});

test('escapeHtml leaves no HTML markup', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']/);
      expect(unescapeHtml(escapeHtml(text))).toBe(text);
    }),
  );
});

test('a snippet shows the first window with the most groups', () => {
  const words = fc.array(
    fc.record({ group: fc.integer({ min: 0, max: 5 }), isHit: fc.boolean() }),
    { minLength: 1, maxLength: 120 },
  );
  fc.assert(
    fc.property(words, (given) => {
      let text = '';
      const hits: TextMatch[] = [];
      for (const [index, { group, isHit }] of given.entries()) {
        const word = `w${index}`;
        if (isHit || index === 0)
          hits.push({ start: text.length, end: text.length + word.length, group });
        text += `${word} `;
      }
      const distinct = hits.map(({ start }) => {
        const near = hits.filter((hit) => hit.start >= start && hit.end <= start + 160);
        return new Set(near.map(({ group }) => group)).size;
      });
      const { start, end } = hits[distinct.indexOf(Math.max(...distinct))]!;
      expect(written(highlightMatches('body', text, hits)!)).toContain(
        `<mark>${text.slice(start, end)}</mark>`,
      );
    }),
  );
});
