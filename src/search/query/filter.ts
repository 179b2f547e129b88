import { minorDigits } from '../../domain/money.ts';
import { Memo } from '../text/memo.ts';
import { quantityOf } from '../text/units.ts';
import type { Constraint, ExcludeConstraint, Range } from './constraints.ts';
import type { Presence } from './exclusions.ts';

/** The facts about an item that do not depend on the question. */
export interface ItemFacts {
  /** In minor units: the item's own price and those of its variants; empty if unknown. */
  readonly prices: readonly number[];
  readonly currency: string;
  /** The terms of the sizes in its name, type and details. */
  readonly measures: readonly string[];
  /** Whether it is a service: a repair, a course. */
  readonly isService: boolean;
}

/** The data that decides whether an item meets a constraint. */
export interface Facts {
  readonly isContext: boolean;
  /** Whether it can be ordered now. */
  readonly available: boolean;
  readonly facts: ItemFacts;
  /** One for each exclusion of the question, in order. */
  readonly presences: readonly Presence[];
}

/**
 * The share of the best score that a kept offering must reach. If none reaches it, the constraints
 * have left only items about something else.
 */
const KEPT_SHARE_MIN = 0.5;

/** Two sizes further apart than this factor measure different things. Set by hand. */
const MAGNITUDE = 8;

export interface Filtered<Item> {
  readonly kept: readonly Item[];
  /** Constraints that were relaxed because nothing meets them. */
  readonly relaxed: ReadonlySet<Constraint>;
}

/**
 * The order in which constraints are relaxed: catalogues often omit sizes, while a price limit is
 * nearly always meant.
 */
const LEAST_CERTAIN_FIRST: readonly Constraint['kind'][] = [
  'measure',
  'exclude',
  'availability',
  'price',
];

/**
 * Keeps the items that meet every constraint. If no relevant offering does, constraints are relaxed
 * one by one, the least certain first. A context meets every constraint: a policy answers "free
 * shipping over 50 euros". Pure; keeps the order.
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
  let kept = keep(relaxed);
  while (relaxed.size < order.length && !isAnswer(kept)) {
    relaxed.add(order[relaxed.size]!);
    kept = keep(relaxed);
  }
  // A constraint whose relaxation did not help is restored.
  for (const constraint of [...relaxed].reverse()) {
    relaxed.delete(constraint);
    const stricter = keep(relaxed);
    if (isAnswer(stricter)) kept = stricter;
    else relaxed.add(constraint);
  }
  return { kept, relaxed };
}

/** The best score among the offerings; 0 if there are none. */
function bestScore(items: readonly (Facts & { readonly score: number })[]): number {
  return items.reduce(
    (best, { isContext, score }) => (isContext ? best : Math.max(best, score)),
    0,
  );
}

function meets(item: Facts, constraint: Constraint, exclusion: number): boolean {
  if (item.isContext) return true;
  switch (constraint.kind) {
    case 'order':
      return true;
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
        .map((measure) => quantities.get(measure))
        .flatMap((quantity) =>
          quantity?.unit === constraint.unit && quantity.value !== null ? [quantity.value] : [],
        );
      // Many shops give a size only in the text: a missing size does not contradict.
      return (
        values.length === 0 ||
        comparableValues(values, constraint).some((value) => isWithin(value, constraint))
      );
    }
  }
}

/**
 * The sizes that may be of what the constraint measures: in a question for at least 16 GB those of the
 * memory, not of the disk. All if none is of its magnitude.
 */
function comparableValues(values: readonly number[], { min, max }: Range): readonly number[] {
  const asked = min ?? max;
  if (asked === null || asked <= 0) return values;
  const comparable = values.filter(
    (value) => value > asked / MAGNITUDE && value < (max ?? asked) * MAGNITUDE,
  );
  return comparable.length > 0 ? comparable : values;
}

function isWithin(value: number, { min, max }: Range): boolean {
  return (min === null || value >= min) && (max === null || value <= max);
}

/** Tells whether measures hold a size other than one asked for, and lack that one. Pure. */
export function contradicts(asked: readonly string[]): (measures: readonly string[]) => boolean {
  const sizes = asked.map((term) => ({ term, unit: quantities.get(term)?.unit }));
  return (measures) =>
    sizes.some(
      ({ term, unit }) =>
        !measures.includes(term) &&
        measures.some((measure) => quantities.get(measure)?.unit === unit),
    );
}

/** A catalogue has few measures, and each question about a size reads those of hundreds of items. */
const quantities = new Memo(quantityOf, 4000);
