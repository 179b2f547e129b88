import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createClient } from '@libsql/client';
import { SCHEMA_VERSION } from '../../src/services.ts';
import { vitrine, vitrineJson } from '../support/command-line.ts';
import { PROGRAM_COMMAND, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What `init`, two imports, one hit and one landing page of version 0.1.0 left behind, and its key. */
const DATA_OF_0_1_0 = new URL('./data-of-0.1.0.db.gz', import.meta.url);
const KEY_OF_0_1_0 = 'vk_K6PMQ4A47rNa_bth9ojeSKAvYmdXGrF32cYJ6yy9Gh3uoNEUAw6DEBGJ1jv3hy';
const SCHEMA_OF_0_1_0 = 10;

const temporary = temporaryFolder();
afterAll(temporary.remove);

function unpacked(name: string): string {
  const folder = join(temporary.path, name);
  mkdirSync(folder, { mode: 0o700 });
  const database = gunzipSync(readFileSync(DATA_OF_0_1_0));
  writeFileSync(join(folder, 'vitrine.db'), database, { mode: 0o600 });
  return folder;
}

async function schemaOf(folder: string): Promise<number> {
  const client = createClient({ url: `file:${join(folder, 'vitrine.db')}` });
  const { rows } = await client.execute('PRAGMA user_version');
  client.close();
  return Number(rows[0]!['user_version']);
}

test('a data folder of 0.1.0 is upgraded, not without saying so, and served as it is: keys, offerings, passages, pages and hits', async () => {
  const folder = unpacked('served');
  expect(await schemaOf(folder)).toBe(SCHEMA_OF_0_1_0);
  const command = PROGRAM_COMMAND;
  const serving = await serve(command, ['--data', folder, '--embedder', 'off']);
  expect(serving.stderr()).toContain(`to schema ${SCHEMA_VERSION}. A backup comes first`);
  const headers = { 'X-API-Key': KEY_OF_0_1_0 };
  const get = (path: string) => fetch(serving.url + path, { headers });
  const found = (await (await get('/rest/search/v3/?q=coffee grinder')).json()) as {
    results: { name: string; type: string }[];
  };
  expect(found.results[0]!.name.toLowerCase()).toContain('grinder');
  const page = await get('/rest/org/ai/acme/');
  expect([page.status, (await page.text()).split('\n')[0]]).toEqual([200, '# Acme']);
  expect(await serving.stop()).toBe(0);
  const stats = await vitrineJson<object>('catalog', 'stats', '--data', folder);
  expect(stats).toMatchObject({ offerings: 12, contexts: 13 });
  const report = await vitrine(['hits', 'report', '--since', '2026-11-21', '--data', folder]);
  expect(report.stdout).toContain('mug');
  expect(await schemaOf(folder)).toBe(SCHEMA_VERSION);
  const backups = readdirSync(folder).filter((name) => /^before-migration-.*\.db$/.test(name));
  expect(backups).toHaveLength(SCHEMA_VERSION > SCHEMA_OF_0_1_0 ? 1 : 0);
}, 60_000);

test('a folder of a newer schema is refused with one line and left as it was', async () => {
  const folder = unpacked('newer');
  const path = join(folder, 'vitrine.db');
  const client = createClient({ url: `file:${path}` });
  await client.execute(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  client.close();
  const before = readFileSync(path);
  const { exitCode, stderr } = await vitrine(['catalog', 'stats', '--data', folder]);
  expect([exitCode, stderr.trim().split('\n').length]).toEqual([78, 1]);
  expect(readFileSync(path).equals(before)).toBe(true);
});
