import { Database } from 'bun:sqlite';
import { afterAll, afterEach, expect, test } from 'bun:test';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SILENT as UNHEARD } from '../../src/operations/define-operation.ts';
import type { ApiKeyView, CreatedApiKey } from '../../src/operations/tenants/api-keys.ts';
import { callOperator } from '../../src/operator/operator-client.ts';
import { socketPath } from '../../src/operator/socket-path.ts';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { initializeFolder, SILENT, vitrine, vitrineJson } from '../support/command-line.ts';
import { PROGRAM_COMMAND, type Serving, serve, start } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Backups in a row while writers write, and backups that are killed; 200 each in a long run. */
const ROUNDS = Number(process.env['VITRINE_TEST_ROUNDS'] ?? 3);

const temporary = temporaryFolder();
afterAll(temporary.remove);

const running: Serving[] = [];
afterEach(async () => {
  for (const serving of running.splice(0)) await serving.stop();
});

let folderCount = 0;

async function startServing(): Promise<{ folder: string; serving: Serving }> {
  const folder = join(temporary.path, `data-${++folderCount}`);
  await initializeFolder(folder, '--org', 'Acme');
  const serving = await serve(PROGRAM_COMMAND, ['--data', folder, '--embedder', 'off']);
  running.push(serving);
  return { folder, serving };
}

/** Makes keys, one acknowledged after the other, until told to stop. */
function startWriting(folder: string): { readonly ids: readonly string[]; stop(): Promise<void> } {
  const ids: string[] = [];
  let isStopping = false;
  const writing = (async () => {
    while (!isStopping) {
      const input = { name: `key ${ids.length}` };
      const made = await callOperator(socketPath(folder), 'key.create', input, UNHEARD);
      ids.push((made as CreatedApiKey).id);
    }
  })();
  return {
    ids,
    async stop() {
      isStopping = true;
      await writing;
    },
  };
}

test(`${ROUNDS} backups while writers write: each restores to all that was acknowledged before it, in order, nothing half`, async () => {
  const { folder } = await startServing();
  const [first] = await vitrineJson<ApiKeyView[]>('key', 'list', '--data', folder);
  const writer = startWriting(folder);
  const backups: { file: string; acknowledged: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const acknowledged = writer.ids.length;
    const file = join(temporary.path, `while-writing-${round}.db`);
    const { exitCode, stderr } = await vitrine(['backup', file, '--data', folder]);
    expect([exitCode, stderr]).toEqual([0, '']);
    backups.push({ file, acknowledged });
  }
  await writer.stop();
  expect(writer.ids.length).toBeGreaterThan(ROUNDS);
  for (const { file, acknowledged } of backups) {
    const restored = join(temporary.path, `restored-${++folderCount}`);
    expect((await vitrine(['restore', file, '--data', restored])).exitCode).toBe(0);
    const keys = await vitrineJson<ApiKeyView[]>('key', 'list', '--data', restored);
    const made = keys.filter(({ id }) => id !== first!.id).map(({ name }) => name);
    expect(made.length).toBeGreaterThanOrEqual(acknowledged);
    expect(made.sort()).toEqual(made.map((_, index) => `key ${index}`).sort());
  }
  expect(readdirSync(temporary.path).filter((name) => name.endsWith('.partial'))).toEqual([]);
}, 60_000);

test(`${ROUNDS} backups killed at any moment leave no half one, and the service neither waits nor keeps its log growing`, async () => {
  const { folder, serving } = await startServing();
  const file = join(temporary.path, 'killed.db');
  for (let round = 0; round < ROUNDS; round++) {
    const child = start(PROGRAM_COMMAND, ['backup', file, '--force', '--data', folder]);
    const closed = once(child.process, 'close');
    setTimeout(() => child.process.kill('SIGKILL'), 40 + (round * 400) / ROUNDS);
    await closed;
    // Killed between two renames, it leaves one of both files, which is no backup.
    const isBackup = existsSync(file) && existsSync(`${file}.json`);
    const into = join(temporary.path, `killed-${round}`);
    const { exitCode } = await vitrine(['restore', file, '--data', into]);
    expect(exitCode).toBe(isBackup ? 0 : 66);
    expect((await fetch(`${serving.url}/readyz`)).status).toBe(200);
  }
  expect((await vitrine(['backup', file, '--force', '--data', folder])).exitCode).toBe(0);
  const writer = startWriting(folder);
  while (writer.ids.length < 400) await Bun.sleep(10);
  await writer.stop();
  // 400 keys are about 4,000 pages of log; after 1,000 it is moved into the file.
  expect(statSync(join(folder, 'vitrine.db-wal')).size).toBeLessThan(6_000_000);
}, 60_000);

test('restore refuses (75) while a service runs; its age is measured once there is a backup', async () => {
  const { folder, serving } = await startServing();
  const file = join(temporary.path, 'aged.db');
  const metrics = /metrics: (\S+)/.exec(serving.stderr())![1]!;
  expect(await (await fetch(metrics)).text()).not.toMatch(/^vitrine_backup_age_seconds \d/m);
  expect((await vitrine(['backup', file, '--data', folder])).exitCode).toBe(0);
  expect(await (await fetch(metrics)).text()).toMatch(/^vitrine_backup_age_seconds \d/m);
  const { exitCode, stderr } = await vitrine(['restore', file, '--data', folder]);
  expect([exitCode, stderr]).toEqual([
    75,
    'vitrine: Another vitrine process is using this data folder: end it first, or name another folder with --data.\n',
  ]);
});

test('backups in a folder are named by the time, and --keep removes all but the latest', async () => {
  const folder = join(temporary.path, `data-${++folderCount}`);
  await initializeFolder(folder, '--org', 'Acme');
  const backups = `${join(temporary.path, 'kept')}/`;
  expect(
    (await vitrine(['backup', join(temporary.path, 'x.db'), '--keep', '1', '--data', folder]))
      .exitCode,
  ).toBe(64);
  for (let second = 1; second <= 3; second++) {
    const clock = { ...SILENT.clock, now: () => Date.UTC(2026, 0, 31, 3, 0, second) };
    const args = ['backup', backups, '--keep', '2', '--data', folder];
    expect((await vitrine(args, { clock })).exitCode).toBe(0);
  }
  expect(readdirSync(backups).sort()).toEqual(
    ['02', '03'].flatMap((second) => {
      const name = `vitrine-20260131T0300${second}Z.db`;
      return [name, `${name}.json`];
    }),
  );
});

test('backup and restore say in one line what is damaged and what is in quarantine', async () => {
  const folder = join(temporary.path, `data-${++folderCount}`);
  await initializeFolder(folder, '--org', 'Acme');
  const catalog = join(temporary.path, 'catalog.jsonl');
  writeFileSync(catalog, jsonLines(CATALOG.slice(0, 3)));
  await vitrineJson('catalog', 'import', catalog, '--data', folder);
  const database = new Database(join(folder, 'vitrine.db'));
  database.run("UPDATE items SET body = replace(body, 'Stoneware', 'Sponeware') WHERE key = 1");
  database.run("UPDATE items SET body = CAST(x'7bff7d' AS TEXT) WHERE key = 2");
  database.run(`INSERT INTO quarantine (found_at, organization_key, kind, record, reason, content)
    VALUES (1, 1, 'hit', '1', 'it is not JSON', x'00')`);
  database.close();
  const line =
    'Not everything in it is intact: 2 damaged, 1 in quarantine. "vitrine doctor" names them.\n';
  const file = join(temporary.path, 'damaged.db');
  const made = await vitrine(['backup', file, '--data', folder]);
  expect([made.exitCode, made.stderr, made.stdout]).toEqual([0, '', expect.stringContaining(line)]);
  const restored = await vitrine(['restore', file, '--data', `${folder}-restored`]);
  expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining(line)]);
});
