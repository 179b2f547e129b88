import { afterAll, beforeAll, expect, test } from 'bun:test';
import { callTool as call, connectMcp, post, type RpcAnswer } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';

/* The catalogue of the Universal Commerce Protocol, release 2026-04-08. */

interface Product {
  readonly id: string;
  readonly title: string;
  readonly variants: readonly { readonly id: string; readonly inputs?: object[] }[];
  readonly [member: string]: unknown;
}
interface Answer {
  readonly ucp: object;
  readonly products: readonly Product[];
  readonly product?: Product;
  readonly pagination?: { readonly cursor?: string; readonly has_next_page: boolean };
  readonly messages?: readonly { readonly code: string; readonly content: string }[];
}

/** S and M in red and blue, without M in blue; S in blue is sold out. */
const JUMPER = {
  ...{ externalId: 'jumper', name: 'Wool jumper', slug: 'jumper', productType: 'Jumpers' },
  variants: [
    ['701', 'S', 'Red', '50.00', 'in_stock'],
    ['702', 'M', 'Red', '55.00', 'in_stock'],
    ['703', 'S', 'Blue', '60.00', 'out_of_stock'],
  ].map(([id, Size, Colour, price, availability]) => {
    const options = { Size, Colour };
    return { id, title: `${Size} / ${Colour}`, price, availability, options };
  }),
};
const SOCKS = Array.from({ length: 13 }, (_, index) => ({
  ...{ externalId: `sock-${index}`, name: `Wool sock ${index}`, productType: 'Socks' },
  price: `${5 + index}.00`,
}));
const PRICELESS = { externalId: 'bespoke', name: 'Bespoke wool coat' };

const selecting = (options: Record<string, string>) => ({
  id: 'jumper',
  selected: Object.entries(options).map(([name, label]) => ({ name, label })),
});
const VARIANT_AND_BLUE = { ...selecting({ Colour: 'Blue' }), id: '702' };

let service: LocalService;
beforeAll(async () => {
  service = await startService();
  await service.operator.importRows([JUMPER, ...SOCKS, PRICELESS]);
  await service.operator.setPublic(true, { perMinute: 60_000, burst: 1000 });
  await offer('ucp');
  const settings = { domain: 'shop.example', storefront: 'shopify' };
  await service.perform('shop.set', { shop: 'shop-1', ...settings });
});
afterAll(() => service.close());

const offer = (...toolSets: string[]) => service.perform('org.set', { toolSets });
const META = { 'ucp-agent': { profile: 'https://platform.example/profile.json' } };
const ask = async (name: string, catalog: object): Promise<Answer> => {
  const { structuredContent, isError } = await call(service.fetch, name, { meta: META, catalog });
  expect([name, catalog, isError]).toEqual([name, catalog, undefined]);
  return structuredContent as unknown as Answer;
};
const idsOf = ({ variants }: Product) => variants.map(({ id }) => id);

test('the profile leads platforms to the tools, and is there only where both the set and public assistants are on', async () => {
  const at = { headers: { host: 'shop.example' } };
  const profile = () => service.asStranger('/.well-known/ucp', at);
  const found = await profile();
  expect([found.status, found.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
  const { ucp } = (await found.json()) as {
    ucp: { services: Record<string, { endpoint: string; transport: string }[]> };
  };
  const [{ endpoint, transport }] = ucp.services['dev.ucp.shopping'] as [
    { endpoint: string; transport: string },
  ];
  expect(transport).toBe('mcp');
  const client = await connectMcp(service.asStranger, new URL(endpoint).pathname);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_catalog');
  await client.close();
  const nowhere = await (await service.asStranger('/.well-known/none', at)).text();
  const hasNone = async () => {
    const answer = await profile();
    const body = await answer.text();
    const withoutId = (text: string) => text.replace(/"requestId":"[^"]*"/, '');
    expect([answer.status, withoutId(body)]).toEqual([404, withoutId(nowhere)]);
  };
  await offer('chatgpt');
  await hasNone();
  await offer('ucp');
  await service.operator.setPublic(false);
  await hasNone();
  await service.operator.setPublic(true);
});

test('search_catalog gives products in the protocol’s shape: the variant asked for first, amounts in minor units', async () => {
  const { ucp, products } = await ask('search_catalog', { query: 'wool jumper in red, size M' });
  expect(ucp).toEqual({
    version: '2026-04-08',
    capabilities: { 'dev.ucp.shopping.catalog.search': [{ version: '2026-04-08' }] },
  });
  expect(products[0]).toMatchObject({
    ...{ title: 'Wool jumper', handle: 'jumper', url: 'https://shop.example/products/jumper' },
    categories: [{ value: 'Jumpers', taxonomy: 'merchant' }],
    price_range: {
      min: { amount: 5000, currency: 'EUR' },
      max: { amount: 6000, currency: 'EUR' },
    },
    options: [
      { name: 'Size', values: [{ label: 'S' }, { label: 'M' }] },
      { name: 'Colour', values: [{ label: 'Red' }, { label: 'Blue' }] },
    ],
  });
  expect(products[0]!.variants[0]).toEqual({
    ...{ id: '702', title: 'M / Red', description: { plain: 'M / Red' } },
    price: { amount: 5500, currency: 'EUR' },
    availability: { available: true, status: 'in_stock' },
    url: 'https://shop.example/products/jumper?variant=702',
    options: [
      { name: 'Size', label: 'M' },
      { name: 'Colour', label: 'Red' },
    ],
  } as never);
});

test('pages follow one another without a gap, with filters and without, and no price is made up', async () => {
  for (const filters of [{}, { filters: { categories: ['socks', 'jumpers'] } }]) {
    const titles: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const pagination = { limit: 4, ...(cursor !== undefined && { cursor }) };
      const answer = await ask('search_catalog', { query: 'wool', pagination, ...filters });
      titles.push(...answer.products.map(({ title }) => title));
      cursor = answer.pagination!.cursor;
      expect(answer.pagination!.has_next_page).toBe(cursor !== undefined);
      if (cursor === undefined) break;
    }
    const expected = [JUMPER, ...SOCKS].map(({ name }) => name);
    expect(titles.toSorted()).toEqual(expected.toSorted());
  }
});

test('a price filter in another currency is not applied, and the answer says so', async () => {
  const filters = { categories: ['Jumpers'], price: { max: 5200 } };
  const own = await ask('search_catalog', { query: 'wool', filters });
  expect(own.products.map(idsOf)).toEqual([['701']]);
  const context = { currency: 'USD' };
  const foreign = await ask('search_catalog', { query: 'wool', filters, context });
  expect(foreign.products.map((product) => idsOf(product).length)).toEqual([3]);
  expect(foreign.messages!.map(({ code }) => code)).toEqual(['price_filter_ignored']);
});

test('lookup_catalog says which id led to which variant, and names the unknown ones', async () => {
  const ids = ['702', 'jumper', '702', 'sock-1', 'bespoke', 'nothing'];
  const { products, messages } = await ask('lookup_catalog', { ids });
  expect(products.map((product) => [product.title, product.variants])).toMatchObject([
    [
      'Wool jumper',
      [
        { id: '702', inputs: [{ id: '702', match: 'exact' }] },
        { id: '701', inputs: [{ id: 'jumper', match: 'featured' }] },
      ],
    ],
    ['Wool sock 1', [{ id: 'sock-1', inputs: [{ id: 'sock-1', match: 'exact' }] }]],
  ]);
  expect(messages!.map(({ code, content }) => [code, content])).toEqual([
    ['not_found', 'bespoke'],
    ['not_found', 'nothing'],
  ]);
  const tooMany = Array.from({ length: 21 }, (_, index) => `sock-${index}`);
  const params = { name: 'lookup_catalog', arguments: { meta: META, catalog: { ids: tooMany } } };
  const { error } = await rpc(params);
  expect(error?.code).toBe(-32602);
});

const rpc = async (params: object) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const headers = { 'mcp-protocol-version': '2025-11-25' };
  return (await (await post(service.fetch, message, { headers })).json()) as RpcAnswer;
};

test.each<[string, object, object, readonly string[]]>([
  ['by product, its featured variant', { id: 'jumper' }, { Size: 'S', Colour: 'Red' }, ['701']],
  ['by variant, whatever is selected', VARIANT_AND_BLUE, { Size: 'M', Colour: 'Red' }, ['702']],
  ['by part of its options', selecting({ Colour: 'red' }), { Colour: 'Red' }, ['701', '702']],
  [
    'by options that no variant has together, the preferred one is kept',
    { ...selecting({ Size: 'M', Colour: 'Blue' }), preferences: ['Colour', 'Size'] },
    { Colour: 'Blue' },
    ['703'],
  ],
  ['by an option that there is not', selecting({ Fabric: 'Silk' }), {}, ['701', '702', '703']],
])('get_product %s', async (_, catalog, selected, variants) => {
  const { product } = await ask('get_product', catalog);
  expect(product!['selected']).toEqual(
    Object.entries(selected).map(([name, label]) => ({ name, label })),
  );
  expect(idsOf(product!)).toEqual([...variants]);
});

test('get_product tells of each value whether it exists beside the selection and can be bought', async () => {
  const { product } = await ask('get_product', selecting({ Colour: 'Blue' }));
  expect(product!['options']).toEqual([
    {
      name: 'Size',
      values: [
        { label: 'S', available: false, exists: true },
        { label: 'M', available: false, exists: false },
      ],
    },
    {
      name: 'Colour',
      values: [
        { label: 'Red', available: true, exists: true },
        { label: 'Blue', available: false, exists: true },
      ],
    },
  ]);
  const unknown = await ask('get_product', { id: 'nothing' });
  expect(unknown).toMatchObject({
    ucp: { status: 'error' },
    messages: [{ type: 'error', code: 'not_found', severity: 'unrecoverable' }],
  });
});

test('a request without the platform’s profile is refused', async () => {
  for (const meta of [undefined, {}, { 'ucp-agent': { profile: 'file:///etc/passwd' } }]) {
    const { result } = await rpc({
      name: 'search_catalog',
      arguments: { meta, catalog: { query: 'wool' } },
    });
    expect(result).toMatchObject({ isError: true });
  }
});
