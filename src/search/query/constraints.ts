import type { OrderName } from '../languages/language-words.ts';
import { type Language, perLanguage } from '../text/language.ts';
import { type ConstraintPatterns, constraintPatterns } from './constraint-patterns.ts';

/** From `min` to `max` inclusive; null: no bound. */
export interface Range {
  readonly min: number | null;
  readonly max: number | null;
}

/** In major units. Amounts are compared without converting currencies. */
export interface PriceConstraint extends Range {
  readonly kind: 'price';
  readonly text: string;
  /** ISO 4217 code, if a symbol or a word names one. */
  readonly currency: string | null;
}

/** A size that an item must have; `unit` and values as in units.ts. */
export interface MeasureConstraint extends Range {
  readonly kind: 'measure';
  readonly text: string;
  readonly unit: string;
}

export interface ExcludeConstraint {
  readonly kind: 'exclude';
  readonly text: string;
  /** Items that clearly have all of these are excluded. At least one. */
  readonly terms: readonly string[];
  /** For each of them, its other forms (`WordForms.othersOf`). */
  readonly otherForms: readonly (readonly string[])[];
}

export interface AvailabilityConstraint {
  readonly kind: 'availability';
  readonly text: string;
}

/** What the items that fit are ordered by. */
export interface OrderConstraint {
  readonly kind: 'order';
  readonly text: string;
  readonly by: OrderName;
}

/** A condition in a question, besides the product it names. */
export type Constraint =
  | PriceConstraint
  | MeasureConstraint
  | ExcludeConstraint
  | AvailabilityConstraint
  | OrderConstraint;

export interface ReadConstraints {
  readonly constraints: readonly Constraint[];
  /** The question with its constraints replaced by blanks, so that offsets stay valid. */
  readonly rest: string;
}

/** The most constraints of one kind that are read. */
const PER_KIND_MAX = 4;

/** The tolerance of `around`, as a share of the amount. */
const AROUND_SHARE = 0.2;

/** Reads prices and sizes first, because `no more than $50` excludes nothing. Pure. */
export function readConstraints(text: string, language: Language): ReadConstraints {
  const patterns = patternsOf(language);
  const reader = new Reader(text, { language, patterns });
  reader.take(patterns.between, ({ groups }) =>
    bounded(
      {
        low: reader.side(groups, 'low') ?? reader.side(groups, 'low2'),
        high: reader.side(groups, 'high') ?? reader.side(groups, 'high2'),
      },
      true,
    ),
  );
  reader.take(patterns.boundBehind, ({ groups }) => {
    const value = reader.side(groups, 'value');
    return bounded(groups?.['upper'] === undefined ? { low: value } : { high: value }, false);
  });
  reader.take(patterns.oneBound, ({ groups }) => {
    const value = reader.side(groups, 'value');
    if (groups?.['around'] !== undefined) return around(value);
    const sides = groups?.['upper'] === undefined ? { low: value } : { high: value };
    return bounded(sides, true);
  });
  reader.take(patterns.order, ({ groups }) => {
    const [by] = Object.entries(groups!).find(([, found]) => found !== undefined)!;
    return { kind: 'order', by: by as OrderName };
  });
  reader.take(patterns.available, ({ index }) =>
    patterns.availableNotAfter.test(text.slice(0, index)) ? null : { kind: 'availability' },
  );
  reader.take(patterns.minus, ({ groups }) => reader.exclusion([groups!['thing']!]));
  reader.take(patterns.freeOf, ({ groups }) => reader.exclusion([groups!['thing']!]));
  reader.takeBesides();
  reader.takeExclusions();
  return { constraints: reader.constraints, rest: reader.rest };
}

const patternsOf = perLanguage(constraintPatterns);

type Draft =
  | Omit<PriceConstraint, 'text'>
  | Omit<MeasureConstraint, 'text'>
  | Omit<ExcludeConstraint, 'text'>
  | Omit<AvailabilityConstraint, 'text'>
  | Omit<OrderConstraint, 'text'>;

/** Extracts constraints from a question, one kind after another. */
class Reader {
  readonly constraints: Constraint[] = [];
  rest: string;

  readonly #language: Language;
  readonly #patterns: ConstraintPatterns;

  constructor(
    text: string,
    { language, patterns }: { language: Language; patterns: ConstraintPatterns },
  ) {
    this.rest = text;
    this.#language = language;
    this.#patterns = patterns;
  }

  take(pattern: RegExp, read: (match: RegExpExecArray) => Draft | null): void {
    let count = 0;
    for (const match of [...this.rest.matchAll(pattern)]) {
      if (count >= PER_KIND_MAX) return;
      const draft = read(match);
      if (draft === null) continue;
      count += 1;
      this.#keep(draft, { start: match.index, end: match.index + match[0].length });
    }
  }

  /** Excludes the word before each negation that stands behind its thing, and behind each one without blanks. */
  takeBesides(): void {
    const { negationBehind, unspacedNegation } = this.#patterns;
    for (const [pattern, isBehind] of [
      [negationBehind, true],
      [unspacedNegation, false],
    ] as const)
      for (const match of [...this.rest.matchAll(pattern)].slice(0, PER_KIND_MAX)) {
        const place = { start: match.index, end: match.index + match[0].length };
        const words = this.#language
          .scanWords(this.rest)
          .filter(({ term }) => !this.#language.isStopWord(term));
        const thing = isBehind
          ? words.findLast(({ end }) => end <= place.start)
          : words.find(({ start }) => start >= place.end);
        if (thing === undefined) continue;
        const draft = this.exclusion([this.rest.slice(thing.start, thing.end)]);
        if (draft === null) continue;
        this.#keep(draft, {
          start: Math.min(place.start, thing.start),
          end: Math.max(place.end, thing.end),
        });
      }
  }

  takeExclusions(): void {
    const { negated, endThings, noThingEnding } = this.#patterns;
    for (const match of [...this.rest.matchAll(negated)].slice(0, PER_KIND_MAX)) {
      const { first, second, third } = match.groups as {
        first: string;
        second?: string;
        third?: string;
      };
      // `without lying awake` names nothing that an item can have.
      if (this.#isNoThing(first) || (second !== undefined && noThingEnding.test(first))) continue;
      const isPhrase =
        second !== undefined && !this.#isNoThing(second) && !endThings.has(second.toLowerCase());
      const draft = this.exclusion(isPhrase ? [first, second] : [first]);
      if (draft === null) continue;
      const firstEnd = match.index + match[0].indexOf(first, match[0].search(/\s/)) + first.length;
      const hasMore = third !== undefined && (second === undefined || isPhrase);
      const end = hasMore
        ? match.index + match[0].length
        : isPhrase
          ? match.index + match[0].indexOf(second, firstEnd - match.index) + second.length
          : firstEnd;
      this.#keep(draft, { start: match.index, end });
      const further = hasMore && !this.#isNoThing(third) ? this.exclusion([third]) : null;
      if (further !== null) this.constraints.push({ ...further, text: third! } as Constraint);
    }
  }

  /** The amount of this name in a match; undefined if it is not there. */
  side(groups: Readonly<Record<string, string>> | undefined, name: string): Side | undefined {
    const digits = groups?.[name];
    if (digits === undefined) return undefined;
    const value = this.#readMoney(digits);
    if (value === null) return undefined;
    const { currencyOf } = this.#patterns;
    const symbol = groups?.[`${name}Symbol`];
    const word = groups?.[`${name}Unit`]?.toLowerCase();
    const currency = currencyOf.get(symbol?.slice(-1) ?? '') ?? currencyOf.get(word ?? '') ?? null;
    const unit =
      currency === null && word !== undefined ? this.#language.measures.unitOf(word) : null;
    const isCount = word !== undefined && currency === null && unit === null;
    return { value, currency, unit, isCount };
  }

  exclusion(words: readonly string[]): Draft | null {
    const terms = words
      .flatMap((text) => this.#language.termsOf(text))
      .filter((term) => !this.#language.isStopWord(term));
    const otherForms = terms.map((term) => this.#language.otherFormsOf(term));
    return terms.length === 0 ? null : { kind: 'exclude', terms, otherForms };
  }

  #isNoThing(word: string): boolean {
    const lower = word.toLowerCase();
    return this.#patterns.noThings.has(lower) || this.#language.isStopWord(lower);
  }

  /** `1,200.50`, `1200`, `49,90`. */
  #readMoney(digits: string): number | null {
    const { grouped, group, numbers } = this.#patterns;
    const named = numbers.get(digits.toLowerCase().replace(/\s+/g, ' '));
    if (named !== undefined) return named;
    const value = grouped.test(digits)
      ? Number(digits.replace(group, '').replace(',', '.'))
      : this.#language.measures.readAmount(digits);
    return value === null || !Number.isFinite(value) ? null : value;
  }

  #keep(draft: Draft, { start, end }: { start: number; end: number }): void {
    const text = this.rest.slice(start, end);
    this.constraints.push({ ...draft, text: text.trim() } as Constraint);
    this.rest = this.rest.slice(0, start) + ' '.repeat(end - start) + this.rest.slice(end);
  }
}

interface Side {
  readonly value: number;
  readonly currency: string | null;
  readonly unit: { readonly unit: string; readonly factor: number } | null;
  /** True if it is neither money nor a size: `under 5 minutes`. */
  readonly isCount: boolean;
}

function bounded(
  sides: { low?: Side | undefined; high?: Side | undefined },
  isMoneyByDefault: boolean,
): Draft | null {
  const { low, high } = sides;
  const named = high ?? low;
  if (named === undefined || low?.isCount === true || high?.isCount === true) return null;
  const unit = (high?.unit ?? low?.unit) || null;
  const currency = high?.currency ?? low?.currency ?? null;
  if (unit !== null && currency === null) {
    const scaled = (of: Side | undefined) =>
      of === undefined ? null : of.value * (of.unit ?? unit).factor;
    return { kind: 'measure', unit: unit.unit, min: scaled(low), max: scaled(high) };
  }
  if (currency === null && !isMoneyByDefault) return null;
  const [min, max] = [low?.value ?? null, high?.value ?? null];
  if (min !== null && max !== null && min > max)
    return { kind: 'price', min: max, max: min, currency };
  return { kind: 'price', min, max, currency };
}

function around(value: Side | undefined): Draft | null {
  if (value === undefined) return null;
  const low = { ...value, value: value.value * (1 - AROUND_SHARE) };
  const high = { ...value, value: value.value * (1 + AROUND_SHARE) };
  return bounded({ low, high }, true);
}
