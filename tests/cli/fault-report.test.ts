import { afterAll, afterEach, expect, test } from 'bun:test';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { FaultReport } from '../../src/cli/catalog/fault-report.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const NAME = `${basename(temporary.path)}.errors.csv`;
const FAULT = { file: 'a.csv', line: 2, record: 1, externalId: null, column: null, raw: null };
afterAll(() => temporary.remove());
afterEach(() => {
  for (const path of [NAME, join(tmpdir(), NAME)]) rmSync(path, { recursive: true, force: true });
});

/** What a report with one fault prints after it. */
async function printedFor(path: string, code = 'x'): Promise<string[]> {
  const printed: string[] = [];
  const report = new FaultReport(path, (line) => printed.push(line));
  report.add({ ...FAULT, code, message: 'Wrong.', severity: 'error' });
  await report.end();
  return printed.slice(1);
}

const named = (path: string) =>
  `The records to correct are in ${path}: correct and import that file.`;

test('an errors file that cannot lie beside its source goes into the current folder, and is named there', async () => {
  expect((await printedFor(join(temporary.path, 'gone', NAME)))[0]).toBe(named(NAME));
  expect(existsSync(NAME)).toBe(true);
});

test('and into the temporary folder, where the current one cannot take it', async () => {
  mkdirSync(NAME);
  const other = join(tmpdir(), NAME);
  expect(await printedFor(join(temporary.path, 'gone', NAME))).toEqual([named(other)]);
  rmSync(other);
  mkdirSync(other);
  expect(await printedFor(join(temporary.path, 'gone', NAME))).toEqual([
    expect.stringContaining('could not be written to a file'),
  ]);
});

test('is not named where there is nothing to correct', async () => {
  const path = join(temporary.path, 'drafts.errors.csv');
  expect([await printedFor(path, 'not_published'), existsSync(path)]).toEqual([[], false]);
});

test('beside a source inside a repository, it says so', async () => {
  const repository = join(temporary.path, 'shop');
  mkdirSync(join(repository, '.git'), { recursive: true });
  mkdirSync(join(repository, 'feeds'));
  const path = join(repository, 'feeds', 'products.csv.errors.csv');
  expect(await printedFor(path)).toEqual([
    named(path),
    `It lies in the repository ${repository}: take care not to commit it.`,
  ]);
});
