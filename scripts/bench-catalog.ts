#!/usr/bin/env bun
import { parse } from 'csv-parse';
import { SaxesParser } from 'saxes';
import { fromBufferPromise } from 'yauzl';
import { openSource } from '../src/catalog/open-source.ts';
import { systemPlatform } from '../src/platform.ts';
import { odsOf, xlsxOf } from '../tests/catalog/workbook-file.ts';

/*
 * Measures how fast each format is read, compared with the bare library over the same bytes in the
 * same run. MB/s are those of the file, which a workbook compresses. It counts
 * processor time, so that other load on the machine matters little:
 *   bun scripts/bench-catalog.ts [rows]
 */

const COUNT = Number(process.argv[2] ?? 60_000);
const CHUNK = 256 * 1024;
const TEXT = 'A warm lamp of oak and linen, made to order in a small workshop, with a long cable. ';
const platform = systemPlatform('error');

const csv = (header: string, row: (index: number) => string) =>
  [header, ...Array.from({ length: COUNT }, (_, index) => row(index))].join('\n');
const json = (row: (index: number) => unknown) =>
  Array.from({ length: COUNT }, (_, index) => JSON.stringify(row(index)));

const shopifyProduct = (index: number) => ({
  id: index,
  title: `Lamp ${index}`,
  handle: `lamp-${index}`,
  body_html: `<p>${TEXT}</p>`,
  vendor: 'Lumen',
  product_type: 'Lamps',
  tags: ['oak', 'linen'],
  variants: [{ id: index, option1: 'Default Title', price: '49.00', available: true }],
  images: [{ src: `https://shop.example/${index}.jpg` }],
});

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const sheetRows = [
  ['id', 'title', 'description', 'price', 'link'],
  ...Array.from({ length: COUNT }, (_, index) => [
    ...[`${index}`, `Lamp ${index}`, TEXT, '49.00 EUR', `https://shop.example/${index}`],
  ]),
];

/** `bare` runs the library alone; null if there is no library to compare with. */
const CASES: readonly {
  readonly format: string;
  readonly content: string | Uint8Array;
  readonly bare: ((bytes: Uint8Array) => Promise<number>) | null;
}[] = [
  {
    format: 'google-tsv',
    content: csv(
      'id\ttitle\tdescription\tlink\timage_link\tprice\tavailability\tbrand',
      (index) =>
        `${index}\tLamp ${index}\t${TEXT}\thttps://shop.example/${index}\thttps://shop.example/${index}.jpg\t49.00 EUR\tin_stock\tLumen`,
    ),
    bare: (bytes) => bareCsv(bytes, '\t'),
  },
  {
    format: 'shopify-csv',
    content: csv(
      'Handle,Title,Body (HTML),Vendor,Tags,Variant Price,Image Src',
      (index) =>
        `lamp-${index},Lamp ${index},"${TEXT}",Lumen,"oak, linen",49.00,https://shop.example/${index}.jpg`,
    ),
    bare: (bytes) => bareCsv(bytes, ','),
  },
  {
    format: 'woocommerce-csv',
    content: csv(
      'ID,Type,SKU,Name,Published,In stock?,Regular price,Categories,Images,Description',
      (index) =>
        `${index},simple,L${index},Lamp ${index},1,1,"49,00",Home > Lamps,https://shop.example/${index}.jpg,${TEXT.replaceAll(',', '')}`,
    ),
    bare: (bytes) => bareCsv(bytes, ','),
  },
  {
    format: 'google-xml',
    content: `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${Array.from(
      { length: COUNT },
      (_, index) =>
        `<item><g:id>${index}</g:id><g:title>Lamp ${index}</g:title><g:description>${TEXT}</g:description><g:link>https://shop.example/${index}</g:link><g:price>49.00 EUR</g:price><g:availability>in_stock</g:availability></item>`,
    ).join('\n')}</channel></rss>`,
    bare: bareXml,
  },
  {
    format: 'yml',
    content: `<yml_catalog><shop><categories><category id="1">Lamps</category></categories><offers>${Array.from(
      { length: COUNT },
      (_, index) =>
        `<offer id="${index}" available="true"><name>Lamp ${index}</name><description>${TEXT}</description><url>https://shop.example/${index}</url><price>49.00</price><currencyId>EUR</currencyId><categoryId>1</categoryId></offer>`,
    ).join('\n')}</offers></shop></yml_catalog>`,
    bare: (bytes) => bareXml(bytes, 'offer'),
  },
  {
    format: 'wordpress-xml',
    content: `<rss xmlns:content="c" xmlns:wp="http://wordpress.org/export/1.2/"><channel>${Array.from(
      { length: COUNT },
      (_, index) =>
        `<item><title>Lamp ${index}</title><link>https://shop.example/${index}</link><content:encoded><![CDATA[${TEXT}]]></content:encoded><wp:post_id>${index}</wp:post_id><wp:status>publish</wp:status><wp:post_type>product</wp:post_type><wp:postmeta><wp:meta_key>_regular_price</wp:meta_key><wp:meta_value>49.00</wp:meta_value></wp:postmeta></item>`,
    ).join('\n')}</channel></rss>`,
    bare: bareXml,
  },
  {
    format: 'magento-csv',
    content: csv(
      'sku,store_view_code,product_type,name,description,price,url_key,base_image,is_in_stock',
      (index) =>
        `L${index},,simple,Lamp ${index},"${TEXT}",49.0000,lamp-${index},/l/a/${index}.jpg,1`,
    ),
    bare: (bytes) => bareCsv(bytes, ','),
  },
  {
    format: 'wix-csv',
    content: csv(
      'handleId,fieldType,name,description,productImageUrl,collection,price,surcharge,visible,inventory',
      (index) =>
        `product_${index},Product,Lamp ${index},"${TEXT}",${index}.jpg,Lamps,49.0,,true,InStock`,
    ),
    bare: (bytes) => bareCsv(bytes, ','),
  },
  {
    format: 'google-tsv in xlsx',
    content: xlsxOf({
      sheets: { A: sheetRows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('') },
    }),
    bare: (bytes) => bareSheet(bytes, { part: 'xl/worksheets/s0.xml', row: 'row' }),
  },
  {
    format: 'google-tsv in ods',
    content: odsOf(
      `<table:table table:name="A">${sheetRows
        .map(
          (row) =>
            `<table:table-row>${row.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`,
        )
        .join('')}</table:table>`,
    ),
    bare: (bytes) => bareSheet(bytes, { part: 'content.xml', row: 'table:table-row' }),
  },
  {
    format: 'openai-jsonl',
    content: json((index) => ({
      item_id: String(index),
      title: `Lamp ${index}`,
      description: TEXT,
      url: `https://shop.example/${index}`,
      price: '49.00 EUR',
      availability: 'in_stock',
    })).join('\n'),
    bare: bareJson,
  },
  {
    format: 'shopify-json',
    content: `{"products":[${json(shopifyProduct).join(',')}]}`,
    bare: bareDocument,
  },
  {
    format: 'json-ld',
    content: `[${json((index) => ({ '@type': 'Product', sku: String(index), name: `Lamp ${index}`, description: TEXT, offers: { price: '49.00', priceCurrency: 'EUR' } })).join(',')}]`,
    bare: bareDocument,
  },
];

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += CHUNK) yield bytes.subarray(from, from + CHUNK);
}

async function bareCsv(bytes: Uint8Array, delimiter: string): Promise<number> {
  const parser = parse({ delimiter, columns: true, quote: delimiter === '\t' ? null : '"' });
  let count = 0;
  const counted = (async () => {
    for await (const _ of parser) count += 1;
  })();
  for await (const chunk of chunksOf(bytes)) parser.write(chunk);
  parser.end();
  await counted;
  return count;
}

async function bareXml(bytes: Uint8Array, item = 'item'): Promise<number> {
  let count = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('closetag', ({ name }) => {
    if (name === item) count += 1;
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(bytes)) parser.write(decoder.decode(chunk, { stream: true }));
  parser.close();
  return count;
}

/** Rows below the headings. */
async function bareSheet(
  bytes: Uint8Array,
  { part, row }: { part: string; row: string },
): Promise<number> {
  let count = -1;
  const parser = new SaxesParser();
  parser.on('closetag', ({ name }) => {
    if (name === row) count += 1;
  });
  const zip = await fromBufferPromise(Buffer.from(bytes));
  const decoder = new TextDecoder();
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== part) continue;
    for await (const chunk of await zip.openReadStreamPromise(entry))
      parser.write(decoder.decode(chunk, { stream: true }));
  }
  return count;
}

async function bareJson(bytes: Uint8Array): Promise<number> {
  return new TextDecoder()
    .decode(bytes)
    .split('\n')
    .map((line) => JSON.parse(line)).length;
}

async function bareDocument(bytes: Uint8Array): Promise<number> {
  const value = JSON.parse(new TextDecoder().decode(bytes));
  return Array.isArray(value) ? value.length : value.products.length;
}

async function ours(format: string, bytes: Uint8Array): Promise<number> {
  const options = { currency: 'EUR', shopUrl: 'https://shop.example', now: platform.now() };
  const source = { name: 'bench', bytes: chunksOf(bytes) };
  let count = 0;
  const opened = await openSource(source, { format: format.replace(/ in .*/, '') });
  for await (const row of opened.rows(options)) {
    if ('fault' in row) throw new Error(JSON.stringify(row.fault));
    count += 1;
  }
  return count;
}

/** Items per second of processor time, including garbage collection; the best of three runs. */
async function rate(task: () => Promise<number>): Promise<number> {
  let best = 0;
  for (let round = 0; round < 3; round += 1) {
    const start = process.cpuUsage();
    const count = await task();
    if (count !== COUNT) throw new Error(`${count} items instead of ${COUNT}`);
    const { user, system } = process.cpuUsage(start);
    best = Math.max(best, count / ((user + system) / 1e6));
  }
  return Math.round(best);
}

const pad = (text: string | number) => String(text).padStart(12);
process.stdout.write(`${'format'.padEnd(18)}${pad('items/s')}${pad('library/s')}${pad('MB/s')}\n`);
for (const { format, content, bare } of CASES) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const own = await rate(() => ours(format, bytes));
  const library = bare === null ? '–' : await rate(() => bare(bytes));
  const megabytes = ((own / COUNT) * (bytes.length / 1e6)).toFixed(1);
  process.stdout.write(`${format.padEnd(18)}${pad(own)}${pad(library)}${pad(megabytes)}\n`);
}
