import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { callTool as call, textOf } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const COLOURS = [
  { name: 'Red', price: '22.00' },
  { name: 'Blue', price: '20.00' },
  { name: 'Forest Green', price: '21.00' },
];
const SIZES = ['S', 'M', 'L'];

/** Nine variants, 101 to 109: S, M, L in red, then in blue, then in green. L in blue is sold out. */
const VARIANTS = COLOURS.flatMap(({ name, price }, row) =>
  SIZES.map((size, column) => ({
    id: String(101 + row * SIZES.length + column),
    title: `${size} / ${name}`,
    sku: `TEE-${size}-${name.toUpperCase().replace(' ', '')}`,
    price,
    availability: name === 'Blue' && size === 'L' ? 'out_of_stock' : 'in_stock',
    options: { Size: size, Colour: name },
    image: `https://cdn.example/tee-${name.toLowerCase().replace(' ', '-')}.jpg`,
  })),
);

const TEE = {
  externalId: '1',
  name: 'Organic tee',
  description: 'Soft cotton.',
  slug: 'tee',
  image: 'https://cdn.example/tee.jpg',
  variants: VARIANTS,
};

let service: LocalService;
let id: string;
beforeAll(async () => {
  service = await startService();
  await service.operator.importRows([
    TEE,
    { externalId: '2', name: 'Tote bag', slug: 'bag', price: '9.00' },
    {
      externalId: '3',
      name: 'Poster',
      slug: 'poster',
      variants: [
        {
          id: '301',
          title: 'A2',
          price: '15.00',
          availability: 'in_stock',
          options: { Format: 'A2' },
        },
      ],
    },
  ]);
  const settings = { domain: 'shop.example', storefront: 'shopify' };
  await service.perform('shop.set', { shop: 'shop-1', ...settings });
  ({ id } = await searched('organic tee'));
});
afterAll(() => service.close());

interface Tee {
  readonly id: string;
  readonly name: string;
  readonly price: string;
  readonly image: string;
  readonly available: boolean;
  readonly options: object[];
  readonly variants: { id: string }[];
  readonly variantCount: number;
  readonly matchedVariant?: { id: string; title: string; open: string[] };
}

async function searched(question: string): Promise<Tee> {
  const { structuredContent } = await call(service.fetch, 'search_offerings', { question });
  return (structuredContent!['results'] as Tee[]).find(({ name }) => name === TEE.name)!;
}

const RED = 'https://cdn.example/tee-red.jpg';
const BLUE = 'https://cdn.example/tee-blue.jpg';
const GREEN = 'https://cdn.example/tee-forest-green.jpg';

describe('a shop of three sizes and three colours', () => {
  test.each<[string, string | null, string, string, string[]]>([
    ['organic tee', null, '20.00', TEE.image, []],
    ['red organic tee in size M', '102', '22.00', RED, []],
    ['organic tee, medium, blue', '105', '20.00', BLUE, []],
    ['do you have the organic tee in green?', '107', '21.00', GREEN, ['Size']],
    ['organic tee in forest green, large', '109', '21.00', GREEN, []],
    ['organic tee size l', '109', '21.00', GREEN, ['Colour']],
    ['blue organic tee L', '106', '20.00', BLUE, []],
    ['organic tee in m but not blue', '108', '21.00', GREEN, ['Colour']],
    ['red or blue organic tee, small', '104', '20.00', BLUE, ['Colour']],
    ['TEE-M-RED', '102', '22.00', RED, []],
    ['organic tee S please', '104', '20.00', BLUE, ['Colour']],
    ['organic tee M under 50 euros', '105', '20.00', BLUE, ['Colour']],
  ])('%p chooses %p', async (question, variant, price, image, open) => {
    const tee = await searched(question);
    expect([tee.matchedVariant?.id ?? null, tee.price, tee.image]).toEqual([variant, price, image]);
    expect(tee.matchedVariant?.open ?? []).toEqual(open);
    if (variant !== null) expect(tee.available).toBe(variant !== '106');
    const response = await service.fetch(`/rest/search/v3/?q=${encodeURIComponent(question)}`);
    const { results } = (await response.json()) as {
      results: {
        name: string;
        price: string;
        matchedVariant: { id: string; price: string } | null;
      }[];
    };
    const ofRest = results.find(({ name }) => name === TEE.name)!;
    expect(ofRest.matchedVariant?.id ?? null).toBe(variant);
    // The fields of v2 mean in v3 what they mean in v2.
    expect(ofRest.price).toBe('20.00');
  });

  test('what nobody wants is avoided by choosing another variant, and no answer says that nothing does', async () => {
    const answer = await call(service.fetch, 'search_offerings', {
      question: 'organic tee in m but not blue',
    });
    expect(textOf(answer)).toContain('Cheapest that fits: M / Forest Green 21.00 EUR');
    expect(textOf(answer)).not.toContain('Nothing meets');
    // Every variant is organic.
    const other = await call(service.fetch, 'search_offerings', { question: 'tee, not organic' });
    expect(textOf(other)).toContain('Nothing meets: not organic.');
  });

  test('a result says what can be chosen: what fits first, at most ten, each option with what is sold out', async () => {
    const tee = await searched('organic tee in blue');
    expect(tee.options).toEqual([
      { name: 'Size', values: ['S', 'M', 'L'], soldOut: [] },
      { name: 'Colour', values: ['Red', 'Blue', 'Forest Green'], soldOut: [] },
    ]);
    expect(tee.variants[0]).toEqual({
      id: '104',
      title: 'S / Blue',
      price: '20.00',
      available: true,
    } as never);
    expect(tee.variants.map((variant) => variant.id)).toEqual([
      '104',
      '105',
      '106',
      '101',
      '102',
      '103',
      '107',
      '108',
      '109',
    ]);
    expect(tee.variantCount).toBe(9);
    const answer = await call(service.fetch, 'search_offerings', { question: 'red organic tee M' });
    expect(textOf(answer)).toContain(
      'Options: Size S, M, L; Colour Red, Blue, Forest Green. Chosen: M / Red 22.00 EUR, in stock [variant 102].',
    );
    // Its size is still open, so none is said to be chosen.
    expect(textOf(await call(service.fetch, 'search_offerings', { question: 'red tee' }))).toMatch(
      /Cheapest that fits: S \/ Red .*Still to choose: Size\./,
    );
  });

  test.each<[string, string | undefined, string]>([
    ['102', undefined, '102'],
    ['TEE-M-RED', undefined, '102'],
    ['tee', 'M / Red', '102'],
    ['tee', 'red, medium', '102'],
    ['tee', 'size M in red please', '102'],
    ['tee', 'TEE-M-RED', '102'],
    ['tee', '102', '102'],
    ['tee', 'green L', '109'],
    ['101', 'S', '101'],
  ])('a checkout of %p with %p is for %p, and names it', async (product, variant, settled) => {
    const args = { product_id: product, variant };
    const answer = await call(service.fetch, 'single_product_express_checkout', args);
    const checkoutUrl = `https://shop.example/cart/${settled}:1`;
    const productUrl = expect.stringMatching(
      new RegExp(`^https://shop\\.example/products/\\w+\\?variant=${settled}$`),
    );
    expect(answer.structuredContent).toMatchObject({ variantId: settled, checkoutUrl, productUrl });
    const { title } = VARIANTS.find((known) => known.id === settled)!;
    expect(textOf(answer)).toStartWith(`“Organic tee, ${title}” (`);
    const link = await call(service.fetch, 'get_product_link', args);
    const url = `https://shop.example/products/tee?variant=${settled}`;
    expect(link.structuredContent).toMatchObject({ variantId: settled, url });
    expect(textOf(link)).toStartWith(`“Organic tee, ${title}”: `);
  });

  test.each<[string | undefined, string[]]>([
    [undefined, ['101', '102', '103', '104', '105', '107', '108', '109', '106']],
    ['red', ['101', '102', '103']],
    ['M', ['102', '105', '108']],
    ['red in XXL', ['101', '102', '103']],
    ['purple', ['101', '102', '103', '104', '105', '107', '108', '109', '106']],
  ])(
    'a checkout of %p that is not settled picks nothing: it lists the choices',
    async (variant, choices) => {
      const args = { product_id: id, variant };
      const answer = await call(service.fetch, 'single_product_express_checkout', args);
      expect(answer.isError).toBe(true);
      expect([...textOf(answer).matchAll(/\[variant (\d+)\]/g)].map(([, found]) => found!)).toEqual(
        choices,
      );
      expect(textOf(answer)).not.toContain('https://');
      // The page is one for all of them.
      const link = await call(service.fetch, 'get_product_link', args);
      expect(link.structuredContent).toMatchObject({
        variantId: null,
        url: 'https://shop.example/products/tee',
      });
      expect(textOf(link)).toContain('Options: Size S, M, L; Colour Red, Blue, Forest Green.');
    },
  );

  test('a sold-out variant is named as such, and no other one taken for it', async () => {
    const args = { product_id: 'tee', variant: 'L / Blue' };
    const answer = await call(service.fetch, 'single_product_express_checkout', args);
    expect([answer.isError, answer._meta]).toEqual([true, { 'vitrine/soldOut': true }]);
    expect(textOf(answer)).toStartWith('“Organic tee, L / Blue” is out of stock.');
  });

  test('the only variant goes ahead, and is named', async () => {
    const args = { product_id: 'poster' };
    const answer = await call(service.fetch, 'single_product_express_checkout', args);
    expect(answer.structuredContent).toMatchObject({ variantId: '301', name: 'Poster, A2' });
    expect(textOf(answer)).toStartWith('“Poster, A2” (15.00 EUR)');
  });

  test('the cards are told the pictures of variants, and models are not', async () => {
    const answer = await call(service.fetch, 'search_offerings', { question: 'organic tee' });
    const images = answer._meta!['vitrine/variantImages'] as Record<string, object>;
    expect(images[id]).toMatchObject({ 101: RED, 105: BLUE, 107: GREEN });
    expect(JSON.stringify(answer.structuredContent)).not.toContain(GREEN);
  });

  test('a question of REST v2 is answered without a word of variants', async () => {
    const response = await service.fetch('/rest/search/v2/?q=red+organic+tee');
    expect(await response.text()).not.toMatch(/variant|tee-red/i);
  });
});
