import { describe, expect, test } from 'bun:test';
import type { Field } from '../../../src/domain/field.ts';
import { MemoryIndexBuilder } from '../../../src/search/index/memory-index-builder.ts';
import { FIELD_WEIGHTS } from '../../../src/search/tuning/ranking-weights.ts';
import {
  buildIndex,
  indexable,
  storeDocuments,
  type TextDocument,
} from '../../support/indexed-database.ts';
import { matchWords } from '../../support/sqlite-search.ts';

const EVERYWHERE = { shopKeys: null, productsOnly: false };

function documentOf(documentKey: number, fields: Partial<Record<Field, string>>): TextDocument {
  return {
    documentKey,
    itemKey: documentKey,
    id: `00000000-0000-4000-8000-${String(documentKey).padStart(12, '0')}`,
    shopKey: 1,
    type: 'product',
    available: true,
    vector: null,
    vendor: null,
    productType: null,
    tags: [],
    currency: 'EUR',
    priceMinor: null,
    generation: 1,
    fields: { name: '', type: '', vendor: '', codes: '', details: '', body: '', ...fields },
  };
}

test('frequencies that differ by a half stay distinct, whichever fields hold the term', async () => {
  const documents = [
    documentOf(1, { vendor: 'shoe', details: 'shoe shoe', body: 'shoe' }),
    documentOf(4, { vendor: 'lamp lamp', details: 'lamp' }),
    documentOf(7, {}),
  ];
  const { db } = await storeDocuments(documents, 4);
  const query = { terms: ['lamp'], weights: FIELD_WEIGHTS, limit: 1 };
  const [expected] = await matchWords(db, { organizationKey: 1, ...EVERYWHERE }, query);
  const groups = [{ term: 'lamp', alternatives: ['lamp'], idf: 1 }];
  const found = buildIndex(documents, null).search({
    groups,
    vector: null,
    scope: EVERYWHERE,
    limit: 1,
  });
  await db.close();
  expect(found.bm25[0]!).toBeCloseTo(expected!.bm25, 6);
});

/** The most work in one step of a build or of `unfold`: a few milliseconds' worth. */
const POSTINGS_AT_ONCE = 32_768;
const TERMS_AT_ONCE = 16_384;

describe('no step of a build takes long', () => {
  test('however many terms there are', () => {
    const count = 100_000;
    const terms = Array.from({ length: count }, (_, at) => `w${at}`);
    const { steps } = run(building([{ body: terms.join(' ') }]));
    // For each two code units their keys are made, compared and sorted by a digit or two.
    const rounds = Math.ceil(`w${count - 1}`.length / 2);
    expect(steps).toBeGreaterThan((3 * rounds * count) / TERMS_AT_ONCE);
  });

  test('however many documents hold them', () => {
    const terms = Array.from({ length: 200 }, (_, at) => `w${at}`).join(' ');
    const documents = Array.from({ length: 3500 }, () => ({ body: terms }));
    const least = Math.floor((200 * 3500) / POSTINGS_AT_ONCE);
    const { result, steps } = run(building(documents));
    expect(steps).toBeGreaterThanOrEqual(least);
    expect(run(result.unfold()).steps).toBeGreaterThanOrEqual(2 * least);
  });
});

function building(documents: readonly Partial<Record<Field, string>>[]) {
  const builder = new MemoryIndexBuilder({ dimensions: null });
  for (const [at, fields] of documents.entries())
    builder.add(indexable(documentOf(at + 1, fields)));
  return builder.finish();
}

function run<Result>(generator: Generator<void, Result>): { result: Result; steps: number } {
  for (let steps = 0; ; steps++) {
    const step = generator.next();
    if (step.done === true) return { result: step.value, steps };
  }
}
