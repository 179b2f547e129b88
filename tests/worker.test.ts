import { expect, test } from 'bun:test';
import { AppError } from '../src/domain/errors.ts';
import { runLoop } from '../src/worker.ts';
import { fakePlatform } from './support/fake-platform.ts';

const IDLE_MS = 100;

/** Lets every pending task run. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

function start(task: (round: number) => Promise<boolean>, idleMs = IDLE_MS) {
  const platform = fakePlatform();
  const stopping = new AbortController();
  let rounds = 0;
  const loop = { name: 'test', idleMs, platform, signal: stopping.signal };
  const ended = runLoop(loop, () => task(++rounds));
  return { platform, stopping, ended, rounds: () => rounds };
}

test('runs again at once after finding work, and after a pause otherwise', async () => {
  const { platform, stopping, ended, rounds } = start(async (round) => round < 3);
  await settle();
  expect(rounds()).toBe(3);
  platform.advance(IDLE_MS - 1);
  await settle();
  expect(rounds()).toBe(3);
  platform.advance(1);
  await settle();
  expect(rounds()).toBe(4);
  stopping.abort();
  await ended;
});

test('never runs the task twice at once', async () => {
  let running = 0;
  let most = 0;
  const { stopping, ended, rounds } = start(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return true;
  });
  while (rounds() < 10) await settle();
  stopping.abort();
  await ended;
  expect(most).toBe(1);
});

test('logs a failure with its cause and retries after growing pauses, up to 64 idle pauses', async () => {
  const { platform, stopping, ended, rounds } = start(async () => {
    throw new AppError('unavailable', 'for callers', { cause: new Error('for operators') });
  });
  const pauses: number[] = [];
  for (let failures = 1; failures <= 8; failures++) {
    await settle();
    expect(rounds()).toBe(failures);
    let waitedMs = 0;
    while (rounds() === failures) {
      platform.advance(IDLE_MS);
      waitedMs += IDLE_MS;
      await settle();
    }
    pauses.push(waitedMs / IDLE_MS);
  }
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 64, 64]);
  const [first] = platform.logged;
  expect(first).toEqual({
    level: 'error',
    event: 'loop_failed',
    fields: { name: 'test', failures: 1, cause: 'Error: for operators' },
  });
  stopping.abort();
  await ended;
});

test.each([
  [45_000, 60_000],
  [600_000, 600_000],
])('retries a task with an idle pause of %i ms after %i ms', async (idleMs, waitMs) => {
  const { platform, stopping, ended, rounds } = start(async () => {
    throw new Error('always');
  }, idleMs);
  for (let failures = 1; failures <= 3; failures++) {
    await settle();
    platform.advance(waitMs - 1);
    await settle();
    expect(rounds()).toBe(failures);
    platform.advance(1);
    await settle();
  }
  expect(rounds()).toBe(4);
  stopping.abort();
  await ended;
});

test('a success resets the pause', async () => {
  const { platform, stopping, ended } = start(async (round) => {
    if (round !== 2) throw new Error('again');
    return false;
  });
  await settle();
  platform.advance(2 * IDLE_MS);
  await settle();
  platform.advance(IDLE_MS);
  await settle();
  expect(platform.logged.map(({ fields }) => fields['failures'])).toEqual([1, 1]);
  stopping.abort();
  await ended;
});

test('an abort during a pause ends the loop at once', async () => {
  const { stopping, ended, rounds } = start(async () => false);
  await settle();
  stopping.abort();
  await ended;
  expect(rounds()).toBe(1);
});

test('an abort during a run ends the loop after it, and a failure of that run is not logged as an error', async () => {
  const { platform, stopping, ended, rounds } = start(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    throw new Error('aborted');
  });
  await ended;
  expect([rounds(), platform.logged.length]).toEqual([1, 0]);
});

test('a loop whose signal is already aborted does nothing', async () => {
  const platform = fakePlatform();
  const loop = { name: 'test', idleMs: 1, platform, signal: AbortSignal.abort() };
  await runLoop(loop, () => Promise.reject(new Error('ran')));
  expect(platform.logged).toEqual([]);
});
