import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

test('bench measures search and disk on a copy, and changes nothing', async () => {
  const folder = join(temporary.path, 'data');
  await initializeFolder(folder, '--org', 'Acme');
  const flags = ['--questions', '20', '--embedder', 'off', '--data', folder];
  const empty = await vitrine(['bench', ...flags]);
  expect([empty.exitCode, empty.stderr]).toEqual([
    69,
    'vitrine: The catalogue is empty: import one first.\n',
  ]);
  const file = join(temporary.path, 'catalog.jsonl');
  writeFileSync(file, jsonLines(CATALOG));
  await vitrine(['catalog', 'import', file, '--data', folder]);
  const before = readFileSync(join(folder, 'vitrine.db'));
  const measured = await vitrineJson<
    { what: string; p50Ms: number; p99Ms: number; perSecond: number }[]
  >('bench', ...flags);
  expect(measured.map(({ what }) => what)).toEqual([
    'search, new question (20)',
    'search, known question',
    'disk, write and sync of a page',
  ]);
  for (const { p50Ms, p99Ms, perSecond } of measured) {
    expect(p50Ms).toBeGreaterThan(0);
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
    expect(perSecond).toBeGreaterThan(0);
  }
  expect(readFileSync(join(folder, 'vitrine.db')).equals(before)).toBe(true);
  expect(readdirSync(folder)).not.toContain('bench.partial');
});
