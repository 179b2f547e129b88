import { expect, test } from 'bun:test';
import type { Cli } from '../../src/cli/command/cli.ts';
import { startProgress } from '../../src/cli/command/progress.ts';
import { SILENT } from '../support/command-line.ts';
import { fakePlatform } from '../support/fake-platform.ts';

function watched(isTerminal: boolean) {
  const clock = fakePlatform();
  const noted: string[] = [];
  const cli: Cli = { ...SILENT, clock, isTerminal, note: (text) => void noted.push(text) };
  const half = { done: 50, total: 100, stage: 'reading', count: 1000 };
  return { clock, noted, cli, half };
}

test('on a terminal: share, rows, rows per second and remaining time, and the line disappears at the end', () => {
  const { clock, noted, cli, half } = watched(true);
  const progress = startProgress(cli);
  clock.advance(2000);
  progress.update(half);
  // Drawn ten times a second at most.
  clock.advance(99);
  progress.update({ ...half, done: 51 });
  progress.end();
  expect(noted).toEqual([
    '\r████████████░░░░░░░░░░░░ reading 50 %  1000 rows  500/s  2 s left\u001b[K',
    '\r\u001b[K',
  ]);
});

test('on a terminal: lines take the place of the bar, and no bar is wider than it', () => {
  const { clock, noted, cli, half } = watched(true);
  const progress = startProgress({ ...cli, columns: 40 });
  clock.advance(2000);
  progress.update(half);
  progress.note('a.csv:2: error: …\n');
  progress.end();
  expect(noted).toEqual([
    `\r${'████████████░░░░░░░░░░░░ reading 50 %  1000 rows'.slice(0, 39)}\u001b[K`,
    '\r\u001b[K',
    'a.csv:2: error: …\n',
  ]);
});

test('elsewhere: a line every five seconds, without a share if the total is unknown', () => {
  const { clock, noted, cli, half } = watched(false);
  const progress = startProgress(cli);
  clock.advance(4999);
  progress.update(half);
  clock.advance(1);
  progress.update({ ...half, total: null });
  progress.end();
  expect(noted).toEqual(['reading  1000 rows  200/s\n']);
});

test('as JSON: a line every five seconds and one at the end', () => {
  const { clock, noted, cli, half } = watched(true);
  const progress = startProgress(cli, 'json');
  clock.advance(5000);
  progress.update(half);
  progress.update({ ...half, done: 100, count: 2000 });
  progress.end();
  expect(noted.map((line) => JSON.parse(line))).toEqual([
    { stage: 'reading', share: 0.5, count: 1000, perSecond: 200, remainingSeconds: 5 },
    { stage: 'reading', share: 1, count: 2000, perSecond: 400, remainingSeconds: 0 },
  ]);
});

test('each stage has its own rate and remaining time', () => {
  const { clock, noted, cli, half } = watched(false);
  const progress = startProgress(cli);
  clock.advance(10_000);
  progress.update(half);
  clock.advance(10_000);
  progress.update({ ...half, stage: 'importing', done: 0, count: 0 });
  clock.advance(5000);
  progress.update({ ...half, stage: 'importing' });
  expect(noted.at(-1)).toBe('importing 50 %  1000 rows  200/s  5 s left\n');
});

test('switched off it says nothing', () => {
  const { clock, noted, cli, half } = watched(true);
  const progress = startProgress(cli, 'off');
  clock.advance(60_000);
  progress.update(half);
  progress.end();
  expect(noted).toEqual([]);
});
