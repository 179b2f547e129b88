import { afterAll, beforeAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { BODY_BYTES_MAX } from '../../src/operations/tenants/body-budget.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { PROGRAM_COMMAND, type Serving, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MIB = 1024 * 1024;
const BODY_BYTES = 4 * MIB;

/** How long a busy machine may take until something is as it should be. */
const PATIENCE_MS = 10_000;

const temporary = temporaryFolder();
const folder = join(temporary.path, 'data');
let serving: Serving;
let apiKey = '';
let otherKey = '';

beforeAll(async () => {
  ({ apiKey } = await initializeFolder<{ apiKey: string }>(folder, '--org', 'Acme'));
  const create = ['key', 'create', '--data', folder] as const;
  ({ apiKey: otherKey } = await vitrineJson<{ apiKey: string }>(...create));
  await vitrine(['org', 'set', '--unlimited', '--data', folder]);
  const flags = ['--data', folder, '--embedder', 'off'];
  serving = await serve(PROGRAM_COMMAND, flags);
}, 60_000);

afterAll(async () => {
  await serving.stop();
  temporary.remove();
});

type Framing = 'sized' | 'chunked';

/** Sends all of a body but its end, and then holds on. */
function hold(framing: Framing, bytes: number): Socket {
  const { hostname, port } = new URL(serving.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const length = framing === 'sized' ? `Content-Length: ${bytes}` : 'Transfer-Encoding: chunked';
  const head = `Host: localhost\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`;
  socket.write(`POST /mcp HTTP/1.1\r\n${head}${length}\r\n\r\n`);
  if (framing === 'chunked') socket.write(`${bytes.toString(16)}\r\n`);
  socket.write(Buffer.alloc(bytes - 1, ' '));
  return socket;
}

function ping(key: string): Promise<Response> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  return fetch(`${serving.url}/mcp`, { method: 'POST', headers, body });
}

async function bytesInFlight(): Promise<number> {
  const metrics = await (await fetch(`${serving.operatorUrl}/metrics`)).text();
  return Number(/^vitrine_body_bytes (\d+)$/m.exec(metrics)![1]);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error('It never came to that.');
    await Bun.sleep(5);
  }
}

test.each<Framing>(['sized', 'chunked'])(
  '503: %s bodies beyond the budget of a key wait outside, others are answered, and aborted ones make room at once',
  async (framing) => {
    const held = Array.from({ length: BODY_BYTES_MAX.key / BODY_BYTES }, () =>
      hold(framing, BODY_BYTES),
    );
    // A body of unknown length counts as what has come of it: all but its last byte.
    await until(async () => (await bytesInFlight()) >= BODY_BYTES_MAX.key - held.length);
    const refused = framing === 'sized' ? await ping(apiKey) : await refusalOf(hold(framing, MIB));
    if (refused instanceof Response) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await refused.json()).toMatchObject({
        id: null,
        error: { code: -32000, data: { code: 'unavailable' } },
      });
    } else {
      expect(refused).toStartWith('HTTP/1.1 503 ');
    }
    expect((await ping(otherKey)).status).toBe(200);
    for (const socket of held) socket.destroy();
    await until(async () => (await bytesInFlight()) === 0);
    expect((await ping(apiKey)).status).toBe(200);
  },
  30_000,
);

test('many refused uploads at once are cut off, since receiving them would slow down others', async () => {
  let closedCount = 0;
  const sockets = Array.from({ length: 30 }, () =>
    hold('sized', BODY_BYTES)
      .resume()
      .once('close', () => (closedCount += 1)),
  );
  // Four are held, and at least eight others received.
  await until(async () => closedCount >= 12);
  expect((await ping(otherKey)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await bytesInFlight()) === 0);
}, 60_000);

async function refusalOf(socket: Socket): Promise<string> {
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString('latin1');
}
