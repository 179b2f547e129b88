import { describe, expect, test } from 'bun:test';
import { jsonLines } from '../support/catalog.ts';
import { ask, callTool as call, textOf } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const ROWS = [
  {
    externalId: '632910392',
    name: 'Tee',
    slug: 'tee',
    price: '20.00',
    variants: [
      { id: '808950810', title: 'Red', sku: 'TEE R', price: '20.00', availability: 'in_stock' },
      { id: '808950811', title: 'Blue', sku: 'TEE/B', price: '21.00', availability: 'in_stock' },
    ],
  },
  { externalId: '77', name: 'Cup', slug: 'cup', price: '5.00' },
  {
    externalId: 'gift',
    name: 'Gift card',
    price: '5.00',
    checkoutUrl: 'https://pay.example/gift',
  },
  {
    externalId: 'class',
    name: 'Class',
    kind: 'service',
    slug: 'class',
    price: '5.00',
    bookingUrl: 'https://calendar.example/class',
  },
  { externalId: 'talk', name: 'Talk', kind: 'service', slug: 'talk', price: '5.00' },
];

async function shopOf(settings: Record<string, unknown>): Promise<LocalService> {
  const service = await startService();
  await service.operator.importRows(ROWS);
  await service.perform('shop.set', { shop: 'shop-1', domain: 'shop.example', ...settings });
  return service;
}

async function checkout({ fetch }: LocalService, reference: string): Promise<unknown[]> {
  const answer = await call(fetch, 'single_product_express_checkout', { product_id: reference });
  const { checkoutUrl, method, variantId, price } = answer.structuredContent ?? {};
  return answer.isError ? [textOf(answer)] : [method, checkoutUrl, variantId, price];
}

describe('links', () => {
  test('a Shopify cart, for the variant that is named', async () => {
    const service = await shopOf({ storefront: 'shopify' });
    const cart = 'https://shop.example/cart';
    expect(await checkout(service, 'TEE/B')).toEqual([
      'shopify_cart',
      `${cart}/808950811:1`,
      '808950811',
      '21.00',
    ]);
    expect(await checkout(service, 'gid://shopify/ProductVariant/808950811')).toEqual([
      'shopify_cart',
      `${cart}/808950811:1`,
      '808950811',
      '21.00',
    ]);
    // A product without variants is in no cart: its page is the next best.
    expect(await checkout(service, 'cup')).toEqual([
      'product_page',
      'https://shop.example/products/cup',
      null,
      '5.00',
    ]);
    await service.close();
  });

  test('a WooCommerce checkout link', async () => {
    const service = await shopOf({ storefront: 'woo' });
    expect(await checkout(service, 'cup')).toEqual([
      'woo_checkout_link',
      'https://shop.example/checkout-link/?products=77:1',
      null,
      '5.00',
    ]);
    await service.close();
  });

  test('a UCP permalink, and a template before it', async () => {
    const service = await shopOf({ ucpEndpoint: 'https://ucp.shop.example/cart/' });
    expect(await checkout(service, '808950811')).toEqual([
      'ucp_permalink',
      'https://ucp.shop.example/cart/808950811:1',
      '808950811',
      '21.00',
    ]);
    const template =
      'https://{domain}/buy?p={external_id}&v={variant_id}&s={sku}&n={quantity}&u={slug}';
    await service.perform('shop.set', { shop: 'shop-1', checkoutUrlTemplate: template });
    expect(await checkout(service, '808950811')).toEqual([
      'template',
      'https://shop.example/buy?p=632910392&v=808950811&s=TEE%2FB&n=1&u=tee',
      '808950811',
      '21.00',
    ]);
    // What a template names and an offering lacks is no link.
    expect(await checkout(service, 'cup')).toEqual([
      '“Cup” cannot be bought by a link here. Say so.',
    ]);
    await service.close();
  });

  test('links of the catalogue count only where they lead to the organization', async () => {
    const service = await shopOf({});
    expect(await checkout(service, 'gift')).toEqual([
      '“Gift card” cannot be bought by a link here. Say so.',
    ]);
    await service.perform('shop.set', {
      shop: 'shop-1',
      furtherDomains: ['pay.example', 'calendar.example'],
    });
    expect(await checkout(service, 'gift')).toEqual([
      'payment_link',
      'https://pay.example/gift',
      null,
      '5.00',
    ]);
    const booking = await call(service.fetch, 'get_booking_link', { offering_id: 'class' });
    expect(booking.structuredContent).toMatchObject({
      url: 'https://calendar.example/class',
      provider: 'calendar.example',
      source: 'offering',
    });
    await service.close();
  });

  test('bookings: the offering’s own link, then the template, then a service’s page', async () => {
    const service = await shopOf({ storefront: 'shopify' });
    const source = async (reference: string) =>
      (await call(service.fetch, 'get_booking_link', { offering_id: reference })).structuredContent;
    expect(await source('talk')).toMatchObject({
      source: 'page',
      url: 'https://shop.example/products/talk',
    });
    const bookingUrlTemplate = 'https://book.shop.example/{slug}?id={product_id}';
    await service.perform('shop.set', { shop: 'shop-1', bookingUrlTemplate });
    expect(await source('class')).toMatchObject({
      source: 'template',
      provider: 'book.shop.example',
    });
    await service.perform('shop.set', { shop: 'shop-1', bookingUrlTemplate: '' });
    expect(await source('class')).toMatchObject({ source: 'page' });
    await service.close();
  });

  test.each([
    ['http', { checkoutUrlTemplate: 'http://shop.example/{sku}' }],
    ['another host', { checkoutUrlTemplate: 'https://evil.example/{sku}' }],
    [
      'a host that only begins alike',
      { checkoutUrlTemplate: 'https://shop.example.evil.example/{sku}' },
    ],
    ['user info', { checkoutUrlTemplate: 'https://shop.example@evil.example/{sku}' }],
    ['user info at a host below the domain', { checkoutUrlTemplate: 'https://me@x.shop.example/' }],
    ['a backslash', { checkoutUrlTemplate: 'https://evil.example\\@shop.example/{sku}' }],
    ['a host from the catalogue', { bookingUrlTemplate: 'https://{slug}.shop.example/' }],
    ['a page elsewhere', { productUrlTemplate: 'https://evil.example/{slug}' }],
    ['an unknown name', { bookingUrlTemplate: 'https://shop.example/{price}' }],
    ['a brace too many', { bookingUrlTemplate: 'https://shop.example/{sku}}' }],
    ['1,025 characters', { bookingUrlTemplate: `https://shop.example/${'x'.repeat(1004)}` }],
    ['a UCP endpoint elsewhere', { ucpEndpoint: 'https://evil.example/cart' }],
    ['a UCP endpoint with a query', { ucpEndpoint: 'https://shop.example/cart?x=' }],
    [
      'a domain that leaves a template behind',
      { checkoutUrlTemplate: 'https://shop.example/{sku}', domain: 'other.example' },
    ],
  ])('a template with %s is refused when it is set', async (_, settings) => {
    const service = await shopOf({});
    expect(service.perform('shop.set', { shop: 'shop-1', ...settings })).rejects.toThrow(
      /must|may name|longer/,
    );
    await service.close();
  });
});

describe('the page of a product that the catalogue gives no address', () => {
  const WOO = [
    'ID,Type,SKU,Name,Published,Visibility in catalog,In stock?,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
    '44,variable,tee,Tee,1,visible,1,,,Colour,"Red, Blue"',
    '45,variation,tee-red,Tee - Red,1,visible,1,20,id:44,Colour,Red',
    '46,variation,tee-blue,Tee - Blue,1,visible,1,21,id:44,Colour,Blue',
    ',simple,cap,Cap,1,visible,1,9,,,',
  ].join('\n');
  const page = async ({ fetch }: LocalService, product_id: string) => {
    const answer = await call(fetch, 'get_product_link', { product_id });
    return answer.isError ? null : answer.structuredContent!['url'];
  };

  test('WooCommerce’s export tells the storefront, whose pages are found by id, and the products by their page', async () => {
    const service = await startService();
    await service.perform('shop.set', { domain: 'shop.example' });
    const { storefront, withoutAddress } = await service.importText(WOO, {
      format: 'woocommerce-csv',
    });
    expect(storefront).toBe('woo');
    expect(withoutAddress).toEqual({
      count: 1,
      example: 'Cap (cap)',
      command:
        'vitrine shop set shop-1 --product-url-template "https://{domain}/YOUR-PATH/{external_id}"',
    });
    expect(await page(service, 'tee-red')).toBe('https://shop.example/?p=44');
    expect(await page(service, 'https://shop.example/?p=44')).toBe('https://shop.example/?p=44');
    expect(await page(service, 'https://evil.example/?p=44')).toBeNull();
    const listed = await call(service.fetch, 'list_all_offerings', {});
    expect(listed.structuredContent!['results']).toMatchObject([
      { publicUrl: null },
      { publicUrl: 'https://shop.example/?p=44' },
    ]);
    await service.perform('shop.set', { productUrlTemplate: 'https://{domain}/produkt/{sku}/' });
    expect(await page(service, 'cap')).toBe('https://shop.example/produkt/cap/');
    expect(await page(service, 'tee-blue')).toBe('https://shop.example/produkt/tee-blue/');
    expect(await page(service, 'https://shop.example/produkt/tee-blue/')).toEndWith('/tee-blue/');
    await service.close();
  });

  test('comes from the columns for it that plugins add to WooCommerce’s export', async () => {
    const service = await startService();
    await service.perform('shop.set', { domain: 'shop.example' });
    const [head, ...rows] = WOO.split('\n').slice(0, 1).concat(WOO.split('\n').slice(-1));
    const text = [
      `${head},Slug,Permalink`,
      `${rows[0]},cap,`,
      ',simple,hat,Hat,1,visible,1,9,,,,hat,https://shop.example/hats/hat',
    ];
    await service.importText(text.join('\n'), { format: 'woocommerce-csv' });
    expect(await page(service, 'cap')).toBe('https://shop.example/product/cap/');
    expect(await page(service, 'hat')).toBe('https://shop.example/hats/hat');
    await service.close();
  });

  test('an import says which command gives it one, and the command does', async () => {
    const service = await startService();
    const text = 'Handle,Title,Variant Price\ntea,Tea,5.00\n';
    const csv = { format: 'shopify-csv' };
    const first = await service.importText(text, csv);
    expect(first.withoutAddress).toEqual({
      count: 1,
      example: 'Tea (tea)',
      command: 'vitrine shop set shop-1 --domain YOUR-DOMAIN',
    });
    await service.perform('shop.set', { shop: 'shop-1', domain: 'shop.example' });
    expect(await page(service, 'tea')).toBe('https://shop.example/products/tea');
    expect((await service.importText(text, csv)).withoutAddress).toBeUndefined();
    await service.close();
  });

  test.each([
    ['https://else.example/x', 'else.example'],
    ['https://$(reboot)/x', 'YOUR-DOMAIN'],
  ])(
    'the command for an address elsewhere, %s, names its host only if a shell takes it as a name',
    async (publicUrl, named) => {
      const service = await startService();
      await service.perform('shop.set', { domain: 'shop.example' });
      const rows = jsonLines([{ externalId: 'cup', name: 'Cup', publicUrl }]);
      const { withoutAddress } = await service.importText(rows);
      expect(withoutAddress?.command).toBe(`vitrine shop set shop-1 --further-domains ${named}`);
      await service.close();
    },
  );

  test('an import never overrules a storefront that an operator chose', async () => {
    const service = await startService();
    await service.perform('shop.set', { domain: 'shop.example', storefront: 'other' });
    const told = await service.importText(WOO, { format: 'woocommerce-csv' });
    expect([told.storefront, told.withoutAddress?.count]).toEqual([undefined, 2]);
    expect(await page(service, 'tee-red')).toBeNull();
    await service.close();
  });

  test.each([
    ['https://shop.example/products/tee?variant=808950810', 'shopify'],
    ['https://shop.example/products/tee', undefined],
    ['https://shop.example/products/tee?variant=1', undefined],
  ])('a feed of addresses like %s tells the storefront %p', async (publicUrl, storefront) => {
    const service = await startService();
    const rows = jsonLines([{ ...ROWS[0], publicUrl }]);
    expect((await service.importText(rows)).storefront).toBe(storefront as never);
    await service.close();
  });
});

describe('a link to somebody else', () => {
  const FOREIGN = 'https://shop.example.evil.example/x';
  const CONTEXT = {
    type: 'context',
    externalId: 'returns',
    name: 'Returns',
    description: 'Send the teapot back within 30 days.',
    publicUrl: FOREIGN,
  };
  const LINKS = { publicUrl: FOREIGN, checkoutUrl: FOREIGN, bookingUrl: FOREIGN };
  const TEAPOT = { externalId: 'pot', name: 'Teapot', price: '5.00', ...LINKS };
  const LESSON = { ...TEAPOT, externalId: 'lesson', name: 'Teapot lesson', kind: 'service' };

  test.each([
    ['search_offerings', { question: 'teapot' }],
    ['search_offerings', { question: 'return the teapot' }],
    ['list_all_offerings', {}],
    ['get_product_link', { product_id: 'pot' }],
    ['get_booking_link', { offering_id: 'lesson' }],
    ['single_product_express_checkout', { product_id: 'pot' }],
  ])('is in no answer of %s %p', async (tool, args) => {
    const service = await startService();
    await service.operator.importRows([TEAPOT, LESSON, CONTEXT]);
    // Without a domain there is nothing to hold a link against.
    expect(JSON.stringify(await call(service.fetch, tool, args))).toContain(FOREIGN);
    await service.perform('shop.set', { shop: 'shop-1', domain: 'shop.example' });
    expect(JSON.stringify(await call(service.fetch, tool, args))).not.toContain('evil');
    // Where the storefront is known, its own page stands in.
    await service.perform('shop.set', { shop: 'shop-1', storefront: 'shopify' });
    expect(JSON.stringify(await call(service.fetch, tool, args))).not.toContain('evil');
    await service.close();
  });

  test('is in no resource', async () => {
    const service = await startService();
    await service.operator.importRows([TEAPOT, LESSON, CONTEXT]);
    await service.perform('shop.set', { shop: 'shop-1', domain: 'shop.example' });
    const { result } = await ask(service.fetch, 'resources/list');
    for (const { uri } of result['resources'] as { uri: string }[]) {
      const read = await ask(service.fetch, 'resources/read', { uri });
      expect(JSON.stringify(read)).not.toContain('evil');
    }
    await service.close();
  });

  test('is not made of a template when its domain has become another shop’s no longer', async () => {
    const service = await shopOf({});
    await service.perform('shop.create', { name: 'Two', currency: 'EUR', domain: 'two.example' });
    const checkoutUrlTemplate = 'https://two.example/{external_id}';
    await service.perform('shop.set', { shop: 'shop-1', checkoutUrlTemplate });
    expect((await checkout(service, 'cup'))[1]).toBe('https://two.example/77');
    await service.perform('shop.set', { shop: 'shop-2', domain: 'three.example' });
    expect(await checkout(service, 'cup')).toEqual([
      '“Cup” cannot be bought by a link here. Say so.',
    ]);
    await service.close();
  });
});
