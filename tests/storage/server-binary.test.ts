import { afterAll, expect, test } from 'bun:test';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServerBinary } from '../support/server-binary.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/* Stand-ins for the binary of a libSQL server, which the tests can run against (`VITRINE_TEST_SERVER`). */

const { path, remove } = temporaryFolder();
afterAll(remove);

function program(name: string, text: string): string {
  const file = join(path, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const messageOf = (starting: Promise<unknown>) =>
  starting.then(
    () => 'it started',
    (error: Error) => error.message,
  );

test('a server binary that does not start is said in one line, with the reason', async () => {
  const ending = program(
    'ending',
    '#!/bin/sh\necho starting >&2\necho "error: no luck" >&2\nexit 2\n',
  );
  const killed = program('killed', '#!/bin/sh\nkill -9 $$\n');
  const silent = program('silent', '#!/bin/sh\nexec sleep 60\n');
  const missing = join(path, 'missing');
  expect(await messageOf(startServerBinary(ending, path))).toBe(
    `The server binary ${ending} does not start: exit code 2: error: no luck`,
  );
  expect(await messageOf(startServerBinary(killed, path))).toBe(
    `The server binary ${killed} does not start: SIGKILL`,
  );
  expect(await messageOf(startServerBinary(silent, path, { readyMs: 200 }))).toMatch(
    /^The server binary \S+silent does not start: no answer at http:\S+\/v2 within 0\.2 s$/,
  );
  expect(await messageOf(startServerBinary(missing, path))).toMatch(
    /^The server binary \S+missing does not start: .*ENOENT.*$/,
  );
});

test('a server binary is given its folder and its address, and is gone after the test', async () => {
  const asked = join(path, 'asked.json');
  const serving = program(
    'serving',
    `#!${process.execPath}
    const args = process.argv.slice(2);
    require('node:fs').writeFileSync(${JSON.stringify(asked)}, JSON.stringify(args));
    const [hostname, port] = args[args.indexOf('--http-listen-addr') + 1].split(':');
    Bun.serve({ hostname, port: Number(port), fetch: () => new Response('Hello') });
    `,
  );
  const server = await startServerBinary(serving, path);
  expect(JSON.parse(readFileSync(asked, 'utf8'))).toEqual([
    ...['--db-path', join(path, 'data.sqld')],
    ...['--http-listen-addr', server.url.replace('http://', ''), '--no-welcome'],
  ]);
  await server.close();
  await expect(fetch(server.url)).rejects.toThrow();
});
