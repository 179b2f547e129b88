import { describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createClient } from '@libsql/client';
import { AppError } from '../../src/domain/errors.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { MIGRATIONS } from '../../src/storage/migrations.ts';
import { meta } from '../../src/storage/schema.ts';
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

/** Overwrites a stretch of the file. */
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

test('what the operator reads names the file, what a caller may read holds no cause', async () => {
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

test('a crash loses nothing that was acknowledged: the PRAGMAs for that are in force', async () => {
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

test('writes happen in the order of asking, and a failed one does not stop the next', async () => {
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

describe('what is staged', () => {
  const names = async (db: Database) =>
    (await db.all<{ name: string }>({ sql: 'SELECT name FROM meta ORDER BY name', args: [] })).map(
      ({ name }) => name,
    );
  /** As a process that is killed now leaves it. */
  const namesOnDisk = async (path: string) => {
    const copy = freshPath();
    for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
    const db = await openDatabase(copy, { create: false });
    const found = await names(db);
    await db.close();
    return found;
  };

  test('is seen at once, and on the disk when somebody writes, however often they take turns', async () => {
    const path = freshPath();
    const db = await openFresh(path);
    const staging = db.stage();
    await Promise.all([staging.run([insertMeta('a')]), names(db), staging.run([insertMeta('b')])]);
    expect(await names(db)).toEqual(['a', 'b']);
    expect(await db.orm.select().from(meta)).toHaveLength(2);
    expect(await namesOnDisk(path)).toEqual([]);
    await Promise.all([db.write([insertMeta('c')]), staging.run([insertMeta('d')]), names(db)]);
    expect(await namesOnDisk(path)).toEqual(['a', 'b', 'c']);
    expect(await names(db)).toEqual(['a', 'b', 'c', 'd']);
    await staging.commit();
    expect(await namesOnDisk(path)).toEqual(['a', 'b', 'c', 'd']);
    const [row] = await db.all<{ synchronous: number }>({ sql: 'PRAGMA synchronous', args: [] });
    expect(row!.synchronous).toBe(2);
    await db.close();
  });

  test('lies in the file itself at its end, but not while the file is copied', async () => {
    const path = freshPath();
    const db = await openFresh(path);
    const staging = db.stage();
    const namesInFile = async () => {
      const copy = freshPath();
      copyFileSync(path, copy);
      const opened = await openDatabase(copy, { create: false });
      const found = await names(opened);
      await opened.close();
      return found;
    };
    await staging.run([insertMeta('a')]);
    await staging.end();
    expect(await namesInFile()).toEqual(['a']);
    await db.withoutCheckpoints(async () => {
      await staging.run([insertMeta('b')]);
      await staging.end();
      expect(await namesInFile()).toEqual(['a']);
      await staging.run([insertMeta('c')]);
    });
    await staging.run([insertMeta('d')]);
    await staging.end();
    expect(await namesInFile()).toEqual(['a', 'b', 'c', 'd']);
    const pragma = async (name: string) =>
      Object.values((await db.all<object>({ sql: `PRAGMA ${name}`, args: [] }))[0]!)[0];
    expect([await pragma('synchronous'), await pragma('wal_autocheckpoint')]).toEqual([2, 1000]);
    await db.close();
  });

  test('is due to be committed from two mebibytes on', async () => {
    const db = await openFresh();
    const staging = db.stage();
    const insert = (name: string, length: number) => ({
      ...insertMeta(name),
      args: [name, 'x'.repeat(length)],
    });
    await staging.run([insert('a', 2 * 1024 * 1024 - 3)]);
    expect(staging.isDue).toBe(false);
    await staging.run([insert('b', 1)]);
    expect(staging.isDue).toBe(true);
    await staging.commit();
    expect(staging.isDue).toBe(false);
    await db.close();
  });

  test('is lost as a whole with a statement that fails, and whoever staged it is told each time', async () => {
    const db = await openFresh();
    const staging = db.stage();
    await staging.run([insertMeta('a')]);
    await expect(staging.run([insertMeta('b'), insertMeta('a')])).rejects.toThrow(/UNIQUE/);
    await expect(staging.commit()).rejects.toThrow(/UNIQUE/);
    await expect(staging.run([insertMeta('c')])).rejects.toThrow(/UNIQUE/);
    await db.write([insertMeta('d')]);
    const next = db.stage();
    await next.run([insertMeta('e')]);
    expect(await names(db)).toEqual(['d', 'e']);
    await db.close();
  });
});
