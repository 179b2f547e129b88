import { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Line } from '../../src/cli/machine/doctor.ts';
import {
  judgeSpace,
  lookAtOpenFiles,
  lookAtTempFolder,
} from '../../src/cli/machine/machine-checks.ts';
import { lockFolder } from '../../src/storage/engine/lock.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { vitrine, vitrineJson } from '../support/command-line.ts';
import { PROGRAM_COMMAND, type Serving, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const whole = join(temporary.path, 'whole');
afterAll(temporary.remove);

beforeAll(async () => {
  await vitrineJson('init', '--org', 'Acme', '--domain', 'shop.example', '--data', whole);
  const template = 'https://{domain}/products/{external_id}';
  await vitrineJson('shop', 'set', '--product-url-template', template, '--data', whole);
  const file = join(temporary.path, 'catalog.jsonl');
  writeFileSync(file, jsonLines(CATALOG));
  await vitrine(['catalog', 'import', file, '--data', whole]);
  await vitrine(['backup', join(temporary.path, 'b.db'), '--data', whole]);
});

/** Undone after each test. */
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

let folderCount = 0;

/** A healthy data folder of its own. */
function healthy(): string {
  const folder = join(temporary.path, `data-${++folderCount}`);
  cpSync(whole, folder, {
    recursive: true,
    filter: (path) => !/\.(?:lock|sock)$|-(?:wal|shm)$/.test(path),
  });
  chmodSync(folder, 0o700);
  return folder;
}

interface Report {
  readonly isWell: boolean;
  readonly checks: readonly Line[];
}

interface Examined extends Report {
  readonly exitCode: number | null;
  line(name: string): Line;
}

async function examine(folder: string, flags: readonly string[] = []): Promise<Examined> {
  const usual = ['--listen', '127.0.0.1:0', '--embedder', 'off', '--data', folder];
  const { exitCode, stdout } = await vitrine(['doctor', ...usual, ...flags, '--json']);
  const report = JSON.parse(stdout) as Report;
  const line = (name: string) => report.checks.find((check) => check.name === name)!;
  return { ...report, exitCode, line };
}

function change(folder: string, sql: string): void {
  const database = new Database(join(folder, 'vitrine.db'));
  database.run(sql);
  database.close();
}

/** Listens and answers nothing. */
async function occupy(): Promise<string> {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const DAY_MS = 86_400_000;

test('a healthy folder: no failures, exit code 0, and nothing is left or changed', async () => {
  const folder = healthy();
  const before = readFileSync(join(folder, 'vitrine.db'));
  const files = readdirSync(folder);
  const { exitCode, isWell, checks } = await examine(folder);
  expect(checks.filter(({ state }) => state !== 'ok').map(({ name }) => name)).toEqual(['model']);
  expect([exitCode, isWell]).toEqual([0, true]);
  expect(readFileSync(join(folder, 'vitrine.db')).equals(before)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual([...files, 'vitrine.lock'].sort());
});

/** How to bring each line down, and what it says then. */
const PAGE =
  'INSERT OR REPLACE INTO landing_pages (organization_key, body, etag, built_at, stale_since, attempts, last_error) VALUES';
const DAMAGES: readonly [string, 'warn' | 'fail', string, (folder: string) => unknown][] = [
  ['data folder', 'warn', 'other users can read', (folder) => chmodSync(folder, 0o755)],
  ['data folder', 'fail', 'does not exist', (folder) => rmSync(folder, { recursive: true })],
  [
    'settings file',
    'fail',
    'other users can read',
    (folder) =>
      writeFileSync(join(folder, 'vitrine.toml'), 'log_level = "info"\n', { mode: 0o644 }),
  ],
  [
    'process',
    'fail',
    'does not answer',
    async (folder) => {
      const lock = await lockFolder(join(folder, 'vitrine.lock'));
      undo.push(() => lock.release());
    },
  ],
  ['database', 'fail', 'There is no database', (folder) => rmSync(join(folder, 'vitrine.db'))],
  ['database', 'fail', 'cannot be read', (folder) => overwrite(folder)],
  ['database', 'fail', 'too short', (folder) => truncateSync(join(folder, 'vitrine.db'), 0)],
  [
    'schema',
    'fail',
    'this vitrine knows',
    (folder) => change(folder, `PRAGMA user_version = ${MIGRATIONS.length + 1}`),
  ],
  [
    'documents',
    'fail',
    '1 documents’ items, 0 items’ documents and 0 items’ ids are missing',
    (folder) => change(folder, 'PRAGMA foreign_keys = OFF; DELETE FROM items WHERE key = 1'),
  ],
  [
    'documents',
    'fail',
    `0 documents’ items, 1 items’ documents and ${CATALOG.length} items’ ids are missing`,
    (folder) => change(folder, 'DELETE FROM documents WHERE key = 1; DELETE FROM item_ids'),
  ],
  [
    'keys',
    'fail',
    'none is active',
    (folder) => change(folder, 'UPDATE api_keys SET revoked_at = 1'),
  ],
  [
    'keys',
    'warn',
    'ends on',
    (folder) => change(folder, `UPDATE api_keys SET expires_at = ${Date.now() + DAY_MS}`),
  ],
  [
    'keys',
    'warn',
    'was created on',
    (folder) => change(folder, `UPDATE api_keys SET created_at = ${Date.now() - 366 * DAY_MS}`),
  ],
  [
    'clock',
    'fail',
    'before the last write',
    (folder) => change(folder, `UPDATE api_keys SET last_used_at = ${Date.now() + DAY_MS}`),
  ],
  [
    'last import',
    'warn',
    'failed',
    (folder) => change(folder, "UPDATE imports SET state = 'failed'"),
  ],
  [
    'last import',
    'warn',
    'was on',
    (folder) => change(folder, 'UPDATE imports SET started_at = 0'),
  ],
  ['last import', 'warn', 'has none', (folder) => change(folder, 'DELETE FROM imports')],
  [
    'links',
    'warn',
    'offerings of acme/shop-1 have no address to link to, such as',
    (folder) => change(folder, 'UPDATE shops SET product_url_template = NULL'),
  ],
  [
    'landing page',
    'fail',
    'fails: no room',
    (folder) => change(folder, `${PAGE} (1, '', '', 1, ${Date.now()}, 9, 'no room')`),
  ],
  [
    'landing page',
    'warn',
    'is stale since',
    (folder) => change(folder, `${PAGE} (1, '', '', ${Date.now()}, 1, 0, NULL)`),
  ],
  [
    'landing page',
    'warn',
    'was built at 1970',
    (folder) => change(folder, `${PAGE} (1, '', '', 1, NULL, 0, NULL)`),
  ],
  [
    'last backup',
    'warn',
    'there is none',
    (folder) =>
      change(
        folder,
        "DROP TRIGGER audit_log_is_append_only_delete; DELETE FROM audit_log WHERE event LIKE 'backup%'",
      ),
  ],
  [
    'last backup',
    'warn',
    'it was made at',
    (folder) =>
      change(folder, 'DROP TRIGGER audit_log_is_append_only_update; UPDATE audit_log SET at = 1'),
  ],
];

function overwrite(folder: string): void {
  const path = join(folder, 'vitrine.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x5a, 200));
}

describe('each line can say so', () => {
  test.each(DAMAGES)('%s: %s, “%s”', async (name, state, message, damage) => {
    const folder = healthy();
    await damage(folder);
    const { exitCode, line } = await examine(folder);
    expect(line(name)).toMatchObject({ state, message: expect.stringContaining(message) });
    expect(line(name).advice).not.toBeNull();
    if (state === 'fail') expect(exitCode).toBe(1);
    expect(existsSync(join(folder, 'doctor.partial'))).toBe(false);
  });

  test('port: another program is listening on it', async () => {
    const { exitCode, line } = await examine(healthy(), ['--listen', await occupy()]);
    expect([exitCode, line('port').state]).toEqual([1, 'fail']);
  });

  test('public address: it leads elsewhere', async () => {
    const { line } = await examine(healthy(), ['--public-url', `https://${await occupy()}`]);
    expect(line('public address')).toMatchObject({ state: 'warn' });
    expect(line('streams')).toMatchObject({ state: 'warn' });
  });

  test('public assistants: they are told to come and turned away, or let in where none can come', async () => {
    const folder = healthy();
    const address = ['--public-url', 'https://shop.example'];
    expect((await examine(folder)).line('public assistants').state).toBe('ok');
    const closed = (await examine(folder, address)).line('public assistants');
    expect(closed).toMatchObject({ state: 'warn' });
    expect(closed.advice).toContain('--public-assistants on');
    await vitrineJson('org', 'set', '--public-assistants', 'on', '--data', folder);
    expect((await examine(folder, address)).line('public assistants').state).toBe('ok');
    expect((await examine(folder)).line('public assistants')).toMatchObject({
      state: 'warn',
      advice: 'set public_url in vitrine.toml to an https address',
    });
  });

  test('tool sets: a cart that no shop has a link for, a UCP catalogue that no platform finds', async () => {
    const folder = healthy();
    const line = async (...flags: string[]) => (await examine(folder, flags)).line('tool sets');
    expect(await line()).toMatchObject({ state: 'ok', message: 'only the five tools' });
    const storefront = (kind: string) =>
      vitrineJson('shop', 'set', '--storefront', kind, '--domain', 'a.example', '--data', folder);
    await vitrineJson('org', 'set', '--tools', 'chatgpt,cart', '--data', folder);
    await storefront('other');
    expect(await line()).toMatchObject({ state: 'warn' });
    await storefront('shopify');
    expect(await line()).toMatchObject({ state: 'ok', message: 'acme: chatgpt, cart' });
    await vitrineJson('org', 'set', '--tools', 'ucp', '--data', folder);
    const address = ['--public-url', 'https://shop.example'];
    expect(await line(...address)).toMatchObject({ state: 'warn' });
    await vitrineJson('org', 'set', '--public-assistants', 'on', '--data', folder);
    expect(await line()).toMatchObject({ state: 'warn' });
    expect(await line(...address)).toMatchObject({ state: 'ok', message: 'acme: ucp' });
  });

  test('model: it does not load; meaning: not all of it is read', async () => {
    const flags = ['--embedder', 'endpoint', '--embedder-model', 'm', '--embedder-url'];
    const { line } = await examine(healthy(), [...flags, `http://${await occupy()}`]);
    expect(line('model')).toMatchObject({ state: 'fail' });
    const local = await examine(healthy(), ['--embedder', 'local']);
    if (local.line('model').state === 'ok')
      expect(local.line('meaning')).toMatchObject({
        state: 'warn',
        message: expect.stringMatching(/^0 of/),
      });
    else process.stderr.write('skipped: doctor on meaning (the model is not built)\n');
  });

  test('meaning: vectors are of another model', async () => {
    const folder = healthy();
    change(folder, "INSERT INTO embedding_models (key, tag, dimensions) VALUES (9, 'older', 384)");
    change(folder, 'UPDATE documents SET model_key = 9, vector = zeroblob(384) WHERE key = 1');
    const { line } = await examine(folder, ['--embedder', 'local']);
    if (line('model').state === 'ok')
      expect(line('meaning')).toMatchObject({
        state: 'warn',
        message: '1 vectors were made by older and answer no question',
      });
  });

  test.each([
    [63 * 1024 * 1024, 0, 'fail'],
    [64 * 1024 * 1024, 0, 'ok'],
    [1e9, 5e8, 'ok'],
    [1e9, 5e8 + 1, 'warn'],
  ])('free space: %d bytes with a database of %d: %s', (freeBytes, databaseBytes, state) => {
    expect(judgeSpace({ freeBytes, databaseBytes }).state).toBe(state as never);
  });

  test.each([
    ['4095', 'warn'],
    ['4096', 'ok'],
    ['unlimited', 'ok'],
  ])('open files: %s: %s', (soft, state) => {
    const path = join(temporary.path, 'limits');
    writeFileSync(
      path,
      `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}     9999    files\n`,
    );
    expect(lookAtOpenFiles(path).state).toBe(state as never);
  });

  test('temp folder: nothing can be run from it', () => {
    const folder = join(temporary.path, 'noexec');
    mkdirSync(folder);
    expect(lookAtTempFolder(folder).state).toBe('ok');
    expect(lookAtTempFolder(join(folder, 'missing')).state).toBe('fail');
    if (!mount(folder)) return;
    expect(lookAtTempFolder(folder).state).toBe('fail');
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** A file system from which nothing runs; false where this user may not mount. */
function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,noexec', 'none', folder], {
      stdio: 'ignore',
    });
  } catch {
    process.stderr.write('skipped: doctor on a noexec folder (this user may not mount)\n');
    return false;
  }
  undo.push(() => execFileSync('umount', [folder]));
  return true;
}

test('a key that was rotated is not asked to be rotated again', async () => {
  const folder = healthy();
  const [first] = await vitrineJson<{ id: string }[]>('key', 'list', '--data', folder);
  await vitrineJson('key', 'rotate', first!.id, '--overlap', '24h', '--data', folder);
  const { stdout } = await vitrine(['doctor', '--json', '--data', folder]);
  const { checks } = JSON.parse(stdout) as { checks: Line[] };
  expect(checks.find(({ name }) => name === 'keys')).toMatchObject({ state: 'ok', advice: null });
});

test('an empty folder is not asked to have a backup restored', async () => {
  const folder = join(temporary.path, 'empty');
  mkdirSync(folder);
  const { stdout } = await vitrine(['doctor', '--json', '--data', folder]);
  const { checks } = JSON.parse(stdout) as { checks: Line[] };
  expect(checks.find(({ name }) => name === 'database')).toMatchObject({
    state: 'fail',
    advice: 'run "vitrine init", or name the folder with --data',
  });
});

test('while the service runs: its port is its own, and so are the data', async () => {
  const folder = healthy();
  const serving: Serving = await serve(PROGRAM_COMMAND, ['--data', folder, '--embedder', 'off']);
  undo.push(() => serving.stop());
  const address = serving.url.replace('http://', '');
  const { exitCode, line } = await examine(folder, ['--listen', address]);
  expect(line('process')).toMatchObject({ state: 'ok', message: 'the service is running' });
  expect(line('port')).toMatchObject({ state: 'ok', message: `the service answers at ${address}` });
  expect([exitCode, line('database').state, line('documents').state]).toEqual([0, 'ok', 'ok']);
  const elsewhere = await examine(folder, ['--listen', await occupy()]);
  expect(elsewhere.line('port').state).toBe('warn');
  const wrong = await examine(folder, ['--public-url', `https://${await occupy()}`]);
  expect(wrong.line('public address').state).toBe('fail');
});
