import { Database } from 'bun:sqlite';
import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { isListening } from '../../src/cli/command/operator.ts';
import { startService as startServing } from '../../src/cli/serve.ts';
import { readConfig } from '../../src/config.ts';
import type { CreatedApiKey } from '../../src/operations/tenants/api-keys.ts';
import { socketPath } from '../../src/operator/socket-path.ts';
import { openServices } from '../../src/services.ts';
import { jsonLines } from '../support/catalog.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { fakePlatform } from '../support/fake-platform.ts';
import { figure } from '../support/figure.ts';
import { PROGRAM_COMMAND, run, type Serving, serve } from '../support/processes.ts';
import { StandInModel, serveModel } from '../support/stand-in-embedder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

const running: Serving[] = [];
afterEach(async () => {
  for (const serving of running.splice(0)) {
    if (serving.process.exitCode === null && serving.process.signalCode === null)
      await serving.stop();
  }
});

let folderCount = 0;

interface Initialized {
  readonly folder: string;
  readonly apiKey: string;
}

async function initialize(path = `data-${++folderCount}`): Promise<Initialized> {
  const folder = join(temporary.path, path);
  const { apiKey } = await initializeFolder<{ apiKey: string }>(folder, '--org', 'Acme');
  return { folder, apiKey };
}

async function serveOn(
  folder: string,
  flags: readonly string[] = ['--embedder', 'off'],
): Promise<Serving> {
  const serving = await serve(PROGRAM_COMMAND, ['--data', folder, ...flags]);
  running.push(serving);
  return serving;
}

async function search({ url }: Serving, apiKey: string, question = 'lamp'): Promise<Response> {
  const headers = { 'x-api-key': apiKey };
  return fetch(`${url}/rest/search/v2/?q=${encodeURIComponent(question)}`, { headers });
}

async function scoring({ url }: Serving, apiKey: string): Promise<unknown> {
  const headers = { 'x-api-key': apiKey };
  const response = await fetch(`${url}/rest/search/v3/?q=lamp`, { headers });
  return ((await response.json()) as { scoring: unknown }).scoring;
}

function lampFile(count: number): string {
  const path = join(temporary.path, `lamps-${count}.jsonl`);
  writeFileSync(
    path,
    jsonLines(
      Array.from({ length: count }, (_, index) => ({
        externalId: `${index}`,
        name: `Lamp ${index}`,
      })),
    ),
  );
  return path;
}

/**
 * Runs `serve` where it cannot: its exit code and the one line it says. In this process, which shares no
 * lock with a service that runs: `e2e/binary.test.ts` shows that the program ends with these codes.
 */
async function refusal(
  folder: string,
  flags: readonly string[] = [],
): Promise<[number | null, string]> {
  const args = [
    'serve',
    '--listen',
    '127.0.0.1:0',
    '--embedder',
    'off',
    '--data',
    folder,
    ...flags,
  ];
  const { exitCode, stderr } = await vitrine(args);
  return [exitCode, stderr];
}

describe('refuses', () => {
  test('78: a folder that was never initialised, and makes none', async () => {
    const folder = join(temporary.path, 'nothing');
    expect(await refusal(folder)).toEqual([
      78,
      `vitrine: There is no vitrine in ${folder}: run "vitrine init" first.\n`,
    ]);
    expect(existsSync(folder)).toBe(false);
  });

  test('75: a second process, at once; after kill -9 of the first the next starts by itself', async () => {
    const { folder, apiKey } = await initialize();
    const first = await serveOn(folder);
    const timed = async (data: string, code: number) => {
      const startedMs = performance.now();
      const [exitCode, stderr] = await refusal(data);
      expect([exitCode, stderr.split('\n').length]).toEqual([code, 2]);
      return performance.now() - startedMs;
    };
    // Another load of the machine slows down the other refusal as well, and comes and goes.
    const waits: number[] = [];
    while (waits.length < 5 && !waits.some((waitMs) => waitMs < 1000))
      waits.push((await timed(folder, 75)) - (await timed(`${folder}-missing`, 78)));
    expect(Math.min(...waits)).toBeLessThan(1000);
    expect(await refusal(folder)).toEqual([
      75,
      'vitrine: Another vitrine process is using this data folder: end it first, or name another folder with --data.\n',
    ]);
    expect((await search(first, apiKey)).status).toBe(200);
    first.process.kill('SIGKILL');
    await once(first.process, 'close');
    expect((await search(await serveOn(folder), apiKey)).status).toBe(200);
  });

  test('74: a damaged, cut, empty or foreign database, which stays as it was', async () => {
    const { folder } = await initialize();
    const database = join(folder, 'vitrine.db');
    const whole = join(temporary.path, 'whole.db');
    copyFileSync(database, whole);
    const damages: Record<string, () => void> = {
      empty: () => truncateSync(database, 0),
      cut: () => truncateSync(database, statSync(whole).size - 5000),
      text: () => writeFileSync(database, 'This is no database.\n'.repeat(1000)),
      foreign() {
        rmSync(database);
        new Database(database, { create: true }).run('CREATE TABLE t (x)');
      },
      overwritten() {
        const bytes = Buffer.alloc(statSync(whole).size - 8192, 0x5a);
        const file = Bun.file(whole);
        return file.arrayBuffer().then((content) => {
          writeFileSync(database, Buffer.concat([Buffer.from(content).subarray(0, 8192), bytes]));
        });
      },
    };
    for (const [what, damage] of Object.entries(damages)) {
      copyFileSync(whole, database);
      rmSync(`${database}-wal`, { force: true });
      rmSync(`${database}-shm`, { force: true });
      await damage();
      const before = Bun.hash(await Bun.file(database).bytes());
      const [exitCode, stderr] = await refusal(folder);
      expect([what, exitCode, stderr.split('\n').length]).toEqual([what, 74, 2]);
      expect(Bun.hash(await Bun.file(database).bytes())).toBe(before);
    }
  }, 60_000);

  test('74: a folder in place of the database', async () => {
    const folder = join(temporary.path, 'folder');
    mkdirSync(join(folder, 'vitrine.db'), { recursive: true });
    expect((await refusal(folder))[0]).toBe(74);
  });

  test('78: a database of a newer vitrine', async () => {
    const { folder } = await initialize();
    const database = new Database(join(folder, 'vitrine.db'));
    database.run('PRAGMA user_version = 999');
    database.close();
    const [exitCode, stderr] = await refusal(folder);
    expect([exitCode, stderr]).toEqual([
      78,
      expect.stringContaining('was written by a newer vitrine'),
    ]);
  });

  test('78: a bad configuration; 69: an address that is taken', async () => {
    const { folder } = await initialize();
    expect((await refusal(folder, ['--embedder', 'magic']))[0]).toBe(78);
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const [exitCode, stderr] = await refusal(folder, ['--listen', `127.0.0.1:${port}`]);
    occupant.close();
    expect([exitCode, stderr]).toEqual([
      69,
      expect.stringContaining('Another program is listening on that address'),
    ]);
  });
});

describe('commands reach a running service over its socket', () => {
  test('a key works at once, a revoked one no longer', async () => {
    const { folder } = await initialize();
    const serving = await serveOn(folder);
    const { id, apiKey } = await vitrineJson<CreatedApiKey>('key', 'create', '--data', folder);
    expect((await search(serving, apiKey)).status).toBe(200);
    await vitrineJson('key', 'revoke', id, '--data', folder);
    expect((await search(serving, apiKey)).status).toBe(401);
  });

  test('an import shows at once; faults and exit codes are those of a command on its own', async () => {
    const { folder, apiKey } = await initialize();
    const serving = await serveOn(folder);
    const imported = await vitrine(['catalog', 'import', lampFile(450), '--data', folder]);
    expect([imported.exitCode, imported.stdout]).toEqual([0, expect.stringMatching(/^450 new/)]);
    expect(await (await search(serving, apiKey)).json()).toMatchObject({ count: 20 });
    const path = join(temporary.path, 'mixed.jsonl');
    writeFileSync(path, '{"externalId":"0","name":"Lamp of brass"}\nnonsense\n');
    const partly = await run(PROGRAM_COMMAND, ['catalog', 'import', path, '--data', folder]);
    expect([partly.exitCode, partly.stdout]).toEqual([
      2,
      expect.stringMatching(/^0 new, 1 changed, 0 same, 0 archived, 1 rejected/),
    ]);
    expect(partly.stderr).toContain(':2: error:');
    expect(existsSync(`${path}.errors.csv`)).toBe(true);
    const refused = await vitrine(['catalog', 'stats', '--shop', 'nobody', '--data', folder]);
    expect([refused.exitCode, refused.stderr]).toEqual([
      66,
      'vitrine: There is no shop "nobody". "vitrine shop list" lists what there is.\n',
    ]);
  });

  test('a data folder with a long path works too: the socket lies elsewhere', async () => {
    const { folder, apiKey } = await initialize(
      `${'long-'.repeat(20)}/${'path-'.repeat(20)}/data dir ?#%ü`,
    );
    expect(socketPath(folder).startsWith(folder)).toBe(false);
    const serving = await serveOn(folder);
    const created = await vitrineJson<CreatedApiKey>('key', 'create', '--data', folder);
    expect((await search(serving, created.apiKey)).status).toBe(200);
    expect((await search(serving, apiKey)).status).toBe(200);
  });

  test('the socket is its owner’s alone, and so is a folder that others could read', async () => {
    const { folder } = await initialize();
    chmodSync(folder, 0o755);
    const { stderr } = await serveOn(folder);
    expect(statSync(socketPath(folder)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(stderr()).toContain('data_folder_made_private');
  });

  test('a socket left by a killed service does no harm', async () => {
    const { folder } = await initialize();
    const first = await serveOn(folder);
    first.process.kill('SIGKILL');
    await once(first.process, 'close');
    expect(existsSync(socketPath(folder))).toBe(true);
    expect((await vitrine(['key', 'create', '--data', folder])).exitCode).toBe(0);
  });
});

const IN_FLIGHT = 200;
const STREAMS = 200;
const STREAMS_OF_KEY = 20;

/** A stream of the service's, from its first bytes on; `whole` is everything of it, once it has ended. */
async function openStream(
  { url }: Serving,
  apiKey: string,
): Promise<{ readonly whole: Promise<string> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
  const whole = once(socket, 'close').then(() => text);
  socket.write(`GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\n\r\n`);
  while (!text.includes('event: endpoint')) await once(socket, 'data');
  return { whole };
}

test('SIGTERM: 200 requests in flight are answered and 200 streams end whole, it exits 0 within 10 s and nothing is lost', async () => {
  const { folder, apiKey } = await initialize();
  await vitrine(['catalog', 'import', lampFile(30), '--data', folder]);
  await vitrine(['org', 'set', '--unlimited', '--data', folder]);
  const model = new StandInModel();
  const endpoint = await serveModel(model);
  const flags = [
    '--embedder',
    'endpoint',
    '--embedder-url',
    endpoint.url,
    '--embedder-model',
    'm',
    '--embedder-budget-ms',
    '5000',
  ];
  const serving = await serveOn(folder, flags);
  // Until the model has read something no search waits for it.
  while ((await scoring(serving, apiKey)) !== 'local') await Bun.sleep(5);
  const streams = [];
  for (let count = 0; count < STREAMS; count += STREAMS_OF_KEY) {
    const key = await vitrineJson<CreatedApiKey>('key', 'create', '--data', folder);
    for (let ofKey = 0; ofKey < STREAMS_OF_KEY; ofKey++)
      streams.push(await openStream(serving, key.apiKey));
  }
  model.condition = 'slow';
  const inFlight = Array.from({ length: IN_FLIGHT }, (_, index) =>
    search(serving, apiKey, `lamp ${index} in flight`),
  );
  const isAsked = (index: number) => model.asked.includes(`lamp ${index} in flight`);
  while (!inFlight.every((_, index) => isAsked(index))) await model.nextAsked();
  const startedMs = performance.now();
  const stopped = serving.stop();
  // After the announcement of the stop, new clients find no listener; earlier ones are still answered.
  while (!serving.stderr().includes('"stopping"')) await Bun.sleep(5);
  model.condition = 'well';
  const answers = await Promise.all(inFlight);
  expect(answers.map(({ status }) => status)).toEqual(Array(IN_FLIGHT).fill(200));
  for (const answer of answers) expect(await answer.json()).toMatchObject({ count: 20 });
  // The last chunk says that nothing is missing.
  for (const { whole } of streams) expect(await whole).toEndWith('\n\n\r\n0\r\n\r\n');
  expect(await stopped).toBe(0);
  const stoppedMs = performance.now() - startedMs;
  figure(
    `${IN_FLIGHT} requests and ${STREAMS} streams: 0 truncated, exit after ${stoppedMs.toFixed(0)} ms`,
  );
  expect(stoppedMs).toBeLessThan(10_000);
  await expect(search(serving, apiKey)).rejects.toThrow();
  endpoint.close();
  const { exitCode, stdout } = await vitrine(['key', 'list', '--json', '--data', folder]);
  expect(exitCode).toBe(0);
  const used = (JSON.parse(stdout) as { lastUsedAt: string | null }[]).filter(
    ({ lastUsedAt }) => lastUsedAt !== null,
  );
  expect(used).toHaveLength(1 + STREAMS / STREAMS_OF_KEY);
}, 60_000);

test('SIGINT of a command stops it too', async () => {
  const { folder } = await initialize();
  const serving = await serveOn(folder);
  const closed = once(serving.process, 'close');
  serving.process.kill('SIGINT');
  expect((await closed)[0]).toBe(0);
});

test('a container’s first start creates organization and key from its environment', async () => {
  const folder = join(temporary.path, 'container');
  const { apiKey } = await initialize();
  const environment = { VITRINE_BOOTSTRAP_ORG: 'Container', VITRINE_BOOTSTRAP_API_KEY: apiKey };
  const serving = await serve(PROGRAM_COMMAND, ['--data', folder, '--embedder', 'off'], {
    environment,
  });
  running.push(serving);
  expect((await search(serving, apiKey)).status).toBe(200);
  expect(serving.stderr()).not.toContain(apiKey.slice(16));
});

test('takes commands before it can be asked whether it is ready, and no longer if it cannot listen', async () => {
  const folder = join(temporary.path, 'never-served');
  const flags = { listen: '127.0.0.1:0', opsListen: 'off' };
  const config = readConfig({ dataFolder: folder, flags, environment: {}, file: {} });
  const platform = fakePlatform();
  const services = await openServices({ config, platform, create: true, embedder: null });
  const path = socketPath(folder);
  const taken: boolean[] = [];
  const listen = async () => {
    taken.push(await isListening(path));
    throw new Error('in use');
  };
  const starting = startServing(services, { config, platform: { ...platform, listen } });
  expect(starting).rejects.toThrow('in use');
  await starting.catch(() => undefined);
  expect([...taken, await isListening(path)]).toEqual([true, false]);
  await services.close();
});
