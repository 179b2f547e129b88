/**
 * Repeatedly kills a service that takes stock, items, files and webhooks from four programs, and checks
 * what is left of what it acknowledged:
 *
 *   bun scripts/kill-pushes.ts [CYCLES] [BINARY]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killPushes } from '../tests/support/kill-pushes.ts';
import { SOURCE_COMMAND } from '../tests/support/processes.ts';

const [cycles = '20', binary] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
try {
  const command = binary === undefined ? SOURCE_COMMAND : [binary];
  const outcome = await killPushes(command, {
    folder: join(folder, 'data'),
    cycles: Number(cycles),
  });
  const { acknowledged, imports, faults } = outcome;
  console.log(
    `${cycles} kills; acknowledged: ${told(acknowledged)}; imports ended: ${told(imports)}.`,
  );
  console.log(faults.length === 0 ? 'Nothing lost, nothing in part.' : faults.join('\n'));
  if (faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function told(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
