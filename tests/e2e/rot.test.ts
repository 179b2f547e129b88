import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@libsql/client';
import { vitrineJson } from '../support/command-line.ts';
import {
  PROGRAM_COMMAND,
  run,
  type Serving,
  type Started,
  serve,
  start,
} from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CATALOG_FILE } from './program.ts';

const COMMAND = PROGRAM_COMMAND;

/** The size from which a database is checked by a process of its own. */
const LARGE_BYTES = 33 * 1024 * 1024;

const WAIT_MS = 60_000;

const temporary = temporaryFolder();
const whole = join(temporary.path, 'whole');
afterAll(() => temporary.remove());

const served: Started[] = [];

/** Starts a service on a data folder. It is killed if the test leaves it running. */
async function serveFolder(folder: string): Promise<Serving> {
  const service = await serve(COMMAND, ['--data', folder, '--embedder', 'off']);
  served.push(service);
  return service;
}

function killServed(): void {
  for (const { process } of served.splice(0)) process.kill('SIGKILL');
}

afterEach(killServed);
afterAll(killServed);

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

let organizationId = '';
const headed = { headers: {} as Record<string, string> };

async function searched(url: string, question: string): Promise<string[]> {
  const response = await fetch(`${url}/rest/search/v3/?q=${question}`, headed);
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as { results: { externalId: string }[] };
  return results.map(({ externalId }) => externalId);
}

/** With something in every table that texts are read from. */
beforeAll(async () => {
  const catalog = join(temporary.path, 'catalog.jsonl');
  const contexts = join(temporary.path, 'returns.md');
  writeFileSync(catalog, CATALOG_FILE);
  writeFileSync(contexts, '---\nid: returns\nname: Returns\n---\nThirty days to send it back.\n');
  const ask = <Result>(...args: readonly string[]) => vitrineJson<Result>(...args, '--data', whole);
  await ask('init', '--org', 'Acme Goods', '--currency', 'EUR');
  await ask('catalog', 'import', catalog);
  await ask('catalog', 'import', contexts);
  await ask('shop', 'set', 'shop-1', '--further-domains', 'shop-a.example');
  const { apiKey } = await ask<{ apiKey: string }>('key', 'create', '--name', 'first key');
  organizationId = (await ask<{ id: string }[]>('org', 'list'))[0]!.id;
  headed.headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const service = await serveFolder(whole);
  expect(await searched(service.url, 'comfy%20seat%20drill')).toContain('drill');
  expect(
    (await fetch(`${service.url}/rest/org/ai/${organizationId}?regenerate=true`, headed)).status,
  ).toBe(200);
  const giveUpAt = performance.now() + WAIT_MS;
  const report = () => vitrineJson('hits', 'report', '--data', whole);
  while (!JSON.stringify(await report()).includes('comfy seat') && performance.now() < giveUpAt)
    await delay(100);
  expect(await service.stop()).toBe(0);
}, 120_000);

/** What is stored, and what is put in the place of its first byte. */
const FLIPS: readonly (readonly [what: string, text: string, byte: number])[] = [
  ['the body of an item', '"Linen couch"', 0xa2],
  ['a body that stays UTF-8 and JSON', 'Cordless drill', 'S'.charCodeAt(0)],
  ['a body that is no JSON any more', '"Rain anorak"', '#'.charCodeAt(0)],
  ['a passage', 'Thirty days', 0xd4],
  ['the name of an organization', 'Acme Goods', 0xc1],
  ['the further domains of a shop', '["shop-a.example"]', 0xdb],
  ['a hit', '{"id"', 0xfb],
  ['a question that was counted', 'comfy seat', 0xe3],
  ['the landing page', '# Acme', 0xa3],
  ['the name of a key', 'first key', 0xe6],
];

/** What is put into quarantine of it. */
const DAMAGED = ['"couch"', '"drill"', '"anorak"', '"returns"', '"1"'].map(
  (record) => `"record":${record}`,
);

test('flipped bits cost only the records that they hit', async () => {
  const folder = copied();
  change(folder, (bytes) => {
    for (const [what, text, byte] of FLIPS) {
      const at = bytes.indexOf(text);
      expect([what, at > 0]).toEqual([what, true]);
      bytes[at] = byte;
    }
  });
  const place = ['--data', folder, '--embedder', 'off'];
  const damaged = await run(COMMAND, ['doctor', ...place]);
  expect(damaged.stdout).toMatch(/item \S+ of acme-goods is damaged: its text is not/);
  const service = await serveFolder(folder);
  expect(await searched(service.url, 'kettle')).toEqual(['kettle']);
  const hit = { organization: organizationId, eventDate: '2026-01-01T10:00:00Z' };
  const posted = await fetch(`${service.url}/rest/hits/`, {
    ...{ ...headed, method: 'POST' },
    body: JSON.stringify([{ ...hit, classification: 'search' }]),
  });
  expect(posted.ok).toBe(true);
  const backup = await run(COMMAND, ['backup', join(folder, 'backup.db'), ...place.slice(0, 2)]);
  expect([backup.exitCode, backup.stderr]).toEqual([0, '']);
  await vitrineJson('hits', 'report', '--data', folder);
  const giveUpAt = performance.now() + WAIT_MS;
  const put = () => service.stderr().match(/"record_damaged"/g)?.length ?? 0;
  while (put() < DAMAGED.length && performance.now() < giveUpAt) await delay(50);
  for (const record of DAMAGED) expect(service.stderr()).toContain(record);
  expect(put()).toBe(DAMAGED.length);
  expect(await searched(service.url, 'couch')).not.toContain('couch');
  expect(await service.stop()).toBe(0);
  const after = await run(COMMAND, ['doctor', ...place]);
  expect(after.stdout).toContain(`${DAMAGED.length} in quarantine`);
  await vitrineJson('catalog', 'import', join(temporary.path, 'catalog.jsonl'), '--data', folder);
  const found = await vitrineJson<{ results: object[] }>('search', 'couch', '--data', folder);
  expect(JSON.stringify(found)).toContain('Linen couch');
}, 120_000);

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

  test('an intact database becomes ready', async () => {
    const folder = await large();
    const service = await serveFolder(folder);
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
  }, 120_000);

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
      const service = start(COMMAND, [
        ...['serve', '--listen', '127.0.0.1:0', '--ops-listen', '127.0.0.1:0'],
        ...['--data', folder, '--embedder', 'off'],
      ]);
      served.push(service);
      const [exitCode] = (await once(service.process, 'close')) as [number | null];
      expect(exitCode).toBe(74);
      expect(service.stderr().trim().split('\n').at(-1)).toMatch(
        /is damaged: stop the service and restore a backup\.$/,
      );
      rmSync(folder, { recursive: true });
    },
    60_000,
  );
});
