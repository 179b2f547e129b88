import { expect, test } from 'bun:test';
import type { BestMatches } from '../../../src/search/index/best-matches.ts';
import { WINDOW } from '../../../src/search/index/bounded-search.ts';
import type { IndexScope } from '../../../src/search/index/document-columns.ts';
import { FoundDocuments } from '../../../src/search/index/index-search.ts';
import { LayeredIndex } from '../../../src/search/index/layered-index.ts';
import type { MemoryIndex } from '../../../src/search/index/memory-index.ts';
import { Postings } from '../../../src/search/index/postings.ts';
import { TermNumbers } from '../../../src/search/index/term-table.ts';
import type { TermGroup } from '../../../src/search/query/expand-terms.ts';
import { foundRows } from '../../support/found-rows.ts';
import {
  buildIndex,
  finish,
  pseudoRandom,
  type TextDocument,
} from '../../support/indexed-database.ts';
import { naiveWordMatches } from '../oracles.ts';
import { blankFields, documentOf, EVERYWHERE, group } from './arbitrary-documents.ts';

const SCOPES: readonly IndexScope[] = [
  EVERYWHERE,
  EVERYWHERE,
  { shopKeys: [2], productsOnly: false },
  { shopKeys: null, productsOnly: true },
  { shopKeys: [3], productsOnly: true },
];

/** All documents at once, and so few that what is known of the first ones passes over others. */
const SEARCHES = [{ window: WINDOW }, { window: 8 }];

/** Words as they are in texts: few are in nearly every document, most are in a few. */
function startWords(random: () => number): () => string {
  return () => {
    const rank = Math.floor(400 ** random());
    return `${'abcd'[rank % 4]}${rank}`;
  };
}

/** `isLong`: whose texts are longer than those of the others. */
function shopOf(size: number, isLong: (at: number) => boolean, random: () => number) {
  const word = startWords(random);
  const text = (most: number) => Array.from({ length: random() * most }, word).join(' ');
  return Array.from({ length: size }, (_, at): TextDocument => {
    const body = text(random() < 0.1 ? 60 : isLong(at) ? 14 : 9);
    return documentOf(at + 1, {
      fields: { ...blankFields(), name: text(4), type: text(2), body },
      shopKey: 1 + Math.floor(random() * random() * 3),
      type: random() < 0.1 ? 'context' : 'product',
    });
  });
}

function questionOf(random: () => number): TermGroup[] {
  const word = startWords(random);
  return Array.from({ length: 1 + random() * 6 }, () =>
    random() < 0.1 ? group(word(), `${'abcd'[Math.floor(random() * 4)]}1*`) : group(word()),
  );
}

test.each([1, 2, 3, 4, 9])(
  'the best documents by words are those of scoring every document, to the last bit: shop %d',
  (seed) => {
    const random = pseudoRandom(seed);
    const size = 40 * 3 ** (seed % 5);
    const lots = Array.from({ length: size }, random);
    const [hiddenShare, addedShare] = seed % 2 === 0 ? [0, 0] : [0.05, 0.1];
    const isAdded = (at: number) => lots[at]! > 1 - addedShare;
    const isHidden = (at: number) => lots[at]! < hiddenShare;
    const documents = shopOf(size, isAdded, random);
    const based = documents.filter((_, at) => !isAdded(at));
    const hidden = based.flatMap((document, place) =>
      isHidden(document.documentKey - 1) ? [place] : [],
    );
    const added = documents.filter((_, at) => isAdded(at));
    const built = SEARCHES.map((options) => {
      const base = buildIndex(based, null, options);
      const overlay = added.length === 0 ? null : buildIndex(added, null, options);
      return { base, index: new LayeredIndex(finish(base.hiding(hidden)), overlay) };
    });
    const visible = documents.filter((_, at) => !isHidden(at));
    for (let asked = 0; asked < 25; asked++) {
      const groups = questionOf(random);
      const scope = SCOPES[asked % SCOPES.length]!;
      const limit = [1, 10, 150][asked % 3]!;
      const expected = naiveWordMatches(visible, groups, { scope, limit });
      for (const { base, index } of built) {
        // The same index as it was before the change, with other statistics.
        base.search({ groups, vector: null, scope, limit });
        const found = foundRows(index, index.search({ groups, vector: null, scope, limit }));
        expect(found.map(({ documentKey, bm25 }) => [documentKey, bm25])).toEqual(expected);
      }
    }
  },
);

test('what is known of an index holds when longer documents beside it change the average length', () => {
  const body = (...parts: [word: string, times: number][]) =>
    parts.flatMap(([word, times]) => Array<string>(times).fill(word)).join(' ');
  const documentAs = (key: number, fields: { name?: string; body: string }) =>
    documentOf(key, { fields: { ...blankFields(), ...fields } });
  const [short, long] = [5, 200];
  const based = Array.from({ length: 300 }, (_, at) => {
    if (at === short) return documentAs(at + 1, { body: 'lamp' });
    if (at === long) return documentAs(at + 1, { name: 'lamp', body: body(['oak', 18]) });
    return documentAs(at + 1, { body: body(['lamp', 1], ['oak', at < 100 ? 10 : 9]) });
  });
  const added = [301, 302, 303].map((key) => documentAs(key, { body: body(['oak', 50]) }));
  const base = buildIndex(based, null, { window: 8 });
  const query = { scope: EVERYWHERE, limit: 1 };
  const groups = [group('lamp')];
  const find = (index: MemoryIndex | LayeredIndex) =>
    foundRows(index, index.search({ groups, vector: null, ...query }));
  expect(find(base)).toMatchObject([{ documentKey: short + 1 }]);
  const [best] = find(new LayeredIndex(base, buildIndex(added, null, { window: 8 })));
  expect(best!.documentKey).toBe(long + 1);
  expect([[best!.documentKey, best!.bm25]]).toEqual(
    naiveWordMatches([...based, ...added], groups, query),
  );
});

test('a prefix counts what each document holds of it, though sums of frequency and fields may be equal', () => {
  const documents = [
    { vendor: 'lampshade', details: 'lampshade lamp lamp lampshade' },
    { vendor: 'lamp', details: 'lamp', body: 'lamp' },
    {},
  ].map((fields, at) => documentOf(at + 1, { fields: { ...blankFields(), ...fields } }));
  const query = { scope: EVERYWHERE, limit: 3 };
  const groups = [group('lamp*')];
  const index = buildIndex(documents, null);
  const found = foundRows(index, index.search({ groups, vector: null, ...query }));
  expect(found.map(({ documentKey, bm25 }) => [documentKey, bm25])).toEqual(
    naiveWordMatches(documents, groups, query),
  );
});

/** The postings of two terms: `lamp` in these documents, `oak` in every fifth of them. */
function postingsOf(size: number, documents: readonly number[], window?: number): Postings {
  const terms = new TermNumbers();
  for (const term of ['lamp', 'oak']) terms.number(term);
  const held = [...documents, ...documents.filter((_, at) => at % 5 === 0)];
  const columns = {
    terms: finish(terms.sort()).table,
    starts: Uint32Array.of(0, documents.length, held.length),
    documents: Uint32Array.from(held),
    codes: Uint16Array.from(held, (document) => document % 3),
    frequencies: Float64Array.of(1, 2, 8),
    fields: Uint8Array.of(1, 2, 63),
    lengths: new Uint32Array(size).fill(7),
  };
  return new Postings(columns, window);
}

function statisticsOf(size: number, postings: Postings) {
  const countHolders = (term: string) => postings.count(postings.terms.find(term));
  return { size, tokenCount: 7 * size, countHolders };
}

function moved(matches: BestMatches) {
  const found = new FoundDocuments(matches.size);
  matches.moveTo(found);
  const { documents, bm25, groups, typedGroups } = found;
  return Array.from(documents, (document, at) => {
    return [document, bm25[at], groups[at], typedGroups[at]];
  });
}

test('documents at the edges of windows are scored as in windows of another length', () => {
  const size = 5 * WINDOW;
  const edges = [1, 2, 4].flatMap((window) => [-2, -1, 0, 1].map((off) => window * WINDOW + off));
  const documents = [0, 3, ...edges, size - 1];
  const phrases = [
    { term: 'lamp', groups: 1 },
    { term: 'oak', groups: 6 },
  ];
  const searches = () =>
    SEARCHES.map(({ window }) => {
      const postings = postingsOf(size, documents, window);
      return postings.open(phrases, statisticsOf(size, postings));
    });
  for (const limit of [1, 4, 150]) {
    const found = searches().map((search) => moved(search.best(limit, null)));
    expect(found[0]).toHaveLength(Math.min(limit, documents.length));
    expect(found[0]).toEqual(found[1]!);
  }
  const asked = [...documents, 1, WINDOW + 9];
  const groups = searches().map((search) => {
    const found = new FoundDocuments(asked.length);
    found.documents.set(asked);
    search.addGroups(found, 0);
    return { groups: found.groups, typedGroups: found.typedGroups };
  });
  expect(groups[0]!.groups.some((bits) => bits !== 0)).toBe(true);
  expect(groups[0]).toEqual(groups[1]!);
});
