import { expect, test } from 'bun:test';
import { paced } from '../../../src/operations/upkeep/paced.ts';

/** A clock that work and rests move. */
function clock() {
  const time = { nowMs: 0 };
  const platform = {
    monotonicMs: () => time.nowMs,
    sleep: async (ms: number) => {
      time.nowMs += ms;
    },
    yield: async () => undefined,
  };
  return { time, platform };
}

test.each([0.02, 5, 40])('slices of %d ms take a tenth of the time', async (sliceMs) => {
  const { time, platform } = clock();
  const pause = paced(platform, new AbortController().signal);
  for (let count = 0; count < 1000; count++) {
    time.nowMs += sliceMs;
    await pause();
  }
  expect((sliceMs * 1000) / time.nowMs).toBeCloseTo(0.1, 2);
});

test('work takes the share of the time that it is given for each slice', async () => {
  const { time, platform } = clock();
  const pause = paced(platform, new AbortController().signal, () =>
    time.nowMs < 500 ? 0.02 : 0.5,
  );
  for (const endMs of [500, 510, 520]) {
    time.nowMs += endMs === 500 ? 10 : 5;
    await pause();
    expect(time.nowMs).toBe(endMs);
  }
});

test('work ends at its next pause once the service stops', async () => {
  const stopping = new AbortController();
  const pause = paced(clock().platform, stopping.signal);
  await pause();
  stopping.abort();
  expect(pause()).rejects.toThrow();
});
