/**
 * Repeatedly kills a service under load, and counts acknowledged hits that were lost:
 *
 *   bun scripts/kill-hits.ts [CYCLES] [BINARY]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killUnderLoad } from '../tests/support/kill-hits.ts';
import { SOURCE_COMMAND } from '../tests/support/processes.ts';

const [cycles = '20', binary] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
try {
  const command = binary === undefined ? SOURCE_COMMAND : [binary];
  const outcome = await killUnderLoad(command, {
    folder: join(folder, 'data'),
    cycles: Number(cycles),
  });
  const { acknowledged, lost, integrity, miscounted } = outcome;
  const damaged = integrity.filter((check) => check !== 'ok').length;
  console.log(
    `${cycles} kills, ${acknowledged} hits acknowledged, ${lost.length} lost, ${damaged} damaged files, ${miscounted} wrong counts.`,
  );
  if (lost.length + damaged + miscounted > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
