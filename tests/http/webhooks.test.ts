import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { applyNextDeliveries } from '../../src/operations/pushes/apply-webhooks.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const SECRET = 'shpss_0123456789abcdef0123456789abcdef';

/** In the shape that Shopify documents for products/update, API 2025-01. */
const shopifyProduct = (
  updatedAt: string,
  { title = 'Harbour parka', price = '199.00', left = 9, ...more } = {},
) => ({
  admin_graphql_api_id: 'gid://shopify/Product/788032119674292922',
  body_html: '<p>Keeps <b>rain</b> out.</p>',
  created_at: null,
  handle: 'harbour-parka',
  id: 788032119674292922n,
  product_type: 'Jackets',
  published_at: '2026-01-01T00:00:00-05:00',
  title,
  updated_at: updatedAt,
  vendor: 'Quay',
  status: 'active',
  published_scope: 'web',
  tags: 'rain, outdoor',
  variants: ['S', 'M'].map((size, index) => ({
    admin_graphql_api_id: `gid://shopify/ProductVariant/${642667041472713922n + BigInt(index)}`,
    barcode: null,
    compare_at_price: '249.00',
    id: 642667041472713922n + BigInt(index),
    inventory_policy: index === 0 ? 'deny' : 'continue',
    position: index + 1,
    price,
    product_id: 788032119674292922n,
    sku: `PARKA-${size}`,
    taxable: true,
    title: size,
    option1: size,
    option2: null,
    option3: null,
    image_id: null,
    inventory_item_id: 49148385 + index,
    inventory_quantity: left,
    old_inventory_quantity: left,
  })),
  options: [{ name: 'Size', position: 1, values: ['S', 'M'] }],
  images: [],
  image: null,
  variant_gids: [],
  has_variants_that_requires_components: false,
  category: null,
  ...more,
});

/** In the shape that version 3 of WooCommerce's REST API documents. */
const wooProduct = (modified: string, more: object = {}) => ({
  id: 799,
  name: 'Ship&#8217;s biscuit',
  slug: 'ships-biscuit',
  permalink: 'https://shop.example/product/ships-biscuit/',
  date_created_gmt: '2026-01-22T22:34:14',
  date_modified_gmt: modified,
  type: 'simple',
  status: 'publish',
  catalog_visibility: 'visible',
  description: '<p>Hard, dry, lasting.</p>\n',
  short_description: '',
  sku: 'BISCUIT',
  price: '3.50',
  regular_price: '4.00',
  sale_price: '3.50',
  on_sale: true,
  stock_quantity: null,
  stock_status: 'instock',
  parent_id: 0,
  categories: [{ id: 9, name: 'Provisions', slug: 'provisions' }],
  tags: [{ id: 1, name: 'dry', slug: 'dry' }],
  images: [{ id: 792, src: 'https://shop.example/biscuit.jpg', name: '', alt: '' }],
  attributes: [{ id: 6, name: 'Weight', position: 0, visible: true, options: ['200 g'] }],
  variations: [],
  ...more,
});

/** JSON with integers of any length. */
const json = (value: unknown) =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `#${part}#` : part)).replaceAll(
    /"#(\d+)#"/g,
    '$1',
  );

const sign = (body: string, secret = SECRET) =>
  createHmac('sha256', secret).update(body).digest('base64');

describe('webhooks', () => {
  let service: LocalService;
  let count = 0;

  beforeAll(async () => {
    service = await startService({ embedder: null });
    await service.perform('shop.set', { webhookSecret: SECRET });
    await service.operator.importRows([
      { externalId: 'gull', name: 'Tin gull', price: '5.00' },
      {
        externalId: '667',
        name: 'Deck shoe',
        variants: ['41', '42'].map((size) => ({
          ...{ id: `7${size}`, price: '60.00', available: true, options: { Size: size } },
        })),
      },
    ]);
  });
  afterAll(() => service.close());

  const now = (offsetSeconds = 0) =>
    new Date(service.platform.now() + offsetSeconds * 1000).toISOString().replace('.000Z', 'Z');

  async function shopify(
    topic: string,
    payload: object,
    { headers = {}, shop = service.shop.id }: { headers?: object; shop?: string } = {},
  ): Promise<Response> {
    const body = json(payload);
    const response = await service.asStranger(`/rest/webhooks/shopify/${shop}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': topic,
        'x-shopify-hmac-sha256': sign(body),
        'x-shopify-webhook-id': `webhook-${++count}`,
        'x-shopify-triggered-at': now(),
        'x-request-id': 'same',
        ...headers,
      },
    });
    while (await applyNextDeliveries(service.services));
    return response;
  }

  async function woo(topic: string, payload: object, headers = {}): Promise<Response> {
    const body = json(payload);
    const response = await service.asStranger(`/rest/webhooks/woocommerce/${service.shop.id}/`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-signature': sign(body),
        'x-wc-webhook-delivery-id': 'the-same-for-a-second',
        ...headers,
      },
    });
    while (await applyNextDeliveries(service.services));
    return response;
  }

  const stateOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { state: string }).state,
  ];

  async function find(question: string): Promise<Record<string, unknown> | undefined> {
    const url = `/rest/search/v3/?q=${encodeURIComponent(question)}&products_only=true&limit=1`;
    const { results } = (await (await service.fetch(url)).json()) as {
      results: Record<string, unknown>[];
    };
    return results[0];
  }

  test('of Shopify: a product is created, changed, unpublished and deleted', async () => {
    expect(await stateOf(await shopify('products/create', shopifyProduct(now())))).toEqual([
      200,
      'accepted',
    ]);
    expect(await find('parka')).toMatchObject({
      ...{ externalId: '788032119674292922', name: 'Harbour parka', price: '199.00' },
      ...{ compareAtPrice: '249.00', availability: 'in_stock', vendor: 'Quay' },
      description: 'Keeps rain out.',
    });
    await shopify('products/update', shopifyProduct(now(1), { price: '149.00' }));
    expect(await find('parka')).toMatchObject({ price: '149.00' });
    await shopify('products/update', shopifyProduct(now(2), { published_at: null } as object));
    expect((await find('parka'))?.['externalId']).not.toBe('788032119674292922');
    await shopify('products/update', shopifyProduct(now(3)));
    expect(await find('parka')).toMatchObject({ price: '199.00' });
    await shopify('products/delete', { id: 788032119674292922n });
    expect((await find('parka'))?.['externalId']).not.toBe('788032119674292922');
    await shopify('products/update', shopifyProduct(now(4)));
    expect((await find('parka'))?.['externalId']).not.toBe('788032119674292922');
  });

  test('of Shopify: stock is the sum of its locations, and nothing older takes a newer state back', async () => {
    const other = { id: 1001, handle: 'oilskin', title: 'Oilskin' };
    const product = (seconds: number, more = {}) => {
      const made = shopifyProduct(now(seconds), { ...other, ...more } as object);
      const variants = made.variants.map((variant, index) => ({ ...variant, id: 2001 + index }));
      return { ...made, variants };
    };
    await shopify('products/create', product(0));
    const level = (available: number | null, seconds: number, location = 655441491) =>
      shopify('inventory_levels/update', {
        admin_graphql_api_id: 'gid://shopify/InventoryLevel/1?inventory_item_id=49148385',
        available,
        inventory_item_id: 49148385,
        location_id: location,
        updated_at: now(seconds),
      });
    const available = async () =>
      ((await find('oilskin'))!['variants'] as { available: boolean }[]).map(
        (variant) => variant.available,
      );
    await level(0, 10);
    expect(await available()).toEqual([false, true]);
    await level(4, 11, 655441492);
    expect(await available()).toEqual([true, true]);
    await level(0, 12, 655441492);
    await level(7, 9, 655441492);
    expect(await available()).toEqual([false, true]);
    await shopify('products/update', product(5, { title: 'Old oilskin', left: 50 }));
    expect(await find('oilskin')).toMatchObject({ name: 'Old oilskin' });
    await shopify('products/update', product(20, { title: 'New oilskin', left: 50 }));
    await shopify('products/update', product(15, { title: 'Late oilskin' }));
    expect(await find('oilskin')).toMatchObject({ name: 'New oilskin' });
    expect(await available()).toEqual([true, true]);
    await level(0, 18);
    expect(await available()).toEqual([true, true]);
  });

  test('a replay is told from a delivery, an old one is refused, a strange topic is acknowledged', async () => {
    const product = shopifyProduct(now(), { id: 1002, title: 'Storm lamp' } as object);
    const headers = { 'x-shopify-webhook-id': 'once' };
    expect(await stateOf(await shopify('products/update', product, { headers }))).toEqual([
      200,
      'accepted',
    ]);
    expect(await stateOf(await shopify('products/update', product, { headers }))).toEqual([
      200,
      'duplicate',
    ]);
    const late = { headers: { 'x-shopify-triggered-at': now(-49 * 3600) } };
    expect((await shopify('products/update', product, late)).status).toBe(400);
    expect(await stateOf(await shopify('orders/create', { id: 1 }))).toEqual([200, 'ignored']);
    // The topic is not signed: a product that comes as a deletion deletes nothing.
    await shopify('products/delete', product);
    expect(await find('storm lamp')).toMatchObject({ externalId: '1002' });
  });

  test('of WooCommerce: products and variations; deliveries of one second are told apart', async () => {
    const ping = await service.asStranger(`/rest/webhooks/woocommerce/${service.shop.id}`, {
      method: 'POST',
      body: 'webhook_id=12',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(await stateOf(ping)).toEqual([200, 'ignored']);
    expect(await stateOf(await woo('product.created', wooProduct('2026-03-01T10:00:00')))).toEqual([
      200,
      'accepted',
    ]);
    expect(await find('biscuit')).toMatchObject({
      ...{ externalId: '799', name: 'Ship’s biscuit', price: '3.50', compareAtPrice: '4.00' },
      ...{ productType: 'Provisions', tags: ['dry'], availability: 'in_stock' },
    });
    await woo('product.updated', wooProduct('2026-03-01T10:00:05', { stock_status: 'outofstock' }));
    await woo('product.updated', wooProduct('2026-03-01T10:00:03'));
    expect(await find('biscuit')).toMatchObject({ availability: 'out_of_stock' });
    await woo('product.updated', {
      ...wooProduct('2026-03-01T10:00:00', { id: 741, type: 'variation', parent_id: 667 }),
      ...{ price: '45.00', regular_price: '60.00', stock_status: 'onbackorder' },
    });
    expect(await find('deck shoe')).toMatchObject({
      ...{ price: '45.00', compareAtPrice: '60.00' },
      variants: [
        { id: '741', price: '45.00' },
        { id: '742', price: '60.00' },
      ],
    });
    await woo('product.updated', {
      ...wooProduct('2026-03-01T10:00:09', { id: 667, name: 'Deck shoe, wide', type: 'variable' }),
      variations: [742],
    });
    expect(await find('deck shoe')).toMatchObject({
      name: 'Deck shoe, wide',
      variants: [{ id: '742' }],
    });
    await woo('product.deleted', { id: 799 });
    expect((await find('biscuit'))?.['externalId']).not.toBe('799');
    await woo('product.updated', wooProduct('2026-03-01T10:01:00'));
    expect((await find('biscuit'))?.['externalId']).not.toBe('799');
    await woo('product.restored', wooProduct('2026-03-01T10:02:00'));
    expect(await find('biscuit')).toMatchObject({ externalId: '799' });
  });

  test('401 in the same words for a wrong signature, a shop without a secret, and no shop', async () => {
    const { shops } = await service.operator.createOrganization('Silent');
    const payload = shopifyProduct(now());
    const refusals = [
      await shopify('products/update', payload, {
        headers: { 'x-shopify-hmac-sha256': sign(json(payload), 'another secret of length') },
      }),
      await shopify('products/update', payload, { shop: shops[0]!.id }),
      await shopify('products/update', payload, { shop: '0199e5a0-7c1e-7a3b-9d52-3f1c8b2e4d60' }),
      await shopify('products/update', payload, { headers: { 'x-shopify-hmac-sha256': '' } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const bodies = await Promise.all(refusals.map((response) => response.text()));
    expect(new Set(bodies).size).toBe(1);
    await service.perform('shop.set', { organization: 'acme', webhookSecret: '' });
    expect((await shopify('products/update', payload)).status).toBe(401);
    await service.perform('shop.set', { organization: 'acme', webhookSecret: SECRET });
    const audit = JSON.stringify(
      await service.perform('audit.list', { organization: 'acme', limit: 50 }),
    );
    expect(audit).toContain('"webhookSecret":"set"');
    expect(audit + service.logged()).not.toContain(SECRET);
  });
});
