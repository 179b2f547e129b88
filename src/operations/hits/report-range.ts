import { AppError } from '../../domain/errors.ts';
import { dayOf } from '../../domain/hit.ts';
import type { DayRange } from '../../storage/hit-counts.ts';

const DAY_MS = 86_400_000;

/** Longest span of a report, in days: the longest that counts can be kept. */
const DAYS_MAX = 3660;

/** Throws `invalid_input` for invalid days or too long a span. */
export function readRange(nowMs: number, since: string, until: string | undefined): DayRange {
  const today = dayOf(nowMs);
  const lastDay = until === undefined ? today : readDay(until);
  const [, count] = /^(\d{1,4})d$/.exec(since) ?? [];
  const firstDay =
    count === undefined
      ? readDay(since)
      : dayOf(Date.parse(lastDay) - (Number(count) - 1) * DAY_MS);
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
  if (days < 1) throw new AppError('invalid_input', 'The first day is after the last.');
  if (days > DAYS_MAX)
    throw new AppError('invalid_input', `A report spans at most ${DAYS_MAX} days.`);
  return { firstDay, lastDay };
}

/** Validates a day such as `2026-01-31`. Throws `invalid_input`. */
export function readDay(text: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(ms) || dayOf(ms) !== text)
    throw new AppError('invalid_input', 'A day is written like 2026-01-31, a span like 7d.');
  return text;
}

/** The span of the same length that ends where this one begins. */
export function rangeBefore({ firstDay, lastDay }: DayRange): DayRange {
  const days = daysIn({ firstDay, lastDay }).length;
  const firstMs = Date.parse(firstDay);
  return { firstDay: dayOf(firstMs - days * DAY_MS), lastDay: dayOf(firstMs - DAY_MS) };
}

/** The days of a span, oldest first. */
export function daysIn({ firstDay, lastDay }: DayRange): string[] {
  const count = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => dayOf(Date.parse(firstDay) + index * DAY_MS));
}
