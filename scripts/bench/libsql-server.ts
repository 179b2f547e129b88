/**
 * A stand-in for a libSQL server in its own process. Each line of standard input sets a distance in
 * milliseconds, by which every later request is delayed. The reply to it is the number of requests
 * so far. The first line of standard output is the address.
 */
import { createInterface } from 'node:readline';
import { startLibsqlServer } from '../../tests/support/libsql-server.ts';

const [path] = process.argv.slice(2);
const server = await startLibsqlServer({ path: path! });
console.log(server.url);
for await (const line of createInterface({ input: process.stdin })) {
  server.distanceMs = Number(line);
  console.log(server.requests);
}
// Whoever measures has ended.
await server.close();
