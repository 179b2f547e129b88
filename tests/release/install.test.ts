import { afterAll, beforeEach, expect, test } from 'bun:test';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostTarget } from '../../scripts/binary/targets.ts';
import { checksums } from '../../scripts/release/components.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/release/install.sh', import.meta.url));
const NAME = `vitrine-${hostTarget().name}`;

const temporary = temporaryFolder();
afterAll(temporary.remove);
let release: string;
let target: string;
let count = 0;

beforeEach(() => {
  const folder = join(temporary.path, `${++count}`);
  release = join(folder, 'release');
  target = join(folder, 'bin');
  mkdirSync(release, { recursive: true });
  cpSync(SCRIPT, join(release, 'install.sh'));
  writeFileSync(join(release, NAME), '#!/bin/sh\necho 9.9.9\n');
  writeFileSync(join(release, 'SHA256SUMS'), checksums(release));
});

/** Exit code and everything that was printed. */
async function install(...args: string[]): Promise<[number | null, string]> {
  const child = spawn('sh', [join(release, 'install.sh'), '--to', target, ...args]);
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  child.stderr.on('data', (text) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, said];
}

test('installs the binary for this machine from the folder beside it, ready to run', async () => {
  const [code, said] = await install();
  expect([code, said]).toEqual([0, expect.stringContaining('installed 9.9.9')]);
  expect(execFileSync(join(target, 'vitrine'), { encoding: 'utf8' })).toBe('9.9.9\n');
  expect(readdirSync(target)).toEqual(['vitrine']);
});

test('installs from an address, and replaces the version before', async () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => new Response(Bun.file(join(release, new URL(request.url).pathname))),
  });
  mkdirSync(target);
  writeFileSync(join(target, 'vitrine'), 'the version before');
  expect((await install(`http://127.0.0.1:${server.port}`))[0]).toBe(0);
  expect(readFileSync(join(target, 'vitrine'), 'utf8')).toContain('9.9.9');
  await server.stop(true);
});

test.each([
  [
    'a binary of one byte more',
    () => writeFileSync(join(release, NAME), '#!/bin/sh\necho 9.9.9\n\n'),
    'nothing was installed',
  ],
  ['no checksum for it', () => writeFileSync(join(release, 'SHA256SUMS'), ''), 'does not list'],
  [
    'a checksum of another name that ends alike',
    () => writeFileSync(join(release, 'SHA256SUMS'), checksums(release).replace(NAME, `x${NAME}`)),
    'does not list',
  ],
])('%s: installs nothing, says so, and leaves what is there', async (_, damage, words) => {
  mkdirSync(target);
  writeFileSync(join(target, 'vitrine'), 'the version before');
  damage();
  const [code, said] = await install();
  expect([code, said]).toEqual([1, expect.stringContaining(words)]);
  expect(readFileSync(join(target, 'vitrine'), 'utf8')).toBe('the version before');
  expect(readdirSync(target)).toEqual(['vitrine']);
});

test('refuses an address that anybody on the way could change', async () => {
  const [code, said] = await install('http://downloads.example/vitrine');
  expect([code, said]).toEqual([1, expect.stringContaining('only https')]);
  expect(existsSync(target)).toBe(false);
});
