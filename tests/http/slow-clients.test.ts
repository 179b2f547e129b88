import { afterAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { vitrineJson } from '../support/command-line.ts';
import { SOURCE_COMMAND, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Of each kind; 500 in a long run, which then waits until all of them are closed, too. */
const COUNT = Number(process.env['VITRINE_TEST_SLOW_CLIENTS'] ?? 25);
const IS_LONG = process.env['VITRINE_TEST_SLOW_CLIENTS'] !== undefined;

/** Silence that the service takes, and some for a busy machine. */
const CLOSED_WITHIN_MS = 60_000;

const REQUESTS = 300;

/** What a scheduler of a busy machine may add to the slowest request. */
const NOISE_MS = 20;

const temporary = temporaryFolder();
afterAll(temporary.remove);

/** Sends `begun`, then a byte of `rest` every second, and never reads. */
function slowClient(port: number, { begun, rest }: { begun: string; rest: string }): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.pause();
  socket.write(begun);
  const timer = setInterval(() => rest !== '' && socket.write(rest), 1000);
  socket.once('close', () => clearInterval(timer));
  return socket;
}

async function p99Of(url: string): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < REQUESTS; index++) {
    const startedMs = performance.now();
    const response = await fetch(`${url}/healthz`);
    await response.text();
    expect(response.status).toBe(200);
    times.push(performance.now() - startedMs);
  }
  return times.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.99)]!;
}

test(`${COUNT} clients each that are slow with headers, with a body and at reading hold nobody up`, async () => {
  const folder = join(temporary.path, 'data');
  const { apiKey } = await vitrineJson<{ apiKey: string }>(
    'init',
    '--org',
    'Acme',
    '--data',
    folder,
  );
  const serving = await serve(SOURCE_COMMAND, ['--data', folder, '--embedder', 'off']);
  const port = Number(new URL(serving.url).port);
  const before = await p99Of(serving.url);
  const head = `Host: localhost\r\nX-API-Key: ${apiKey}\r\n`;
  const body = `${head}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`;
  const kinds = [
    { begun: `GET /healthz HTTP/1.1\r\n${head}X-Slow: `, rest: 'a' },
    { begun: `POST /rest/hits HTTP/1.1\r\n${body}`, rest: '' },
    { begun: `GET /openapi.json HTTP/1.1\r\n${head}\r\n`.repeat(50), rest: '' },
  ];
  const clients = kinds.flatMap((kind) =>
    Array.from({ length: COUNT }, () => slowClient(port, kind)),
  );
  await Promise.all(clients.map((client) => once(client, 'connect')));
  expect(await p99Of(serving.url)).toBeLessThan(2 * before + NOISE_MS);
  if (IS_LONG) {
    for (const client of clients) client.resume();
    const closed = Promise.all(clients.map((client) => client.closed || once(client, 'close')));
    const late = Bun.sleep(CLOSED_WITHIN_MS).then(() => 'late');
    expect(await Promise.race([closed.then(() => 'closed'), late])).toBe('closed');
  }
  for (const client of clients) client.destroy();
  expect(await serving.stop()).toBe(0);
}, 120_000);
