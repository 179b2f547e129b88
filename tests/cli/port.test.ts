import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Line } from '../../src/cli/machine/doctor.ts';
import { initializeFolder, vitrine } from '../support/command-line.ts';
import { PROGRAM_COMMAND, run, type Serving, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COMMAND = PROGRAM_COMMAND;
const FREE = '127.0.0.1:0';

const temporary = temporaryFolder();
const folders = ['first', 'second'].map((name) => join(temporary.path, name));
const [first, second] = folders as [string, string];
let serving: Serving;

beforeAll(async () => {
  for (const folder of folders) await initializeFolder(folder, '--org', 'Acme');
});
afterAll(temporary.remove);

afterEach(async () => {
  expect(await serving.stop()).toBe(0);
});

function serveFirst(): Promise<Serving> {
  return serve(COMMAND, ['--data', first, '--embedder', 'off']);
}

test('a second vitrine refuses a port that a first one has, with one line and exit code 69', async () => {
  serving = await serveFirst();
  const [port, operatorPort] = [serving.url, serving.operatorUrl!].map((url) => new URL(url).port);
  for (const [listen, opsListen] of [
    [`127.0.0.1:${port}`, FREE],
    [`0.0.0.0:${port}`, FREE],
    [FREE, `127.0.0.1:${operatorPort}`],
  ] as const) {
    const flags = ['--listen', listen, '--ops-listen', opsListen, '--embedder', 'off'];
    const { exitCode, stderr } = await run(COMMAND, ['serve', '--data', second, ...flags]);
    expect([listen, opsListen, exitCode, stderr]).toEqual([
      listen,
      opsListen,
      69,
      'vitrine: Another program is listening on that address: choose another with --listen or --ops-listen.\n',
    ]);
  }
}, 60_000);

/** What doctor says of that address with the second data folder. */
async function portLineFor(listen: string): Promise<Line> {
  const flags = ['--json', '--data', second, '--listen', listen, '--embedder', 'off'];
  const { stdout } = await vitrine(['doctor', ...flags]);
  const { checks } = JSON.parse(stdout) as { checks: Line[] };
  return checks.find(({ name }) => name === 'port')!;
}

test('doctor tells the service of its data folder from another vitrine', async () => {
  serving = await serveFirst();
  const own = await serve(COMMAND, ['--data', second, '--embedder', 'off']);
  const [other, address] = [serving, own].map(({ url }) => new URL(url).host) as [string, string];
  expect(await portLineFor(address)).toMatchObject({ state: 'ok' });
  expect(await portLineFor(other)).toMatchObject({
    state: 'warn',
    message: `the service listens on http://${address}, not on ${other}`,
  });
  expect(await own.stop()).toBe(0);
}, 60_000);

test('doctor says that another vitrine has the port, and a port is free again once its service has stopped', async () => {
  serving = await serveFirst();
  const listen = new URL(serving.url).host;
  const portLine = () => portLineFor(listen);
  expect(await portLine()).toMatchObject({
    state: 'fail',
    message: `another program is listening on ${listen}`,
  });
  // A connection of the service that ends lingers in the system, and must not keep the port.
  await (await fetch(`${serving.url}/healthz`)).text();
  await serving.stop();
  expect(await portLine()).toMatchObject({ state: 'ok', message: `${listen} is free` });
  serving = await serve(COMMAND, ['--data', second, '--embedder', 'off', '--listen', listen]);
  expect((await fetch(`http://${listen}/healthz`)).status).toBe(200);
}, 60_000);
