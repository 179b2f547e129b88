import { expect, test } from 'bun:test';
import { VectorProgress } from '../../../src/operations/indexes/vector-progress.ts';
import { type FakePlatform, fakePlatform } from '../../support/fake-platform.ts';

function begin(): { platform: FakePlatform; progress: VectorProgress } {
  const platform = fakePlatform();
  return { platform, progress: new VectorProgress(platform.monotonicMs) };
}

function work(
  { platform, progress }: ReturnType<typeof begin>,
  { batches, texts, ms }: { batches: number; texts: number; ms: number },
): void {
  for (let batch = 0; batch < batches; batch++) {
    progress.begin(texts);
    platform.advance(ms);
    progress.end(texts);
  }
}

test('nothing is claimed before the first batch, and nothing remains when nothing is left', () => {
  const { progress } = begin();
  expect([progress.left, progress.perSecond, progress.remainingSeconds]).toEqual([
    null,
    null,
    null,
  ]);
  progress.left = 100;
  expect([progress.left, progress.remainingSeconds]).toEqual([100, null]);
  progress.left = 0;
  expect(progress.remainingSeconds).toBe(0);
});

test('the remaining time follows the recent pace, not the average since the start', () => {
  const measured = begin();
  const { progress } = measured;
  progress.left = 100_000;
  work(measured, { batches: 100, texts: 64, ms: 640 });
  expect([progress.left, progress.perSecond, progress.remainingSeconds]).toEqual([
    93_600, 100, 936,
  ]);
  work(measured, { batches: 16, texts: 64, ms: 6400 });
  expect([progress.left, progress.perSecond, progress.remainingSeconds]).toEqual([
    92_576, 10, 9258,
  ]);
});

test('a batch that takes longer than usual counts before it has ended', () => {
  const measured = begin();
  const { platform, progress } = measured;
  progress.left = 640 + 64;
  work(measured, { batches: 1, texts: 64, ms: 640 });
  progress.begin(64);
  expect(progress.remainingSeconds).toBe(7);
  platform.advance(640);
  expect(progress.remainingSeconds).toBe(7);
  platform.advance(12_160);
  expect(progress.remainingSeconds).toBe(68);
});

test('it is never negative, nor absurd where no time has passed', () => {
  const measured = begin();
  const { progress } = measured;
  progress.left = 10;
  work(measured, { batches: 1, texts: 64, ms: 0 });
  expect([progress.left, progress.remainingSeconds]).toEqual([0, 0]);
  progress.left = 10;
  expect([progress.perSecond, progress.remainingSeconds]).toEqual([null, null]);
});

test('after a failure, and once another instance may do the work, nothing is claimed', () => {
  const measured = begin();
  const { platform, progress } = measured;
  progress.left = 1000;
  work(measured, { batches: 4, texts: 64, ms: 640 });
  progress.begin(64);
  progress.end(null);
  expect([progress.left, progress.remainingSeconds]).toEqual([744, null]);
  work(measured, { batches: 1, texts: 64, ms: 640 });
  expect(progress.remainingSeconds).toBe(7);
  platform.advance(60_000);
  expect(progress.left).toBe(680);
  platform.advance(1);
  expect([progress.left, progress.remainingSeconds]).toEqual([null, null]);
});
