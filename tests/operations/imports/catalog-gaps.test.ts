import { expect, test } from 'bun:test';
import type { CatalogGaps } from '../../../src/operations/imports/catalog-gaps.ts';
import { startService } from '../../support/start-service.ts';

test('gaps are those of the visible offerings of the shop, wherever their rows are', async () => {
  const service = await startService({ embedder: null });
  try {
    const { operator } = service;
    const second = await operator.createShop({ name: 'Second', currency: 'EUR' });
    const rows = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({
        externalId: `${name}-${at}`,
        name: `${name} ${at}`,
        ...(at % 3 !== 0 && { price: '10.00' }),
      }));
    // More rows than are read at once, of one shop before and behind those of the other.
    await operator.importRows(rows('lamp', 300), { shop: 'shop-1' });
    await operator.importRows(rows('kettle', 30), { shop: second.handle });
    await operator.importRows(rows('sofa', 300), { shop: 'shop-1' });
    const lacking = async (shop: string) => {
      const { gaps } = await service.perform<CatalogGaps>('catalog.gaps', { shop });
      return gaps.find(({ lacks }) => lacks === 'price')!;
    };
    const ofSecond = await lacking(second.handle);
    expect(ofSecond.count).toBe(10);
    expect(ofSecond.offerings.every(({ name }) => name.startsWith('kettle'))).toBe(true);
    expect((await lacking('shop-1')).count).toBe(200);
  } finally {
    await service.close();
  }
});
