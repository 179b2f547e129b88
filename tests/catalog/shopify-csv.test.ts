import { describe, expect, test } from 'bun:test';
import { shopifyCsv } from '../../src/catalog/shopify/shopify-csv.ts';
import { offering, readAll } from './read.ts';
import { type Cells, file, MUG, row, SHIRT } from './shopify-file.ts';

const NEW: readonly string[] = [
  'Title',
  'URL handle',
  'Description',
  'Vendor',
  'Type',
  'Tags',
  'Published on online store',
  'Status',
  'SKU',
  'Barcode',
  'Option1 name',
  'Option1 value',
  'Price',
  'Compare-at price',
  'Inventory tracker',
  'Inventory quantity',
  'Continue selling when out of stock',
  'Product image URL',
  'Image position',
  'Variant image URL',
  'Google Shopping / Gender',
  'Google Shopping / Manufacturer part number (MPN)',
];
const read = async (...rows: Cells[]) => await readAll(shopifyCsv, file(...rows));

test('a product with options gets its variants and images from the following rows', async () => {
  const { items, said, lines } = await read(
    {
      ...SHIRT,
      'Body (HTML)': '<p>Soft &amp; warm</p>\n<ul><li>Wool</li></ul>',
      Vendor: 'Acme',
      Type: 'Shirts',
      Tags: 'a, b',
      'Option2 Name': 'Colour',
      'Option2 Value': 'Red',
      'Variant SKU': 'S-1',
      'Variant Compare At Price': '30',
      'Variant Barcode': "'4006381333931",
      'Image Src': 'https://a.example/2.jpg',
      'Image Position': '2',
      'Google Shopping / Gender': 'Unisex',
      'Google Shopping / MPN': 'M1',
      'Colour (product.metafields.shopify.color-pattern)': 'red',
      'Variant Image': 'https://a.example/s.jpg',
    },
    {
      Handle: 'shirt',
      'Option1 Value': 'M',
      'Option2 Value': 'Red',
      'Variant Price': '18.5',
      'Variant Inventory Tracker': 'shopify',
      'Variant Inventory Qty': '0',
      'Variant Inventory Policy': 'continue',
    },
    { Handle: 'shirt', 'Image Src': 'https://a.example/1.jpg', 'Image Position': '1' },
    MUG,
  );
  expect([said, lines]).toEqual([[], [2, 6]]);
  expect(items[0]).toEqual({
    type: 'product',
    kind: 'product',
    externalId: 'shirt',
    name: 'Shirt',
    description: 'Soft & warm\n\n * Wool',
    image: 'https://a.example/1.jpg',
    images: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
    slug: 'shirt',
    publicUrl: 'https://shop.example/products/shirt',
    publishedAt: null,
    vendor: 'Acme',
    tags: ['a', 'b'],
    productType: 'Shirts',
    currency: 'EUR',
    priceMinor: 1850,
    compareAtPriceMinor: null,
    availability: 'in_stock',
    sku: null,
    mpn: 'M1',
    gtins: [],
    bookingUrl: null,
    checkoutUrl: null,
    attributes: { gender: 'Unisex', colour: 'red' },
    variants: [
      {
        id: 'S-1',
        title: 'S / Red',
        sku: 'S-1',
        gtin: '4006381333931',
        priceMinor: 2000,
        compareAtPriceMinor: 3000,
        availability: 'in_stock',
        options: { Size: 'S', Colour: 'Red' },
        image: 'https://a.example/s.jpg',
      },
      {
        id: 'M / Red',
        title: 'M / Red',
        sku: null,
        gtin: null,
        priceMinor: 1850,
        compareAtPriceMinor: null,
        availability: 'backorder',
        options: { Size: 'M', Colour: 'Red' },
        image: null,
      },
    ],
  });
});

test('Title: Default Title is not an option; the only variant is the product', async () => {
  const { items } = await read({
    ...MUG,
    'Variant SKU': 'M-1',
    'Variant Barcode': '4006381333931',
    'Variant Compare At Price': '12',
  });
  expect(items[0]).toMatchObject({
    variants: [],
    sku: 'M-1',
    gtins: ['4006381333931'],
    priceMinor: 990,
    compareAtPriceMinor: 1200,
  });
});

test('old and new headings mean the same', async () => {
  const cells = {
    Title: 'Shirt',
    'URL handle': 'shirt',
    Description: '<b>Warm</b>',
    Vendor: 'Acme',
    Tags: 'a',
    Status: 'Active',
    'Published on online store': 'TRUE',
    SKU: 'S-1',
    'Option1 name': 'Size',
    'Option1 value': 'S',
    Price: '20.00',
    'Compare-at price': '25',
    'Inventory tracker': 'shopify',
    'Inventory quantity': '-1',
    'Continue selling when out of stock': 'DENY',
    'Product image URL': 'https://a.example/1.jpg',
    'Google Shopping / Manufacturer part number (MPN)': 'M1',
  } as Record<string, string>;
  const text = `${NEW.join(',')}\n${NEW.map((column) => cells[column] ?? '').join(',')}`;
  const fresh = await readAll(shopifyCsv, text);
  const old = await read({
    ...SHIRT,
    'Body (HTML)': '<b>Warm</b>',
    Vendor: 'Acme',
    Tags: 'a',
    Status: 'active',
    Published: 'true',
    'Variant SKU': 'S-1',
    'Variant Price': '20.00',
    'Variant Compare At Price': '25',
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': '-1',
    'Variant Inventory Policy': 'deny',
    'Image Src': 'https://a.example/1.jpg',
    'Google Shopping / MPN': 'M1',
  });
  expect(fresh.items).toEqual(old.items);
  expect(offering(old.items)).toMatchObject({ availability: 'out_of_stock', priceMinor: 2000 });
});

test.each<[string, string, string, string]>([
  ['', '', '', 'in_stock'],
  ['shopify', '3', 'deny', 'in_stock'],
  ['shopify', '0', 'deny', 'out_of_stock'],
  ['shopify', '-2', 'continue', 'backorder'],
  ['shopify', '', 'deny', 'unknown'],
  ['', '0', 'deny', 'in_stock'],
])('tracker %j, quantity %j, policy %j: %s', async (tracker, quantity, policy, availability) => {
  const { items } = await read({
    ...MUG,
    'Variant Inventory Tracker': tracker,
    'Variant Inventory Qty': quantity,
    'Variant Inventory Policy': policy,
  });
  expect(offering(items).availability).toBe(availability as 'unknown');
});

test.each<[string, string, string]>([
  ['3', 'deny', 'in_stock'],
  ['0', 'deny', 'out_of_stock'],
  ['0', 'continue', 'backorder'],
  ['', 'deny', 'unknown'],
])('without a tracker column, quantity %j, policy %j: %s', async (...cells) => {
  const [quantity, policy, availability] = cells;
  const { items } = await readAll(
    shopifyCsv,
    [
      'Handle,Title,Variant Price,Variant Inventory Qty,Variant Inventory Policy',
      `mug,Mug,9.90,${quantity},${policy}`,
    ].join('\n'),
  );
  expect(offering(items).availability).toBe(availability as 'unknown');
});

test.each<[Cells]>([
  [{ Status: 'draft' }],
  [{ Status: 'Archived' }],
  [{ Status: 'unlisted' }],
  [{ Published: 'FALSE' }],
])('%j is left out and reported', async (cells) => {
  const { items, said } = await read(
    { ...SHIRT, ...cells },
    { Handle: 'shirt', 'Option1 Value': 'M' },
    MUG,
  );
  expect(items.map(({ externalId }) => externalId)).toEqual(['mug']);
  expect(said).toEqual([`2 warning not_published ${Object.keys(cells)[0]}`]);
});

describe('a bad row', () => {
  const second: Cells = { Handle: 'shirt', 'Option1 Value': 'M', 'Variant Price': '21' };
  test.each<[string, Cells[], string[], [string, number][]]>([
    [
      'loses its variant',
      [SHIRT, { ...second, 'Variant Price': '2,1,0' }, MUG],
      ['3 error invalid_price Variant Price'],
      [
        ['shirt', 1],
        ['mug', 0],
      ],
    ],
    [
      'loses its variant, also the first',
      [{ ...SHIRT, 'Variant Price': 'x' }, second, MUG],
      ['2 error invalid_price Variant Price'],
      [
        ['shirt', 1],
        ['mug', 0],
      ],
    ],
    [
      'loses the product if it is its only variant',
      [SHIRT, { ...MUG, 'Variant Price': 'x' }],
      ['3 error invalid_price Variant Price'],
      [['shirt', 1]],
    ],
    [
      'without a title loses the product',
      [{ ...SHIRT, Title: '' }, second, MUG],
      ['2 error missing_value Title'],
      [['mug', 0]],
    ],
    [
      'with known options loses its variant',
      [SHIRT, { ...second, 'Option1 Value': 'S' }],
      ['3 error duplicate_value -'],
      [['shirt', 1]],
    ],
    [
      'with a bad status loses the product',
      [{ ...MUG, Status: 'aktiv' }],
      ['2 error invalid_value Status'],
      [],
    ],
    [
      'with a bad quantity loses its variant',
      [SHIRT, { ...second, 'Variant Inventory Qty': 'many' }],
      ['3 error invalid_value Variant Inventory Qty'],
      [['shirt', 1]],
    ],
    [
      'loses an image',
      [{ ...MUG, 'Image Src': 'x' }],
      ['2 warning invalid_url Image Src'],
      [['mug', 0]],
    ],
  ])('%s', async (_, rows, said, products) => {
    const result = await read(...rows);
    expect(result.said).toEqual(said);
    expect(
      result.items.map((item) => [
        item.externalId,
        item.type === 'product' ? item.variants.length : -1,
      ]),
    ).toEqual(products);
  });

  test('costs its variant if it is broken but its handle is legible', async () => {
    const broken = `${row(second)},surplus`;
    const { items, said } = await readAll(shopifyCsv, [file(SHIRT), broken, row(MUG)].join('\n'));
    expect(said).toEqual(['3 error column_count -']);
    expect(items.length).toBe(2);
  });

  test('takes the rows that continue it if it is broken and begins a product', async () => {
    const text = [
      file(MUG),
      row(SHIRT).slice(0, -3),
      row(second),
      row({ ...MUG, Handle: 'cup' }),
    ].join('\n');
    const { items, said, errorsCsv } = await readAll(shopifyCsv, text);
    expect(said).toEqual(['3 error column_count -']);
    expect(items.map(({ externalId }) => externalId)).toEqual(['mug', 'cup']);
    expect(errorsCsv).toContain('shirt,,,,,,,,M');
  });
});

test('refuses a file with other columns', async () => {
  await expect(readAll(shopifyCsv, 'Name,Price\nMug,1')).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('derives a missing handle from the title, as Shopify does', async () => {
  const { items } = await read(
    { ...MUG, Handle: '', Title: 'Big  Mug (blue)' },
    { 'Image Src': 'https://a.example/1.jpg' },
  );
  expect(offering(items)).toMatchObject({
    externalId: 'big-mug-blue',
    images: ['https://a.example/1.jpg'],
  });
});

test.each<[string, string]>([
  ['deep', '<div>'.repeat(2_000_000)],
  ['end tags of nothing', '<b>'.repeat(60_000) + '</i>'.repeat(60_000)],
  ['no end', '<img '.repeat(400_000)],
  ['ampersands', '&'.repeat(2_000_000)],
])('hostile HTML does not hang: %s', async (_, html) => {
  const { items } = await read({ ...MUG, 'Body (HTML)': html });
  expect(items.length).toBe(1);
});

test('keeps text after a pasted image', async () => {
  const { items } = await read({
    ...MUG,
    'Body (HTML)': `<img src="data:x,${'A'.repeat(2_000_000)}">Behind`,
  });
  expect(offering(items).description).toBe('Behind');
});
