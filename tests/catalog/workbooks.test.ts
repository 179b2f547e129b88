import { expect, test } from 'bun:test';
import { openCsv } from '../../src/catalog/bytes/csv-table.ts';
import { openSource } from '../../src/catalog/open-source.ts';
import { openContainer } from '../../src/catalog/workbooks/open-container.ts';
import { chunks } from './read.ts';
import { odsOf, xlsxOf, zipOf } from './workbook-file.ts';

const MEBIBYTE = 1024 * 1024;

/** The first sheet as a table: the row number and the cells of each row below the headings. */
async function table(workbook: Buffer, inflatedMax = MEBIBYTE) {
  const container = await openContainer(chunks(workbook, 1000), { name: 'list', inflatedMax });
  if (container.sheets === null) throw new Error('It is no workbook.');
  for await (const sheet of container.sheets) {
    const { columns, rows } = await openCsv(sheet.csv());
    const all = await Array.fromAsync(rows);
    return { columns, rows: all.map(({ line, fields }) => [line, ...fields]) };
  }
  throw new Error('It has no sheet.');
}

async function read(workbook: Buffer, hints: Parameters<typeof openSource>[1] = {}) {
  const opened = await openSource({ name: 'list.xlsx', bytes: chunks(workbook, 1000) }, hints);
  const rows = opened.rows({ currency: 'EUR', shopUrl: null, now: 0 });
  return { evidence: opened.evidence, rows: await Array.fromAsync(rows) };
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const HEADINGS = `<row>${['id', 'title', 'price'].map(text).join('')}</row>`;

test('a cell of Excel has the value that people see, without the marks of a locale', async () => {
  const cells: readonly (readonly [xml: string, value: string])[] = [
    ['<c t="s"><v>1</v></c>', 'Oak & linen'],
    ['<c t="s"><v>2</v></c>', 'two\u2028lines'],
    ['<c t="str"><f>A1&amp;"x"</f><v>computed</v></c>', 'computed'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="e"><v>#REF!</v></c>', '#REF!'],
    ['<c><v>4006381333931</v></c>', '4006381333931'],
    ['<c><v>4.006381333931E12</v></c>', '4006381333931'],
    ['<c><v>19.989999999999998</v></c>', '19.99'],
    ['<c><v>5.0000000000000001E-3</v></c>', '0.005'],
    ['<c s="1"><v>23.788099999999996</v></c>', '23.79 €'],
    ['<c s="2"><v>1234.5</v></c>', '1234.50 CHF'],
    ['<c s="3"><v>0.19</v></c>', '19%'],
    ['<c s="4"><v>12345678905</v></c>', '012345678905'],
    ['<c s="5"><v>46023</v></c>', '2026-01-01'],
    ['<c s="6"><v>46023.75</v></c>', '2026-01-01T18:00:00'],
    ['<c s="7"><v>19.99</v></c>', '19.99'],
    ['<c s="8"><v>4006381333931</v></c>', '4006381333931'],
    ['<c s="9"><v>46023</v></c>', '2026-01-01'],
  ];
  const workbook = xlsxOf({
    shared:
      '<si><t>id</t></si><si><r><t>Oak </t></r><r><t>&amp; linen</t></r><rPh><t>オーク</t></rPh></si><si><t>two_x000D_&#10;lines</t></si>',
    formats: [
      ...['#,##0.00\\ "€"', '[$CHF-807]\\ #,##0.00;[Red]-0.00', '0%', '000000000000'],
      ...['yyyy\\-mm\\-dd', 'd/m/yy h:mm', '#,##0', '0.00E+00'],
    ],
    sheets: {
      Products: `<row r="1">${cells.map((_, index) => text(`c${index}`)).join('')}</row><row r="2">${cells.map(([xml]) => xml).join('')}</row>`,
    },
  });
  expect((await table(workbook)).rows).toEqual([[2, ...cells.map(([, value]) => value)]]);
});

test('a cell of LibreOffice has its value, not what its locale shows', async () => {
  const cells: readonly (readonly [xml: string, value: string])[] = [
    [
      '<table:table-cell office:value-type="string"><text:p>Oak<text:s text:c="2"/><text:span>&amp;</text:span> linen</text:p><text:p>new</text:p><office:annotation><text:p>note</text:p></office:annotation></table:table-cell>',
      'Oak  & linen\u2028new',
    ],
    [
      '<table:table-cell office:value-type="float" office:value="1234.5"><text:p>1.234,50</text:p></table:table-cell>',
      '1234.50',
    ],
    [
      '<table:table-cell office:value-type="currency" office:currency="EUR" office:value="23.7881"><text:p>23,79 €</text:p></table:table-cell>',
      '23.79 EUR',
    ],
    [
      '<table:table-cell office:value-type="percentage" office:value="0.19"><text:p>19 %</text:p></table:table-cell>',
      '19%',
    ],
    [
      '<table:table-cell office:value-type="date" office:date-value="2026-01-01"><text:p>1.1.26</text:p></table:table-cell>',
      '2026-01-01',
    ],
    [
      '<table:table-cell office:value-type="float" office:value="4006381333931"><text:p>4,01E+12</text:p></table:table-cell>',
      '4006381333931',
    ],
    [
      '<table:table-cell office:value-type="float" office:value="123"><text:p>00123</text:p></table:table-cell>',
      '00123',
    ],
    [
      '<table:table-cell table:number-columns-repeated="2" office:value-type="boolean" office:boolean-value="true"/>',
      'TRUE',
    ],
  ];
  const named = cells.map(
    (_, index) => `<table:table-cell><text:p>c${index}</text:p></table:table-cell>`,
  );
  const workbook = odsOf(
    `<table:table table:name="Old" table:style-name="ta2"><table:table-row><table:table-cell/></table:table-row></table:table>
     <table:table table:name="Products"><table:table-row>${named.join('')}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>
     <table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
     <table:table-row>${cells.map(([xml]) => xml).join('')}</table:table-row>
     <table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row></table:table>`,
  );
  const values = cells.map(([, value]) => value);
  expect((await table(workbook)).rows).toEqual([[4, ...values, 'TRUE']]);
});

test('the first visible sheet with a catalogue is read and named, and faults name its rows', async () => {
  const workbook = xlsxOf({
    sheets: {
      '-Old': `${HEADINGS}<row>${text('x')}${text('Hidden')}</row>`,
      Guide: `<row>${text('Fill in the next sheet.')}</row>`,
      Products: `<row>${text('Price list')}</row><row r="3">${['id', 'title', 'price'].map(text).join('')}</row>
        <row r="5">${text('a')}${text('Oak&#10;lamp')}<c><v>9.5</v></c>${text('a note')}</row>
        <row r="7">${text('b')}${text('Linen')}${text('#REF!')}</row>`,
    },
  });
  const { evidence, rows } = await read(workbook);
  expect(evidence).toBe('detected by the columns id, title, price; sheet "Products"');
  expect(rows).toMatchObject([
    { line: 5, item: { externalId: 'a', name: 'Oak lamp', priceMinor: 950 } },
    { fault: { line: 7, code: 'invalid_price', externalId: 'b' } },
  ]);
  await expect(read(workbook, { sheet: 'prices' })).rejects.toThrow(/the sheets Guide, Products/);
  await expect(read(workbook, { sheet: 'guide' })).rejects.toThrow(/sheet "Guide"/);
});

test('no workbook takes more memory or time than its limits allow', async () => {
  const cell =
    '<table:table-cell table:number-columns-repeated="9000"><text:p>wide</text:p></table:table-cell>';
  const bombs = [
    xlsxOf({ sheets: { A: ' '.repeat(2 * MEBIBYTE) } }),
    xlsxOf({ sheets: { A: HEADINGS }, shared: ' '.repeat(2 * MEBIBYTE) }),
    odsOf(
      `<table:table><table:table-row table:number-rows-repeated="1000000">${cell}</table:table-row></table:table>`,
    ),
    odsOf(
      `<table:table><table:table-row>${cell.replace('wide', 'wide'.repeat(900))}</table:table-row></table:table>`,
    ),
  ];
  for (const bomb of bombs) {
    expect(bomb.length).toBeLessThan(10_000);
    await expect(table(bomb)).rejects.toMatchObject({ code: 'too_large' });
  }
});

test('a damaged or foreign archive is refused in one sentence, a zipped table is read', async () => {
  const workbook = xlsxOf({ sheets: { A: HEADINGS } });
  const refused: readonly (readonly [Buffer, string, RegExp])[] = [
    [workbook.subarray(0, -30), 'invalid_input', /damaged/],
    [xlsxOf({ sheets: { A: '<row><c>' } }), 'invalid_input', /not well-formed/],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'unsupported_media_type', /password/],
    [zipOf({ 'a.csv': 'id', 'b.csv': 'id' }), 'unsupported_media_type', /several files/],
    [
      zipOf({ 'xl/workbook.bin': 'x', 'xl/a.bin': 'x' }),
      'unsupported_media_type',
      /binary or incomplete/,
    ],
    [xlsxOf({ sheets: { A: '' } }), 'unsupported_media_type', /no sheet with text/],
    [
      xlsxOf({ sheets: { A: `<row>${text('Hello')}</row>` } }),
      'unsupported_media_type',
      /sheet "A"/,
    ],
  ];
  for (const [bytes, code, message] of refused) {
    await expect(read(bytes)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  }
  const zipped = zipOf({ '__MACOSX/._a.csv': 'x', 'a.csv': 'id;title;price\n1;Grün;9,00\n' });
  expect((await read(zipped)).rows).toMatchObject([{ item: { name: 'Grün', priceMinor: 900 } }]);
});
