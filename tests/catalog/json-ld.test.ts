import { describe, expect, test } from 'bun:test';
import { detectFormat } from '../../src/catalog/formats.ts';
import { jsonLd } from '../../src/catalog/web-page/json-ld.ts';
import { offering, readAll } from './read.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const detected = (text: string) => detectFormat({ text, fileName: 'x' })?.format.name;

describe('JSON-LD', () => {
  const lamp = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': '#lamp',
    name: 'Lamp',
    sku: 'L-1',
    description: '<b>Warm</b>',
    image: [
      'https://shop.example/1.jpg',
      { '@type': 'ImageObject', url: 'https://shop.example/2.jpg' },
    ],
    brand: { '@type': 'Brand', name: 'Lumen' },
    gtin13: '4006381333931',
    url: 'https://shop.example/lamp',
    additionalProperty: [{ '@type': 'PropertyValue', name: 'Power', value: 9, unitText: 'W' }],
    offers: {
      '@type': 'Offer',
      price: 39.9,
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
      priceSpecification: [
        {
          '@type': 'UnitPriceSpecification',
          priceType: 'https://schema.org/ListPrice',
          price: '49.00',
          priceCurrency: 'EUR',
        },
      ],
    },
  };
  const page = (...scripts: unknown[]) =>
    `<!DOCTYPE html>\n<html><head>\n${scripts.map((script) => `<script type="application/ld+json">\n${typeof script === 'string' ? script : JSON.stringify(script)}\n</script>`).join('\n')}\n<script>var x = "</p>";</script></head><body><p>Hi</body></html>`;

  test('a page with several scripts', async () => {
    const text = page(
      { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', name: 'x' }] },
      '{"@type": "Product", "name": ',
      lamp,
    );
    expect(detected(text)).toBe('json-ld');
    const { items, said, lines } = await readAll(jsonLd, text, { chunkBytes: 7 });
    expect(said).toEqual(['7 error invalid_json -']);
    expect(lines).toEqual([10]);
    expect(offering(items)).toMatchObject({
      externalId: 'L-1',
      name: 'Lamp',
      description: 'Warm',
      vendor: 'Lumen',
      priceMinor: 3990,
      compareAtPriceMinor: 4900,
      currency: 'EUR',
      availability: 'in_stock',
      gtins: ['4006381333931'],
      images: ['https://shop.example/1.jpg', 'https://shop.example/2.jpg'],
      attributes: { power: '9 W' },
      publicUrl: 'https://shop.example/lamp',
    });
  });

  test('an @graph whose nodes refer to each other; groups with their variants', async () => {
    const graph = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'WebPage', '@id': '#page', name: 'Coats', mainEntity: { '@id': '#coat' } },
        {
          '@type': 'ProductGroup',
          '@id': '#coat',
          productGroupID: 'coat',
          name: 'Wool coat',
          variesBy: ['https://schema.org/size'],
          hasVariant: [
            { '@id': '#s' },
            {
              '@type': 'Product',
              sku: 'C-M',
              name: 'Wool coat M',
              size: 'M',
              offers: {
                '@type': 'Offer',
                price: '90.00',
                priceCurrency: 'USD',
                availability: 'SoldOut',
              },
            },
          ],
        },
        {
          '@type': 'Product',
          '@id': '#s',
          sku: 'C-S',
          name: 'Wool coat S',
          size: 'S',
          offers: { '@id': '#offer' },
        },
        {
          '@type': 'Offer',
          '@id': '#offer',
          price: '99.00',
          priceCurrency: 'USD',
          availability: 'https://schema.org/LimitedAvailability',
        },
        {
          '@type': 'Product',
          sku: 'C-L',
          name: 'Wool coat L',
          size: 'L',
          isVariantOf: { '@id': '#coat' },
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: 101,
            highPrice: 120,
            priceCurrency: 'USD',
          },
        },
        {
          '@type': ['Service'],
          '@id': '#fit',
          name: 'Fitting',
          url: 'https://shop.example/fitting',
          provider: { name: 'Tailor' },
          potentialAction: { '@type': 'ReserveAction', target: 'https://shop.example/book' },
        },
      ],
    };
    for (const text of [JSON.stringify(graph), page(graph)]) {
      expect(detected(text)).toBe('json-ld');
      const { items, said } = await readAll(jsonLd, text);
      expect(said).toEqual([]);
      expect(items.map(({ externalId }) => externalId)).toEqual([
        'coat',
        'https://shop.example/fitting',
      ]);
      expect(offering(items)).toMatchObject({
        priceMinor: 9900,
        currency: 'USD',
        availability: 'limited_stock',
        variants: [
          { id: 'C-S', title: 'S', options: { Size: 'S' }, priceMinor: 9900 },
          { id: 'C-M', availability: 'out_of_stock' },
          { id: 'C-L', priceMinor: 10_100 },
        ],
      });
      expect(offering(items, 1)).toMatchObject({
        kind: 'service',
        vendor: 'Tailor',
        bookingUrl: 'https://shop.example/book',
      });
    }
  });

  test('a list of products in a file, a sale that is over, and faults with their property', async () => {
    const text = JSON.stringify([
      {
        '@type': 'Product',
        productID: 'a',
        name: 'A',
        offers: [
          { price: '10', priceCurrency: 'EUR' },
          { price: '8', priceCurrency: 'EUR', availability: 'OutOfStock' },
        ],
      },
      {
        '@type': 'Product',
        productID: 'b',
        name: 'B',
        offers: { price: '1.2.3', priceCurrency: 'EUR' },
      },
      { '@type': 'Product', offers: { price: 1 } },
      {
        '@type': 'http://schema.org/Product',
        productID: 'd',
        name: 'D',
        offers: {
          priceCurrency: 'EUR',
          priceSpecification: [{ price: 5, validThrough: '2026-01-01' }, { price: 9 }],
        },
      },
    ]);
    const { items, said } = await readAll(jsonLd, text, { now: NOW });
    expect(
      items.map((item) => [item.externalId, (item as { priceMinor: number }).priceMinor]),
    ).toEqual([
      ['a', 1000],
      ['d', 900],
    ]);
    expect(said).toEqual(['1 error invalid_price offers.price', '1 error missing_value name']);
  });
});

test('an object in place of a text breaks no import, whatever its member names', async () => {
  const odd = { toString: 1, valueOf: 1 };
  const nodes = ['@id', '@type', 'potentialAction', 'offers', 'name'].map((member) => ({
    '@type': 'Product',
    sku: member,
    name: `Lamp ${member}`,
    potentialAction: { '@type': odd },
    offers: {
      '@type': 'Offer',
      price: '9.00',
      priceCurrency: 'EUR',
      priceSpecification: [{ price: '12.00', priceType: odd, validFrom: odd, validThrough: odd }],
    },
    ...(member === '@type' ? { '@type': ['Product', odd] } : { [member]: odd }),
  }));
  const good = { '@type': 'Product', sku: 'good', name: 'Brass lamp' };
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': [...nodes, good] });
  const { items } = await readAll(jsonLd, text, { now: NOW });
  expect(items.map(({ externalId }) => externalId)).toContain('good');
  expect(items.map(({ name }) => name)).toContain('Lamp @type');
});
