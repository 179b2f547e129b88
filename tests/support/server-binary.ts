import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Started, start } from './processes.ts';

/** Generous: a server that has just been built may be slow at its first start. */
const READY_MS = 20_000;

const POLL_MS = 20;

export interface ServerProcess {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Kills the process. */
  close(): Promise<void>;
}

interface ServerBinaryOptions {
  /** How long the server may take to answer. */
  readonly readyMs?: number;
  /** A free port if omitted. */
  readonly port?: number;
}

/**
 * Starts a libSQL server's own binary (sqld) with its database in `folder`. Throws an error of one
 * line when it does not start. The options are sqld's
 * (https://github.com/tursodatabase/libsql, libsql-server); `GET /v2` is how the Hrana protocol says to
 * ask whether a server speaks its version 2.
 */
export async function startServerBinary(
  binary: string,
  folder: string,
  { readyMs = READY_MS, port }: ServerBinaryOptions = {},
): Promise<ServerProcess> {
  const address = `127.0.0.1:${port ?? (await findFreePort())}`;
  const server = start(
    [binary],
    ['--db-path', join(folder, 'data.sqld'), '--http-listen-addr', address, '--no-welcome'],
  );
  const ended = endOf(server);
  const url = `http://${address}`;
  const close = async () => {
    // Its folder goes with it, and sqld waits up to 30 s for connections that are open.
    server.process.kill('SIGKILL');
    await ended;
  };
  let end: string | null = null;
  void ended.then((how) => (end = how));
  const giveUpAt = performance.now() + readyMs;
  while (!(await isReady(url))) {
    if (end === null && performance.now() < giveUpAt) {
      await delay(POLL_MS);
      continue;
    }
    const why = end ?? `no answer at ${url}/v2 within ${readyMs / 1000} s`;
    await close();
    throw new Error(`The server binary ${binary} does not start: ${why}`);
  }
  return { url, close };
}

/** Describes how a process ended, in one line. Never rejects. */
async function endOf(server: Started): Promise<string> {
  try {
    const [code, signal] = (await once(server.process, 'close')) as [number | null, string | null];
    const lastLine = server.stderr().trim().split('\n').at(-1) ?? '';
    return `${code === null ? signal : `exit code ${code}`}${lastLine === '' ? '' : `: ${lastLine}`}`;
  } catch (error) {
    // The file is missing or not executable.
    return (error as Error).message;
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/v2`).catch(() => null);
  return answer?.ok === true;
}

async function findFreePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
