import { isStopWord } from '../text/stop-words.ts';
import { readAmount, UNIT_SPELLINGS, unitOf } from '../text/units.ts';
import { termsOf } from '../text/words.ts';

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
}

export interface AvailabilityConstraint {
  readonly kind: 'availability';
  readonly text: string;
}

/** A condition in a question, besides the product it names. */
export type Constraint =
  | PriceConstraint
  | MeasureConstraint
  | ExcludeConstraint
  | AvailabilityConstraint;

export interface ReadConstraints {
  readonly constraints: readonly Constraint[];
  /** The question with its constraints replaced by blanks, so that offsets stay valid. */
  readonly rest: string;
}

/** The most constraints of one kind that are read. */
const PER_KIND_MAX = 4;

/** The tolerance of `around`, as a share of the amount. */
const AROUND_SHARE = 0.2;

const CURRENCIES: Readonly<Record<string, string>> = {
  $: 'USD',
  usd: 'USD',
  dollar: 'USD',
  bucks: 'USD',
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  quid: 'GBP',
  pound: 'GBP',
  '¥': 'JPY',
  jpy: 'JPY',
  yen: 'JPY',
  chf: 'CHF',
  franken: 'CHF',
  cad: 'CAD',
  aud: 'AUD',
  sek: 'SEK',
  dkk: 'DKK',
  nok: 'NOK',
  pln: 'PLN',
  '₹': 'INR',
  inr: 'INR',
};
const SYMBOL = '(?:US|CA|AU)?[$€£¥₹]';
const CURRENCY_WORD =
  '[$€£¥₹]|(?:usd|dollars?|bucks|eur|euros?|gbp|quid|pounds?|jpy|yen|chf|franken|cad|aud|sek|dkk|nok|pln|inr)(?![\\p{L}\\p{N}])';
/** Words that make an amount a count: `up to 4 people`. */
const COUNTED =
  'people|persons?|personen|seats?|pieces?|pcs|packs?|stück|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|times|degrees?|pages|players?|months?|tage|jahre|stunden|%';
const DIGITS = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,2})?|\\d{1,9}(?:[.,]\\d{1,3})?';
/** `under 500 in red` is money: inches must be spelt out here. */
const UNIT_WORD = `(?:"|″|(?!in(?![\\p{L}]))(?:${UNIT_SPELLINGS}|${COUNTED})(?![\\p{L}\\p{N}]))`;
/** An amount, with the symbol or unit that makes it money or a size. */
const amount = (name: string) =>
  `(?<${name}Symbol>${SYMBOL})?\\s?(?<${name}>${DIGITS})(?:\\s?-?(?<${name}Unit>${CURRENCY_WORD}|${UNIT_WORD}))?`;

const UPPER =
  "under|below|less than|lower than|cheaper than|no more than|not more than|at most|up to|upto|max(?:imum|\\.)?|within|for less than|(?:that )?costs? less than|unter|bis zu|bis|höchstens|maximal|moins de|jusqu'à|maximum";
const LOWER =
  'over|above|more than|greater than|higher than|at least|no less than|not less than|min(?:imum|\\.)?|starting (?:at|from)|upwards of|über|ab|mindestens|plus de|au moins';
const AROUND = 'around|about|approximately|approx\\.?|roughly|circa|ca\\.?|ungefähr|etwa|environ';
const START = '(?<![\\p{L}\\p{N}])';

const BETWEEN = new RegExp(
  `${START}(?:(?:between|zwischen|entre)\\s+${amount('low')}\\s*(?:and|und|et|to|-|–)\\s*${amount('high')}` +
    `|(?:from|von|de)\\s+${amount('low2')}\\s*(?:to|bis|à|-|–|until)\\s*${amount('high2')})`,
  'giu',
);
const ONE_BOUND = new RegExp(
  `${START}(?<how>(?<upper>${UPPER})|(?<lower>${LOWER})|(?<around>${AROUND}))\\s+${amount('value')}`,
  'giu',
);
/** `16 gb or more`, `$50 or less`, `100 euros max`. */
const BOUND_BEHIND = new RegExp(
  `${START}${amount('value')}\\s+(?:(?<upper>or (?:less|under|below|cheaper)|max(?:imum)?|at most)|(?<lower>or (?:more|above|over|higher|up)|min(?:imum)?|at least))(?![\\p{L}\\p{N}])`,
  'giu',
);

const AVAILABLE =
  /(?<![\p{L}\p{N}])(?:(?:which|that) (?:is|are) )?(?:in[- ]stock|available (?:now|today|immediately|right now)|ready to ship|auf lager|sofort (?:lieferbar|verfügbar)|en stock)(?![\p{L}\p{N}])/giu;
const UNAVAILABLE_BEFORE = /(?:\bback|\bnot|\bwhen|\bagain)\s+$/i;

/** Words between a negation and the thing it excludes. */
const FILLERS =
  "(?:(?:an?|any|the|added|made of|made from|containing|with|ein(?:e[nmr]?)?|d'|de|du)\\s+)*";
const NAMED = "[\\p{L}\\p{M}\\p{N}][\\p{L}\\p{M}\\p{N}'’-]*";
const NEGATED = new RegExp(
  `${START}(?:without|w/o|excluding|except(?: for)?|other than|anything but|free (?:of|from)|(?:do not|don'?t) want|but not|not|no|ohne|keine?n?|sans)\\s+${FILLERS}(?<first>${NAMED})(?:\\s+(?!(?:or|and|nor|oder|und|ou|et)\\s)(?<second>${NAMED}))?(?:\\s*(?:,|or|and|nor|oder|und|ou|et)\\s+(?:no |without )?(?<third>${NAMED})(?=\\s*$|[.,?!]))?`,
  'giu',
);
const FREE_OF =
  /(?<![\p{L}\p{N}])(?<thing>[\p{L}\p{M}]{3,40})(?:-free(?![\p{L}\p{N}])|frei(?:e[rnms]?)?(?![\p{L}\p{N}]))/giu;

/** Words after a negation that do not name a thing. */
const NO_THING: ReadonlySet<string> = new Set(
  'too so very sure only just able working work necessarily really more less problem idea one matter thanks longer where yet included allowed know want like need have find'.split(
    ' ',
  ),
);
/** Words that end the name of an excluded thing. */
const ENDS_THING: ReadonlySet<string> = new Set(
  'for with under below over in on to at by from and or that which but if when size mit für unter avec pour please between around less more up'.split(
    ' ',
  ),
);

/** Reads prices and sizes first, because `no more than $50` excludes nothing. Pure. */
export function readConstraints(text: string): ReadConstraints {
  const reader = new Reader(text);
  reader.take(BETWEEN, ({ groups }) =>
    bounded(
      {
        low: side(groups, 'low') ?? side(groups, 'low2'),
        high: side(groups, 'high') ?? side(groups, 'high2'),
      },
      true,
    ),
  );
  reader.take(BOUND_BEHIND, ({ groups }) => {
    const value = side(groups, 'value');
    return bounded(groups?.['upper'] === undefined ? { low: value } : { high: value }, false);
  });
  reader.take(ONE_BOUND, ({ groups }) => {
    const value = side(groups, 'value');
    if (groups?.['around'] !== undefined) return around(value);
    const sides = groups?.['upper'] === undefined ? { low: value } : { high: value };
    return bounded(sides, true);
  });
  reader.take(AVAILABLE, ({ index }) =>
    UNAVAILABLE_BEFORE.test(text.slice(0, index)) ? null : { kind: 'availability' },
  );
  reader.take(FREE_OF, ({ groups }) => exclusion([groups!['thing']!]));
  reader.takeExclusions();
  return { constraints: reader.constraints, rest: reader.rest };
}

type Draft =
  | Omit<PriceConstraint, 'text'>
  | Omit<MeasureConstraint, 'text'>
  | Omit<ExcludeConstraint, 'text'>
  | Omit<AvailabilityConstraint, 'text'>;

/** Extracts constraints from a question, one kind after another. */
class Reader {
  readonly constraints: Constraint[] = [];
  rest: string;

  constructor(text: string) {
    this.rest = text;
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

  takeExclusions(): void {
    for (const match of [...this.rest.matchAll(NEGATED)].slice(0, PER_KIND_MAX)) {
      const { first, second, third } = match.groups as {
        first: string;
        second?: string;
        third?: string;
      };
      // `without lying awake` names nothing that an item can have.
      if (isNoThing(first) || (second !== undefined && /.{2}ing$/i.test(first))) continue;
      const isPhrase =
        second !== undefined && !isNoThing(second) && !ENDS_THING.has(second.toLowerCase());
      const draft = exclusion(isPhrase ? [first, second] : [first]);
      if (draft === null) continue;
      const firstEnd = match.index + match[0].indexOf(first, match[0].search(/\s/)) + first.length;
      const hasMore = third !== undefined && (second === undefined || isPhrase);
      const end = hasMore
        ? match.index + match[0].length
        : isPhrase
          ? match.index + match[0].indexOf(second, firstEnd - match.index) + second.length
          : firstEnd;
      this.#keep(draft, { start: match.index, end });
      const further = hasMore && !isNoThing(third) ? exclusion([third]) : null;
      if (further !== null) this.constraints.push({ ...further, text: third! } as Constraint);
    }
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

function side(
  groups: Readonly<Record<string, string>> | undefined,
  name: string,
): Side | undefined {
  const digits = groups?.[name];
  if (digits === undefined) return undefined;
  const value = readMoney(digits);
  if (value === null) return undefined;
  const symbol = groups?.[`${name}Symbol`];
  const word = groups?.[`${name}Unit`]?.toLowerCase();
  const currency =
    currencyOf(symbol?.slice(-1)) ??
    (word === undefined ? null : currencyOf(word.replace(/(?<=.{3})s$/, '')));
  const unit = currency === null && word !== undefined ? unitOf(word) : null;
  return {
    value,
    currency,
    unit,
    isCount: word !== undefined && currency === null && unit === null,
  };
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

function exclusion(words: readonly string[]): Draft | null {
  const terms = words.flatMap((text) => termsOf(text)).filter((term) => !isStopWord(term));
  return terms.length === 0 ? null : { kind: 'exclude', terms };
}

function isNoThing(word: string): boolean {
  return NO_THING.has(word.toLowerCase()) || isStopWord(word.toLowerCase());
}

function currencyOf(name: string | undefined): string | null {
  return name === undefined ? null : (CURRENCIES[name] ?? null);
}

/** `1,200.50`, `1200`, `49,90`. */
function readMoney(digits: string): number | null {
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/.test(digits);
  const value = grouped ? Number(digits.replaceAll(',', '')) : readAmount(digits);
  return value === null || !Number.isFinite(value) ? null : value;
}
