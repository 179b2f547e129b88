import { afterAll, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../src/domain/errors.ts';
import {
  backUpBeforeMigration,
  backUpDatabase,
} from '../../../src/operations/upkeep/back-up-database.ts';
import { restoreDatabase } from '../../../src/operations/upkeep/restore-database.ts';
import { assertHoldsSame, withCopy } from '../../../src/storage/engine/content.ts';
import { openDatabase } from '../../../src/storage/engine/database.ts';
import { copyDatabaseFiles, finishRestore, isThere } from '../../../src/storage/engine/files.ts';
import { lockFolder } from '../../../src/storage/engine/lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

const NOW_MS = Date.UTC(2026, 0, 31, 23, 59, 59);

let folderCount = 0;

/** A data folder with a database that holds `names`, closed. */
async function folderWith(...names: string[]) {
  const folder = join(temporary.path, `data-${++folderCount}`);
  const database = join(folder, 'vitrine.db');
  const lock = join(folder, 'vitrine.lock');
  mkdirSync(folder);
  await write(database, names);
  // Closed, but kept by the client until it is garbage: tests go on with a file of another inode.
  copyFileSync(database, `${database}.copy`);
  renameSync(`${database}.copy`, database);
  for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
  return { folder, database, lock };
}

async function write(database: string, names: readonly string[]): Promise<void> {
  const db = await openDatabase(database, { create: true });
  const sql = "INSERT INTO meta (name, value) VALUES ('test ' || ?, ?)";
  await db.write(names.map((name) => ({ sql, args: [name, 'x'.repeat(500)] })));
  await db.close();
}

async function namesIn(database: string): Promise<string[]> {
  const db = await openDatabase(database, { create: false });
  const rows = await db.all<{ name: string }>({
    sql: "SELECT substr(name, 6) AS name FROM meta WHERE name LIKE 'test %' ORDER BY name",
    args: [],
  });
  await db.close();
  return rows.map(({ name }) => name);
}

function backUp(database: string, target: string, force = false) {
  const copyDatabase = (copy: string) => copyDatabaseFiles(database, copy);
  return backUpDatabase({ target, nowMs: NOW_MS, force, copyDatabase });
}

/** Changes a database that is no longer open. */
function alter(database: string, sql: string): Promise<unknown> {
  return withCopy(database, (client) => client.execute(sql));
}

async function readNumberFrom(database: string, sql: string): Promise<number> {
  const { rows } = await withCopy(database, (client) => client.execute(sql));
  return Number(rows[0]![0]);
}

async function codeOf(task: Promise<unknown>): Promise<string> {
  const error = await task.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? error.code : `no AppError: ${String(error)}`;
}

test('a backup describes its contents, is readable only by its owner, and replaces a file only with --force', async () => {
  const { folder, database } = await folderWith('a', 'b');
  const target = join(folder, 'deep', 'b.db');
  const { manifest, damage } = await backUp(database, target);
  expect(damage).toEqual({ damaged: 0, quarantined: 0 });
  expect(JSON.parse(readFileSync(`${target}.json`, 'utf8'))).toEqual(manifest);
  expect(manifest).toMatchObject({
    format: 2,
    counts: { api_keys: 0 },
    createdAt: '2026-01-31T23:59:59.000Z',
  });
  expect([statSync(target).mode & 0o777, statSync(target).size]).toEqual([0o600, manifest.bytes]);
  expect(readdirSync(join(folder, 'deep')).sort()).toEqual(['b.db', 'b.db.json']);
  await write(database, ['c']);
  expect(await codeOf(backUp(database, target))).toBe('conflict');
  const again = await backUp(database, target, true);
  expect(again.manifest.counts['meta']).toBe(manifest.counts['meta']! + 1);
});

test('a backup of a database with a damaged page is refused, and leaves nothing', async () => {
  const { folder, database } = await folderWith(...Array.from({ length: 100 }, (_, n) => `${n}`));
  const page = await readNumberFrom(
    database,
    "SELECT rootpage FROM sqlite_schema WHERE name = 'meta'",
  );
  const bytes = readFileSync(database);
  writeFileSync(database, bytes.fill(0, (page - 1) * 4096, page * 4096));
  expect(await codeOf(backUp(database, join(folder, 'b.db')))).toBe('damaged');
  expect(readdirSync(folder).filter((name) => name.startsWith('b.db'))).toEqual([]);
});

test.each([
  ['a value', "UPDATE meta SET value = 'y' || substr(value, 2) WHERE name = 'test b'"],
  ['a value of another type', "UPDATE meta SET value = CAST(value AS BLOB) WHERE name = 'test b'"],
  ['a row less', "DELETE FROM meta WHERE name = 'test c'"],
  ['a row more', "INSERT INTO meta (name, value) VALUES ('test d', '')"],
  ['a key in the other case', 'UPDATE keyed SET reference = upper(reference)'],
  ['an index less', 'DROP INDEX learned_voices_by_day'],
  ['another schema version', 'PRAGMA user_version = 1'],
])('a copy is not taken for the same if it has %s', async (_, change) => {
  const { database } = await folderWith('a', 'b', 'c');
  const copy = `${database}-other`;
  await alter(
    database,
    'CREATE TABLE keyed (reference TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID',
  );
  await alter(database, "INSERT INTO keyed VALUES ('lamp')");
  await withCopy(database, (client) => client.execute({ sql: 'VACUUM INTO ?', args: [copy] }));
  const compare = () => withCopy(database, (client) => assertHoldsSame(client, copy));
  expect(await codeOf(compare())).toBe('no AppError: null');
  await alter(copy, change);
  expect(await codeOf(compare())).toBe('damaged');
});

test('a backup includes data that only the write-ahead log holds', async () => {
  const { folder, database } = await folderWith('a');
  const db = await openDatabase(database, { create: false });
  await db.write([{ sql: "INSERT INTO meta (name, value) VALUES ('test late', '')", args: [] }]);
  const target = join(folder, 'b.db');
  await backUp(database, target);
  await db.close();
  expect(await namesIn(target)).toEqual(['a', 'late']);
});

test('restore brings the content back and keeps what it replaces', async () => {
  const { folder, database, lock } = await folderWith('a', 'b');
  const target = join(folder, 'b.db');
  await backUp(database, target);
  await write(database, ['later']);
  const { replaced } = await restoreDatabase(target, { database, lock, nowMs: NOW_MS });
  expect(replaced).toBe(`${database}-replaced-20260131T235959Z`);
  expect(await namesIn(database)).toEqual(['a', 'b']);
  expect(await namesIn(replaced!)).toEqual(['a', 'b', 'later']);
});

describe('restore changes nothing when the backup does not match its manifest', () => {
  test.each<[string, string, (target: string) => void]>([
    ['a byte is another', 'damaged', (target) => flip(target, 5000)],
    [
      'it was cut off',
      'damaged',
      (target) => writeFileSync(target, readFileSync(target).subarray(0, 4096)),
    ],
    ['the manifest is missing', 'not_found', (target) => rmSync(`${target}.json`)],
    ['the manifest is not JSON', 'damaged', (target) => writeFileSync(`${target}.json`, '{')],
    ['the file is missing', 'not_found', (target) => rmSync(target)],
    [
      'the content differs',
      'damaged',
      (target) => edit(target, (manifest) => ({ ...manifest, counts: { meta: 1 } })),
    ],
    [
      'a newer vitrine made it',
      'not_initialized',
      (target) => edit(target, (manifest) => ({ ...manifest, schema: 999 })),
    ],
  ])('%s: %s', async (_, code, damage) => {
    const { folder, database, lock } = await folderWith('a');
    const target = join(folder, 'b.db');
    await backUp(database, target);
    damage(target);
    const before = readFileSync(database);
    expect(await codeOf(restoreDatabase(target, { database, lock, nowMs: NOW_MS }))).toBe(code);
    expect(readFileSync(database).equals(before)).toBe(true);
    expect(await finishRestore(database)).toBeNull();
  });
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

function edit(target: string, change: (manifest: object) => object): void {
  writeFileSync(
    `${target}.json`,
    JSON.stringify(change(JSON.parse(readFileSync(`${target}.json`, 'utf8')))),
  );
}

test('the next start finishes a restore that was killed at any point', async () => {
  for (const stepsDone of [0, 1, 2, 3]) {
    const { folder, database } = await folderWith('old');
    const other = await folderWith('new');
    renameSync(other.database, `${database}.restored-20260131T235959Z`);
    writeFileSync(`${database}-wal`, 'log of the old one');
    const replaced = `${database}-replaced-20260131T235959Z`;
    if (stepsDone > 0) renameSync(database, replaced);
    if (stepsDone > 1) renameSync(`${database}-wal`, `${replaced}-wal`);
    if (stepsDone > 2) renameSync(`${database}.restored-20260131T235959Z`, database);
    expect(await isThere(database)).toBe(true);
    expect(await finishRestore(database)).toBe(stepsDone > 2 ? null : replaced);
    // The note of the old one does not hold for the new one.
    expect(
      readdirSync(folder)
        .sort()
        .filter((name) => name !== 'vitrine.db-checked'),
    ).toEqual([
      'vitrine.db',
      'vitrine.db-replaced-20260131T235959Z',
      'vitrine.db-replaced-20260131T235959Z-wal',
    ]);
    expect(await namesIn(database)).toEqual(['new']);
  }
});

test('the next backup removes what a killed one left; a second concurrent backup to the same file is refused', async () => {
  const { folder, database } = await folderWith('a');
  const target = join(folder, 'b.db');
  const copied = Promise.withResolvers<void>();
  const first = backUpDatabase({
    target,
    nowMs: NOW_MS,
    force: false,
    async copyDatabase(copy) {
      await copied.promise;
      await copyDatabaseFiles(database, copy);
    },
  });
  while (!existsSync(`${target}.partial/work.lock`)) await Bun.sleep(1);
  expect(await codeOf(backUp(database, target))).toBe('conflict');
  copied.resolve();
  await first;
  mkdirSync(`${target}.partial`);
  writeFileSync(`${target}.partial/backup.db`, 'half');
  await backUp(database, target, true);
  expect(existsSync(`${target}.partial`)).toBe(false);
});

test('a backup removes only what killed backups with other names left beside it', async () => {
  const { folder, database } = await folderWith('a');
  const dead = join(folder, 'vitrine-20260101T000000Z.db.partial');
  const others = join(folder, 'download.partial');
  const busy = join(folder, 'vitrine-20260102T000000Z.db.partial');
  for (const path of [dead, others, busy]) mkdirSync(path);
  writeFileSync(join(dead, 'work.lock'), '');
  const lock = await lockFolder(join(busy, 'work.lock'));
  await backUp(database, join(folder, 'c.db'));
  expect([dead, others, busy].map((path) => existsSync(path))).toEqual([false, true, true]);
  await lock.release();
});

test('a migration backs up first and keeps the last three; an up-to-date schema does not', async () => {
  const { folder, database, lock } = await folderWith('a');
  const version = (await backUp(database, join(folder, 'b.db'))).manifest.schema;
  expect(await backUpBeforeMigration(database, { nowMs: NOW_MS })).toBeNull();
  const made: string[] = [];
  for (let day = 0; day < 5; day++) {
    const nowMs = NOW_MS + day * 86_400_000;
    made.push((await backUpBeforeMigration(database, { nowMs, schema: version + 1 }))!);
  }
  expect(made.map((path) => existsSync(path) && existsSync(`${path}.json`))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
  await write(database, ['after']);
  await restoreDatabase(made[4]!, { database, lock, nowMs: NOW_MS });
  expect(await namesIn(database)).toEqual(['a']);
});
