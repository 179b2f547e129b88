import { expect, test } from 'bun:test';
import type { CatalogItem } from '../../../src/domain/catalog.ts';
import { IndexPartsBuilder } from '../../../src/operations/indexes/index-parts.ts';
import { documentTexts } from '../../../src/search/index/documents.ts';
import { type Facets, facetsOf } from '../../../src/search/index/facets.ts';
import { ENGLISH } from '../../support/english.ts';
import { finish } from '../../support/indexed-database.ts';
import { makeContext, makeOffering } from './items.ts';

function facetsOfItems(items: readonly CatalogItem[]): Facets {
  const builder = new IndexPartsBuilder({ languageOfShop: () => ENGLISH, dimensions: null });
  for (const [at, item] of items.entries())
    builder.add({
      documentKey: at + 1,
      itemKey: at + 1,
      id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      shopKey: 1,
      generation: 1,
      passage: documentTexts(item)[0]!.passage,
      item,
      vector: null,
    });
  const parts = finish(builder.finish());
  return facetsOf(parts.index.countFacets([...items.keys()]));
}

test('values are counted over offerings, the most frequent first, ties alphabetically', () => {
  const items = [
    makeOffering({ vendor: 'B', productType: 'Mugs', tags: ['x', 'y'] }),
    makeOffering({ vendor: 'A', productType: 'Mugs', tags: ['y'] }),
    makeOffering({ tags: ['a'] }),
    makeContext('Returns', 'text'),
  ];
  expect(facetsOfItems(items)).toMatchObject({
    vendor: [
      { value: 'A', count: 1 },
      { value: 'B', count: 1 },
    ],
    productType: [{ value: 'Mugs', count: 2 }],
    tags: [
      { value: 'y', count: 2 },
      { value: 'a', count: 1 },
      { value: 'x', count: 1 },
    ],
  });
});

test('prices in different currencies are kept apart, and zero is a price', () => {
  const items = [
    makeOffering({ currency: 'EUR', priceMinor: 500 }),
    makeOffering({ currency: 'EUR', priceMinor: 0 }),
    makeOffering({ currency: 'JPY', priceMinor: 70 }),
    makeOffering({ currency: 'USD', priceMinor: null }),
  ];
  expect(facetsOfItems(items).price).toEqual([
    { currency: 'EUR', minMinor: 0, maxMinor: 500 },
    { currency: 'JPY', minMinor: 70, maxMinor: 70 },
  ]);
});

test('a facet lists at most twenty values', () => {
  const items = Array.from({ length: 50 }, (_, index) => makeOffering({ vendor: `v${index}` }));
  expect(facetsOfItems(items).vendor).toHaveLength(20);
});

test('without matches there are no counts', () => {
  expect(facetsOfItems([])).toEqual({ vendor: [], productType: [], tags: [], price: [] });
});
