import { expect, test } from 'bun:test';
import { formatNamed } from '../../src/catalog/formats.ts';
import { offering, readAll } from './read.ts';
import { csv, formatOf } from './shop-export.ts';

test('BigCommerce’s rows of variants, images and rules belong to the product above them', async () => {
  const present =
    'Item,ID,Name,Type,SKU,Options,Inventory Tracking,Current Stock,Price,Retail Price,Sale Price,Categories,Description,Product URL,UPC/EAN,Is Visible,Variant Image URL,Internal Image URL (Export)';
  const content = csv(present, [
    {
      Item: 'Product',
      ID: '111',
      Name: 'Shirt',
      Type: 'physical',
      SKU: 'S',
      'Inventory Tracking': 'variant',
      Price: '20',
      'Retail Price': '25',
      'Sale Price': '0.00',
      Categories: 'Clothing/Shirts;12',
      'Product URL': '/shirt/',
      'Is Visible': 'TRUE',
    },
    {
      Item: 'Variant',
      ID: '5',
      SKU: 'S-B',
      Options: 'Type=Swatch|Name=Color|Value=Black[#000000]Type=Rectangle|Name=Size|Value=S',
      'Current Stock': '4',
      Price: '22',
    },
    {
      Item: 'Variant',
      ID: '6',
      SKU: 'S-W',
      Options: 'Type=Rectangle|Name=Size|Value=M',
      'Current Stock': '0',
    },
    { Item: 'Image', ID: '9', 'Internal Image URL (Export)': 'https://i.example/1.jpg' },
  ]);
  expect(formatOf(content)).toBe('bigcommerce-csv');
  const { items, said } = await readAll(formatNamed('bigcommerce-csv')!, content);
  expect(said).toEqual([]);
  expect(offering(items)).toMatchObject({
    externalId: '111',
    publicUrl: 'https://shop.example/shirt/',
    productType: 'Shirts',
    images: ['https://i.example/1.jpg'],
    variants: [
      {
        id: '5',
        sku: 'S-B',
        options: { Color: 'Black', Size: 'S' },
        priceMinor: 2200,
        availability: 'in_stock',
      },
      { id: '6', options: { Size: 'M' }, priceMinor: 2000, availability: 'out_of_stock' },
    ],
  });
  const former =
    'Item Type,Product ID,Product Name,Product Type,Product Code/SKU,Brand Name,Price,Retail Price,Sale Price,Allow Purchases?,Product Visible?,Track Inventory,Current Stock Level,Category,Product Image File - 1';
  const old = csv(former, [
    {
      'Item Type': 'Product',
      'Product ID': '7',
      'Product Name': 'Mug',
      Price: '10',
      'Retail Price': '0',
      'Product Visible?': 'Y',
      'Track Inventory': 'by option',
    },
    {
      'Item Type': '  SKU',
      'Product ID': '8',
      'Product Name': '[CS]Color=Red:#f00,[RB]Size=L',
      'Product Code/SKU': 'M-R',
      'Current Stock Level': '1',
    },
    { 'Item Type': '  Rule', 'Product ID': '9', 'Product Code/SKU': 'M-R', Price: '[ADD]2.5' },
  ]);
  const mug = offering((await readAll(formatNamed('bigcommerce-csv')!, old)).items);
  expect(mug.variants).toMatchObject([
    { id: '8', options: { Color: 'Red', Size: 'L' }, priceMinor: 1250, compareAtPriceMinor: null },
  ]);
});

test('PrestaShop’s discounts count on their days, and prices without tax are pointed out', async () => {
  const headings =
    'Product ID;Active (0/1);Name *;Categories (x,y,z...);Price tax excluded;Tax rules ID;Discount amount;Discount percent;Discount from (yyyy-mm-dd);Discount to (yyyy-mm-dd);Reference #;Manufacturer;EAN13;Quantity;Visibility;Summary;Description;URL rewritten;Available for order (0 = No, 1 = Yes);Image URLs (x,y,z...);Feature(Name:Value:Position);Out of stock action';
  const content = [
    headings,
    '1;1;Lamp;Home,Lamps;100;1;;5.5;2026-03-01;2026-03-31;L-1;Lumen;4006381333931;0;both;Warm.;<p>Oak.</p>;oak-lamp;1;https://i.example/1.jpg,https://i.example/2.jpg;Height:10 cm:1;1',
    '2;1;Cup;Home;30;1;10;;0000-00-00;2026-02-28;C;;;3;;;;cup;1;;;0',
    '3;0;Off;Home;1;1;;;;;O;;;1;;;;off;1;;;0',
  ].join('\n');
  expect(formatOf(content)).toBe('prestashop-csv');
  const now = Date.parse('2026-03-05T12:00:00Z');
  const { items, said } = await readAll(formatNamed('prestashop-csv')!, content, { now });
  expect(said).toEqual([
    '2 warning price_without_tax Price tax excluded',
    '4 warning not_published Active (0/1)',
  ]);
  expect(items).toMatchObject([
    {
      externalId: '1',
      priceMinor: 9450,
      compareAtPriceMinor: 10000,
      availability: 'backorder',
      slug: 'oak-lamp',
      vendor: 'Lumen',
      productType: 'Home',
      attributes: { height: '10 cm' },
      description: 'Warm.\n\nOak.',
      images: ['https://i.example/1.jpg', 'https://i.example/2.jpg'],
    },
    { externalId: '2', priceMinor: 3000, availability: 'in_stock' },
  ]);
});

test('a Shopware variant has what its product has and the row leaves blank', async () => {
  const content = [
    'id;parent_id;product_number;active;stock;name;price_net;price_gross;list_price_gross;ean;manufacturer_name;category_paths;cover_media_url',
    'aa;;SW1;1;5;"Shirt";16.8;19.990000000000002;25;;Lumen;Main>Clothes|Main;https://i.example/1.jpg',
    'bb;aa;SW1.1;1;0;;;;;4006381333931;;;',
    'cc;;SW2;0;5;Off;1;1;;;;;',
  ].join('\n');
  expect(formatOf(content)).toBe('shopware-csv');
  const { items, said } = await readAll(formatNamed('shopware-csv')!, content);
  expect(said).toEqual(['4 warning not_published active']);
  expect(items).toMatchObject([
    {
      externalId: 'aa',
      name: 'Shirt',
      vendor: 'Lumen',
      productType: 'Clothes',
      priceMinor: 1999,
      variants: [
        {
          id: 'bb',
          sku: 'SW1.1',
          priceMinor: 1999,
          compareAtPriceMinor: 2500,
          availability: 'out_of_stock',
        },
      ],
    },
  ]);
});
