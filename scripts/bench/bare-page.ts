/**
 * A route that serves the bytes of a file and does nothing else:
 *
 *   bun scripts/bench/bare-page.ts FILE
 *
 * It prints its port when it is listening.
 */
import { readFileSync } from 'node:fs';
import { Elysia } from 'elysia';

const bytes = new Uint8Array(readFileSync(process.argv[2]!));
const headers = { 'content-type': 'text/markdown; charset=utf-8' };
const app = new Elysia()
  .get('/page', () => new Response(bytes, { headers }))
  .listen({ hostname: '127.0.0.1', port: 0 });
console.log(app.server!.port);
