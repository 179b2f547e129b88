import { afterAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { join } from 'node:path';
import { initializeFolder } from '../support/command-line.ts';
import { figure } from '../support/figure.ts';
import { PROGRAM_COMMAND, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CLIENTS = 200;

const temporary = temporaryFolder();
afterAll(temporary.remove);

interface KeptConnection {
  /** Requests that were answered whole. */
  answers: number;
  /** How it ended: told to close, closed between two requests, or reset with a request unanswered. */
  readonly end: Promise<'told' | 'idle' | 'reset'>;
}

/** Sends one request after the other on one connection until it is told to close it. */
function keepAsking(url: string): KeptConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const ask = () => socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let answer = '';
  let isTold = false;
  const kept = { answers: 0 };
  const end = new Promise<'told' | 'idle' | 'reset'>((resolve) => {
    socket.on('close', () => resolve(isTold ? 'told' : answer === '' ? 'idle' : 'reset'));
  });
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
    if (!answer.endsWith('{"status":"ok"}')) return;
    kept.answers += 1;
    isTold = /^connection: close\r$/im.test(answer);
    if (isTold) return;
    answer = 'asked';
    ask();
  });
  answer = 'asked';
  ask();
  return Object.assign(kept, { end });
}

test(`SIGTERM: of ${CLIENTS} clients that keep their connection and ask on and on, each is answered and told to close it`, async () => {
  const folder = join(temporary.path, 'data');
  await initializeFolder(folder, '--org', 'Acme');
  const serving = await serve(PROGRAM_COMMAND, [...['--data', folder, '--embedder', 'off']]);
  const clients = Array.from({ length: CLIENTS }, () => keepAsking(serving.url));
  while (!clients.every(({ answers }) => answers > 0)) await Bun.sleep(5);
  const startedMs = performance.now();
  const stopped = serving.stop();
  const ends = await Promise.all(clients.map(({ end }) => end));
  expect(await stopped).toBe(0);
  const stoppedMs = performance.now() - startedMs;
  const reset = ends.filter((end) => end === 'reset').length;
  figure(`${CLIENTS} kept connections: ${reset} reset, exit after ${stoppedMs.toFixed(0)} ms`);
  expect(ends).toEqual(Array(CLIENTS).fill('told'));
  expect(stoppedMs).toBeLessThan(10_000);
}, 60_000);
