import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { initializeFolder, vitrine } from '../support/command-line.ts';
import { PROGRAM_COMMAND, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DESCRIPTORS = 120;

/** How long a busy machine may take until something is as it should be. */
const PATIENCE_MS = 20_000;

const temporary = temporaryFolder();
afterAll(temporary.remove);

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error('It never came to that.');
    await Bun.sleep(20);
  }
}

test('without descriptors the listener refuses connections instead of spinning, says so once, serves who is there, and recovers by itself', async () => {
  if (process.platform !== 'linux') return;
  const folder = join(temporary.path, 'data');
  await initializeFolder(folder, '--org', 'Acme');
  const limited = ['bash', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'limited'];
  const command = [...limited, ...PROGRAM_COMMAND];
  const serving = await serve(command, ['--data', folder, '--embedder', 'off']);
  const { hostname, port } = new URL(serving.url);
  const isAnswered = () =>
    fetch(`${serving.url}/healthz`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  const inUse = () => readdirSync(`/proc/${serving.process.pid}/fd`).length;
  const unfinished = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';
  const sockets = Array.from({ length: 2 * DESCRIPTORS }, () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(unfinished);
    return socket;
  });
  await until(() => serving.stderr().includes('"event":"descriptors_exhausted"'));
  await until(async () => !(await isAnswered()));
  // What was kept back is free for the database and for operators.
  expect(inUse()).toBeLessThan(DESCRIPTORS);
  expect((await vitrine(['key', 'list', '--data', folder])).exitCode).toBe(0);
  const answers = new Set<number>();
  for (const [number, socket] of sockets.entries()) {
    socket.once('data', () => answers.add(number));
    socket.write('\r\n');
  }
  await until(() => answers.size > 0);
  for (const socket of sockets) socket.destroy();
  await until(isAnswered);
  expect(serving.stderr().match(/"event":"descriptors_exhausted"/g)).toHaveLength(1);
  expect(serving.stderr()).toContain('"event":"listening_again"');
  expect(await serving.stop()).toBe(0);
}, 60_000);
