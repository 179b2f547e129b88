import { expect, test } from 'bun:test';
import type { Field } from '../../src/domain/field.ts';
import { FIELD_WEIGHTS } from '../../src/search/score.ts';
import { matchWords } from '../../src/storage/word-index.ts';
import { buildIndex, storeDocuments, type TextDocument } from '../support/indexed-database.ts';

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

test('frequencies half a count apart are kept apart, whichever fields hold the term', async () => {
  const documents = [
    documentOf(1, { vendor: 'shoe', details: 'shoe shoe', body: 'shoe' }),
    documentOf(4, { vendor: 'lamp lamp', details: 'lamp' }),
    documentOf(7, {}),
  ];
  const { db } = await storeDocuments(documents, 4);
  const query = { terms: ['lamp'], weights: FIELD_WEIGHTS, limit: 1 };
  const [expected] = await matchWords(db, { organizationKey: 1, ...EVERYWHERE }, query);
  const groups = [{ term: 'lamp', alternatives: ['lamp'], idf: 1 }];
  const [match] = buildIndex(documents, null).matchWords({ groups, scope: EVERYWHERE, limit: 1 });
  await db.close();
  expect(match!.bm25).toBeCloseTo(expected!.bm25, 6);
});
