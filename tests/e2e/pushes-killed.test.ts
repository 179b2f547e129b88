import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { killPushes } from '../support/kill-pushes.ts';
import { PROGRAM_COMMAND } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** `scripts/kill-pushes.ts` does more of them. */
const CYCLES = 2;

test('stock, items, files and webhooks that were acknowledged survive kill -9, none of them in part', async () => {
  const temporary = temporaryFolder();
  const folder = join(temporary.path, 'data');
  const outcome = await killPushes(PROGRAM_COMMAND, { folder, cycles: CYCLES });
  temporary.remove();
  expect(outcome.faults).toEqual([]);
  for (const count of Object.values(outcome.acknowledged)) expect(count).toBeGreaterThan(0);
}, 120_000);
