/** An object in vitrine's own JSON Lines format. */
export type Row = Readonly<Record<string, unknown>> & { readonly externalId: string };

/** Number of mugs in the catalogue: more than fit on a page. */
export const MUG_COUNT = 57;

const MUGS: readonly Row[] = Array.from({ length: MUG_COUNT }, (_, index) => ({
  externalId: `mug-${index + 1}`,
  name: `Stoneware mug number ${index + 1}`,
  description: `A mug for ${index % 2 === 0 ? 'tea' : 'coffee'}, fired twice.`,
  slug: `stoneware-mug-${index + 1}`,
  vendor: index % 3 === 0 ? 'Kiln & Co' : 'Harbour Pottery',
  productType: 'Mugs',
  tags: ['kitchen', index % 2 === 0 ? 'tea' : 'coffee'],
  price: `${10 + index}.50`,
  availability: 'in_stock',
}));

/** One product with every field set. */
const LIGHTHOUSE: Row = {
  externalId: 'lighthouse-lamp',
  name: 'Lighthouse lamp <small>',
  description: 'A lighthouse for the bedside & the hall.',
  image: 'https://cdn.example/lighthouse.jpg',
  images: ['https://cdn.example/lighthouse.jpg', 'https://cdn.example/lighthouse-lit.jpg'],
  slug: 'lighthouse-lamp',
  publicUrl: 'https://shop.example/products/lighthouse-lamp',
  publishedAt: '2026-01-02T03:04:05+01:00',
  vendor: 'Harbour',
  tags: ['lighting', 'sea'],
  productType: 'Lamps',
  currency: 'EUR',
  variants: [
    {
      id: 'lighthouse-red',
      title: 'Red',
      sku: 'LIGHT-R',
      price: '49.90',
      compareAtPrice: '59.90',
      availability: 'in_stock',
      options: { Colour: 'Red' },
      image: 'https://cdn.example/lighthouse-red.jpg',
    },
    {
      id: 'lighthouse-blue',
      title: 'Blue',
      sku: 'LIGHT-B',
      price: '39.90',
      availability: 'out_of_stock',
      options: { Colour: 'Blue' },
    },
  ],
};

const LIGHTHOUSE_POLICY: Row = {
  externalId: 'about-the-lighthouse',
  type: 'context',
  name: 'About our lighthouse',
  description: 'The lighthouse on our label stands at the mouth of the harbour.',
  publicUrl: 'https://shop.example/pages/lighthouse',
};

/** A small shop: many products of one kind, one of every kind, sold-out ones, and contexts. */
export const CATALOG: readonly Row[] = [
  ...MUGS,
  LIGHTHOUSE,
  LIGHTHOUSE_POLICY,
  { externalId: 'anorak-1', name: 'Yellow anorak', price: '80.00', availability: 'out_of_stock' },
  { externalId: 'anorak-2', name: 'Yellow anorak', price: '80.00', availability: 'in_stock' },
  { externalId: 'teapot', name: 'Cast-iron teapot', price: '0.00', productType: 'Teapots' },
  { externalId: 'mystery', name: 'Mystery box' },
  {
    externalId: 'returns',
    type: 'context',
    name: 'Returns',
    description: 'Return any mug or anorak within thirty days.',
  },
  {
    externalId: 'workshop',
    kind: 'service',
    name: 'Pottery workshop',
    description: 'Two hours at the wheel.',
    price: '65.00',
    bookingUrl: 'https://book.example/workshop',
  },
];

export function jsonLines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
