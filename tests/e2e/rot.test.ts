import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@libsql/client';
import { BINARY_COMMAND, run, SOURCE_COMMAND, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CATALOG_FILE } from './program.ts';

const COMMAND = BINARY_COMMAND ?? SOURCE_COMMAND;

/** The size from which a database is checked by a process of its own. */
const LARGE_BYTES = 33 * 1024 * 1024;

const WAIT_MS = 20_000;

const temporary = temporaryFolder();
const whole = join(temporary.path, 'whole');
afterAll(() => temporary.remove());

let count = 0;

/** A copy of the whole data folder. */
function copied(): string {
  const folder = join(temporary.path, `data-${++count}`);
  cpSync(whole, folder, { recursive: true });
  return folder;
}

function change(folder: string, edit: (bytes: Buffer) => void): void {
  const path = join(folder, 'vitrine.db');
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

beforeAll(async () => {
  const file = join(temporary.path, 'catalog.jsonl');
  writeFileSync(file, CATALOG_FILE);
  const made = await run(COMMAND, ['init', '--org', 'Acme', '--currency', 'EUR', '--data', whole]);
  expect(made.exitCode).toBe(0);
  expect((await run(COMMAND, ['catalog', 'import', file, '--data', whole])).exitCode).toBe(0);
});

describe('a database too large to be checked at its opening is checked while it serves', () => {
  /** Of overflow pages. */
  const FILLER_BYTES = 1024 * 1024;

  async function large(): Promise<string> {
    const folder = copied();
    const client = createClient({ url: `file:${join(folder, 'vitrine.db')}` });
    await client.execute('CREATE TABLE filler (bytes BLOB)');
    for (let bytes = 0; bytes < LARGE_BYTES; bytes += FILLER_BYTES)
      await client.execute({
        sql: 'INSERT INTO filler VALUES (?)',
        args: [Buffer.alloc(FILLER_BYTES, 1)],
      });
    client.close();
    expect(statSync(join(folder, 'vitrine.db')).size).toBeGreaterThan(LARGE_BYTES);
    return folder;
  }

  test('a whole one becomes ready', async () => {
    const folder = await large();
    const service = await serve(COMMAND, ['--data', folder, '--embedder', 'off']);
    const giveUpAt = performance.now() + WAIT_MS;
    let ready = await fetch(`${service.url}/readyz`);
    while (!ready.ok && performance.now() < giveUpAt) {
      expect(await ready.text()).toContain('still being checked');
      await delay(50);
      ready = await fetch(`${service.url}/readyz`);
    }
    expect(ready.status).toBe(200);
    expect(service.stderr()).not.toContain('page_check_failed');
    expect(await service.stop()).toBe(0);
    rmSync(folder, { recursive: true });
  }, 60_000);

  test.each<[string, number]>([
    ['zeros', 0],
    ['garbage', 0xa5],
  ])(
    'one with a page of %s never becomes ready, and ends with 74 and what to do',
    async (_, byte) => {
      const folder = await large();
      // Far behind the tables that a start reads.
      change(folder, (bytes) =>
        bytes.fill(byte, bytes.length - 40 * 4096, bytes.length - 39 * 4096),
      );
      const { exitCode, stderr } = await run(COMMAND, [
        ...['serve', '--listen', '127.0.0.1:0', '--ops-listen', '127.0.0.1:0'],
        ...['--data', folder, '--embedder', 'off'],
      ]);
      expect(exitCode).toBe(74);
      expect(stderr.trim().split('\n').at(-1)).toMatch(
        /is damaged: stop the service and restore a backup\.$/,
      );
      rmSync(folder, { recursive: true });
    },
    60_000,
  );
});
