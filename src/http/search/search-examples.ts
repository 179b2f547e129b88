/**
 * Example responses of both versions for the reference. A test validates them against their
 * schemas.
 */

const RESULT_V2 = {
  id: '6d6f6c1e-5e55-5c0a-9d7e-0b9a3b1f4c11',
  type: 'product',
  name: 'Skerry Rain Jacket',
  description: 'A light shell with taped seams and a hood that stays up in wind.',
  image: 'https://shop.example.com/images/skerry.jpg',
  images: ['https://shop.example.com/images/skerry.jpg'],
  slug: 'skerry-rain-jacket',
  publicUrl: 'https://shop.example.com/products/skerry-rain-jacket',
  publishedAt: '2026-03-01T08:00:00.000Z',
  vendor: 'Brannvik',
  tags: ['outdoor', 'waterproof'],
  productType: 'Jackets',
  price: '129.00',
  compareAtPrice: '149.00',
};

export const EXAMPLE_V2 = { results: [RESULT_V2], count: 1 };

export const EXAMPLE_V3 = {
  results: [
    {
      ...RESULT_V2,
      score: 0.91,
      rank: 1,
      matchedOn: ['name', 'tags', 'meaning'],
      highlights: [{ field: 'name', snippet: 'Skerry Rain <mark>Jacket</mark>' }],
      explanation: 'Its name has “jacket”, its tags have “waterproof”, and it costs less than 150.',
      currency: 'EUR',
      availability: 'in_stock',
      available: true,
      variants: [
        {
          id: '4431',
          title: 'M',
          sku: 'SKERRY-M',
          price: '129.00',
          compareAtPrice: '149.00',
          available: true,
          options: { Size: 'M' },
          image: null,
        },
      ],
      matchedVariant: null,
      shop: { id: '0199e5a0-7c1e-7a3b-9d52-3f1c8b2e4d61', name: 'Acme' },
      externalId: 'jacket-1',
      updatedAt: '2026-11-20T06:00:00.000Z',
    },
  ],
  count: 1,
  query: 'waterproof jacket under 150',
  total: 1,
  totalIsExact: true,
  nextCursor: null,
  tookMs: 2.4,
  scoring: 'local',
  facets: {
    vendor: [{ value: 'Brannvik', count: 1 }],
    productType: [{ value: 'Jackets', count: 1 }],
    tags: [{ value: 'waterproof', count: 1 }],
    price: [{ currency: 'EUR', min: '129.00', max: '129.00' }],
  },
  suggestion: null,
  meta: {
    requestId: '0199e5a1-0c2d-7f10-8a64-5b7c9d0e1f23',
    warnings: [],
    constraints: [
      {
        kind: 'price',
        text: 'under 150',
        min: null,
        max: 150,
        currency: 'EUR',
        unit: null,
        relaxed: false,
      },
    ],
    lowConfidence: false,
    timings: { retrieve: 1.6, score: 0.4 },
    indexVersion: 12,
  },
};
