import { afterAll, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeSocketPath, socketPath } from '../../src/operator/socket-path.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

let count = 0;

/** A data folder whose socket has to lie elsewhere. */
function longFolder(): string {
  const folder = join(temporary.path, 'long-'.repeat(20), `data-${++count}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

test('the socket of a long data path lies in a folder that is its owner’s alone', () => {
  const path = makeSocketPath(longFolder());
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  rmSync(dirname(path), { recursive: true });
});

test.each<[string, (folder: string) => void]>([
  [
    'others may write to',
    (folder) => {
      mkdirSync(folder);
      chmodSync(folder, 0o777);
    },
  ],
  ['is a link to another', (folder) => symlinkSync(temporary.path, folder)],
])('a folder in its place that %s is refused, by who listens and by who calls', (_, make) => {
  const dataFolder = longFolder();
  const own = dirname(socketPath(dataFolder));
  make(own);
  expect(() => makeSocketPath(dataFolder)).toThrow('Other users have access to');
  expect(() => socketPath(dataFolder)).toThrow('Other users have access to');
  rmSync(own, { recursive: true });
  expect(socketPath(dataFolder)).toStartWith(own);
});
