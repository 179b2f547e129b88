import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { killUnderLoad } from '../support/kill-hits.ts';
import { PROGRAM_COMMAND } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** `scripts/kill-hits.ts` does more of them. */
const CYCLES = 5;

test('a hit that was answered 201 survives kill -9 under load; the file is whole, the counts are right', async () => {
  const temporary = temporaryFolder();
  const folder = join(temporary.path, 'data');
  const outcome = await killUnderLoad(PROGRAM_COMMAND, { folder, cycles: CYCLES });
  temporary.remove();
  expect(outcome.lost).toEqual([]);
  expect(outcome.integrity).toEqual(Array(CYCLES).fill('ok'));
  expect(outcome.miscounted).toBe(0);
  expect(outcome.acknowledged).toBeGreaterThan(CYCLES);
}, 120_000);
