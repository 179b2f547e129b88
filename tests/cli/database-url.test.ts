import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CreatedApiKey } from '../../src/operations/tenants/api-keys.ts';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { vitrine } from '../support/command-line.ts';
import { hitOf, posted } from '../support/hits.ts';
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts';
import { PROGRAM_COMMAND, type Serving, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TOKEN = 'a-token-that-nobody-may-see';
const SLUG = 'acme';

/** How soon an instance knows what another one has changed, on a machine with nothing else to do. */
const FOLLOWED_MS = 2000;

/** What the other load of a machine adds comes and goes: one in so many times is soon enough. */
const TRIES = 5;

/** Only what never happens takes that long. */
const PATIENCE_MS = 60_000;

const temporary = temporaryFolder();
let server: LibsqlServer;
let environment: Record<string, string>;
let count = 0;

beforeAll(async () => {
  server = await startLibsqlServer({ path: join(temporary.path, 'server.db'), authToken: TOKEN });
  environment = { DATABASE_URL: server.url, VITRINE_DATABASE_AUTH_TOKEN: TOKEN };
  const init = ['init', '--org', 'Acme', '--slug', SLUG, '--currency', 'EUR'];
  const { exitCode } = await vitrine([...init, '--data', newFolder()], { environment });
  expect(exitCode).toBe(0);
});

const running: Serving[] = [];
afterEach(async () => {
  for (const serving of running.splice(0)) {
    if (serving.process.exitCode === null) await serving.stop();
  }
});

afterAll(async () => {
  await server.close();
  temporary.remove();
});

const newFolder = () => join(temporary.path, `data-${++count}`);

/** How long until `isSo`, in milliseconds. */
async function waitUntil(isSo: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error('It never came to that.');
    await delay(20);
  }
  return performance.now() - startedMs;
}

test('two instances on one server do everything that one on a file does, and follow each other within two seconds', async () => {
  const commandIn = async <Result>(folder: string, ...args: string[]) => {
    const words = [...args, '--json', '--data', folder];
    const { exitCode, stdout, stderr } = await vitrine(words, { environment });
    expect([exitCode, stderr.includes('vitrine:')]).toEqual([0, false]);
    return JSON.parse(stdout) as Result;
  };
  const first = newFolder();
  const inOrg = ['--org', SLUG];
  const { apiKey } = await commandIn<CreatedApiKey>(first, 'key', 'create', ...inOrg);
  const file = join(temporary.path, 'catalog.jsonl');
  writeFileSync(file, jsonLines(CATALOG));
  await commandIn(newFolder(), 'catalog', 'import', file, ...inOrg);

  const second = newFolder();
  const flags = ['--embedder', 'off', '--log-level', 'debug'];
  const [one, two] = await Promise.all(
    [first, second].map((data) =>
      serve(PROGRAM_COMMAND, ['--data', data, ...flags], { environment }),
    ),
  );
  running.push(one!, two!);
  const as =
    (key: string, instance: Serving) =>
    (path: string, init: RequestInit = {}) =>
      fetch(instance.url + path, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), 'x-api-key': key },
      });
  for (const instance of [one!, two!]) {
    const ask = as(apiKey, instance);
    for (const version of ['v2', 'v3']) {
      const found = (await (await ask(`/rest/search/${version}/?q=lighthouse`)).json()) as {
        count: number;
      };
      expect(found.count).toBeGreaterThan(0);
    }
    expect((await ask('/rest/hits/', posted(hitOf(SLUG)))).status).toBe(201);
    const called = await ask(
      '/mcp',
      posted({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'search_offerings', arguments: { question: 'lighthouse' } },
      }),
    );
    expect(await called.json()).toMatchObject({ result: { structuredContent: { count: 1 } } });
    expect(await (await ask(`/rest/org/ai/${SLUG}/`)).text()).toStartWith('# Acme');
  }

  const third = await vitrine(['serve', '--data', second], { environment });
  expect(third.exitCode).toBe(75);

  /** How long the second instance takes to accept a new key, or to refuse a revoked one, if that is longer. */
  const followingMs = async () => {
    const made = await commandIn<CreatedApiKey>(first, 'key', 'create', ...inOrg);
    const statusAtTwo = () =>
      as(made.apiKey, two!)('/rest/search/v2/?q=mug').then(({ status }) => status);
    const acceptedMs = await waitUntil(async () => (await statusAtTwo()) === 200);
    await commandIn(first, 'key', 'revoke', made.id, ...inOrg);
    return Math.max(acceptedMs, await waitUntil(async () => (await statusAtTwo()) === 401));
  };
  let followedMs = await followingMs();
  for (let tries = 1; tries < TRIES && followedMs >= FOLLOWED_MS; tries++)
    followedMs = await followingMs();
  expect(followedMs).toBeLessThan(FOLLOWED_MS);
  writeFileSync(file, jsonLines([{ externalId: 'new', name: 'Brand-new beaker', price: '5.00' }]));
  await commandIn(second, 'catalog', 'import', file, ...inOrg);
  const beakers = async () =>
    (await (await as(apiKey, one!)('/rest/search/v2/?q=beaker')).json()) as { count: number };
  await waitUntil(async () => (await beakers()).count === 1);

  await server.leave();
  const hit = () => as(apiKey, one!)('/rest/hits/', posted(hitOf(SLUG)));
  const refused = await hit();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  await server.comeBack();
  expect((await hit()).status).toBe(201);
  expect((await fetch(`${one!.url}/readyz`)).status).toBe(200);

  expect(await Promise.all([one!.stop(), two!.stop()])).toEqual([0, 0]);
  expect(readdirSync(second).filter((name) => name !== 'index')).toEqual(['vitrine.lock']);
  expect([one!, two!].filter((instance) => instance.stderr().includes(TOKEN))).toEqual([]);
}, 120_000);

describe('commands', () => {
  const ask = (...args: string[]) => vitrine(args, { environment });

  test('78: an address that is not a libSQL server’s, with the name of its setting', async () => {
    for (const name of ['DATABASE_URL', 'VITRINE_DATABASE_URL']) {
      const { exitCode, stderr } = await vitrine(['org', 'list', '--data', newFolder()], {
        environment: { [name]: 'postgres://shop.example/db' },
      });
      expect(exitCode).toBe(78);
      expect(stderr).toContain(`  ${name}: must be a libSQL server’s address`);
    }
  });

  test('69: an unreachable server; 77: a server that rejects the token', async () => {
    const url = { ...environment, DATABASE_URL: 'http://127.0.0.1:1' };
    const away = await vitrine(['serve', '--data', newFolder()], { environment: url });
    expect([away.exitCode, away.stderr]).toEqual([
      69,
      'vitrine: The database server at http://127.0.0.1:1 does not answer: is it running, and is database_url right?\n',
    ]);
    const wrong = { ...environment, VITRINE_DATABASE_AUTH_TOKEN: 'wrong' };
    const strange = await vitrine(['serve', '--data', newFolder()], { environment: wrong });
    expect([strange.exitCode, strange.stderr]).toEqual([
      77,
      `vitrine: The database server at ${server.url} does not let us in: look at database_auth_token.\n`,
    ]);
  });

  test('64: operations that need a database file, in one sentence, and nothing is written', async () => {
    const folder = newFolder();
    const target = join(temporary.path, 'backup.db');
    for (const args of [['backup', target], ['restore', target], ['bench']]) {
      const { exitCode, stderr } = await ask(...args, '--data', folder);
      expect([exitCode, stderr]).toEqual([
        64,
        'vitrine: The data are on a libSQL server (database_url): use the server’s own tools to back them up and restore them.\n',
      ]);
    }
    expect(existsSync(target)).toBe(false);
  });

  test('config shows the address and hides the token', async () => {
    const { stdout } = await ask('config', '--data', newFolder());
    expect(stdout).toMatch(new RegExp(`database_url +${server.url} +environment`));
    expect(stdout).toMatch(/database_auth_token +•+ +environment/);
    expect(stdout).not.toContain(TOKEN);
  });

  test('doctor looks at the server, and at what instances need', async () => {
    const look = async (...args: string[]) => {
      const { stdout } = await ask(
        'doctor',
        '--embedder',
        'off',
        '--json',
        '--data',
        newFolder(),
        ...args,
      );
      const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string }[] };
      return Object.fromEntries(checks.map(({ name, state }) => [name, state]));
    };
    expect(await look()).toMatchObject({
      ...{ 'data folder': 'ok', schema: 'ok', database: 'ok', instances: 'warn' },
      ...{ documents: 'ok', keys: 'ok', 'last backup': 'ok' },
    });
    expect(await look('--public-url', 'https://127.0.0.1:1')).toMatchObject({ instances: 'ok' });
    await server.leave();
    expect(await look()).toMatchObject({ database: 'fail', keys: 'warn' });
    await server.comeBack();
  });

  test('temporary data never goes to the server', async () => {
    // A server of its own: the streams that other commands left open would count as requests.
    const untouched = await startLibsqlServer({ path: join(temporary.path, 'untouched.db') });
    const { exitCode, stderr } = await vitrine(
      ['demo', '--once', '--embedder', 'off', '--listen', '127.0.0.1:0'],
      { environment: { DATABASE_URL: untouched.url } },
    );
    await untouched.close();
    expect([exitCode, stderr, untouched.requests]).toEqual([0, '', 0]);
  });
});
