import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Figures,
  type Measured,
  renderCurves,
  replaceCurves,
} from '../../scripts/bench/curves.ts';
import { Results } from '../../scripts/bench/results.ts';

const measured = (engine: string, rows: number, figures: Figures, isAlone = false): Measured => ({
  ...{ engine, rows, figures, isAlone },
  ...{ loadBefore: 0.25, date: '2026-01-31T12:00:00.000Z' },
});

const MEASURED = [
  measured('before', 10_000, { rowsPerSecond: 9_876.5 }),
  measured('before', 10_000, { p50Ms: 1.234 }),
  measured('before', 1_000_000, { rowsPerSecond: 4_000, p50Ms: 5 }),
  measured('after', 10_000, { rowsPerSecond: 20_000, p50Ms: 0.5 }),
  measured('after', 1_000_000, { rowsPerSecond: 19_000, p50Ms: null }),
  measured('Engine 1.2', 10_000, { rowsPerSecond: 80_000, p50Ms: 0.0123, residentMb: 25 }, true),
  measured('Engine 1.2', 1_000_000, { rowsPerSecond: 90_000, p50Ms: 0.02, residentMb: 30 }, true),
];

test('the table has a row for each figure and engine, and a dash for what was not measured', () => {
  const rows = renderCurves(MEASURED)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows).toEqual([
    '| | | 10,000 | 1,000,000 |',
    '| --- | --- | ---: | ---: |',
    '| import, rows/s | before | 9,877 | 4,000 |',
    '|  | after | 20,000 | 19,000 |',
    '|  | Engine 1.2, alone | 80,000 | 90,000 |',
    '| search, one at a time: p50, ms | before | 1.23 | 5.00 |',
    '|  | after | 0.50 | – |',
    '|  | Engine 1.2, alone | 0.012 | 0.020 |',
    '| memory after the searches, MB | Engine 1.2, alone | 25 | 30 |',
  ]);
});

test('charts of speed leave out engines alone, and every chart what lacks a size', () => {
  const lines = renderCurves(MEASURED).split('\n');
  const charts = lines.filter((line) => line.startsWith('**') || line.startsWith('  line'));
  expect(charts).toEqual([
    '**Import** (blue: before; orange: after)',
    '  line [9877,4000]',
    '  line [20000,19000]',
    '**Search, one at a time: p50** (blue: before)',
    '  line [1.23,5.00]',
    '**Memory after the searches** (blue: Engine 1.2, alone)',
    '  line [25,30]',
  ]);
});

test('the curves replace only what is between the marks, again and again', () => {
  const readme =
    'Before.\n<!-- curves: written by --write-readme -->\nold\n<!-- end of the curves -->\nAfter.';
  const once = replaceCurves(readme, MEASURED);
  expect(once).toContain(renderCurves(MEASURED));
  expect(once).not.toContain('old');
  expect([once.startsWith('Before.\n<!--'), once.endsWith('-->\nAfter.')]).toEqual([true, true]);
  expect(replaceCurves(once, MEASURED)).toBe(once);
  expect(() => replaceCurves('Without marks.', MEASURED)).toThrow('The README has no');
});

test('a run that was stopped keeps its results, measures none twice and tries again what failed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-results-'));
  const step = { rows: 10, part: 'search', engine: 'Open Search 1.0', isAlone: false };
  const asked: string[] = [];
  const measure = (name: string, figures?: Figures) => () => {
    asked.push(name);
    return figures === undefined ? Promise.reject(new Error('failed')) : Promise.resolve(figures);
  };
  expect(new Results(folder).keep(step, measure('failing'))).rejects.toThrow('failed');
  expect(new Results(folder).read()).toEqual([]);
  await new Results(folder).keep(step, measure('first', { p50Ms: 1 }));
  const again = await new Results(folder).keep(step, measure('second', { p50Ms: 2 }));
  expect([again, asked]).toEqual([{ p50Ms: 1 }, ['failing', 'first']]);
  expect(new Results(folder).read()).toMatchObject([{ engine: 'Open Search 1.0', rows: 10 }]);
  rmSync(folder, { recursive: true });
});
