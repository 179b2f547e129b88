import { describe, expect, test } from 'bun:test';
import { catalogItemId } from '../../src/domain/ids.ts';
import { TARGETS, useService } from '../support/targets.ts';

/** Frozen for good: a difference here breaks clients. */
const FROZEN = JSON.stringify({
  results: [
    {
      id: 'lighthouse-lamp',
      type: 'product',
      name: 'Lighthouse lamp <small>',
      description: 'A lighthouse for the bedside & the hall.',
      image: 'https://cdn.example/lighthouse.jpg',
      images: ['https://cdn.example/lighthouse.jpg', 'https://cdn.example/lighthouse-lit.jpg'],
      slug: 'lighthouse-lamp',
      publicUrl: 'https://shop.example/products/lighthouse-lamp',
      publishedAt: '2026-01-02T02:04:05.000Z',
      vendor: 'Harbour',
      tags: ['lighting', 'sea'],
      productType: 'Lamps',
      price: '49.90',
      compareAtPrice: '59.90',
    },
    {
      id: 'about-the-lighthouse',
      type: 'context',
      name: 'About our lighthouse',
      description: 'The lighthouse on our label stands at the mouth of the harbour.',
      image: null,
      images: [],
      slug: null,
      publicUrl: 'https://shop.example/pages/lighthouse',
      publishedAt: null,
      vendor: null,
      tags: [],
      productType: null,
      price: null,
      compareAtPrice: null,
    },
  ],
  count: 2,
});

interface AnswerV2 {
  readonly count: number;
  readonly results: readonly { type: string; name: string; price: string | null }[];
}

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  async function search(query: string): Promise<AnswerV2> {
    const response = await service().fetch(`/rest/search/v2/?${query}`);
    expect(response.status).toBe(200);
    return (await response.json()) as AnswerV2;
  }

  test('200: exactly the fourteen fields in their order, byte for byte', async () => {
    const response = await service().fetch('/rest/search/v2/?q=lighthouse%20lamp');
    const { id } = service().shop;
    const named = (externalId: string) => catalogItemId(id, externalId);
    const text = (await response.text())
      .replace(named('lighthouse-lamp'), 'lighthouse-lamp')
      .replace(named('about-the-lighthouse'), 'about-the-lighthouse');
    expect(text).toBe(FROZEN);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('200: names its successor and is not deprecated', async () => {
    const { headers } = await service().fetch('/rest/search/v2/?q=mug');
    expect(headers.get('link')).toBe('</rest/search/v3/>; rel="successor-version"');
    expect(headers.get('deprecation')).toBeNull();
    expect(headers.get('sunset')).toBeNull();
  });

  test('200: twenty results at most, whatever else is asked for', async () => {
    for (const query of ['q=mug', 'q=mug&limit=50', 'q=mug&limit=none&cursor=x']) {
      const { count, results } = await search(query);
      expect([count, results.length]).toEqual([20, 20]);
    }
  });

  test('200: no match is an empty response', async () => {
    expect(await search('q=xylophone')).toEqual({ results: [], count: 0 });
    expect(await search(`q=${encodeURIComponent('?!')}`)).toEqual({ results: [], count: 0 });
  });

  test('200: products_only drops contexts before the cut', async () => {
    const all = await search('q=return+a+mug');
    expect(all.results.some(({ type }) => type === 'context')).toBe(true);
    const products = await search('q=return+a+mug&products_only=true');
    expect(products.count).toBe(20);
    expect(new Set(products.results.map(({ type }) => type))).toEqual(new Set(['product']));
  });

  test('200: contexts and products are ranked together', async () => {
    const { results } = await search('q=return+a+mug');
    expect(results.map(({ type }) => type).indexOf('context')).toBe(0);
    expect(results.map(({ type }) => type).lastIndexOf('product')).toBe(19);
  });

  test('200: free is "0.00" and no price is null', async () => {
    expect((await search('q=teapot')).results[0]!.price).toBe('0.00');
    expect((await search('q=mystery')).results[0]!.price).toBeNull();
  });

  test('200: a price has as many decimals as its currency', async () => {
    const { operator, as } = service();
    const { slug, apiKey } = await operator.createOrganization('Far away');
    const rows = [
      { externalId: 'jpy', name: 'Lantern from Kyoto', price: '4200', currency: 'JPY' },
      { externalId: 'kwd', name: 'Lantern from Kuwait', price: '1.25', currency: 'KWD' },
      { externalId: 'usd', name: 'Lantern from Boston', price: '99.9', currency: 'USD' },
    ];
    await operator.importRows(rows, { organization: slug });
    const response = await as(apiKey)('/rest/search/v2/?q=lantern');
    const { results } = (await response.json()) as AnswerV2;
    const prices = Object.fromEntries(
      results.map(({ name, price }) => [name.split(' ')[2], price]),
    );
    expect(prices).toEqual({ Kyoto: '4200', Kuwait: '1.250', Boston: '99.90' });
  });
});
