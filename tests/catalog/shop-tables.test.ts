import { describe, expect, test } from 'bun:test';
import { formatNamed } from '../../src/catalog/formats.ts';
import { etsyCsv } from '../../src/catalog/shop-tables/etsy.ts';
import { wixCsv } from '../../src/catalog/shop-tables/wix.ts';
import { offering, readAll } from './read.ts';
import { csv, formatOf } from './shop-export.ts';

describe('Wix', () => {
  const HEADINGS =
    'handleId,fieldType,name,description,productImageUrl,collection,sku,price,surcharge,visible,discountMode,discountValue,inventory,productOptionName1,productOptionType1,productOptionDescription1,additionalInfoTitle1,additionalInfoDescription1,brand';
  const PRODUCT = {
    handleId: 'product_1',
    fieldType: 'Product',
    name: 'Print',
    productImageUrl: 'ab~mv2.jpg;https://img.example/2.jpg',
    collection: 'Art;New',
    price: '10.0',
    visible: 'true',
    discountMode: 'PERCENT',
    discountValue: '20.0',
    inventory: '0',
    productOptionName1: 'Frame',
    productOptionType1: 'COLOR',
    productOptionDescription1: '#000:Black;#fff:White',
    additionalInfoTitle1: 'Care',
    additionalInfoDescription1: '<p>Keep <b>dry</b></p>',
  };
  const variant = (cells: Readonly<Record<string, string>>) => ({
    handleId: 'product_1',
    fieldType: 'Variant',
    visible: 'true',
    inventory: 'InStock',
    ...cells,
  });

  test('a variant costs its product’s price and its surcharge, less the product’s discount', async () => {
    const content = csv(HEADINGS, [
      PRODUCT,
      variant({
        productOptionDescription1: '#000:Black',
        surcharge: '5.5',
        sku: 'A',
        inventory: '3',
      }),
      variant({
        productOptionDescription1: '#fff:White',
        surcharge: '-1',
        sku: 'A',
        inventory: '0',
      }),
      variant({ productOptionDescription1: '#777:Grey', surcharge: '0', visible: 'false' }),
      { ...PRODUCT, handleId: 'product_2', visible: 'FALSE' },
      {
        ...PRODUCT,
        handleId: 'product_3',
        price: '12.5',
        discountMode: 'AMOUNT',
        discountValue: '2',
        inventory: 'OutOfStock',
      },
    ]);
    expect(formatOf(content)).toBe('wix-csv');
    const { items, said } = await readAll(wixCsv, content);
    expect(said).toEqual(['5 warning not_published visible', '6 warning not_published visible']);
    expect(offering(items, 1)).toMatchObject({
      externalId: 'product_3',
      priceMinor: 1050,
      compareAtPriceMinor: 1250,
      availability: 'out_of_stock',
    });
    expect(offering(items)).toMatchObject({
      name: 'Print',
      images: ['https://static.wixstatic.com/media/ab~mv2.jpg', 'https://img.example/2.jpg'],
      tags: ['Art', 'New'],
      publicUrl: null,
      attributes: { care: 'Keep dry' },
      variants: [
        {
          id: 'Black',
          sku: 'A',
          options: { Frame: 'Black' },
          priceMinor: 1240,
          compareAtPriceMinor: 1550,
          availability: 'in_stock',
        },
        {
          id: 'White',
          sku: 'A',
          priceMinor: 720,
          compareAtPriceMinor: 900,
          availability: 'out_of_stock',
        },
      ],
    });
  });

  test('the third version’s handle leads to the page, and a variant has its own price', async () => {
    const headings =
      'handle,fieldType,name,visible,plainDescription,media,price,strikethroughPrice,inventory,sku,productOptionName1,productOptionType1,productOptionChoices1';
    const content = csv(headings, [
      {
        handle: 'oak-lamp',
        fieldType: 'PRODUCT',
        name: 'Oak lamp',
        visible: 'TRUE',
        media: 'wix:image://v1/a.jpg/b.jpg#w=1',
        price: '90',
        productOptionName1: 'Size',
      },
      {
        handle: 'oak-lamp',
        fieldType: 'VARIANT',
        visible: 'TRUE',
        price: '70',
        strikethroughPrice: '80',
        inventory: 'IN_STOCK',
        productOptionChoices1: 'S',
      },
    ]);
    const { items } = await readAll(wixCsv, content);
    expect(offering(items)).toMatchObject({
      slug: 'oak-lamp',
      publicUrl: 'https://shop.example/product-page/oak-lamp',
      image: 'https://static.wixstatic.com/media/a.jpg',
      priceMinor: 7000,
      compareAtPriceMinor: 8000,
      variants: [{ id: 'S', availability: 'in_stock' }],
    });
  });
});

test('an Etsy download is read in any language, and its listings have ids of their own', async () => {
  const images = Array.from({ length: 10 }, (_, index) => `BILD${index + 1}`).join(',');
  const headings = `TITEL,BESCHREIBUNG,PREIS,CURRENCY_CODE,MENGE,SCHLAGWÖRTER,MATERIALIEN,${images},T1,N1,W1,T2,N2,W2,ARTIKELNR`;
  const listing = {
    TITEL: 'Vase – grey',
    PREIS: '1,046.50',
    CURRENCY_CODE: 'USD',
    MENGE: '2',
    BILD1: 'https://i.example/1.jpg',
    BILD2: 'https://i.example/2.jpg',
  };
  const content = csv(headings, [
    {
      ...listing,
      SCHLAGWÖRTER: 'bud_vase,wabi_sabi',
      MATERIALIEN: 'Clay,Copper_salt',
      ARTIKELNR: 'V-1',
    },
    { ...listing, MENGE: '0', N1: 'Size', W1: 'S,M', ARTIKELNR: 'V-2,V-3' },
  ]);
  expect(formatOf(content)).toBe('etsy-csv');
  const { items, said } = await readAll(etsyCsv, content);
  expect(said).toEqual([]);
  expect(items).toMatchObject([
    {
      externalId: 'V-1',
      currency: 'USD',
      priceMinor: 104650,
      availability: 'in_stock',
      tags: ['bud vase', 'wabi sabi'],
      attributes: { material: 'Clay, Copper salt' },
      images: ['https://i.example/1.jpg', 'https://i.example/2.jpg'],
    },
    {
      externalId: 'vase-grey',
      sku: null,
      availability: 'out_of_stock',
      attributes: { size: 'S, M' },
    },
  ]);
});

test('a Squarespace product has its variants below it, and a sale price only while on sale', async () => {
  const headings =
    'Product ID [Non Editable],Variant ID [Non Editable],Product Type [Non Editable],Product URL,Title,SKU,Option Name 1,Option Value 1,Price,Sale Price,On Sale,Stock,Categories,Tags,Visible,Hosted Image URLs';
  const key = (name: string) => `${name} [Non Editable]`;
  const variant = {
    [key('Variant ID')]: 'v1',
    'Option Name 1': 'Size',
    'Option Value 1': 'S',
    Price: '20.00',
    'Sale Price': '0.00',
    'On Sale': 'No',
    Stock: 'Unlimited',
  };
  const content = csv(headings, [
    {
      ...variant,
      [key('Product ID')]: 'p1',
      [key('Product Type')]: 'SERVICE',
      'Product URL': 'pots',
      Title: 'Pots &amp; pans',
      Categories: '/kitchen/pots, /new',
      Tags: 'clay, kiln',
      Visible: 'Yes',
      'Hosted Image URLs': 'https://i.example/1.jpg https://i.example/2.jpg',
    },
    {
      ...variant,
      [key('Variant ID')]: 'v2',
      'Option Value 1': 'M',
      'Sale Price': '15.00',
      'On Sale': 'Yes',
      Stock: '0',
    },
    { [key('Product ID')]: 'p2', Title: 'Hidden', Price: '1', Visible: 'No' },
    {
      [key('Product ID')]: 'p3',
      Title: 'Cup',
      SKU: 'C',
      Price: '9',
      'Sale Price': '5',
      'On Sale': 'No',
      Stock: '2',
    },
  ]);
  expect(formatOf(content)).toBe('squarespace-csv');
  const { items, said } = await readAll(formatNamed('squarespace-csv')!, content);
  expect(said).toEqual(['4 warning not_published Visible']);
  expect(items).toMatchObject([
    {
      externalId: 'p1',
      kind: 'service',
      name: 'Pots & pans',
      slug: 'pots',
      images: ['https://i.example/1.jpg', 'https://i.example/2.jpg'],
      productType: 'pots',
      tags: ['clay', 'kiln'],
      variants: [
        { id: 'v1', options: { Size: 'S' }, priceMinor: 2000, availability: 'in_stock' },
        {
          id: 'v2',
          options: { Size: 'M' },
          priceMinor: 1500,
          compareAtPriceMinor: 2000,
          availability: 'out_of_stock',
        },
      ],
    },
    {
      externalId: 'p3',
      priceMinor: 900,
      compareAtPriceMinor: null,
      sku: 'C',
      availability: 'in_stock',
    },
  ]);
});

test('an Amazon template has its headings below two lines, and its variations name their parent', async () => {
  const content = [
    'TemplateType=fptcustom\tVersion=2023.1116\tThe top 3 rows are for Amazon.com use only.\t\t\t\t\t\t\t',
    'Seller SKU\tProduct Name\tPrice\tQuantity\tMain Image\tParentage\tParent SKU\tColor\tUpdate Delete\tKey Features',
    'item_sku\titem_name\tstandard_price\tquantity\tmain_image_url\tparent_child\tparent_sku\tcolor_name\tupdate_delete\tbullet_point1',
    'P\tMug\t\t\thttps://i.example/p.jpg\tParent\t\t\tUpdate\tStoneware',
    'P-R\tMug red\t12.50\t3\thttps://i.example/r.jpg\tChild\tP\tRed\tUpdate\t',
    'X\tGone\t1\t1\t\t\t\t\tDelete\t',
  ].join('\n');
  expect(formatOf(content)).toBe('amazon-flat-file');
  const { items, said } = await readAll(formatNamed('amazon-flat-file')!, content);
  expect(said).toEqual(['6 warning not_published update_delete']);
  expect(items).toMatchObject([
    {
      externalId: 'P',
      name: 'Mug',
      image: 'https://i.example/p.jpg',
      attributes: { highlights: 'Stoneware' },
      variants: [
        { id: 'P-R', options: { Color: 'Red' }, priceMinor: 1250, availability: 'in_stock' },
      ],
    },
  ]);
});
