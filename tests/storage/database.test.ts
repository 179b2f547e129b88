import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createClient } from '@libsql/client';
import { AppError } from '../../src/domain/errors.ts';
import { openDatabase } from '../../src/storage/engine/database.ts';
import { readSchemaVersion } from '../../src/storage/engine/files.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { saveMeta } from '../../src/storage/meta.ts';
import { run } from '../support/processes.ts';
import { freshPath, openFresh } from './open.ts';

async function codeOf(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? error.code : `no AppError: ${String(error)}`;
}

/** A healthy database of ours with some pages, closed. */
async function healthyFile(): Promise<string> {
  const path = freshPath();
  const db = await openFresh(path);
  const insert = 'INSERT INTO meta (name, value) VALUES (?, ?)';
  const rows = Array.from({ length: 200 }, (_, index) => [`name-${index}`, 'x'.repeat(500)]);
  await db.write(rows.map((args) => ({ sql: insert, args })));
  await db.close();
  return path;
}

async function execute(path: string, sql: string): Promise<void> {
  const client = createClient({ url: `file:${path}` });
  await client.executeMultiple(sql);
  client.close();
}

/** Overwrites a range of the file. */
function damage(path: string, from: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, from, from + length);
  writeFileSync(path, bytes);
}

describe('a file that is not a whole database of ours is refused and left as it is', () => {
  test.each<[string, string, () => Promise<string>]>([
    [
      'an empty file',
      'damaged',
      async () => {
        const path = freshPath();
        writeFileSync(path, '');
        return path;
      },
    ],
    [
      'a text file',
      'damaged',
      async () => {
        const path = freshPath();
        writeFileSync(path, 'id,name\n'.repeat(1000));
        return path;
      },
    ],
    [
      'a short text file',
      'damaged',
      async () => {
        const path = freshPath();
        writeFileSync(path, 'hello');
        return path;
      },
    ],
    [
      'another program’s SQLite file',
      'damaged',
      async () => {
        const path = freshPath();
        await execute(path, 'CREATE TABLE notes (text); INSERT INTO notes VALUES (1);');
        return path;
      },
    ],
    [
      'one of a newer version',
      'not_initialized',
      async () => {
        const path = await healthyFile();
        await execute(path, `PRAGMA user_version = ${MIGRATIONS.length + 1}`);
        return path;
      },
    ],
    [
      'a file of zeros',
      'damaged',
      async () => {
        const path = freshPath();
        writeFileSync(path, Buffer.alloc(65_536));
        return path;
      },
    ],
    [
      'one of another application',
      'damaged',
      async () => {
        const path = await healthyFile();
        await execute(path, 'PRAGMA application_id = 252006673');
        return path;
      },
    ],
    [
      'one with a damaged schema',
      'damaged',
      async () => {
        const path = await healthyFile();
        damage(path, 100, 4000);
        return path;
      },
    ],
    [
      'one that was cut off',
      'damaged',
      async () => {
        const path = await healthyFile();
        writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size / 2));
        return path;
      },
    ],
    [
      'one with damaged pages',
      'damaged',
      async () => {
        const path = await healthyFile();
        damage(path, statSync(path).size - 60_000, 40_000);
        return path;
      },
    ],
    [
      'one with a damaged header',
      'damaged',
      async () => {
        const path = await healthyFile();
        damage(path, 0, 16);
        return path;
      },
    ],
  ])('%s: %s', async (_, code, make) => {
    const path = await make();
    const before = readFileSync(path);
    for (const create of [false, true]) {
      expect(await codeOf(openDatabase(path, { create }))).toBe(code);
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a folder: damaged', async () => {
    const path = freshPath();
    mkdirSync(path);
    expect(await codeOf(openDatabase(path, { create: true }))).toBe('damaged');
  });

  test('no file: not_initialized, and none is made', async () => {
    const path = freshPath();
    expect(await codeOf(openDatabase(path, { create: false }))).toBe('not_initialized');
    expect(existsSync(path)).toBe(false);
  });
});

test('the operator’s message names the file, the caller’s holds no cause', async () => {
  const path = freshPath();
  writeFileSync(path, 'not a database, certainly not'.repeat(50));
  const error = await openDatabase(path, { create: false }).catch((thrown: AppError) => thrown);
  expect((error as AppError).message).toBe(`The database ${path} cannot be read.`);
});

test.each(['plain.db', 'with blank.db', 'a#b.db', 'a?b.db', '100%.db', 'ü.db'])(
  'a path may have any characters: %s',
  async (name) => {
    const path = freshPath(name);
    await (await openDatabase(path, { create: true })).close();
    expect(existsSync(path)).toBe(true);
    await (await openDatabase(path, { create: false })).close();
  },
);

test('a crash loses no acknowledged write: the PRAGMAs for that are in force', async () => {
  const db = await openFresh();
  const pragma = async (name: string) =>
    Object.values((await db.all<object>({ sql: `PRAGMA ${name}`, args: [] }))[0]!)[0];
  expect([
    await pragma('journal_mode'),
    await pragma('synchronous'),
    await pragma('foreign_keys'),
    await pragma('user_version'),
  ]).toEqual(['wal', 2, 1, MIGRATIONS.length]);
  await db.close();
});

test('what was written is there when the file is opened again', async () => {
  const path = await healthyFile();
  const db = await openDatabase(path, { create: false });
  const [row] = await db.all<{ count: number }>({
    sql: 'SELECT count(*) AS count FROM meta',
    args: [],
  });
  expect(row!.count).toBe(200);
  await db.close();
});

const insertMeta = (name: string) => ({
  sql: 'INSERT INTO meta (name, value) VALUES (?, ?)',
  args: [name, ''],
});

test('a write is one transaction: a statement that fails leaves nothing of the others', async () => {
  const db = await openFresh();
  const writing = db.write([insertMeta('a'), insertMeta('b'), insertMeta('a')]);
  expect(writing).rejects.toThrow(/UNIQUE/);
  await writing.catch(() => undefined);
  expect(await db.all({ sql: 'SELECT * FROM meta', args: [] })).toEqual([]);
  await db.close();
});

test('writes run in the order they were submitted, and a failed one does not stop the next', async () => {
  const db = await openFresh();
  const outcomes = await Promise.allSettled([
    db.write([insertMeta('a')]),
    db.write([insertMeta('a')]),
    db.write([insertMeta('b')]),
    db.write([{ sql: "UPDATE meta SET value = 'last' WHERE name = 'b'", args: [] }]),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(
    await db.all<object>({ sql: "SELECT value FROM meta WHERE name = 'b'", args: [] }),
  ).toEqual([expect.objectContaining({ value: 'last' })]);
  await db.close();
});

test('a foreign key that points nowhere is refused', async () => {
  const db = await openFresh();
  const orphan = `INSERT INTO shops (key, id, organization_key, handle, name, currency, locale)
                  VALUES (1, 'x', 99, 'h', 'n', 'EUR', 'en')`;
  await expect(db.write([{ sql: orphan, args: [] }])).rejects.toThrow(/FOREIGN KEY/);
  await db.close();
});

test('what another process wrote in between is there when this one opens the file again', async () => {
  const path = await healthyFile();
  const command = [process.execPath, new URL('./write-and-go.ts', import.meta.url).pathname];
  for (let round = 1; round <= 8; round++) {
    const { exitCode, stderr } = await run(command, [path]);
    expect([exitCode, stderr]).toEqual([0, '']);
    // As at a start, before migrating.
    await readSchemaVersion(path);
    const db = await openDatabase(path, { create: false });
    const [row] = await db.all<{ count: number }>({
      sql: 'SELECT count(*) AS count FROM written_elsewhere',
      args: [],
    });
    expect(row!.count).toBe(200 * round);
    await db.write([{ sql: 'UPDATE meta SET value = ?', args: [String(round)] }]);
    await db.close();
  }
});

test('a database is its owner’s alone, and so is its log', async () => {
  const path = await healthyFile();
  chmodSync(path, 0o644);
  const db = await openDatabase(path, { create: false });
  await db.write([{ sql: "UPDATE meta SET value = 'a'", args: [] }]);
  for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  await db.close();
});

/** Statements that make a database as the version with so many migrations did. */
function schemaOf(version: number): string {
  const sql = MIGRATIONS.slice(0, version).map((migration) => `${migration.sql};`);
  return `${sql.join('')} PRAGMA application_id = ${0x76697472}; PRAGMA user_version = ${version}`;
}

test('hits that an older version recorded say the same in the view', async () => {
  const path = freshPath();
  const version = MIGRATIONS.findIndex(({ id }) => id === '0009-hit-facts');
  const body = {
    source: 'client',
    day: '2026-01-31',
    isVerified: true,
    question: 'tea',
    page: null,
  };
  await execute(
    path,
    `${schemaOf(version)};
     INSERT INTO organizations (key, id, slug, name, created_at) VALUES (1, 'x', 'x', 'x', 0);
     INSERT INTO hits (organization_key, created_at, body) VALUES (1, 5, '${JSON.stringify(body)}')`,
  );
  const db = await openDatabase(path, { create: false });
  const rows = await db.all<Record<string, unknown>>({ sql: 'SELECT * FROM hit_facts', args: [] });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    ...{ key: 1, organization_key: 1, created_at: 5, source: 'client', day: '2026-01-31' },
    ...{ is_verified: 1, question: 'tea', page: null, result_count: null },
  });
  await db.close();
});

test('the full-text indexes of an older version go, and what looks like one stays', async () => {
  const path = freshPath();
  const version = MIGRATIONS.findIndex(({ id }) => id === '0026-memory-alone');
  const wordIndexes = [1, 20].map(
    (key) => `CREATE VIRTUAL TABLE words_${key} USING fts5(name, content='', contentless_delete=1);
      CREATE VIRTUAL TABLE words_${key}_terms USING fts5vocab('words_${key}', 'row');
      INSERT INTO words_${key} (rowid, name) VALUES (1, 'lamp')`,
  );
  await execute(
    path,
    `${schemaOf(version)};
     ${wordIndexes.join(';')};
     CREATE TABLE words_of_others (word)`,
  );
  const db = await openDatabase(path, { create: false });
  const tables = await db.all<{ name: string }>({
    sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'words%'",
    args: [],
  });
  expect(tables).toEqual([{ name: 'words_of_others' }]);
  await db.close();
});

test('the pages of a large file are vouched for only as a process left them that had checked them', async () => {
  const path = freshPath();
  const mark = `${path}-checked`;
  const made = await openFresh(path);
  const filler = 'CREATE TABLE filler AS SELECT zeroblob(33 * 1024 * 1024) AS bytes';
  await made.write([{ sql: filler, args: [] }]);
  await made.close();
  const opened = async () => {
    const db = await openDatabase(path, { create: false });
    // After a kill nobody vouches.
    expect(existsSync(mark)).toBe(false);
    return db;
  };
  const pagesThen = async () => {
    const db = await opened();
    await db.close();
    return db.pages;
  };
  rmSync(mark);
  expect([await pagesThen(), await pagesThen()]).toEqual(['unknown', 'unknown']);
  const checked = await opened();
  checked.vouch();
  await checked.close();
  expect([await pagesThen(), await pagesThen()]).toEqual(['vouched', 'vouched']);
  // The same bytes with the same time in another file, another size with the same time, another time.
  const changes = [
    'cp -p "$0" "$0.copy" && mv "$0.copy" "$0"',
    'touch -r "$0" "$0.time" && head -c 4096 /dev/zero >>"$0" && touch -r "$0.time" "$0"',
    'touch "$0"',
  ];
  for (const change of changes) {
    const vouching = await opened();
    vouching.vouch();
    await vouching.close();
    expect((await run(['sh', '-c'], [change, path])).exitCode).toBe(0);
    expect([change, await pagesThen()]).toEqual([change, 'unknown']);
  }
});

test('what a task polls is read again once a write has changed a row, and not before', async () => {
  const db = await openFresh();
  const statement = { sql: 'SELECT name FROM meta WHERE name = ?', args: ['polled'] };
  const remove = { sql: 'DELETE FROM meta WHERE name = ?', args: ['polled'] };
  const reads = db.activity.reads;
  const poll = async () => [(await db.poll(statement)).length, db.activity.reads - reads];
  expect([await poll(), await poll()]).toEqual([
    [0, 1],
    [0, 1],
  ]);
  await db.stage([remove]);
  expect(await poll()).toEqual([0, 1]);
  const writing = db.write([saveMeta(db, 'polled', '')]);
  // While the write is under way.
  await poll();
  await writing;
  expect((await poll())[0]).toBe(1);
  await db.write([remove]);
  expect((await poll())[0]).toBe(0);
  await db.close();
});
