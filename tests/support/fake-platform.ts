import { createHash } from 'node:crypto';
import type { LogLevel, Platform } from '../../src/platform.ts';

export interface LogLine {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface FakePlatform extends Platform {
  /** Everything logged so far. */
  readonly logged: readonly LogLine[];
  /** Advances both clocks and wakes every sleeper whose time has come. */
  advance(ms: number): void;
  /** Moves only the wall clock, as an operator or NTP does. */
  setWallClock(ms: number): void;
}

interface Sleeper {
  readonly dueMs: number;
  wake(): void;
}

const START_MS = Date.UTC(2026, 0, 1);

/**
 * Time moves only when a test advances it, ids and secrets count up, and the test can read the log.
 * Each instance on the same data has a number, and thus its own ids and secrets.
 */
export function fakePlatform(instance = 0): FakePlatform {
  const logged: LogLine[] = [];
  let wallMs = START_MS;
  let monotonicMs = 0;
  let idCount = 0;
  let secretCount = 0;
  let sleepers: readonly Sleeper[] = [];
  return {
    logged,
    advance(ms) {
      wallMs += ms;
      monotonicMs += ms;
      const due = sleepers.filter(({ dueMs }) => dueMs <= monotonicMs);
      sleepers = sleepers.filter((sleeper) => !due.includes(sleeper));
      for (const { wake } of due) wake();
    },
    setWallClock(ms) {
      wallMs = ms;
    },
    now: () => wallMs,
    monotonicMs: () => monotonicMs,
    newId: () => uuidV7(wallMs, instance * 2 ** 32 + ++idCount),
    randomBytes: (count) =>
      pseudoRandomBytes(`${instance === 0 ? '' : `${instance}/`}${++secretCount}`, count),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sleeper = { dueMs: monotonicMs + ms, wake: resolve };
        sleepers = [...sleepers, sleeper];
        signal.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          resolve();
        });
      }),
    yield: () => new Promise((resolve) => setImmediate(resolve)),
    log: (level, event, fields = {}) => void logged.push({ level, event, fields }),
    usage: () => ({ residentBytes: 1, heapBytes: 1, cpuSeconds: 1 }),
    memoryBytes: () => 1024 ** 3,
    coreCount: () => 2,
    ownCommand: ['/usr/local/bin/vitrine'],
    runSelf: () => Promise.reject(new Error('The fake platform runs no processes.')),
    listen: () => Promise.reject(new Error('The fake platform has no network.')),
  };
}

/** A well-formed UUIDv7 for that time, made unique by its count. */
function uuidV7(ms: number, count: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count.toString(16).padStart(12, '0')}`;
}

/** The same bytes for the same seed. No test can guess them by accident. */
function pseudoRandomBytes(seed: string, count: number): Uint8Array {
  const bytes: number[] = [];
  for (let block = 0; bytes.length < count; block++) {
    bytes.push(...createHash('sha256').update(`${seed}.${block}`).digest());
  }
  return Uint8Array.from(bytes.slice(0, count));
}
