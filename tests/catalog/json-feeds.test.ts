import { describe, expect, test } from 'bun:test';
import { acpFeed } from '../../src/catalog/feeds/acp-feed.ts';
import { openaiJsonLines } from '../../src/catalog/feeds/openai-feed.ts';
import { detectFormat, formatNamed } from '../../src/catalog/formats.ts';
import { shopifyJson } from '../../src/catalog/shopify/shopify-json.ts';
import { context, offering, readAll } from './read.ts';

const detected = (text: string) => detectFormat({ text, fileName: 'x' })?.format.name;

const PRODUCT = {
  id: 632910392,
  title: 'Canvas bag',
  handle: 'canvas-bag',
  body_html: '<p>Holds <em>12 l</em></p>',
  published_at: '2026-01-01T08:00:00-05:00',
  vendor: 'Looma',
  product_type: 'Bags',
  tags: ['cotton', 'bag'],
  variants: [
    {
      id: 1,
      title: 'Red',
      option1: 'Red',
      sku: 'B-R',
      available: false,
      price: '39.00',
      compare_at_price: '49.00',
      featured_image: null,
    },
    {
      id: 2,
      title: 'Blue',
      option1: 'Blue',
      sku: 'B-B',
      available: true,
      price: '45.00',
      compare_at_price: null,
      featured_image: { src: 'https://shop.example/b.jpg' },
    },
  ],
  images: [{ src: 'https://shop.example/1.jpg' }],
  options: [{ name: 'Color', position: 1, values: ['Red', 'Blue'] }],
};

describe('Shopify JSON', () => {
  test('products.json', async () => {
    const text = JSON.stringify({ products: [PRODUCT] });
    expect(detected(text)).toBe('shopify-json');
    const { items, said } = await readAll(shopifyJson, text);
    expect(said).toEqual([]);
    expect(offering(items)).toMatchObject({
      externalId: '632910392',
      slug: 'canvas-bag',
      description: 'Holds 12 l',
      publicUrl: 'https://shop.example/products/canvas-bag',
      publishedAt: '2026-01-01T13:00:00.000Z',
      tags: ['cotton', 'bag'],
      priceMinor: 4500,
      compareAtPriceMinor: null,
      availability: 'in_stock',
      variants: [
        {
          id: '1',
          title: 'Red',
          options: { Color: 'Red' },
          priceMinor: 3900,
          compareAtPriceMinor: 4900,
          availability: 'out_of_stock',
        },
        { id: '2', image: 'https://shop.example/b.jpg' },
      ],
    });
  });

  test('products/{handle}.js is in cents; {"product":…} and the admin’s tags and stock are read', async () => {
    const cents = {
      ...PRODUCT,
      body_html: undefined,
      description: '<p>x</p>',
      price_varies: true,
      price_min: 3900,
      variants: [{ ...PRODUCT.variants[0], price: 3900, compare_at_price: 4900 }],
    };
    expect(offering((await readAll(shopifyJson, JSON.stringify(cents))).items)).toMatchObject({
      priceMinor: 3900,
      compareAtPriceMinor: 4900,
    });
    const admin = {
      ...PRODUCT,
      status: 'active',
      tags: 'a, b',
      variants: [
        {
          id: 1,
          price: '1.00',
          inventory_management: 'shopify',
          inventory_quantity: 0,
          inventory_policy: 'continue',
        },
      ],
    };
    expect(
      offering((await readAll(shopifyJson, JSON.stringify({ product: admin }))).items),
    ).toMatchObject({ tags: ['a', 'b'], availability: 'backorder' });
    const { said } = await readAll(
      shopifyJson,
      JSON.stringify({ products: [{ ...admin, status: 'draft' }] }),
    );
    expect(said).toEqual(['1 warning not_published status']);
  });

  test('pages, policies and the shop itself are contexts', async () => {
    const pages = {
      pages: [
        {
          id: 5,
          title: 'Size guide',
          handle: 'size-guide',
          body_html: '<h1>Sizes</h1><p>S is small</p>',
        },
      ],
    };
    expect(detected(JSON.stringify(pages))).toBe('shopify-json');
    expect(context((await readAll(shopifyJson, JSON.stringify(pages))).items)).toMatchObject({
      externalId: 'pages/size-guide',
      name: 'Size guide',
      publicUrl: 'https://shop.example/pages/size-guide',
    });
    const policies = {
      policies: [
        {
          title: 'Refund policy',
          body: '<p>30 days</p>',
          url: 'https://shop.example/policies/refund-policy',
        },
      ],
    };
    expect(context((await readAll(shopifyJson, JSON.stringify(policies))).items)).toMatchObject({
      externalId: 'policies/refund-policy',
      description: '30 days',
    });
    const meta = {
      id: 1,
      name: 'Looma',
      myshopify_domain: 'looma.myshopify.com',
      city: 'Ghent',
      country: 'BE',
      currency: 'EUR',
      description: 'Bags.',
      ships_to_countries: ['BE', 'NL'],
    };
    expect(detected(JSON.stringify(meta))).toBe('shopify-json');
    expect(context((await readAll(shopifyJson, JSON.stringify(meta))).items)).toMatchObject({
      externalId: 'shop',
      description: 'Bags.\nBased in Ghent, BE.\nPrices are in EUR.\nShips to: BE, NL.',
    });
    expect((await readAll(shopifyJson, '{"products":[]}')).said).toEqual([]);
  });

  test('a broken product damages no other, and can be imported after correction', async () => {
    const sound = (id: number) => JSON.stringify({ ...PRODUCT, id });
    const parts = [
      sound(1),
      sound(2).replace('"Canvas bag"', '"Canvas bag'),
      sound(3),
      sound(4).replace('"39.00"', '"-3"'),
      sound(5).replace('"Blue"}', '"Blue"'),
      sound(6).replace('"vendor":', '"vendor"'),
      sound(7),
      sound(8).slice(0, -1),
      sound(9),
      sound(10).replace(']', ''),
    ];
    for (const separator of [',', ',\n']) {
      const text = `{"products":[${parts.join(separator)}]}`;
      const read = await readAll(shopifyJson, text, { chunkBytes: 1000 });
      expect(read.items.map(({ externalId }) => externalId)).toEqual(['1', '3', '5', '7', '9']);
      expect(read.faults.map(({ record, code }) => `${record} ${code}`)).toEqual([
        '2 invalid_json',
        '4 invalid_price',
        '6 invalid_json',
        '8 invalid_json',
        '10 invalid_json',
      ]);
      const again = await readAll(
        formatNamed('errors-csv')!,
        read.errorsCsv.replace('-3', '33.00').replace('""Canvas bag,', '""Canvas bag"",'),
      );
      expect(again.items.map(({ externalId }) => externalId)).toEqual(['2', '4']);
    }
  });
});

describe('ACP', () => {
  const product = {
    id: 'tee',
    title: 'Classic tee',
    description: { plain: 'Soft.' },
    url: 'https://shop.example/tee',
    media: [{ type: 'image', url: 'https://shop.example/1.jpg' }],
    variants: [
      {
        id: 'tee-s',
        title: 'Classic tee - S',
        price: { amount: 1999, currency: 'USD' },
        list_price: { amount: 2499, currency: 'USD' },
        barcodes: [{ type: 'GTIN', value: '4006381333931' }],
        availability: { available: true, status: 'limited_stock' },
        variant_options: [{ name: 'Size', value: 'S' }],
        categories: [{ value: 'Apparel > Shirts', taxonomy: 'merchant' }],
        seller: { name: 'Looma' },
      },
      {
        id: 'tee-m',
        title: 'Classic tee - M',
        price: { amount: 1799, currency: 'USD' },
        availability: { available: false },
      },
    ],
  };

  test('one document may wrap all products, with variants or as flat items', async () => {
    const head = { feed_id: 'f', target_country: 'US', header: { version: 1 } };
    const wrapped = JSON.stringify(
      { ...head, products: [product, { ...product, id: 'two' }] },
      null,
      1,
    );
    expect(detected(wrapped)).toBe('acp-jsonl');
    const nested = await readAll(acpFeed, wrapped, { chunkBytes: 99 });
    expect(nested.items.map(({ externalId }) => externalId)).toEqual(['tee', 'two']);
    const item = { item_id: 'a', title: 'Tee', url: 'https://shop.example/a', price: '19.99 USD' };
    const flat = JSON.stringify({ ...head, products: [item, { ...item, item_id: 'b' }] });
    expect(detected(flat)).toBe('openai-jsonl');
    const { items } = await readAll(openaiJsonLines, flat);
    expect(items).toMatchObject([
      { externalId: 'a', priceMinor: 1999, currency: 'USD' },
      { externalId: 'b' },
    ]);
    expect([...nested.said]).toEqual([]);
  });

  test('prices are whole minor units', async () => {
    const text = `{"feed_id":"f","account_id":"a","target_merchant":"m","target_country":"US"}\n${JSON.stringify(product)}\n`;
    expect(detected(text)).toBe('acp-jsonl');
    const { items, said } = await readAll(acpFeed, text);
    expect(said).toEqual([]);
    expect(offering(items)).toMatchObject({
      externalId: 'tee',
      name: 'Classic tee',
      description: 'Soft.',
      currency: 'USD',
      priceMinor: 1999,
      compareAtPriceMinor: 2499,
      availability: 'limited_stock',
      productType: 'Shirts',
      vendor: 'Looma',
      variants: [
        { id: 'tee-s', title: 'S', gtin: '4006381333931' },
        { id: 'tee-m', availability: 'out_of_stock' },
      ],
    });
  });

  test.each([
    [
      'an amount that is no whole number',
      { amount: 19.99, currency: 'USD' },
      'invalid_price variants[0].price',
    ],
    ['an amount as text', { amount: '1999', currency: 'USD' }, 'invalid_price variants[0].price'],
    ['no such currency', { amount: 1999, currency: 'XXQ' }, 'invalid_price variants[0].price'],
    [
      'another currency',
      { amount: 1999, currency: 'EUR' },
      'currency_conflict variants[0].list_price',
    ],
  ])('%s is a fault', async (_, price, said) => {
    const wrong = { ...product, variants: [{ ...product.variants[0], price }] };
    expect((await readAll(acpFeed, JSON.stringify(wrong))).said).toEqual([`1 error ${said}`]);
  });
});
