/**
 * A libSQL server in its own process: the tests' stand-in, or the server binary that the second
 * argument names, behind a proxy. Each line of standard input sets a distance in milliseconds, by
 * which every later request is delayed. The reply to it is the number of requests so far. The first
 * line of standard output is the address.
 */
import { createInterface } from 'node:readline';
import { startLibsqlServer } from '../../tests/support/libsql-server.ts';
import { startServerBinary } from '../../tests/support/server-binary.ts';

interface DistantServer {
  readonly url: string;
  readonly requests: number;
  distanceMs: number;
  close(): Promise<void>;
}

const [path, binary] = process.argv.slice(2);
const server =
  binary === undefined
    ? await startLibsqlServer({ path: path! })
    : await startDistantBinary(binary, path!);
console.log(server.url);
for await (const line of createInterface({ input: process.stdin })) {
  server.distanceMs = Number(line);
  console.log(server.requests);
}
// Whoever measures has ended.
await server.close();

async function startDistantBinary(program: string, folder: string): Promise<DistantServer> {
  const target = await startServerBinary(program, folder);
  const state = { requests: 0, distanceMs: 0 };
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      state.requests += 1;
      await Bun.sleep(state.distanceMs);
      const { pathname } = new URL(request.url);
      return fetch(target.url + pathname, {
        method: request.method,
        headers: request.headers,
        decompress: false,
        ...(request.method === 'POST' && { body: await request.bytes() }),
      });
    },
  });
  return Object.assign(state, {
    url: `http://127.0.0.1:${proxy.port}`,
    async close() {
      await proxy.stop(true);
      await target.close();
    },
  });
}
