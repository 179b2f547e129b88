import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Offering } from '../../../src/domain/catalog.ts';
import { FIELDS } from '../../../src/domain/field.ts';
import { offeringTexts } from '../../../src/search/index/documents.ts';
import { facetsOf } from '../../../src/search/index/facets.ts';
import type { IndexSearch } from '../../../src/search/index/index-search.ts';
import { MemoryIndexBuilder as Builder } from '../../../src/search/index/memory-index-builder.ts';
import { FIELD_WEIGHTS } from '../../../src/search/tuning/ranking-weights.ts';
import { cosineMeter, readVector8 } from '../../../src/search/vectors/vector8.ts';
import { findVectors } from '../../../src/storage/catalog/vectors.ts';
import { ENGLISH } from '../../support/english.ts';
import { foundRows } from '../../support/found-rows.ts';
import {
  buildIndex,
  indexable,
  pseudoRandom,
  storeDocuments,
} from '../../support/indexed-database.ts';
import { searchDocuments } from '../../support/search-documents.ts';
import {
  countDocuments,
  findTerms,
  matchVectors,
  matchWords,
} from '../../support/sqlite-search.ts';
import { cosinesInSql, naiveFacets, naiveFields } from '../oracles.ts';
import {
  arbitraryDocuments,
  arbitraryScope,
  arbitraryTerms,
  arbitraryVector,
  blankFields,
  DIMENSIONS,
  documentOf,
  EVERYWHERE,
  group,
  WORDS,
} from './arbitrary-documents.ts';

describe('against the database, on any documents', () => {
  test('words: the same documents, BM25 and order as FTS5, prefixes and scope included', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryDocuments,
        arbitraryTerms,
        arbitraryScope,
        fc.integer({ min: 1, max: 40 }),
        async (documents, terms, scope, limit) => {
          const { db } = await storeDocuments(documents, DIMENSIONS);
          const expected = await matchWords(
            db,
            { organizationKey: 1, ...scope },
            { terms, weights: FIELD_WEIGHTS, limit },
          );
          const index = buildIndex(documents, DIMENSIONS);
          const groups = terms.map((term) => group(term));
          const matches = foundRows(index, index.search({ groups, vector: null, scope, limit }));
          await db.close();
          expect(matches.map(({ documentKey, itemKey }) => [documentKey, itemKey])).toEqual(
            expected.map(({ documentKey, itemKey }) => [documentKey, itemKey]),
          );
          for (const [place, { bm25 }] of matches.entries())
            expect(Math.abs(bm25 / expected[place]!.bm25 - 1)).toBeLessThan(1e-6);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  test('counts and terms: the same as the vocabulary of FTS5', async () => {
    const range = fc.record({
      prefix: fc.constantFrom('r', 're', 'l', 's', 'é', '沙', '𠮷', 'q'),
      lengthMin: fc.integer({ min: 0, max: 4 }),
      lengthMax: fc.integer({ min: 2, max: 12 }),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(arbitraryDocuments, range, async (documents, query) => {
        const { db } = await storeDocuments(documents, DIMENSIONS);
        const index = buildIndex(documents, null);
        const asked = [...WORDS, 'nothing'];
        expect(index.countDocuments(asked)).toEqual(await countDocuments(db, asked));
        expect(index.findTerms(query)).toEqual(await findTerms(db, query));
        await db.close();
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  test('vectors: the same documents and cosines as vector_distance_cos', async () => {
    const vector = arbitraryVector.filter(
      (values) => values?.some((value) => value !== 0) === true,
    );
    await fc.assert(
      fc.asyncProperty(
        arbitraryDocuments,
        vector,
        arbitraryScope,
        async (documents, question, scope) => {
          const { db, modelKey } = await storeDocuments(documents, DIMENSIONS);
          const index = buildIndex(documents, DIMENSIONS);
          const query = { modelKey, vector: question! };
          const expected = await matchVectors(
            db,
            { organizationKey: 1, ...scope },
            { ...query, limit: 40 },
          );
          const asked = { groups: [], vector: question!, scope, limit: 40 };
          const matches = foundRows(index, index.search(asked));
          const cosines = new Map(expected.map(({ documentKey, cosine }) => [documentKey, cosine]));
          expect(new Set(matches.map(({ documentKey }) => documentKey))).toEqual(
            new Set(cosines.keys()),
          );
          for (const { documentKey, cosine } of matches)
            expect(cosine).toBeCloseTo(cosines.get(documentKey)!, 4);
          const keys = [...documents.map(({ documentKey }) => documentKey), 99_999];
          const measured = await cosinesInSql(db, keys, query);
          const own = index.measureCosines(keys, question!);
          expect(new Set(own.keys())).toEqual(new Set(measured.keys()));
          for (const [key, cosine] of measured) expect(own.get(key)).toBeCloseTo(cosine, 4);
          const meter = cosineMeter(question!);
          for (const [key, blob] of await findVectors(db, keys, modelKey))
            expect(meter(readVector8(blob, DIMENSIONS)) ?? Number.NaN).toBeCloseTo(
              measured.get(key) ?? Number.NaN,
              4,
            );
          await db.close();
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe('search', () => {
  const vector = (...values: number[]) =>
    Float32Array.from({ length: DIMENSIONS }, (_, index) => values[index] ?? 0);
  const documents = [
    documentOf(1, {
      fields: { ...blankFields(), name: 'red shoe', body: 'shoe for the garden' },
      vector: vector(1),
    }),
    documentOf(2, {
      fields: { ...blankFields(), name: 'lamp' },
      vector: vector(0.9, 0.1),
      available: false,
    }),
    documentOf(3, { fields: { ...blankFields(), name: 'red lamp' } }),
    documentOf(4, {
      fields: { ...blankFields(), name: 'return', body: 'red' },
      type: 'context',
      vector: vector(0, 1),
      shopKey: 2,
    }),
  ];
  const index = buildIndex(documents, DIMENSIONS);
  const groups = [group('red'), group('shoe', 'shoes*')];
  const find = (query: IndexSearch, of = index) => foundRows(of, of.search(query));

  test('returns word matches first, then vector matches, each with all its signals', () => {
    const [best, second, ...near] = find({
      groups,
      vector: vector(1),
      scope: EVERYWHERE,
      limit: 2,
    });
    expect(best).toMatchObject({
      documentKey: 1,
      itemKey: 1001,
      id: documents[0]!.id,
      available: true,
      groups: 0b11,
      isWordMatch: true,
      isVectorMatch: true,
    });
    expect(best!.cosine).toBeCloseTo(1, 3);
    expect(second!.isWordMatch).toBe(true);
    expect(near).toMatchObject([
      {
        documentKey: 2,
        available: false,
        bm25: 0,
        groups: 0,
        isWordMatch: false,
        isVectorMatch: true,
      },
    ]);
  });

  test('respects shops and products only, and leaves no state for the next search', () => {
    const search = (scope: { shopKeys: readonly number[] | null; productsOnly: boolean }) =>
      find({ groups, vector: vector(1), scope, limit: 10 })
        .map(({ documentKey }) => documentKey)
        .sort();
    expect(search({ shopKeys: [2], productsOnly: false })).toEqual([4]);
    expect(search({ shopKeys: [2], productsOnly: true })).toEqual([]);
    expect(search({ shopKeys: [], productsOnly: false })).toEqual([]);
    expect(search({ shopKeys: null, productsOnly: true })).toEqual([1, 2, 3]);
    expect(search(EVERYWHERE)).toEqual([1, 2, 3, 4]);
    expect(find({ groups: [], vector: null, scope: EVERYWHERE, limit: 10 })).toEqual([]);
  });

  test('describes documents found elsewhere like its own, and leaves out those it lacks', () => {
    const query = { groups, vector: vector(1), scope: EVERYWHERE, limit: 10 };
    const own = find(query).map(({ isWordMatch: _, isVectorMatch: __, ...document }) => document);
    const elsewhere = [...own, { documentKey: 77, bm25: 1, cosine: null }].reverse();
    expect(foundRows(index, index.describe(elsewhere, groups))).toMatchObject(own.toReversed());
  });

  test('accepts a late vector', () => {
    const late = buildIndex(documents, DIMENSIONS);
    expect(late.measureCosines([3], vector(0, 0, 1)).size).toBe(0);
    expect(late.setVector(3, vector(0, 0, 1))).toBe(true);
    expect(late.setVector(77, vector(1))).toBe(false);
    expect(
      find({ groups: [], vector: vector(0, 0, 1), scope: EVERYWHERE, limit: 1 }, late),
    ).toMatchObject([{ documentKey: 3 }]);
  });

  test('is empty for an index without documents, and refuses keys out of order', () => {
    const scope = EVERYWHERE;
    expect(
      find({ groups, vector: vector(1), scope, limit: 5 }, buildIndex([], DIMENSIONS)),
    ).toEqual([]);
    const builder = new Builder({ dimensions: null });
    builder.add(indexable(documentOf(5)));
    expect(() => builder.add(indexable(documentOf(5)))).toThrow(RangeError);
  });
});

const random = pseudoRandom(7);
const pick = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)]!;
const words = (count: number) =>
  Array.from({ length: count }, () =>
    pick(['Red', 'shoes', 'Lämp', 'T-shirts', '8x10', 'batteries', '沙发', 'mug’s']),
  );
const offerings = Array.from({ length: 200 }, (_, number) => offering(number));

function offering(number: number): Offering {
  return {
    type: 'product',
    kind: 'product',
    externalId: `${number}`,
    name: words(4).join(' '),
    description: words(12).join('. '),
    image: null,
    images: [],
    slug: null,
    publicUrl: null,
    publishedAt: null,
    vendor: random() < 0.2 ? null : pick(['Kiln & Co', 'Acme', 'Ünal']),
    tags: words(2),
    productType: random() < 0.3 ? null : pick(['Mugs', 'Shoes']),
    currency: pick(['EUR', 'USD']),
    priceMinor: random() < 0.2 ? null : Math.floor(random() * 10_000),
    compareAtPriceMinor: null,
    availability: 'in_stock',
    sku: pick(['AB-12/3', 'ks 9s', 'X1']),
    mpn: null,
    gtins: [pick(['0012345678905', '4006381333931'])],
    bookingUrl: null,
    checkoutUrl: null,
    attributes: { colour_name: pick(['Red', 'dark blue']), size: 12 },
    variants: [],
  };
}

const offeringIndex = buildIndex(
  offerings.map((item, key) => {
    const { vendor, productType, tags, currency, priceMinor } = item;
    return documentOf(key + 1, {
      fields: searchDocuments(item)[0]!.fields,
      vendor,
      productType,
      tags,
      currency,
      priceMinor,
    });
  }),
  null,
);

test('fields of a group: where the texts hold it, and the bits of the groups agree', () => {
  const groups = [
    group('red'),
    group('shoe', 'sho*'),
    group('ab123'),
    group('tshirt', 'shirt'),
    group('9s'),
    group('lamp'),
    group('沙发'),
    group('batter*'),
    group('acme'),
    group('none'),
  ];
  const query = { groups, vector: null, scope: EVERYWHERE, limit: 1000 };
  const candidates = foundRows(offeringIndex, offeringIndex.search(query));
  expect(candidates.length).toBe(offerings.length);
  for (const { document, groups: bits, typedGroups } of candidates) {
    const fieldsOfGroup = naiveFields(offeringTexts(offerings[document]!, ENGLISH), groups);
    expect(offeringIndex.fieldFinder(groups).find(document)).toEqual(fieldsOfGroup);
    expect(fieldsOfGroup.map((fields) => fields.length > 0)).toEqual(
      groups.map((_, at) => ((bits >>> at) & 1) === 1),
    );
    expect(fieldsOfGroup.map((fields) => fields.includes('type'))).toEqual(
      groups.map((_, at) => ((typedGroups >>> at) & 1) === 1),
    );
  }
});

test('facets: the same as counting over the items', () => {
  for (let run = 0; run < 20; run++) {
    const documents = offerings.map((_, document) => document).filter(() => random() < 0.3);
    expect(facetsOf(offeringIndex.countFacets(documents))).toEqual(
      naiveFacets(documents.map((document) => offerings[document]!)),
    );
  }
});

test('a build of more than 20,000 terms sorts them as SQLite does, and its frequencies add up', () => {
  const documents = Array.from({ length: 500 }, (_, key) =>
    documentOf(key + 1, {
      fields: {
        ...blankFields(),
        body: Array.from({ length: 60 }, () => `w${Math.floor(random() * 40_000)}`).join(' '),
      },
    }),
  );
  const index = buildIndex(documents, null);
  const all = index.findTerms({ prefix: 'w', lengthMin: 0, lengthMax: 99, limit: 100_000 });
  const counts = new Map<string, number>();
  for (const { fields } of documents)
    for (const term of new Set(fields.body.split(' ')))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  expect(all).toEqual(
    [...counts]
      .map(([term, count]) => ({ term, count }))
      .sort((left, right) => right.count - left.count || (left.term < right.term ? -1 : 1)),
  );
  expect(FIELDS.length).toBeLessThanOrEqual(8);
});
