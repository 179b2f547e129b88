import { describe, expect, test } from 'bun:test';
import { Compile } from 'typebox/schema';
import { ask, connectMcp } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
  readonly annotations: object;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

type Fetch = LocalService['fetch'];

async function call(fetch: Fetch, name: string, args: object = {}): Promise<ToolAnswer> {
  return (await ask(fetch, 'tools/call', { name, arguments: args }))
    .result as unknown as ToolAnswer;
}

const textOf = ({ content }: ToolAnswer) => content.map(({ text }) => text).join('\n');

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  test('there are exactly the five tools, each with title, schemas and all four hints', async () => {
    const { tools } = (await ask(service().fetch, 'tools/list')).result as unknown as {
      tools: Listed[];
    };
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'get_booking_link',
      'get_product_link',
      'list_all_offerings',
      'search_offerings',
      'single_product_express_checkout',
    ]);
    for (const { title, description, annotations, inputSchema, outputSchema } of tools) {
      expect([title, description].every((text) => text.length > 10)).toBe(true);
      expect(inputSchema).toMatchObject({ type: 'object' });
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
    const shown = tools.filter(({ _meta }) => _meta !== undefined);
    expect(shown.map(({ name }) => name)).toEqual(['list_all_offerings', 'search_offerings']);
    for (const { _meta } of shown) {
      expect(_meta).toEqual({
        ui: { resourceUri: 'ui://vitrine/offerings.html' },
        'ui/resourceUri': 'ui://vitrine/offerings.html',
        'openai/outputTemplate': 'ui://vitrine/offerings.html',
      });
    }
  });

  test('every answer fits the schema that its tool announces, to the SDK’s client and to TypeBox', async () => {
    const client = await connectMcp(service().fetch);
    const { tools } = await client.listTools();
    const calls: [string, Record<string, string>][] = [
      ['search_offerings', { question: 'lighthouse' }],
      ['search_offerings', { question: 'xylophone' }],
      ['list_all_offerings', {}],
      ['get_product_link', { product_id: 'lighthouse-lamp' }],
      ['get_booking_link', { offering_id: 'workshop' }],
      ['single_product_express_checkout', { product_id: 'lighthouse-lamp' }],
    ];
    for (const [name, args] of calls) {
      // The client itself checks the answer against the schema, and throws.
      const { structuredContent, isError } = await client.callTool({ name, arguments: args });
      const { outputSchema } = tools.find((tool) => tool.name === name)!;
      const [, faults] = Compile(outputSchema as object).Errors(structuredContent);
      expect([name, isError, faults]).toEqual([name, undefined, []]);
      const announced = Object.keys(outputSchema!.properties as object);
      expect(Object.keys(structuredContent as object)).toEqual(announced);
    }
    await client.close();
  });

  test.each([
    'lighthouse',
    'mug for tea',
    'yellow anorak',
    'how do I return a mug',
    'mugs under 20',
    'nothing like it',
  ])('search_offerings gives for %j the offerings of REST, in their order', async (question) => {
    const { fetch } = service();
    const response = await fetch(`/rest/search/v3/?q=${encodeURIComponent(question)}`);
    const rest = (await response.json()) as {
      results: { type: string; id: string; score: number }[];
      scoring: string;
      total: number;
    };
    const { structuredContent } = await call(fetch, 'search_offerings', { question });
    const { results, contexts, meta, scoring } = structuredContent as unknown as {
      results: { id: string; score: number }[];
      contexts: { id: string; score: number }[];
      scoring: string;
      meta: { total: number };
    };
    const ofRest = (type: string, limit: number) =>
      rest.results
        .filter((result) => result.type === type)
        .slice(0, limit)
        .map(({ id, score }) => [id, score]);
    expect(results.map(({ id, score }) => [id, score])).toEqual(ofRest('product', 10));
    expect(contexts.map(({ id, score }) => [id, score])).toEqual(ofRest('context', 3));
    expect([meta.total, scoring]).toEqual([rest.total, rest.scoring]);
  });

  test('texts stand alone: name, price, currency, availability, link and id, a line each', async () => {
    const answer = await call(service().fetch, 'search_offerings', { question: 'lighthouse lamp' });
    const [id] = (answer.structuredContent!['results'] as { id: string }[]).map(
      (result) => result.id,
    );
    expect(textOf(answer)).toContain(
      `1. Lighthouse lamp <small>: 49.90 EUR (was 59.90), in stock. https://shop.example/products/lighthouse-lamp [id ${id}]`,
    );
    expect(textOf(answer)).toContain('- About our lighthouse: The lighthouse on our label');
    expect(
      textOf(await call(service().fetch, 'search_offerings', { question: 'qwzx' })),
    ).toStartWith('No offering matches “qwzx”.');
  });

  test('list_all_offerings lists what is available, and counts what is not', async () => {
    const answer = await call(service().fetch, 'list_all_offerings');
    const { count, total, truncated, results } = answer.structuredContent as unknown as {
      count: number;
      total: number;
      truncated: boolean;
      results: { available: boolean; name: string }[];
    };
    expect([count, total, truncated, results.length]).toEqual([62, 62, false, 62]);
    expect(results.every(({ available }) => available)).toBe(true);
    expect(textOf(answer)).toContain('1 more are out of stock.');
  });

  test('an offering is known by whatever a model has seen of it, in any case', async () => {
    const { fetch } = service();
    const search = await call(fetch, 'search_offerings', { question: 'lighthouse lamp' });
    const [{ id }] = search.structuredContent!['results'] as [{ id: string }];
    for (const reference of [
      id,
      id.toUpperCase(),
      ` ${id} `,
      'lighthouse-lamp',
      'LIGHTHOUSE-LAMP',
      'lighthouse-red',
      'LIGHT-B',
      'light-b',
      'https://shop.example/products/lighthouse-lamp',
      'https://shop.example/products/lighthouse-lamp/?utm_source=chat#top',
      'https://shop.example/products/lighthouse-lamp?variant=lighthouse-red',
    ]) {
      const { structuredContent } = await call(fetch, 'get_product_link', {
        product_id: reference,
      });
      expect([reference, structuredContent?.['productId']]).toEqual([reference, id]);
    }
    for (const unknown of ['returns', 'x', '01999999-9999-7999-8999-999999999999', "'; --", '%']) {
      const answer = await call(fetch, 'get_product_link', { product_id: unknown });
      expect([unknown, answer.isError]).toEqual([unknown, true]);
      expect(textOf(answer)).toContain('search_offerings');
    }
  });

  test('another organization’s offering is never found, by none of its names', async () => {
    const other = await service().operator.createOrganization('Lagoon');
    const foreign = service().as(other.apiKey);
    const { structuredContent } = await call(service().fetch, 'list_all_offerings');
    const [{ id }] = structuredContent!['results'] as [{ id: string }];
    for (const reference of [
      id,
      'lighthouse-lamp',
      'LIGHT-B',
      'https://shop.example/products/lighthouse-lamp',
    ]) {
      for (const name of ['get_product_link', 'single_product_express_checkout']) {
        const answer = await call(foreign, name, { product_id: reference });
        expect(answer).toEqual(await call(foreign, name, { product_id: 'nothing' }));
      }
    }
    const read = await ask(foreign, 'resources/read', {
      uri: `landing://${service().organization.id}`,
    });
    expect(read.error?.code).toBe(-32002);
  });

  test('a misunderstanding is told with the next step, as an answer and not as a fault', async () => {
    const { fetch } = service();
    const sold = await call(fetch, 'single_product_express_checkout', { product_id: 'anorak-1' });
    expect([sold.isError, textOf(sold)]).toEqual([
      true,
      'Yellow anorak is out of stock. Offer another one from search_offerings.',
    ]);
    const blue = await call(fetch, 'single_product_express_checkout', { product_id: 'LIGHT-B' });
    expect(textOf(blue)).toContain('Its page: https://shop.example/products/lighthouse-lamp');
    const mug = await call(fetch, 'get_booking_link', { offering_id: 'mug-1' });
    expect([mug.isError, textOf(mug)]).toEqual([
      true,
      'Stoneware mug number 1 cannot be booked by a link. Say so.',
    ]);
  });

  test.each([
    [{}, 'is required'],
    [{ question: 1 }, 'must be a string'],
    [{ question: ' ' }, 'must hold more than blanks'],
    [{ question: 'x'.repeat(1025) }, 'is longer than 1024 characters'],
  ])('a wrong argument is named, and its value not repeated: %j', async (args, message) => {
    const answer = await ask(service().fetch, 'tools/call', {
      name: 'search_offerings',
      arguments: args,
    });
    expect(answer.error).toMatchObject({
      code: -32602,
      data: { issues: [{ path: 'arguments.question', message }] },
    });
  });

  test('a question of exactly 1,024 characters is answered, and what else is sent is ignored', async () => {
    const answer = await call(service().fetch, 'search_offerings', {
      question: '🫖'.repeat(1024),
      limit: 'all',
    });
    expect(answer.isError).toBeUndefined();
  });
});

test('a result stays within 60 KB by leaving out whole items, and says so', async () => {
  const service = await startService();
  const rows = Array.from({ length: 400 }, (_, index) => ({
    externalId: `lamp-${index}`,
    name: `Lamp ${index} ${'brass '.repeat(10)}`,
    description: 'word '.repeat(400),
    publicUrl: `https://shop.example/${index}/${'x'.repeat(200)}`,
    tags: Array.from({ length: 100 }, (_, tag) => `${'very '.repeat(20)}${tag}-${index}`),
    price: '10.00',
  }));
  await service.operator.importRows(rows);
  for (const [name, args] of [
    ['list_all_offerings', {}],
    ['search_offerings', { question: 'brass lamp' }],
  ] as const) {
    const answer = await call(service.fetch, name, args);
    const size = Buffer.byteLength(JSON.stringify(answer));
    expect([name, size <= 61_440, size > 45_000]).toEqual([name, true, true]);
    const { results } = answer.structuredContent as {
      results: { description?: string; tags?: string[] }[];
    };
    for (const { description = '', tags = [] } of results) {
      expect([...description].length).toBeLessThanOrEqual(300);
      expect([0, 100]).toContain(tags.length);
    }
    expect(textOf(answer)).toMatch(/of 400 offerings fit|are left out/);
  }
  const { structuredContent } = await call(service.fetch, 'list_all_offerings');
  expect(structuredContent).toMatchObject({ total: 400, truncated: true });
  await service.close();
});

describe('links', () => {
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

  test('a Shopify cart, for the variant that is named or else the one that is shown', async () => {
    const service = await shopOf({ storefront: 'shopify' });
    const cart = 'https://shop.example/cart';
    expect(await checkout(service, 'TEE/B')).toEqual([
      'shopify_cart',
      `${cart}/808950811:1`,
      '808950811',
      '21.00',
    ]);
    expect(await checkout(service, 'Tee')).toEqual([
      'shopify_cart',
      `${cart}/808950810:1`,
      '808950810',
      '20.00',
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
      'Cup cannot be bought by a link here. Say so.',
    ]);
    await service.close();
  });

  test('links of the catalogue count only where they lead to the organization', async () => {
    const service = await shopOf({});
    expect(await checkout(service, 'gift')).toEqual([
      'Gift card cannot be bought by a link here. Say so.',
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
    ['a backslash', { checkoutUrlTemplate: 'https://evil.example\\@shop.example/{sku}' }],
    ['a host from the catalogue', { bookingUrlTemplate: 'https://{slug}.shop.example/' }],
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
