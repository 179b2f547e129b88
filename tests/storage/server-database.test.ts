import { afterEach, describe, expect, test } from 'bun:test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../src/domain/errors.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import {
  findServerSchema,
  openServerDatabase,
  syncsCommits,
} from '../../src/storage/engine/server-database.ts';
import { fence, releaseLease, takeLease } from '../../src/storage/leases.ts';
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts';
import { freshPath, openFresh } from './open.ts';

const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close();
});

async function startServer(path = freshPath(), authToken?: string): Promise<LibsqlServer> {
  const server = await startLibsqlServer({ path, ...(authToken && { authToken }) });
  started.push(server);
  return server;
}

async function open(
  { url }: Pick<LibsqlServer, 'url'>,
  options: { create?: boolean; instance?: string; authToken?: string; answerMs?: number } = {},
): Promise<Database> {
  const db = await openServerDatabase({
    ...{ url, authToken: '', create: true, instance: 'one', monotonicMs: () => 0 },
    ...options,
  });
  started.push(db);
  return db;
}

async function errorOf(attempt: Promise<unknown>): Promise<AppError> {
  const error = await attempt.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

const sql = (text: string, ...args: (string | number | null | Uint8Array)[]) => ({
  sql: text,
  args,
});

async function scalar(db: Database, text: string): Promise<unknown> {
  const [row] = await db.all<object>(sql(text));
  return Object.values(row!)[0];
}

describe('what is on the server', () => {
  test('nothing: created if allowed, else not_initialized', async () => {
    const server = await startServer();
    expect((await errorOf(open(server, { create: false }))).code).toBe('not_initialized');
    expect(await findServerSchema({ url: server.url, authToken: '' })).toBe(0);
    await open(server);
    await open(server, { create: false });
    expect(await findServerSchema({ url: server.url, authToken: '' })).toBe(MIGRATIONS.length);
  });

  test('four instances that create it at the same time create it once', async () => {
    const server = await startServer();
    const opened = await Promise.all(
      ['one', 'two', 'three', 'four'].map((instance) => open(server, { instance })),
    );
    for (const db of opened) expect(await scalar(db, 'SELECT count(*) FROM revisions')).toBe(2);
  });

  test('a file of ours that the server was started with is ours', async () => {
    const path = freshPath();
    const file = await openFresh(path);
    await file.write([sql("INSERT INTO meta (name, value) VALUES ('a', 'b')")]);
    await file.close();
    const db = await open(await startServer(path), { create: false });
    expect(await scalar(db, "SELECT value FROM meta WHERE name = 'a'")).toBe('b');
  });

  test('a file from a server opens as a file, and has our application_id from then on', async () => {
    const path = freshPath();
    const server = await startServer(path);
    const db = await open(server);
    await db.write([sql("INSERT INTO meta (name, value) VALUES ('a', 'b')")]);
    await server.close();
    for (let start = 0; start < 2; start++) {
      const file = await openFresh(path);
      expect(await scalar(file, "SELECT value FROM meta WHERE name = 'a'")).toBe('b');
      expect(await scalar(file, 'PRAGMA application_id')).toBe(0x76697472);
      await file.close();
    }
  });

  test('it can be asked whether it syncs commits before it answers', async () => {
    const weak = await open(await startServer());
    expect(await syncsCommits(weak)).toBe(false);
    const server = await startLibsqlServer({ path: freshPath(), isStrong: true });
    started.push(server);
    expect(await syncsCommits(await open(server))).toBe(true);
  });

  test.each([
    ['another program’s tables', 'CREATE TABLE invoices (id)'],
    ['another program’s table of the same name', 'CREATE TABLE meta (name TEXT, value TEXT)'],
    ['a table of the same name with other columns', 'CREATE TABLE meta (key, val)'],
  ])('%s: damaged, and nothing is added', async (_, statement) => {
    const server = await startServer();
    await server.execute(statement);
    const error = await errorOf(open(server));
    expect([error.code, error.message]).toEqual([
      'damaged',
      `What is at ${server.url} is not a vitrine database.`,
    ]);
    const { rows } = await server.execute('SELECT count(*) FROM sqlite_schema');
    expect(Number(rows[0]![0])).toBe(1);
  });

  test('a newer schema: not_initialized, and it stays as it is', async () => {
    const server = await startServer();
    await open(server);
    await server.execute(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    const error = await errorOf(open(server));
    expect(error.code).toBe('not_initialized');
    expect(error.message).toContain('newer vitrine');
    expect(await findServerSchema({ url: server.url, authToken: '' })).toBe(MIGRATIONS.length + 1);
  });
});

describe('who is at the address', () => {
  test('nobody: unavailable, and the message names the address', async () => {
    const server = await startServer();
    await server.leave();
    const error = await errorOf(open(server));
    expect([error.code, error.message]).toEqual([
      'unavailable',
      `The database server at ${server.url} does not answer: is it running, and is database_url right?`,
    ]);
    await server.comeBack();
  });

  test('something else: unavailable, with what it answers', async () => {
    const listener = createServer((_, response) => response.writeHead(404).end('no'));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const error = await errorOf(open({ url }));
    expect([error.code, error.message]).toEqual([
      'unavailable',
      `${url} answers with HTTP 404: is it a libSQL server?`,
    ]);
    listener.close();
  });

  test('a server that wants another token: unauthorized; with the right one it opens', async () => {
    const server = await startServer(freshPath(), 'right');
    for (const authToken of ['', 'wrong'])
      expect((await errorOf(open(server, { authToken }))).code).toBe('unauthorized');
    await open(server, { authToken: 'right' });
  });

  test('a path is part of the address, with and without its last slash', async () => {
    const asked: string[] = [];
    const listener = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    for (const path of ['', '/', '/shop', '/shop/']) await errorOf(open({ url: url + path }));
    expect([...new Set(asked)]).toEqual(['/v2/pipeline', '/shop/v2/pipeline']);
    listener.close();
  });
});

describe('statements', () => {
  test('the stand-in refuses what a server refuses', async () => {
    const db = await open(await startServer());
    for (const refused of [
      'journal_mode = WAL',
      'application_id = 1',
      'synchronous = FULL',
      'wal_checkpoint',
    ])
      await expect(db.all(sql(`PRAGMA ${refused}`))).rejects.toThrow('unsupported statement');
    for (const args of [[], [1, 2]])
      await expect(db.all(sql('SELECT ?1, ?1', ...args))).rejects.toThrow('do not match');
    await expect(db.all(sql("SELECT printf('%.*c', 10000000, 'x')"))).rejects.toThrow('too large');
    await expect(db.all(sql('SELECT ?', '\ud83d'))).rejects.toThrow('HTTP 400');
    expect(await db.all(sql('SELECT ? AS text', '😀 \\ud83d'))).toMatchObject([
      { text: '😀 \\ud83d' },
    ]);
  });

  test('values come back as they went, whole numbers as whole numbers even in a text', async () => {
    const db = await open(await startServer());
    const bytes = Uint8Array.of(0, 1, 254, 255);
    await db.write([sql("INSERT INTO meta (name, value) VALUES ('n', ?)", 7)]);
    const [row] = await db.all<Record<string, unknown>>(
      sql(
        'SELECT ? AS text, ? AS whole, ? AS large, ? AS part, ? AS missing, ? AS bytes',
        'ü\n',
        7,
        2 ** 53 - 1,
        0.5,
        null,
        bytes,
      ),
    );
    expect(await scalar(db, "SELECT value FROM meta WHERE name = 'n'")).toBe('7');
    expect([row!['text'], row!['whole'], row!['large'], row!['part'], row!['missing']]).toEqual([
      'ü\n',
      7,
      2 ** 53 - 1,
      0.5,
      null,
    ]);
    expect(new Uint8Array(row!['bytes'] as ArrayBuffer)).toEqual(bytes);
  });

  test('a write is one transaction: if another instance was quicker it is a conflict, and changes nothing', async () => {
    const server = await startServer();
    const [one, two] = [await open(server), await open(server, { instance: 'two' })];
    const insert = (name: string) => sql("INSERT INTO meta (name, value) VALUES (?, '')", name);
    await one.write([insert('a')]);
    const error = await errorOf(two.write([insert('b'), insert('a')]));
    expect([error.code, error.details.retryAfterMs! > 0]).toEqual(['conflict', true]);
    expect(await scalar(one, "SELECT count(*) FROM meta WHERE name IN ('a', 'b')")).toBe(1);
  });

  test('a wrong statement is a bug, not an unreachable server', async () => {
    const db = await open(await startServer());
    await expect(db.write([sql('INSERT INTO nowhere VALUES (1)')])).rejects.toThrow('nowhere');
    await expect(db.all(sql('SELECT nothing'))).rejects.not.toBeInstanceOf(AppError);
    expect(db.activity.isRefusing).toBe(false);
  });
});

describe('streams', () => {
  test('one is reused from statement to statement, and replaced when the server has closed it', async () => {
    const server = await startServer();
    const db = await open(server);
    const insert = (name: string) => sql("INSERT INTO meta (name, value) VALUES (?, '')", name);
    const { streams } = server;
    for (let round = 0; round < 5; round++) {
      await db.write([insert(`a${round}`), insert(`b${round}`)]);
      await expect(db.write([insert(`c${round}`), insert('a0')])).rejects.toThrow('Another');
      await expect(db.all(sql('SELECT nothing'))).rejects.toThrow('nothing');
    }
    expect(server.streams - streams).toBeLessThanOrEqual(1);
    await server.leave();
    await server.comeBack();
    await db.write([insert('after'), insert('a restart')]);
    expect(await scalar(db, "SELECT count(*) FROM meta WHERE name <> 'application'")).toBe(12);
  });

  test('there are as many as concurrent statements, at most twenty', async () => {
    const server = await startServer();
    const db = await open(server);
    const before = server.streams;
    const asked = Array.from({ length: 50 }, (_, value) => db.all(sql('SELECT ? AS value', value)));
    const found = (await Promise.all(asked)) as { value: number }[][];
    expect(found.map(([row]) => row!.value)).toEqual(Array.from({ length: 50 }, (_, at) => at));
    expect(server.streams - before).toBeLessThanOrEqual(20);
  });
});

test('a write does not wait for those before it, up to eight at once', async () => {
  const server = await startServer();
  const db = await open(server);
  server.distanceMs = 20;
  const before = server.streams;
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      db.write([sql("INSERT INTO meta (name, value) VALUES (?, '')", `n${at}`)]),
    ),
  );
  // A waiting request takes over the stream of one that has finished.
  expect(server.streams - before).toBeGreaterThanOrEqual(7);
  expect(server.streams - before).toBeLessThanOrEqual(8);
});

describe('a server that is unreachable', () => {
  test('refuses reads and writes, and recovers by itself', async () => {
    const server = await startServer();
    const db = await open(server);
    await server.leave();
    const errors = [
      await errorOf(db.all(sql('SELECT 1'))),
      await errorOf(db.write([sql('DELETE FROM meta')])),
    ];
    expect(
      errors.map(({ code, message, details }) => [code, message, details.retryAfterMs]),
    ).toEqual([
      ['unavailable', 'The database server does not answer.', 2000],
      ['unavailable', 'The database server does not answer.', 2000],
    ]);
    expect(db.activity).toMatchObject({ refusals: 1, isRefusing: true });
    await server.comeBack();
    expect(await scalar(db, 'SELECT 1')).toBe(1);
    await db.write([sql("INSERT INTO meta (name, value) VALUES ('back', '')")]);
    expect(db.activity.isRefusing).toBe(false);
  });

  test('if it accepts requests but never answers, all waiting writes fail together, not one after another', async () => {
    const server = await startServer();
    const answerMs = 400;
    const db = await open(server, { answerMs });
    const silence = Promise.withResolvers<void>();
    server.beforePipeline = () => silence.promise;
    const startedMs = performance.now();
    const writes = await Promise.all(
      Array.from({ length: 20 }, () => errorOf(db.write([sql('DELETE FROM meta')]))),
    );
    expect(performance.now() - startedMs).toBeLessThan(20 * answerMs);
    expect(writes.map(({ code }) => code)).toEqual(Array(20).fill('unavailable'));
    server.beforePipeline = null;
    silence.resolve();
    await db.write([sql("INSERT INTO meta (name, value) VALUES ('back', '')")]);
  });
});

describe('leases', () => {
  const take = async (db: Database, durationMs: number) => {
    const claim = { name: 'work', owner: db.instance!, durationMs };
    return (await db.write([takeLease(claim)]))[0]!.rows.length === 1;
  };

  test('one instance takes, renews and releases a lease; another gets it then, or once it has expired', async () => {
    const server = await startServer();
    const [one, two] = [await open(server), await open(server, { instance: 'two' })];
    expect([await take(one, 60_000), await take(two, 60_000), await take(one, 60_000)]).toEqual([
      true,
      false,
      true,
    ]);
    await two.write([releaseLease({ name: 'work', owner: 'two' })]);
    expect(await take(two, 60_000)).toBe(false);
    await one.write([releaseLease({ name: 'work', owner: 'one' })]);
    expect([await take(two, 0), await take(one, 60_000)]).toEqual([true, true]);
  });

  test('a write fenced by a lost lease is refused as a whole', async () => {
    const server = await startServer();
    const [one, two] = [await open(server), await open(server, { instance: 'two' })];
    const guarded = (text: string) => one.stage([...fence(one, 'import'), sql(text)]);
    const insert = "INSERT INTO meta (name, value) VALUES ('staged', '')";
    expect((await errorOf(guarded(insert))).code).toBe('conflict');
    await one.write([takeLease({ name: 'import', owner: 'one', durationMs: 0 })]);
    await guarded(insert);
    await two.write([takeLease({ name: 'import', owner: 'two', durationMs: 60_000 })]);
    expect((await errorOf(guarded('DELETE FROM meta'))).code).toBe('conflict');
    expect(await scalar(one, "SELECT count(*) FROM meta WHERE name = 'staged'")).toBe(1);
  });

  test('a file needs no fence', async () => {
    const file = await openFresh();
    started.push(file);
    expect(fence(file, 'import')).toEqual([]);
  });
});
