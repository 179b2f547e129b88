import { expect, test } from 'bun:test';
import { ymlFeed } from '../../src/catalog/feeds/yml-feed.ts';
import { detectFormat } from '../../src/catalog/formats.ts';
import { offering, readAll } from './read.ts';

const feed = (...offers: readonly string[]) => `<?xml version="1.0"?>
<!DOCTYPE yml_catalog SYSTEM "shops.dtd">
<yml_catalog date="2026-01-01 10:00"><shop><currencies><currency id="RUR" rate="1"/></currencies>
<categories><category id="1">Дом &amp; сад</category><category id="2" parentId="1"><![CDATA[Лампы]]></category></categories>
<offers>
${offers.join('\n')}
</offers></shop></yml_catalog>`;

test('an offer has its price, category, pictures and parameters, whoever wrote the feed', async () => {
  const text = feed(
    '<offer id="a" available="true"><url>https://shop.example/a</url><price>1040</price><oldprice>1200.50</oldprice><currencyId>RUR</currencyId><categoryId>2</categoryId><picture> https://i.example/1.jpg | https://i.example/2.jpg |</picture><picture>https://i.example/3.jpg</picture><typePrefix>Лампа</typePrefix><vendor>Lumen</vendor><model>Oak 5</model><vendorCode>L-5</vendorCode><barcode>4006381333931, 5</barcode><description><![CDATA[<p>Тёплая</p>]]></description><param name="Цвет">белый</param><param name="Вес" unit="кг">2</param></offer>',
    '<offer id="b" аvailable="true"><name>B</name><price>5</price><price_promo>4</price_promo><stock_quantity>0</stock_quantity><categoryId>99</categoryId></offer>',
    '<offer id="c" available="false"><title>C</title></offer>',
    '<offer id="d" disabled="true"><name>D</name></offer>',
    '<offer id="e"><name>E<price>1</price></offer>',
  );
  expect(detectFormat({ text, fileName: 'x' })?.format.name).toBe('yml');
  const { items, said } = await readAll(ymlFeed, text, { chunkBytes: 64, currency: 'UAH' });
  expect(said).toEqual(['9 warning not_published searchable', '10 error invalid_xml -']);
  expect(items).toMatchObject([
    {
      externalId: 'a',
      name: 'Лампа Lumen Oak 5',
      description: 'Тёплая',
      publicUrl: 'https://shop.example/a',
      images: ['https://i.example/1.jpg', 'https://i.example/2.jpg', 'https://i.example/3.jpg'],
      vendor: 'Lumen',
      mpn: 'L-5',
      gtins: ['4006381333931'],
      productType: 'Лампы',
      currency: 'RUB',
      priceMinor: 104000,
      compareAtPriceMinor: 120050,
      availability: 'in_stock',
      attributes: { color: 'белый', вес: '2 кг' },
    },
    {
      externalId: 'b',
      currency: 'UAH',
      priceMinor: 400,
      compareAtPriceMinor: 500,
      availability: 'out_of_stock',
      productType: null,
    },
    { externalId: 'c', name: 'C', availability: 'out_of_stock' },
  ]);
});

test('offers of one group are variants, and a corrected record keeps its category', async () => {
  const shirt = (id: string, size: string, price: string) =>
    `<offer id="${id}" group_id="g"><name>Shirt ${size}</name><categoryId>2</categoryId><price>${price}</price><param name="Размер" unit="RU">${size}</param></offer>`;
  const { items, said, errorsCsv } = await readAll(
    ymlFeed,
    feed(shirt('s', 'S', '10'), shirt('m', 'M', 'ten')),
  );
  expect(offering(items)).toMatchObject({
    externalId: 'g',
    name: 'Shirt S',
    variants: [{ id: 's', options: { Size: 'S' }, priceMinor: 1000 }],
  });
  expect(said).toEqual(['7 error invalid_price price']);
  const corrected = errorsCsv.replace('>ten<', '>11<');
  const format = detectFormat({ text: corrected, fileName: 'x' })!.format;
  const again = await readAll(format, corrected);
  expect(again.said).toEqual([]);
  expect(offering(again.items)).toMatchObject({
    productType: 'Лампы',
    variants: [{ id: 's' }, { id: 'm', priceMinor: 1100 }],
  });
});
