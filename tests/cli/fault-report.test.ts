import { afterAll, expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FaultReport } from '../../src/cli/catalog/fault-report.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const NAME = `${basename(temporary.path)}.errors.csv`;
afterAll(() => {
  temporary.remove();
  rmSync(NAME, { force: true });
});

test('an errors file that cannot lie beside its source goes into the current folder, and is named there', async () => {
  const printed: string[] = [];
  const path = join(temporary.path, 'gone', NAME);
  const report = await FaultReport.open(path, (line) => printed.push(line));
  const fault = { file: 'a.csv', line: 2, record: 1, externalId: null, column: null };
  report.add({ ...fault, code: 'x', message: 'Wrong.', severity: 'error', raw: null });
  await report.end();
  expect(printed.at(-1)).toBe(
    `The records to correct are in ${NAME}: correct and import that file.`,
  );
  expect(existsSync(NAME)).toBe(true);
});
