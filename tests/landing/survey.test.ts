import { describe, expect, test } from 'bun:test';
import type { Glance } from '../../src/domain/landing-page.ts';
import { type CatalogSurvey, Survey } from '../../src/landing/survey.ts';

let nextKey = 0;

function glance(overrides: Partial<Glance> = {}): Glance {
  const key = ++nextKey;
  return {
    ...{ key, id: `id-${String(key).padStart(6, '0')}`, type: 'product', updatedAt: key },
    ...{ name: `Thing ${key}`, kind: 'product', productType: 'Things', vendor: 'Acme' },
    ...{ currency: 'EUR', priceMinor: 1000, compareAtPriceMinor: null },
    ...{ availability: 'in_stock', publishedAt: null, image: 'https://x.example/x.png' },
    ...overrides,
  };
}

function survey(glances: readonly Glance[]): CatalogSurvey {
  const counting = new Survey();
  for (const each of glances) counting.add(each);
  return counting.finish();
}

function many(count: number, overrides: (index: number) => Partial<Glance>): Glance[] {
  return Array.from({ length: count }, (_, index) => glance(overrides(index)));
}

test('reports counts, price ranges per currency, and the last change', () => {
  const found = survey([
    glance({ priceMinor: 500, updatedAt: 7_000_000 }),
    glance({ priceMinor: 900, compareAtPriceMinor: 1200 }),
    glance({ priceMinor: 300, currency: 'USD', availability: 'out_of_stock' }),
    glance({ priceMinor: null, productType: null, compareAtPriceMinor: null }),
    glance({ kind: 'service', productType: 'Courses' }),
    glance({ type: 'context', kind: null }),
  ]);
  expect(found).toMatchObject({ products: 4, services: 1, available: 4, onSale: 1 });
  expect(found.prices).toEqual([
    { currency: 'EUR', fromMinor: 500, toMinor: 1000 },
    { currency: 'USD', fromMinor: 300, toMinor: 300 },
  ]);
  expect(found.categories.map(({ name, count }) => [name, count])).toEqual([
    ['Things', 3],
    ['Courses', 1],
  ]);
  expect([found.contexts.length, found.bookable.length, found.changedAt]).toEqual([
    1, 1, 7_000_000,
  ]);
});

describe('features 30 offerings', () => {
  test('first those that can be ordered and have a price and a picture', () => {
    const good = many(20, () => ({}));
    const lacking = many(50, (index) => (index % 2 === 0 ? { image: null } : { priceMinor: null }));
    const gone = many(50, () => ({ availability: 'out_of_stock' }));
    const { featured } = survey([...gone, ...lacking, ...good]);
    expect(featured).toHaveLength(30);
    expect(new Set(featured.slice(0, 20))).toEqual(new Set(good.map(({ key }) => key)));
    const goneKeys = new Set(gone.map(({ key }) => key));
    expect(featured.filter((key) => goneKeys.has(key))).toEqual([]);
  });

  test('unavailable ones only if there are no others', () => {
    expect(survey(many(40, () => ({ availability: 'discontinued' }))).featured).toHaveLength(30);
  });

  test('one per category before a second of any, and from as many vendors as possible', () => {
    const glances = [
      ...many(500, (index) => ({ productType: 'Mugs', vendor: `Potter ${index % 40}` })),
      ...many(29, (index) => ({ productType: `Kind ${index}`, vendor: `Maker ${index}` })),
    ];
    const { featured } = survey(glances);
    const chosen = glances.filter(({ key }) => featured.includes(key));
    expect(new Set(chosen.map(({ productType }) => productType)).size).toBe(30);
    const mugs = survey(glances.slice(0, 500)).featured;
    const potters = glances.filter(({ key }) => mugs.includes(key)).map(({ vendor }) => vendor);
    expect(new Set(potters).size).toBe(30);
  });

  test('a third of them on sale, if the shop has sales', () => {
    const reduced = many(100, () => ({ compareAtPriceMinor: 2000, publishedAt: '2020' }));
    const full = many(100, () => ({ publishedAt: '2026' }));
    const { featured } = survey([...full, ...reduced]);
    const reducedKeys = new Set(reduced.map(({ key }) => key));
    expect(featured.filter((key) => reducedKeys.has(key))).toHaveLength(10);
  });

  test('the same ones in any catalogue order', () => {
    const glances = many(400, (index) => ({
      productType: `Kind ${index % 7}`,
      vendor: `Maker ${index % 11}`,
      compareAtPriceMinor: index % 13 === 0 ? 2000 : null,
      publishedAt: `20${10 + (index % 9)}`,
    }));
    const { contexts: _, ...forward } = survey(glances);
    const { contexts: __, ...backward } = survey(glances.toReversed());
    expect(backward).toEqual(forward);
  });
});

test('lists words of names only if there are no categories', () => {
  const nameless = many(10, (index) => ({
    productType: null,
    name: `Acme toner cartridge ${index}`,
  }));
  expect(survey(nameless).words).toEqual(['cartridge', 'toner']);
  expect(survey([...nameless, glance()]).words).toEqual([]);
});
