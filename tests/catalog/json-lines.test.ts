import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LINE_MAX } from '../../src/catalog/bytes/lines.ts';
import { jsonLines } from '../../src/catalog/own/json-lines.ts';
import { offering, readAll } from './read.ts';

const GOOD = { externalId: 'mug', name: 'Mug', price: '9.90' };
const line = (extra: object) => JSON.stringify({ ...GOOD, ...extra });
const read = async (extra: object) => await readAll(jsonLines, line(extra));

test('reads every field of a product', async () => {
  const { items, said } = await readAll(
    jsonLines,
    line({
      id: '0199',
      type: 'product',
      kind: 'service',
      description: 'Line one\r\nLine two',
      image: 'https://a.example/1.jpg',
      images: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
      slug: 'mug',
      publicUrl: 'https://a.example/mug',
      publishedAt: '2024-02-29T10:00:00+02:00',
      vendor: ' Tea  House ',
      tags: ['a', 'b', 'a', ' '],
      productType: 'Mugs',
      price: 1250,
      compareAtPrice: '1500',
      currency: 'JPY',
      sku: 'M-1',
      mpn: 'X',
      gtin: ['4006381333931'],
      availability: 'preorder',
      bookingUrl: 'https://a.example/book',
      checkoutUrl: 'https://a.example/buy',
      attributes: { colour: 'Blue', weight: 0.3, safe: true, list: ['a', 1], none: null },
      other: [1],
    }),
  );
  expect(said).toEqual([]);
  expect(items).toEqual([
    {
      type: 'product',
      kind: 'service',
      externalId: 'mug',
      name: 'Mug',
      description: 'Line one\nLine two',
      image: 'https://a.example/1.jpg',
      images: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
      slug: 'mug',
      publicUrl: 'https://a.example/mug',
      publishedAt: '2024-02-29T08:00:00.000Z',
      vendor: 'Tea House',
      tags: ['a', 'b'],
      productType: 'Mugs',
      currency: 'JPY',
      priceMinor: 1250,
      compareAtPriceMinor: 1500,
      availability: 'preorder',
      sku: 'M-1',
      mpn: 'X',
      gtins: ['4006381333931'],
      bookingUrl: 'https://a.example/book',
      checkoutUrl: 'https://a.example/buy',
      attributes: { colour: 'Blue', weight: 0.3, safe: true, list: 'a, 1' },
      variants: [],
    },
  ]);
});

test('reads a context without product fields', async () => {
  const { items } = await read({
    type: 'context',
    description: '# Returns',
    publicUrl: 'https://a.example/r',
  });
  expect(items).toEqual([
    {
      type: 'context',
      externalId: 'mug',
      name: 'Mug',
      description: '# Returns',
      publicUrl: 'https://a.example/r',
      publishedAt: null,
    },
  ]);
});

describe('a fault that would make search results wrong rejects the record', () => {
  test.each<[object, string]>([
    [{ externalId: null }, 'missing_value externalId'],
    [{ externalId: 7 }, 'wrong_type externalId'],
    [{ externalId: 'x'.repeat(201) }, 'too_long externalId'],
    [{ name: ' \u200b ' }, 'missing_value name'],
    [{ name: ['Mug'] }, 'wrong_type name'],
    [{ type: 'thing' }, 'invalid_value type'],
    [{ kind: 'thing' }, 'invalid_value kind'],
    [{ availability: 'soon' }, 'invalid_value availability'],
    [{ currency: 'eur' }, 'invalid_currency currency'],
    [{ price: '9,90' }, 'invalid_price price'],
    [{ price: '-1' }, 'invalid_price price'],
    [{ price: '€9' }, 'invalid_price price'],
    [{ price: 9.999 }, 'invalid_price price'],
    [{ price: 1e21 }, 'invalid_price price'],
    [{ price: true }, 'wrong_type price'],
    [{ compareAtPrice: 'x' }, 'invalid_price compareAtPrice'],
    [{ tags: 'a,b' }, 'wrong_type tags'],
    [{ images: [1] }, 'wrong_type images'],
    [{ attributes: [] }, 'wrong_type attributes'],
    [{ variants: {} }, 'wrong_type variants'],
    [{ variants: [{ id: 'a', price: 'x' }] }, 'invalid_price variants[0].price'],
    [{ variants: [{ price: '1' }] }, 'missing_value variants[0].id'],
    [{ variants: [{ id: 'a' }, { id: 'a' }] }, 'duplicate_value variants'],
    [{ variants: [{ id: 'a', available: 'yes' }] }, 'wrong_type variants[0].available'],
  ])('%j: %s', async (extra, expected) => {
    const { items, said, faults } = await read(extra);
    expect(items).toEqual([]);
    const [code, column] = expected.split(' ');
    expect(said).toEqual([`1 error ${code} ${column}`]);
    expect(faults[0]!.message.startsWith(`${column} `)).toBe(true);
  });
});

describe('a faulty optional value is dropped with a warning', () => {
  test.each<[object, string, object]>([
    [{ image: 'ftp://a.example/x' }, 'invalid_url image', { image: null }],
    [{ image: 'https://u:p@a.example/' }, 'invalid_url image', { image: null }],
    [
      { images: ['javascript:1', 'https://a.example/'] },
      'invalid_url images',
      { images: ['https://a.example/'] },
    ],
    [{ slug: 'a/b' }, 'invalid_slug slug', { slug: null }],
    [{ publishedAt: '2023-02-29' }, 'invalid_time publishedAt', { publishedAt: null }],
    [{ gtin: '4006381333932' }, 'invalid_gtin gtin', { gtins: [] }],
    [{ gtin: ['x', '4006381333931'] }, 'invalid_gtin gtin', { gtins: ['4006381333931'] }],
    [
      { attributes: { a: { b: 1 }, c: 'd' } },
      'invalid_value attributes',
      { attributes: { c: 'd' } },
    ],
  ])('%j: %s', async (extra, expected, kept) => {
    const { items, said } = await read(extra);
    const [code, column] = expected.split(' ');
    expect(said).toEqual([`1 warning ${code} ${column}`]);
    expect(items[0]).toMatchObject(kept);
  });

  test('truncates texts and lists that are too long', async () => {
    const { items, said } = await read({
      name: 'n '.repeat(400),
      description: 'word '.repeat(5000),
      tags: Array.from({ length: 300 }, (_, index) => `t${index}`),
      attributes: Object.fromEntries(
        Array.from({ length: 501 }, (_, index) => [`a${index}`, index]),
      ),
      variants: Array.from({ length: 2001 }, (_, index) => ({ id: `v${index}` })),
    });
    const { name, description, tags, attributes, variants } = offering(items);
    expect([tags.length, Object.keys(attributes).length, variants.length]).toEqual([
      250, 500, 2000,
    ]);
    expect([name.length <= 500, description.length <= 20_000]).toEqual([true, true]);
    expect(said.map((text) => text.split(' ').slice(1, 3).join(' '))).toEqual([
      'warning too_many',
      'warning too_long',
      'warning too_long',
      'warning too_many',
      'warning too_many',
    ]);
  });
});

test('no message quotes a value', async () => {
  const secret = 'S3CR3T';
  const { faults } = await read({
    price: secret,
    currency: secret,
    kind: secret,
    image: secret,
    gtin: secret,
  });
  expect(faults.length).toBe(5);
  expect(faults.map(({ message }) => message).join()).not.toContain(secret);
});

describe('the price is that of the cheapest available variant', () => {
  test.each<[string, object[], number | null, number | null]>([
    [
      'cheapest',
      [
        { id: 'a', price: '3' },
        { id: 'b', price: '2', compareAtPrice: '4' },
      ],
      200,
      400,
    ],
    [
      'available',
      [
        { id: 'a', price: '1', available: false },
        { id: 'b', price: '2', available: true },
      ],
      200,
      null,
    ],
    [
      'all gone',
      [
        { id: 'a', price: '3', available: false },
        { id: 'b', price: '2', available: false },
      ],
      200,
      null,
    ],
    ['lower compare-at', [{ id: 'a', price: '3', compareAtPrice: '2' }], 300, null],
    ['none priced', [{ id: 'a' }], 990, null],
  ])('%s', async (_, variants, price, compareAt) => {
    const { items } = await read({ variants });
    const { priceMinor, compareAtPriceMinor } = offering(items);
    expect([priceMinor, compareAtPriceMinor]).toEqual([price, compareAt]);
  });
});

describe('an unreadable line costs only that line', () => {
  const deep = `{"externalId":"d","name":"d","x":${'['.repeat(32)}${']'.repeat(32)}}`;
  test.each<[string, string | Uint8Array, string]>([
    ['no JSON', '{"externalId":', 'invalid_json'],
    ['two objects', '{} {}', 'invalid_json'],
    ['a list', '[1]', 'wrong_type'],
    ['too deep', deep, 'too_deep'],
    ['far too deep', '['.repeat(1_000_000), 'too_deep'],
    ['NUL', '{"externalId":"a\\u0000","name":"x"}', 'forbidden_text'],
    ['half a pair', '{"externalId":"a","name":"\\ud83d"}', 'forbidden_text'],
    [
      'half a pair in a key',
      '{"externalId":"a","name":"b","attributes":{"\\uDC00":1}}',
      'forbidden_text',
    ],
    ['UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), 'invalid_utf8'],
    ['surrogate in bytes', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'invalid_utf8'],
    ['too long', 'x'.repeat(LINE_MAX + 1), 'line_too_long'],
  ])('%s', async (_, bad, code) => {
    const content = Buffer.concat([
      Buffer.from(`\ufeff${line({ externalId: 'first' })}\r\n\n`),
      Buffer.from(bad),
      Buffer.from(`\r\n${line({ externalId: 'last' })}`),
    ]);
    const { items, lines, said } = await readAll(jsonLines, content);
    expect(said).toEqual([`3 error ${code} -`]);
    expect(items.map(({ externalId }) => externalId)).toEqual(['first', 'last']);
    expect(lines).toEqual([1, 4]);
  });

  test('reads an escaped surrogate pair as one character, and brackets inside a string', async () => {
    const text = `{"externalId":"a","name":"\\ud83d\\ude00","description":"${'['.repeat(99)}\\\\\\""}`;
    const { items, said } = await readAll(jsonLines, text);
    expect(said).toEqual([]);
    expect(items[0]!.name).toBe('😀');
  });
});

test('__proto__ changes nothing', async () => {
  const text =
    '{"externalId":"a","name":"b","__proto__":{"price":"1"},"attributes":{"__proto__":{"x":1},"ok":1},"variants":[{"id":"v","options":{"__proto__":"x","Size":"M"}}]}';
  const { items } = await readAll(jsonLines, text);
  const { attributes, variants, priceMinor } = offering(items);
  expect(priceMinor).toBeNull();
  expect(Object.keys(attributes)).toEqual(['ok']);
  expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
  expect(variants[0]!.options).toEqual({ Size: 'M' });
});

test('chunk boundaries do not matter', async () => {
  const content = Buffer.from(
    `\ufeff${line({ name: 'Tasse 茶😀' })}\r\n\r\n{bad\n${line({ externalId: 'é' })}`,
  );
  const whole = await readAll(jsonLines, content);
  expect(whole.said).toEqual(['3 error invalid_json -']);
  for (let size = 1; size <= content.length; size += 1) {
    expect(await readAll(jsonLines, content, { chunkBytes: size })).toEqual(whole);
  }
});

const DAMAGES: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  (text) => text.slice(1),
  (text) => text.replace('"name"', '"nome"'),
  (text) => text.replace('"9.90"', '"9,90"'),
  (text) => text.replace('"9.90"', '{}'),
  (text) => `${text},`,
  (text) => text.replace('Mug', 'M\\u0000g'),
  (text) => text.replace('Mug', 'M\u0001g'),
  (text) => `[${text}]`,
];

test('500 damaged files: exactly the damaged lines are faults, and all others are read', async () => {
  const rows = fc.array(fc.option(fc.nat(DAMAGES.length - 1), { freq: 3 }), {
    minLength: 1,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 200 }), async (damages, chunkBytes) => {
      const lines = damages.map((damage, index) => {
        const text = line({ externalId: `p${index}` });
        return damage === null ? text : DAMAGES[damage]!(text);
      });
      const read = await readAll(jsonLines, lines.join('\n'), { chunkBytes });
      const isDamaged = (index: number) => damages[index] !== null;
      const indexes = [...damages.keys()];
      expect(read.faults.map((fault) => fault.line - 1)).toEqual(indexes.filter(isDamaged));
      expect(read.lines.map((number) => number - 1)).toEqual(
        indexes.filter((index) => !isDamaged(index)),
      );
    }),
    { numRuns: 500 },
  );
});
