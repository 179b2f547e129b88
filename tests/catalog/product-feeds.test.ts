import { describe, expect, test } from 'bun:test';
import { googleTable, googleXml } from '../../src/catalog/feeds/google-feed.ts';
import { openaiJsonLines, openaiTable } from '../../src/catalog/feeds/openai-feed.ts';
import { detectFormat, formatNamed } from '../../src/catalog/formats.ts';
import type { ColumnUse } from '../../src/catalog/record/reader.ts';
import { offering, readAll } from './read.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const detected = (text: string) => detectFormat({ text, fileName: 'x' })?.format.name;

const item = (id: string, body: string) =>
  `<item>\n<g:id>${id}</g:id><title>${id}</title>\n${body}\n</item>`;
const rss = (...items: string[]) =>
  `<?xml version="1.0"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>\n${items.join('\n')}\n</channel></rss>`;

const LAMP = `<g:description><![CDATA[<p>A <b>warm</b> lamp &amp; more</p>]]></g:description>
<link>https://shop.example/lamp</link>
<g:image_link>https://shop.example/1.jpg</g:image_link>
<g:additional_image_link>https://shop.example/2.jpg</g:additional_image_link>
<g:additional_image_link>https://shop.example/3.jpg</g:additional_image_link>
<g:price>49.00 EUR</g:price><g:sale_price>39,90 EUR</g:sale_price>
<g:sale_price_effective_date>2026-06-01T00:00-0800/2026-06-30T23:59-0800</g:sale_price_effective_date>
<g:availability>in stock</g:availability><g:brand>Lumen</g:brand><g:gtin>4006381333931</g:gtin>
<g:product_type>Home &gt; Lighting &gt; Lamps</g:product_type>
<g:google_product_category>Home &amp; Garden &gt; Lighting</g:google_product_category>
<g:product_detail><g:section_name>General</g:section_name><g:attribute_name>Bulb type</g:attribute_name><g:attribute_value>LED</g:attribute_value></g:product_detail>
<g:shipping><g:country>DE</g:country><g:price>4.90 EUR</g:price></g:shipping>`;

describe('Google XML', () => {
  test('RSS: everything that search needs, at the current price', async () => {
    let use: ColumnUse | null = null;
    const text = rss(item('lamp', LAMP));
    expect(detected(text)).toBe('google-xml');
    const { items, lines, said } = await readAll(googleXml, text, {
      now: NOW,
      onColumns: (columns) => {
        use = columns;
      },
    });
    expect(said).toEqual([]);
    expect(lines).toEqual([3]);
    expect(offering(items)).toEqual({
      type: 'product',
      kind: 'product',
      externalId: 'lamp',
      name: 'lamp',
      description: 'A warm lamp & more',
      image: 'https://shop.example/1.jpg',
      images: [1, 2, 3].map((number) => `https://shop.example/${number}.jpg`),
      slug: null,
      publicUrl: 'https://shop.example/lamp',
      publishedAt: null,
      vendor: 'Lumen',
      tags: [],
      productType: 'Lamps',
      currency: 'EUR',
      priceMinor: 3990,
      compareAtPriceMinor: 4900,
      availability: 'in_stock',
      sku: null,
      mpn: null,
      gtins: ['4006381333931'],
      bookingUrl: null,
      checkoutUrl: null,
      attributes: { category: 'Home & Garden > Lighting', bulb_type: 'LED' },
      variants: [],
    });
    expect(use!.ignored).toEqual(['g:shipping']);
    const later = await readAll(googleXml, text, { now: Date.parse('2026-07-02T00:00:00Z') });
    expect(offering(later.items)).toMatchObject({ priceMinor: 4900, compareAtPriceMinor: null });
  });

  test('Atom: links are attributes, and the feed’s id is not a product’s', async () => {
    const text = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">
      <entry><id>tag:shop,1</id><g:id>mug</g:id><title>Mug</title><link rel="alternate" href="https://shop.example/mug"/>
      <summary>Blue</summary><g:price>9.90 USD</g:price><g:availability>out_of_stock</g:availability></entry></feed>`;
    expect(detected(text)).toBe('google-xml');
    expect(offering((await readAll(googleXml, text)).items)).toMatchObject({
      externalId: 'mug',
      name: 'Mug',
      description: 'Blue',
      publicUrl: 'https://shop.example/mug',
      priceMinor: 990,
      currency: 'USD',
      availability: 'out_of_stock',
    });
  });

  test('items of a group become one product, wherever they are', async () => {
    const shirt = (id: string, size: string, price: string) =>
      item(
        id,
        `<g:item_group_id>shirt</g:item_group_id><g:title>Linen shirt - ${size}</g:title>
        <g:size>${size}</g:size><g:color>Blue</g:color><g:price>${price}</g:price>`,
      );
    const text = rss(shirt('s1', 'S', '30.00 EUR'), item('mug', ''), shirt('s2', 'M', '25.00 EUR'));
    const { items, said } = await readAll(googleXml, text);
    expect(said).toEqual([]);
    expect(items.map(({ externalId }) => externalId)).toEqual(['mug', 'shirt']);
    expect(offering(items, 1)).toMatchObject({
      name: 'Linen shirt',
      priceMinor: 2500,
      variants: [
        { id: 's1', title: 'Blue / S', options: { Color: 'Blue', Size: 'S' }, priceMinor: 3000 },
        { id: 's2', title: 'Blue / M' },
      ],
    });
  });

  test('a broken item damages no other, and can be imported after correction', async () => {
    const items = [
      item('a', '<g:price>1 EUR</g:price>'),
      item('b', '<g:description><![CDATA[never closed</g:description>'),
      item('c', '<g:price>x</g:price>'),
      item('d', '<g:brand>A & B</g:brand>'),
      item('e', '</g:brand>'),
      '<item><g:id>f</g:id>',
      item('g', ''),
      item('h', '\0'),
      item('i', '<g:description>&nbsp;&eacute;</g:description>'),
    ];
    const first = await readAll(googleXml, rss(...items), { name: 'feed.xml' });
    expect(first.items.map(({ externalId }) => externalId)).toEqual(['a', 'g', 'i']);
    expect(first.said).toEqual([
      '7 error invalid_xml -',
      '11 error invalid_price g:price',
      '15 error invalid_xml -',
      '19 error invalid_xml -',
      '23 error invalid_xml -',
      '28 error forbidden_text -',
    ]);
    expect(detected(first.errorsCsv)).toBe('errors-csv');
    const again = await readAll(
      formatNamed('errors-csv')!,
      first.errorsCsv.replace('A & B', 'A &amp; B').replace('>x<', '>3<'),
    );
    expect(again.items.map(({ externalId }) => externalId)).toEqual(['c', 'd']);
  });
});

describe('tables', () => {
  test('TSV with headings in common notations', async () => {
    const text = [
      'ID\tTitle\tLink\tImage Link\tAdditional image link\tPrice\tSale price\tAvailability\tGTIN\tShoe factory',
      'a\tBoot\thttps://shop.example/a\thttps://shop.example/1.jpg\thttps://shop.example/2.jpg, https://shop.example/3.jpg\t1.299,00 EUR\t\tpreorder\t4006381333931\tx',
    ].join('\n');
    let use: ColumnUse | null = null;
    expect(detected(text)).toBe('google-tsv');
    const { items, said } = await readAll(googleTable, text, {
      onColumns: (columns) => (use = columns),
    });
    expect(said).toEqual([]);
    expect(offering(items)).toMatchObject({
      images: [1, 2, 3].map((number) => `https://shop.example/${number}.jpg`),
      priceMinor: 129_900,
      availability: 'preorder',
    });
    expect(use!.ignored).toEqual(['Shoe factory']);
  });

  test('any table whose columns are mapped', async () => {
    const mapping = new Map([
      ['nr', 'id'],
      ['bezeichnung', 'title'],
      ['preis', 'price'],
    ]);
    const text = 'Nr;Bezeichnung;Preis\n7;Tasse;"9,90"\n8;Teller;x\n';
    expect(detected(text)).toBeUndefined();
    expect(detectFormat({ text, fileName: 'x', mapping })?.format.name).toBe('google-tsv');
    const { items, said, errorsCsv: errors } = await readAll(googleTable, text, { mapping });
    expect(items).toMatchObject([{ externalId: '7', name: 'Tasse', priceMinor: 990 }]);
    expect(said).toEqual(['3 error invalid_price Preis']);
    expect(errors).toContain('Nr,Bezeichnung,Preis,vitrine_file');
  });

  test('OpenAI’s feed with its current and former names', async () => {
    const now =
      'item_id,title,url,image_url,price,availability,group_id,variant_dict,is_eligible_search,store_country';
    const then =
      'id,title,link,image_link,price,availability,item_group_id,color,enable_search,seller_name';
    for (const [header, option] of [
      [now, '"{""color"":""Red""}"'],
      [then, 'Red'],
    ]) {
      const text = `${header}\nv1,Cap,https://shop.example/cap,https://shop.example/c.jpg,19.99 USD,in_stock,cap,${option},true,US\nv2,Hidden,,,1 USD,in_stock,,,false,US\n`;
      expect(detected(text)).toBe('openai-csv');
      const { items, said } = await readAll(openaiTable, text);
      expect(said.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
        '3 warning not_published',
      ]);
      expect(offering(items)).toMatchObject({
        externalId: 'cap',
        currency: 'USD',
        priceMinor: 1999,
        variants: [{ id: 'v1', image: 'https://shop.example/c.jpg' }],
      });
      expect(Object.values(offering(items).variants[0]!.options)).toEqual(['Red']);
    }
  });

  test('OpenAI’s feed as JSON Lines', async () => {
    const text = [
      '{"item_id":"a","title":"Boot","price":"79.99 USD","sale_price":"59.99 USD","sale_price_start_date":"2026-07-01","availability":"in_stock","additional_image_urls":["https://shop.example/2.jpg"],"is_eligible_search":true}',
      '{"item_id":"b","title":"Shoe","price":"x"}',
      '{"item_id":"c","title":',
    ].join('\n');
    expect(detected(text)).toBe('openai-jsonl');
    const read = await readAll(openaiJsonLines, text, { now: NOW });
    expect(offering(read.items)).toMatchObject({
      priceMinor: 7999,
      compareAtPriceMinor: null,
      images: ['https://shop.example/2.jpg'],
    });
    expect(read.said).toEqual(['2 error invalid_price price', '3 error invalid_json -']);
    const again = await readAll(
      formatNamed('errors-csv')!,
      read.errorsCsv.replace('""x""', '""5 USD""'),
    );
    expect(again.items).toMatchObject([{ externalId: 'b', priceMinor: 500 }]);
  });

  test('a mapped column overrides one that already has the name, whichever comes first', async () => {
    const mapping = new Map([['aktion', 'price']]);
    for (const [head, row] of [
      ['id,title,price,Aktion', 'a,A,9.00,7.00'],
      ['Aktion,price,id,title', '7.00,9.00,a,A'],
    ]) {
      const { items } = await readAll(googleTable, `${head}\n${row}\n`, { mapping });
      expect(items).toMatchObject([{ priceMinor: 700 }]);
    }
    const lines = '{"item_id":"a","title":"A","price":"9.00 EUR","aktion":"7.00 EUR"}\n';
    const { items } = await readAll(openaiJsonLines, lines, { mapping });
    expect(items).toMatchObject([{ priceMinor: 700 }]);
  });

  test('refuses to map a missing column, and lists the columns of the file', async () => {
    const mapping = new Map([['pries', 'price']]);
    await expect(
      readAll(googleTable, 'id,title,Preis\na,A,9.00\n', { mapping }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      message: '--map: the file has no column "pries". It has id, title, Preis.',
    });
  });

  test.each([
    ['0.00', '', 900, null],
    ['0', 'true', 900, null],
    ['8.00', 'false', 900, null],
    ['8.00', '0', 900, null],
    ['8.00', 'No', 900, null],
    ['8.00', 'true', 800, 900],
    ['8.00', '', 800, 900],
  ])('sale price %p, on sale %p: price %p, before %p', async (sale, isOn, price, before) => {
    const table = `id,title,price,sale_price,on_sale\na,A,9.00,${sale},${isOn}\n`;
    const { items, said } = await readAll(googleTable, table);
    expect(said).toEqual([]);
    expect(items).toMatchObject([{ priceMinor: price, compareAtPriceMinor: before }]);
  });

  test.each([
    ['price 10 USD, sale 8 EUR', 'a,A,10 USD,8 EUR', '2 error currency_conflict sale_price'],
    ['an unknown word for availability', 'a,A,1,,maybe', '2 warning invalid_value availability'],
    ['no id', ',A,1', '2 error missing_value id'],
    ['no title', 'a,,1', '2 error missing_value title'],
    ['a bad period', 'a,A,9,8,,soon', '2 warning invalid_time sale_price_effective_date'],
  ])('%s', async (_, row, said) => {
    const columns = 'id,title,price,sale_price,availability,sale_price_effective_date';
    const padded = row + ','.repeat(5 - row.split(',').length + 1);
    expect((await readAll(googleTable, `${columns}\n${padded}\n`)).said).toEqual([said]);
  });
});
