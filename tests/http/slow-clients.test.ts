import { afterAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { jsonLines } from '../support/catalog.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { figure } from '../support/figure.ts';
import { PROGRAM_COMMAND, type Serving, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Of each kind; 500 in a long run, which then waits until the service has closed all of them, too. */
const COUNT = Number(process.env['VITRINE_TEST_SLOW_CLIENTS'] ?? 25);
const IS_LONG = process.env['VITRINE_TEST_SLOW_CLIENTS'] !== undefined;

/** Half a minute of silence is taken; the system adds what it tries to send to somebody who does not read. */
const CLOSED_WITHIN_MS = 180_000;

const REQUESTS = 300;

/** What the other load of a busy machine adds comes and goes; being held up by slow clients stays. */
const ROUNDS = 10;

/** What a scheduler may add to the slowest request. */
const NOISE_MS = 20;

/** Descriptions that make an answer larger than what the system takes off the service's hands (4 MiB). */
const LONG_ITEMS = Array.from({ length: 100 }, (_, index) => ({
  externalId: `${index}`,
  name: `Lamp ${index}`,
  description: `${'…'.repeat(19_000)} end`,
}));

const temporary = temporaryFolder();
afterAll(temporary.remove);

/** Sends `begun`, then `rest` every second, and never reads. */
function slowClient(port: number, { begun, rest }: { begun: string; rest: string }): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.pause();
  socket.write(begun);
  const timer = setInterval(() => rest !== '' && socket.write(rest), 1000);
  socket.once('close', () => clearInterval(timer));
  return socket;
}

/** The p99 of each service, asked in turn: what else the machine does slows down both. */
async function p99Of(services: readonly Serving[]): Promise<number[]> {
  const times = services.map((): number[] => []);
  for (let index = 0; index < REQUESTS; index++) {
    for (const [at, { url }] of services.entries()) {
      const startedMs = performance.now();
      const response = await fetch(`${url}/healthz`);
      await response.text();
      expect(response.status).toBe(200);
      times[at]!.push(performance.now() - startedMs);
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.99)]!);
}

/** Connections that a service on this port has open. */
function openConnections(port: number): number {
  const here = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const ESTABLISHED = '01';
  return lines.filter((line) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return local === here && state === ESTABLISHED;
  }).length;
}

test(`${COUNT} clients each that are slow with headers, with a body and at reading hold nobody up`, async () => {
  const folder = join(temporary.path, 'data');
  const init = ['init', '--org', 'Acme', '--data', folder] as const;
  const { apiKey } = await vitrineJson<{ apiKey: string }>(...init);
  await vitrine(['org', 'set', '--unlimited', '--data', folder]);
  const file = join(temporary.path, 'long.jsonl');
  writeFileSync(file, jsonLines(LONG_ITEMS));
  await vitrine(['catalog', 'import', file, '--data', folder]);
  const undisturbed = join(temporary.path, 'undisturbed');
  await initializeFolder(undisturbed, '--org', 'Acme');
  const [serving, control] = await Promise.all(
    [folder, undisturbed].map((data) =>
      serve(PROGRAM_COMMAND, ['--data', data, '--embedder', 'off']),
    ) as [Promise<Serving>, Promise<Serving>],
  );
  const port = Number(new URL(serving.url).port);
  const head = `Host: localhost\r\nX-API-Key: ${apiKey}\r\n`;
  const body = `${head}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`;
  const kinds = [
    { begun: `GET /healthz HTTP/1.1\r\n${head}X-Slow: `, rest: 'a' },
    { begun: `POST /rest/hits HTTP/1.1\r\n${body}`, rest: ' ' },
    { begun: `POST /mcp HTTP/1.1\r\n${body}`, rest: '' },
    { begun: `GET /rest/search/v3/?q=lamp&limit=100 HTTP/1.1\r\n${head}\r\n`, rest: '' },
  ];
  const clients = kinds.flatMap((kind) =>
    Array.from({ length: COUNT }, () => slowClient(port, kind)),
  );
  await Promise.all(clients.map((client) => once(client, 'connect')));
  // What they ask for is work, of which others have their share: their being slow is what comes after.
  await p99Of([serving]);
  let [meanwhile, without] = await p99Of([serving, control]);
  for (let round = 1; round < ROUNDS && meanwhile! >= 2 * without! + NOISE_MS; round++)
    [meanwhile, without] = await p99Of([serving, control]);
  figure(
    `p99 of another client: ${meanwhile!.toFixed(1)} ms, ${without!.toFixed(1)} ms without them`,
  );
  expect(meanwhile!).toBeLessThan(2 * without! + NOISE_MS);
  if (IS_LONG) {
    const startedMs = performance.now();
    expect(openConnections(port)).toBeGreaterThan(0);
    while (openConnections(port) > 0 && performance.now() - startedMs < CLOSED_WITHIN_MS)
      await Bun.sleep(1000);
    expect(openConnections(port)).toBe(0);
    figure(`all closed within ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  }
  for (const client of clients) client.destroy();
  expect(await Promise.all([serving.stop(), control.stop()])).toEqual([0, 0]);
}, 400_000);
