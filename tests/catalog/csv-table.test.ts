import { describe, expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { CsvProblem } from '../../src/catalog/bytes/csv-records.ts';
import { csvLine, headColumns, openCsv } from '../../src/catalog/bytes/csv-table.ts';
import { chunks } from './read.ts';

async function rowsOf(text: string, chunkBytes = 1024) {
  const table = await openCsv(chunks(new TextEncoder().encode(text), chunkBytes));
  const rows = await Array.fromAsync(table.rows);
  return { columns: table.columns, rows };
}

const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', ' ', 'é', '=') });

test('reads the same records and lines as csv-parse', async () => {
  const records = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(records, fc.integer({ min: 1, max: 40 }), async (fields, chunkBytes) => {
      const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;
      const sound = fields.map((record, index) => [`id${index}`, ...record]);
      const text = ['a,b,c,d', ...sound.map((record) => record.map(quoted).join(','))].join('\n');
      const expected = parse(text, { columns: false, relax_column_count: true }) as string[][];
      const { rows } = await rowsOf(text, chunkBytes);
      const lineFeeds = (record: readonly string[]) =>
        record.map((field) => field.replaceAll('\r\n', '\n'));
      expect(rows.map((row) => row.problem)).toEqual(fields.map(() => null));
      expect(rows.map((row) => row.fields)).toEqual(expected.slice(1).map(lineFeeds));
    }),
    { numRuns: 500 },
  );
});

describe('a broken record damages no other', () => {
  test.each<[string, string[], [number, CsvProblem | null][]]>([
    [
      'quote opens and never closes',
      ['1,"x,y', '2,b,c', '3,d,e'],
      [
        [2, 'unclosed_quote'],
        [3, null],
        [4, null],
      ],
    ],
    [
      'quote opens, the next one is sound',
      ['1,"x,y', '2,"b",c', '3,d,e'],
      [
        [2, 'stray_quote'],
        [3, null],
        [4, null],
      ],
    ],
    [
      'quote opens and closes by chance',
      ['1,b,"x', '2,b",c', '3,d,e'],
      [
        [2, 'stray_quote'],
        [3, null],
        [4, null],
      ],
    ],
    [
      'quote inside quotes',
      ['1,"x "y" z",c', '2,b,c'],
      [
        [2, 'stray_quote'],
        [3, null],
      ],
    ],
    [
      'quote inside quotes over lines',
      ['1,"x "y"', 'z",c', '2,b,c'],
      [
        [2, 'stray_quote'],
        [4, null],
      ],
    ],
    [
      'quote in bare text is text',
      ['1,5" pipe,c', '2,b,c'],
      [
        [2, null],
        [3, null],
      ],
    ],
    [
      'too few',
      ['1,b', '2,b,c'],
      [
        [2, 'column_count'],
        [3, null],
      ],
    ],
    [
      'too many',
      ['1,b,c,d', '2,b,c,,'],
      [
        [2, 'column_count'],
        [3, null],
      ],
    ],
    [
      'two in a row',
      ['1,b', '2', '3,b,c'],
      [
        [2, 'column_count'],
        [3, 'column_count'],
        [4, null],
      ],
    ],
    [
      'NUL',
      ['1,\0,c', '2,b,c'],
      [
        [2, 'forbidden_text'],
        [3, null],
      ],
    ],
    [
      'lines in quotes count',
      ['1,"b\n\nb",c', '', ',,', '2,b'],
      [
        [2, null],
        [7, 'column_count'],
      ],
    ],
  ])('%s', async (_, lines, expected) => {
    const { rows } = await rowsOf(`a,b,c\n${lines.join('\n')}`);
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual(expected);
    expect(rows.every(({ fields }) => fields.length === 3)).toBe(true);
  });

  test('an unclosed quote costs a large file one line and little time', async () => {
    const rest = '2,"b",c\n'.repeat(10) + '3,b,c\n'.repeat(300_000);
    const { rows } = await rowsOf(`a,b,c\n1,b,"c\n${'3,b,c\n'.repeat(50_000)}${rest}`, 65_536);
    expect(rows.filter(({ problem }) => problem !== null).map(({ line }) => line)).toEqual([2]);
    expect(rows.length).toBe(350_011);
  });
});

test('splits a broken record leniently', async () => {
  const { rows } = await rowsOf('a,b,c\n1,"say "hi", she said",c\n2,b,c\n3,x');
  expect(rows[0]!.fields).toEqual(['1', 'say "hi', ' she said",c']);
  expect(rows[2]!.fields).toEqual(['3', 'x', '']);
});

test.each([[';'], ['\t'], [',']])('reads files with %j between the fields', async (delimiter) => {
  const text = `a${delimiter}b\r\n1${delimiter}"x${delimiter}y"\r\n`;
  const { columns, rows } = await rowsOf(`\ufeff${text}`);
  expect([columns, rows[0]!.fields]).toEqual([
    ['a', 'b'],
    ['1', `x${delimiter}y`],
  ]);
});

test('writes no cell as a formula, and reads every cell back unchanged', async () => {
  const start = fc.constantFrom('=', '+', '-', '@', '\t', "'", "'=", ' =', '＝', '');
  const cells = fc
    .tuple(start, cell)
    .map(([first, rest]) => `${first}${rest}`.replaceAll('\r', ''));
  await fc.assert(
    fc.asyncProperty(cells, cells, async (a, b) => {
      const text = csvLine(['a', 'b', 'vitrine_code']) + csvLine([a, b, 'x']);
      for (const field of (parse(text) as string[][])[1]!)
        expect(field).not.toMatch(/^\s*[=+\-@＝]/);
      expect((await rowsOf(text)).rows[0]!.fields).toEqual([a, b]);
    }),
  );
});

describe('finds the headings and the delimiter of a table of any origin', () => {
  test.each<[string, string, number]>([
    ['pipes', 'id|title|price\n1|Oak, white|9.00', 2],
    ['semicolons below quoted commas', '"id";"title, long, short";"price"\n1;Oak;9,00', 2],
    ['a line that names the delimiter', 'sep=;\nid;title;price\n1;Oak;9,00', 3],
    ['a title and a date first', 'Price list;;\n2026-01-31;;\n\nid;title;price\n1;Oak;9,00', 5],
    ['a heading of two lines', 'id,title,"price\n(EUR)"\n1,Oak,9.00', 3],
  ])('%s', async (_name, text, line) => {
    const { columns, rows } = await rowsOf(text, 7);
    expect(columns).toHaveLength(3);
    expect(rows.map((row) => [row.line, row.problem, row.fields[0]])).toEqual([[line, null, '1']]);
    const head = headColumns({ text, fileName: 'list.csv' });
    expect([...head]).toEqual(columns.map((name) => name.toLowerCase()));
  });

  test.each(['# Guide', '<p>Guide', '{"guide":', '['])('not below %j', (start) => {
    const text = `${start}\n\nid,title,price\n1,Oak,9.00\n`;
    expect(headColumns({ text, fileName: 'guide' })).not.toContain('id');
  });
});
