import { expect, test } from 'bun:test';
import { detectFormat, FORMATS, formatNamed } from '../../src/catalog/formats.ts';
import { jsonLines } from '../../src/catalog/own/json-lines.ts';
import { shopifyCsv } from '../../src/catalog/shopify/shopify-csv.ts';
import { readAll } from './read.ts';

test.each(
  FORMATS.filter(({ readRecords }) => readRecords !== undefined).map(
    ({ name, recordColumn = name }) => [name, recordColumn],
  ),
)('the errors file of %s is known by its column', (_, column) => {
  const text = `${column},vitrine_code\n`;
  expect(detectFormat({ text, fileName: 'x' })?.format.name).toBe('errors-csv');
});

test('JSON Lines: a corrected record can be imported', async () => {
  const text =
    '{"externalId":"a","name":"=A","price":"1,0"}\n{"externalId":"b","name":"B"}\n{"externalId":"c",\n';
  const first = await readAll(jsonLines, text, { name: 'shop.jsonl' });
  expect(first.errorsCsv).toContain('shop.jsonl,1,1,a,price,invalid_price,');
  expect(detectFormat({ text: first.errorsCsv, fileName: 'x' })?.format.name).toBe('errors-csv');
  const again = await readAll(formatNamed('errors-csv')!, first.errorsCsv);
  expect(again.said).toEqual(['2 error invalid_price price', '3 error invalid_json -']);
  const mended = first.errorsCsv.replace('1,0', '1.0').replace('""c"",', '""c"",""name"":""C""}');
  const last = await readAll(formatNamed('errors-csv')!, mended);
  expect(last.said).toEqual([]);
  expect(last.items.map(({ externalId, name }) => [externalId, name])).toEqual([
    ['a', '=A'],
    ['c', 'C'],
  ]);
});

test('Shopify: a rejected product is written with all its rows, each with its own faults', async () => {
  const text = [
    'Handle,Title,Option1 Name,Option1 Value,Variant Price',
    'mug,Mug,Title,Default Title,1',
    'tee,=Tee,Size,S,x',
    'tee,,,M,2',
    'tee,,,L,-',
  ].join('\n');
  const first = await readAll(shopifyCsv, text, { name: 'p.csv' });
  expect(first.items.map(({ externalId }) => externalId)).toEqual(['mug', 'tee']);
  const [header, ...rows] = first.errorsCsv.trimEnd().split('\r\n');
  expect(header).toStartWith(
    '\ufeffHandle,Title,Option1 Name,Option1 Value,Variant Price,vitrine_file,',
  );
  expect(rows.map((row) => row.split(',').slice(0, 7).join())).toEqual([
    "tee,'=Tee,Size,S,x,p.csv,3",
    'tee,,,M,2,,',
    "tee,,,L,'-,p.csv,5",
  ]);
  expect(detectFormat({ text: first.errorsCsv, fileName: 'x' })?.format.name).toBe('shopify-csv');
  const last = await readAll(
    shopifyCsv,
    first.errorsCsv.replace(',x,', ',3,').replace(",'-,", ',4,'),
  );
  expect(last.said).toEqual([]);
  expect(last.items).toMatchObject([{ name: '=Tee', priceMinor: 200, variants: [{}, {}, {}] }]);
  expect(last.errorsCsv).toBe('');
});

test('errors in a corrected file can be corrected in turn', async () => {
  const { errorsCsv: first } = await readAll(jsonLines, '{"externalId":"a"}');
  const { errorsCsv: second } = await readAll(formatNamed('errors-csv')!, first, { name: 'file' });
  expect(second).toBe(first.replace('file,1,1', 'file,2,1'));
});

test('undecodable text is refused until it is corrected', async () => {
  const bytes = Buffer.concat([
    Buffer.from('Handle,Title,Variant Price\nmug,M'),
    Buffer.of(0xfc),
    Buffer.from('g,1\n'),
  ]);
  const first = await readAll(shopifyCsv, bytes);
  expect(first.said).toEqual(['2 error invalid_utf8 -']);
  expect((await readAll(shopifyCsv, first.errorsCsv)).said).toEqual(['2 error invalid_utf8 -']);
  const { items } = await readAll(shopifyCsv, first.errorsCsv.replace('\ufffd', 'ü'));
  expect(items[0]!.name).toBe('Müg');
});
