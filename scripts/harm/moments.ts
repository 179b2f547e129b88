import type { Sight } from './watch.ts';

/** A moment of a program's work, told by what it has done and not by the time. */
export interface Moment {
  readonly name: string;
  /** `begin`: as the work began; `whole`: the most that was seen of work that nobody killed. */
  isReached(now: Sight, begin: Sight, whole: Sight): boolean;
}

/** A part of what the work writes in all. */
export const written = (share: number): Moment => ({
  name: `${percent(share)} written`,
  isReached: (now, begin, whole) =>
    now.writtenBytes - begin.writtenBytes >= share * (whole.writtenBytes - begin.writtenBytes),
});

/** A part of what the threads that build an index compute in all. */
export const built = (share: number): Moment => ({
  name: `${percent(share)} built`,
  isReached: ({ threads }, _, whole) =>
    threads.length > 0 && sum(threads) >= share * sum(whole.threads),
});

export const threadsAtWork = (count: number): Moment => ({
  name: `${count} thread${count === 1 ? '' : 's'} building`,
  isReached: ({ threads }) => threads.length >= count,
});

/** A part of the bytes of an open file, told by what the process has read since it opened it. */
export function readOf(pattern: RegExp, share: number): Moment {
  let readBefore: number | null = null;
  return {
    name: `${percent(share)} of ${pattern.source} read`,
    isReached: (now) => {
      const path = [...now.open].find((name) => pattern.test(name));
      if (path === undefined) {
        const isClosed = readBefore !== null;
        if (isClosed) readBefore = null;
        return isClosed;
      }
      readBefore ??= now.readBytes;
      return now.readBytes - readBefore >= share * (now.files.get(path) ?? 0);
    },
  };
}

/** A file that was not there at the beginning, or its part. */
export const file = (pattern: RegExp, share = 0): Moment => ({
  name: share === 0 ? `${pattern.source} is there` : `${percent(share)} of ${pattern.source}`,
  isReached: ({ files }, begin, whole) => {
    const found = [...files].find(([name]) => pattern.test(name) && !begin.files.has(name));
    // Some are named after a time or a random number.
    const sizes = [...whole.files].filter(([name]) => pattern.test(name)).map(([, size]) => size);
    return found !== undefined && found[1] >= share * Math.max(0, ...sizes);
  },
});

/** A file that was there and is gone. */
export function gone(pattern: RegExp): Moment {
  let wasThere = false;
  return {
    name: `${pattern.source} is gone`,
    isReached: ({ files }) => {
      const isThere = [...files.keys()].some((name) => pattern.test(name));
      if (isThere) wasThere = true;
      return wasThere && !isThere;
    },
  };
}

export const printed = (pattern: RegExp): Moment => ({
  name: `it says ${pattern.source}`,
  isReached: (now) => pattern.test(now.printed),
});

/** The most that was seen of each. */
export function most(one: Sight, other: Sight): Sight {
  const files = new Map(one.files);
  for (const [name, size] of other.files) files.set(name, Math.max(size, files.get(name) ?? 0));
  return {
    readBytes: Math.max(one.readBytes, other.readBytes),
    writtenBytes: Math.max(one.writtenBytes, other.writtenBytes),
    threads: sum(one.threads) >= sum(other.threads) ? one.threads : other.threads,
    files,
    open: other.open,
    printed: other.printed,
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
