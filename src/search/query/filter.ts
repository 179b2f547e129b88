import { minorDigits } from '../../domain/money.ts';
import { quantityOf } from '../text/units.ts';
import type { Constraint, ExcludeConstraint, Range } from './constraints.ts';
import type { Presence } from './exclusions.ts';

/** What an item says of itself, whatever the question. */
export interface ItemFacts {
  /** In minor units: its own and every variant's, none where it is unknown. */
  readonly prices: readonly number[];
  readonly currency: string;
  /** Terms of the sizes in its name, type and details. */
  readonly measures: readonly string[];
  /** Whether it is done and not handed over: a repair, a course. */
  readonly isService: boolean;
}

/** What decides whether an item meets a constraint. */
export interface Facts {
  readonly isContext: boolean;
  /** Whether it can be ordered now. */
  readonly available: boolean;
  readonly facts: ItemFacts;
  /** One for each exclusion of the question, in order. */
  readonly presences: readonly Presence[];
}

/** What a kept offering has to reach of the best one's score: short of it, constraints have left only what is about something else. */
const KEPT_SHARE_MIN = 0.5;

export interface Filtered<Item> {
  readonly kept: readonly Item[];
  /** Constraints that were given up, because with them nothing would be left. */
  readonly relaxed: ReadonlySet<Constraint>;
}

/** Whose constraint is given up first: sizes are often unsaid, a price is hardly ever meant otherwise. */
const LEAST_CERTAIN_FIRST: readonly Constraint['kind'][] = [
  'measure',
  'exclude',
  'availability',
  'price',
];

/**
 * Those that meet every constraint; if no offering that fits does, constraints are given up one after
 * the other, the least certain first. A context meets all of them: "free shipping over 50 euros" is answered by
 * a policy. Pure; keeps the order.
 */
export function filterByConstraints<Item extends Facts & { readonly score: number }>(
  items: readonly Item[],
  constraints: readonly Constraint[],
): Filtered<Item> {
  const exclusions = constraints.filter(({ kind }) => kind === 'exclude');
  const keep = (given: ReadonlySet<Constraint>) =>
    items.filter((item) =>
      constraints.every(
        (constraint) =>
          given.has(constraint) ||
          meets(item, constraint, exclusions.indexOf(constraint as ExcludeConstraint)),
      ),
    );
  const best = bestScore(items);
  const isAnswer = (kept: readonly Item[]) => bestScore(kept) >= KEPT_SHARE_MIN * best;
  const relaxed = new Set<Constraint>();
  const order = LEAST_CERTAIN_FIRST.flatMap((kind) =>
    constraints.filter((constraint) => constraint.kind === kind),
  );
  if (best === 0) return { kept: items, relaxed };
  while (relaxed.size < order.length && !isAnswer(keep(relaxed))) relaxed.add(order[relaxed.size]!);
  // One that was given up in vain is held to again.
  for (const constraint of [...relaxed].reverse()) {
    relaxed.delete(constraint);
    if (!isAnswer(keep(relaxed))) relaxed.add(constraint);
  }
  return { kept: keep(relaxed), relaxed };
}

/** Of the offerings; 0 for none. */
function bestScore(items: readonly (Facts & { readonly score: number })[]): number {
  return items.reduce(
    (best, { isContext, score }) => (isContext ? best : Math.max(best, score)),
    0,
  );
}

function meets(item: Facts, constraint: Constraint, exclusion: number): boolean {
  if (item.isContext) return true;
  switch (constraint.kind) {
    case 'availability':
      return item.available;
    case 'exclude':
      return item.presences[exclusion] !== 'clear';
    case 'price': {
      const scale = 10 ** minorDigits(item.facts.currency);
      return item.facts.prices.some((minor) => isWithin(minor / scale, constraint));
    }
    case 'measure': {
      const values = item.facts.measures
        .map(quantityOf)
        .filter((quantity) => quantity?.unit === constraint.unit);
      // Many shops say a size only in the text: silence is no contradiction.
      return (
        values.length === 0 || values.some((quantity) => isWithin(quantity!.value!, constraint))
      );
    }
  }
}

function isWithin(value: number, { min, max }: Range): boolean {
  return (min === null || value >= min) && (max === null || value <= max);
}

/** Whether an item has another size than the one asked for, and not that one. Pure. */
export function contradicts(measures: readonly string[], asked: readonly string[]): boolean {
  return asked.some((term) => {
    if (measures.includes(term)) return false;
    const unit = quantityOf(term)?.unit;
    return measures.some((measure) => quantityOf(measure)?.unit === unit);
  });
}
