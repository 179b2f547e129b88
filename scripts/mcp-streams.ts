/**
 * Opens 2,000 streams of assistants at once, then 20,000 one after the other, and prints the memory of
 * the service before, meanwhile and after.
 *
 *   bun scripts/mcp-streams.ts [--binary FILE] [--open 2000] [--churn 20000]
 *
 * Clients are bare sockets: they vanish without a word, half of them with a session of the older
 * transport.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callOperator } from '../src/ops/operator-client.ts';
import { socketPath } from '../src/ops/socket-path.ts';
import { Processes, residentMb } from './bench/processes.ts';
import { findProgram, prepareData, startService } from './bench/vitrine.ts';

const STREAMS_OF_KEY = 20;
const AT_ONCE = 100;
const RETRY_MS = 20;
/** Until the service has noticed who went, and has collected what they left. */
const SETTLE_MS = 10_000;

const { values } = parseArgs({
  options: {
    binary: { type: 'string' },
    open: { type: 'string', default: '2000' },
    churn: { type: 'string', default: '20000' },
  },
});
const openCount = Number(values.open);
const churnCount = Number(values.churn);

const folder = mkdtempSync(join(tmpdir(), 'vitrine-streams-'));
const processes = new Processes();
try {
  await run();
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const program = findProgram(values.binary);
  const prepared = await prepareData(program, { data: join(folder, 'data'), copyOf: undefined });
  const service = await startService(processes, program, prepared);
  const memory = () => residentMb(service.process.pid) ?? Number.NaN;
  const keys = await makeKeys(prepared.data, Math.ceil(openCount / STREAMS_OF_KEY));
  const open = (number: number) => openStream(service.port, keys[number % keys.length]!, number);
  await churn(AT_ONCE * 10, open);
  await delay(SETTLE_MS);
  const before = memory();
  print('before', before, before);
  // The first round pays for what the service then keeps; a leak shows in the second.
  for (const round of ['first', 'second']) {
    const streams = await Promise.all(
      Array.from({ length: openCount }, (_, number) => open(number)),
    );
    print(`${round} ${streams.length} open`, memory(), before);
    const refused = await openStream(service.port, keys[0]!, 0).then(
      () => 'opened',
      (error: Error) => error.message,
    );
    console.log(`one more: ${refused}`);
    for (const stream of streams) stream.destroy();
    await delay(SETTLE_MS);
    print('all closed', memory(), before);
  }
  const startedMs = performance.now();
  await churn(churnCount, open);
  const seconds = (performance.now() - startedMs) / 1000;
  await delay(SETTLE_MS);
  print(`${churnCount} churned in ${seconds.toFixed(0)} s`, memory(), before);
}

/** Opens and closes streams, some at once, each as soon as its first bytes are there. */
async function churn(count: number, open: (number: number) => Promise<Socket>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < count; number = next++) {
      let stream: Socket | null = null;
      // A key whose former streams are still being closed has none to spare for a moment.
      while (stream === null) stream = await open(number).catch(() => delay(RETRY_MS, null));
      stream.destroy();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Resolves with the first bytes of an event stream; rejects when the answer is another one. */
function openStream(port: number, apiKey: string, number: number): Promise<Socket> {
  const version = number % 2 === 0 ? 'MCP-Protocol-Version: 2025-06-18\r\n' : '';
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\n${version}\r\n`,
      ),
    );
    let head = '';
    socket.on('data', (chunk) => {
      if (head.includes(': open')) return;
      head += chunk.toString();
      if (head.includes(': open')) resolve(socket);
      else if (!head.startsWith('HTTP/1.1 200')) {
        socket.destroy();
        reject(new Error(head.split('\r\n', 1)[0]));
      }
    });
    socket.on('error', reject);
  });
}

async function makeKeys(data: string, count: number): Promise<string[]> {
  const silent = { lines: (async function* () {})(), emit: () => undefined };
  const keys: string[] = [];
  for (let number = 0; number < count; number++) {
    const made = await callOperator(socketPath(data), 'key.create', { scopes: ['mcp'] }, silent);
    keys.push((made as { apiKey: string }).apiKey);
  }
  return keys;
}

function print(what: string, mb: number, beforeMb: number): void {
  const change = mb - beforeMb;
  console.log(
    `${what.padEnd(28)} ${mb.toFixed(1).padStart(7)} MB  ${change < 0 ? '' : '+'}${change.toFixed(1)}`,
  );
}
