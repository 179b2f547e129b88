import { expect, test } from 'bun:test';
import { magentoCsv } from '../../src/catalog/shop-tables/magento.ts';
import { offering, readAll } from './read.ts';

const HEADINGS =
  'sku,store_view_code,product_type,categories,name,description,short_description,product_online,visibility,price,special_price,special_price_from_date,special_price_to_date,url_key,created_at,base_image,additional_images,additional_attributes,qty,allow_backorders,is_in_stock,configurable_variations,configurable_variation_labels';

/** Rows with the named cells; the others are blank. */
function csv(...rows: readonly Readonly<Record<string, string>>[]): string {
  const names = HEADINGS.split(',');
  const cell = (text = '') => `"${text.replaceAll('"', '""')}"`;
  return [HEADINGS, ...rows.map((row) => names.map((name) => cell(row[name])).join(','))].join(
    '\n',
  );
}

const SIMPLE = { product_type: 'simple', product_online: '1', visibility: 'Catalog, Search' };
const HIDDEN = { ...SIMPLE, visibility: 'Not Visible Individually' };
const SHIRT = {
  sku: 'shirt',
  product_type: 'configurable',
  categories: 'Default Category/Clothing,Default Category/Clothing/Shirts',
  name: 'Linen shirt',
  short_description: 'Cool in summer.',
  description: '<p>Woven slowly.</p>',
  product_online: '1',
  visibility: 'Catalog, Search',
  price: '0.000000',
  url_key: 'linen-shirt',
  base_image: '/s/h/shirt.jpg',
  additional_attributes: 'has_options=1,material=Linen, washed,manufacturer=Lumen,eco=No',
  configurable_variations:
    'sku=shirt-s,color=Sea, blue,size=S|sku=shirt-m,color=Sea, blue,size=M|sku=shirt-l,size=L',
  configurable_variation_labels: 'color=Colour,size=Size',
};

test('a configurable product has the variants that it names, wherever they stand', async () => {
  const content = csv(
    {
      ...HIDDEN,
      sku: 'shirt-s',
      name: 'Linen shirt S',
      price: '49.000000',
      is_in_stock: '1',
      qty: '3',
      base_image: 's/h/s.jpg',
    },
    SHIRT,
    { sku: 'shirt', store_view_code: 'de', name: 'Leinenhemd', price: '1' },
    {
      ...HIDDEN,
      sku: 'shirt-m',
      name: 'Linen shirt M',
      price: '55',
      is_in_stock: '0',
      qty: '0',
      additional_attributes: 'ean=4006381333931',
    },
    { ...HIDDEN, sku: 'alone', name: 'Spare button', price: '1' },
  );
  const { items, said } = await readAll(magentoCsv, content);
  expect(said).toEqual(['3 warning missing_variant -', '6 warning not_published visibility']);
  expect(items).toHaveLength(1);
  expect(offering(items)).toMatchObject({
    externalId: 'shirt',
    name: 'Linen shirt',
    description: 'Cool in summer.\n\nWoven slowly.',
    slug: 'linen-shirt',
    publicUrl: 'https://shop.example/linen-shirt.html',
    image: 'https://shop.example/media/catalog/product/s/h/shirt.jpg',
    productType: 'Shirts',
    vendor: 'Lumen',
    attributes: { material: 'Linen, washed', category: 'Clothing > Shirts, Clothing' },
    priceMinor: 4900,
    availability: 'in_stock',
    variants: [
      {
        id: 'shirt-s',
        title: 'Sea, blue / S',
        options: { Colour: 'Sea, blue', Size: 'S' },
        priceMinor: 4900,
        image: 'https://shop.example/media/catalog/product/s/h/s.jpg',
      },
      { id: 'shirt-m', priceMinor: 5500, availability: 'out_of_stock', gtin: '4006381333931' },
    ],
  });
});

test('a special price counts on its days only, in the notation that the file uses', async () => {
  const now = Date.parse('2026-03-05T12:00:00Z');
  const sale = { ...SIMPLE, name: 'Lamp', price: '20.0000', special_price: '15.0000', qty: '1' };
  const content = csv(
    {
      ...sale,
      sku: 'on',
      special_price_from_date: '3/1/26',
      special_price_to_date: '3/5/26',
      created_at: '1/2/19, 8:21 AM',
    },
    { ...sale, sku: 'over', special_price_to_date: '3/4/26' },
    { ...sale, sku: 'iso', special_price_to_date: '2026-03-05 00:00:00' },
    { ...sale, sku: 'later', special_price_from_date: '4/1/26' },
    { ...sale, sku: 'nonsense', special_price_from_date: 'soon' },
  );
  const { items, said } = await readAll(magentoCsv, content, { now });
  expect(
    items.map((_, index) => [
      offering(items, index).priceMinor,
      offering(items, index).compareAtPriceMinor,
    ]),
  ).toEqual([
    [1500, 2000],
    [2000, null],
    [1500, 2000],
    [2000, null],
    [2000, null],
  ]);
  expect(said).toEqual(['6 warning invalid_time special_price_from_date']);
  const ambiguous = csv({ ...sale, sku: 'a', special_price_from_date: '3/1/26' });
  expect((await readAll(magentoCsv, ambiguous, { now })).said).toEqual([
    '2 warning invalid_time special_price_from_date',
  ]);
  const german = csv({ ...sale, sku: 'a', special_price_from_date: '01.03.26' });
  expect(offering((await readAll(magentoCsv, german, { now })).items).priceMinor).toBe(1500);
});

test('what is not sold is left out, and no price is invented', async () => {
  const content = csv(
    { ...SIMPLE, sku: 'off', name: 'Off', product_online: '2', price: '1' },
    {
      ...SIMPLE,
      sku: 'set',
      product_type: 'grouped',
      name: 'Set',
      price: '0.0000',
      qty: '0',
      allow_backorders: '1',
      base_image: 'no_selection',
    },
    { ...SIMPLE, sku: 'only-view', store_view_code: 'de', name: 'Nur deutsch', price: '7' },
  );
  const { items, said } = await readAll(magentoCsv, content, { shopUrl: null });
  expect(said).toEqual(['2 warning not_published product_online']);
  expect(items).toMatchObject([
    {
      externalId: 'set',
      priceMinor: null,
      availability: 'backorder',
      image: null,
      publicUrl: null,
    },
    { externalId: 'only-view', priceMinor: 700 },
  ]);
});
