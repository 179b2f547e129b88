import { expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../src/domain/errors.ts';
import { lockFolder } from '../../src/storage/engine/lock.ts';
import { freshPath } from './open.ts';

const HOLDER = new URL('./hold-lock.ts', import.meta.url).pathname;

/** Another process that holds the lock by the time this resolves; `kill` as with `kill -9`. */
async function holdElsewhere(path: string): Promise<{ kill(): Promise<void> }> {
  const holder = spawn(process.execPath, [HOLDER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  return {
    async kill() {
      const closed = once(holder, 'close');
      holder.kill('SIGKILL');
      await closed;
    },
  };
}

async function codeOf(path: string): Promise<string> {
  const error = await lockFolder(path).catch((thrown: unknown) => thrown);
  return error instanceof AppError ? error.code : 'none';
}

test('while one process holds the folder no other can, until the first is killed', async () => {
  const path = freshPath();
  const holder = await holdElsewhere(path);
  expect(await codeOf(path)).toBe('already_running');
  await holder.kill();
  await (await lockFolder(path)).release();
});

test('a released folder is free at once, again and again', async () => {
  const path = freshPath();
  for (let round = 0; round < 3; round++) {
    const lock = await lockFolder(path);
    expect(await codeOf(path)).toBe('already_running');
    await lock.release();
  }
  const holder = await holdElsewhere(path);
  await holder.kill();
});

test('the lock is where its path says, whatever characters that has', async () => {
  const path = freshPath('a#b ?c%.lock');
  const lock = await lockFolder(path);
  expect(existsSync(path)).toBe(true);
  await lock.release();
});

test('a lock that fails for another reason is not reported as held', async () => {
  const folder = freshPath();
  mkdirSync(folder);
  const text = join(folder, 'text.lock');
  writeFileSync(text, 'this is no lock file. '.repeat(50));
  expect([await codeOf(folder), await codeOf(join(folder, 'absent', 'x.lock'))]).toEqual([
    'unavailable',
    'unavailable',
  ]);
  expect(await codeOf(text)).toBe('unavailable');
});
