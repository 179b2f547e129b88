import { InvalidArgumentError } from 'commander';

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Parses a duration from the command line, in milliseconds. */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined)
    throw new InvalidArgumentError('It must be a duration such as 24h, 30m or 0s.');
  return Number(count) * UNITS_MS[unit]!;
}

/** A duration as `parseDuration` reads it, in the largest unit that divides it. */
export function durationText(ms: number): string {
  const unit = Object.keys(UNITS_MS).findLast((each) => ms % UNITS_MS[each]! === 0) ?? 's';
  return `${ms / UNITS_MS[unit]!}${unit}`;
}
