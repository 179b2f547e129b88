import { Memo } from './memo.ts';

/**
 * A size as one word: its position, its canonical term, and the other terms it is indexed under.
 */
export interface Measure {
  readonly start: number;
  readonly end: number;
  /** `0p5in`, `3000mm`, `8x10`: letters and digits only, `p` for the decimal point. */
  readonly term: string;
  /**
   * The plain whole numbers in it, and the measure at the end of a list of dimensions (`12 x 85 g`
   * → `85g`).
   */
  readonly parts: readonly string[];
}

/**
 * The value and unit of a measure's term. Dimensions have no value: they match only the same
 * dimensions.
 */
export interface Quantity {
  /** Only measures of one unit can be compared. */
  readonly unit: string;
  readonly value: number | null;
}

/** The spellings of a unit, the unit it is converted to, and the conversion factor. */
const UNITS: readonly (readonly [spellings: string, unit: string, factor: number])[] = [
  ['mm|millimet(?:er|re)s?', 'mm', 1],
  ['cm|centimet(?:er|re)s?|zentimeter', 'mm', 10],
  ['m|mtrs?|met(?:er|re)s?|mètres?', 'mm', 1000],
  ['km|kilomet(?:er|re)s?', 'km', 1],
  ["inch(?:es)?|ins|in|zoll|pouces?|\"|″|”|''", 'in', 1],
  ["ft|feet|foot|'|′|’", 'ft', 1],
  ['yds?|yards?', 'yd', 1],
  ['ml|millilit(?:er|re)s?', 'ml', 1],
  ['cl|centilit(?:er|re)s?', 'ml', 10],
  ['dl', 'ml', 100],
  ['l|lt|lit(?:er|re)s?', 'ml', 1000],
  ['fl\\.? ?oz|fluid ounces?', 'floz', 1],
  ['gal|gallons?', 'gal', 1],
  ['qt|quarts?', 'qt', 1],
  ['mg|milligrams?', 'mg', 1],
  ['g|gr|grams?|gramm', 'g', 1],
  ['kg|kilos?|kilograms?|kilogramm', 'g', 1000],
  ['oz|ounces?|unzen', 'oz', 1],
  ['lbs?|pounds?|pfund', 'lb', 1],
  ['mb|megabytes?', 'mb', 1],
  ['gb|gigs?|gigabytes?', 'gb', 1],
  ['tb|terabytes?', 'gb', 1000],
  ['w|watts?', 'w', 1],
  ['kw|kilowatts?', 'w', 1000],
  ['v|volts?', 'v', 1],
  ['amps?', 'amp', 1],
  ['mah', 'mah', 1],
  ['ah', 'mah', 1000],
  ['wh', 'wh', 1],
  ['hz|hertz', 'hz', 1],
  ['khz', 'khz', 1],
  ['mhz', 'mhz', 1],
  ['ghz', 'mhz', 1000],
  ['mp|megapixels?', 'mp', 1],
  ['lm|lumens?', 'lm', 1],
  ['nm|newton ?met(?:er|re)s?', 'nm', 1],
  ['psi', 'psi', 1],
  ['rpm', 'rpm', 1],
  ['db|decibels?', 'db', 1],
  ['btu', 'btu', 1],
];

const FRACTIONS: Readonly<Record<string, number>> = {
  '½': 1 / 2,
  '¼': 1 / 4,
  '¾': 3 / 4,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '⅛': 1 / 8,
  '⅜': 3 / 8,
  '⅝': 5 / 8,
  '⅞': 7 / 8,
};

const VULGAR = Object.keys(FRACTIONS).join('');
const NUMBER = `(?:\\d{1,3}(?:,\\d{3})+|\\d{1,6}(?:[.,]\\d{1,3})?(?:[ -]\\d{1,2}/\\d{1,2}|[${VULGAR}])?|[${VULGAR}])`;
const FRACTION = '\\d{1,2}/\\d{1,2}';
const AMOUNT = `(?:${FRACTION}(?!/)|${NUMBER})`;
/** Every spelling of every unit, for use in a regular expression. */
export const UNIT_SPELLINGS = UNITS.map(([spellings]) => spellings).join('|');

/** Not preceded by a letter, a digit or the beginning of a number. */
const NOT_INSIDE = `(?<![\\p{L}\\p{N}])(?<!\\p{N}[.,/])`;
const NOT_GOING_ON = '(?![\\p{L}\\p{N}])';

const SIZE = new RegExp(
  `${NOT_INSIDE}(?<amounts>${AMOUNT}(?:\\s?(?:${UNIT_SPELLINGS}))?(?:\\s?[x×]\\s?|\\sby\\s)){0,3}` +
    `(?<last>${AMOUNT})(?:[\\s-]?(?<unit>${UNIT_SPELLINGS}))?${NOT_GOING_ON}`,
  'giuy',
);
const ONE_AMOUNT = new RegExp(AMOUNT, 'gu');
const EXACT_UNITS = UNITS.map(
  ([spellings, unit, factor]) => [new RegExp(`^(?:${spellings})$`, 'iu'), unit, factor] as const,
);
const NUMBER_START = new RegExp(`[\\d${VULGAR}]`, 'g');

/**
 * What must follow `in` after a whole number and a blank for it to mean inches: `10 in`, not `7 in
 * red`.
 */
const AFTER_INCHES =
  /^\s*(?:$|[^\s\p{L}\p{N}-]|[x×]|-?(?:drive|screen|display|monitor|laptop|tv|tablet|wide|long|tall|deep|high|thick|diameter|round|square)\b)/iu;

/** Longer texts are truncated: a size further down is not what an item is about. */
const TEXT_MAX = 20_000;

/** The sizes in a text, in order, without overlaps. Pure. */
export function findMeasures(text: string): Measure[] {
  const measures: Measure[] = [];
  const read = text.slice(0, TEXT_MAX);
  NUMBER_START.lastIndex = 0;
  // The long pattern is tried only at positions that can hold a size: trying it everywhere costs a
  // hundred times as much.
  while (NUMBER_START.test(read)) {
    const at = NUMBER_START.lastIndex - 1;
    NUMBER_RUN.lastIndex = at;
    NUMBER_RUN.test(read);
    if (!maySize(read, NUMBER_RUN.lastIndex)) {
      NUMBER_START.lastIndex = NUMBER_RUN.lastIndex;
      continue;
    }
    SIZE.lastIndex = at;
    const match = SIZE.exec(read);
    if (match === null) continue;
    NUMBER_START.lastIndex = SIZE.lastIndex;
    const measure = readMeasure(text, match);
    if (measure !== null) measures.push(measure);
  }
  return measures;
}

const NUMBER_RUN = new RegExp(`[\\d.,/${VULGAR}]+`, 'y');
const BEHIND_NUMBER = /[\s-]?(?:(?<word>[a-zA-Z]+)(?!\p{L})|[\p{L}×"″”'′’]|\d{1,2}\/\d)/uy;
/** Words that can follow a number within a size. */
const SIZE_WORD = new RegExp(`^(?:(?:${UNIT_SPELLINGS})x?|fl|fluid|newton|x|by)$`, 'iu');
const isSizeWord = new Memo((word) => SIZE_WORD.test(word), 1000);

/**
 * Whether the number that ends at `end` may be part of a size: a unit or another amount follows it.
 */
function maySize(text: string, end: number): boolean {
  BEHIND_NUMBER.lastIndex = end;
  const behind = BEHIND_NUMBER.exec(text);
  if (behind === null) return false;
  const word = behind.groups!['word'];
  return word === undefined || isSizeWord.get(word);
}

/** The quantity that a measure's term encodes; null for any other term. */
export function quantityOf(term: string): Quantity | null {
  const single = /^(\d+(?:p\d+)?)([a-z]+)$/.exec(term);
  if (single !== null && UNIT_NAMES.has(single[2]!)) {
    return { unit: single[2]!, value: Number(single[1]!.replace('p', '.')) };
  }
  return /^\d+(?:p\d+)?(?:x\d+(?:p\d+)?){1,3}$/.test(term)
    ? { unit: `x${term.split('x').length}`, value: null }
    : null;
}

const UNIT_NAMES: ReadonlySet<string> = new Set(UNITS.map(([, unit]) => unit));

/** The unit a spelling is converted to, and the factor; null if it is not a unit. */
export function unitOf(spelling: string): { unit: string; factor: number } | null {
  const found = EXACT_UNITS.find(([pattern]) => pattern.test(spelling));
  return found === undefined ? null : { unit: found[1], factor: found[2] };
}

const MIXED_AMOUNT = new RegExp(`^(\\d+(?:[.,]\\d+)?)?(?:[ -]?(\\d+)/(\\d+)|([${VULGAR}]))?$`, 'u');

/** The value of `1/2`, `1 1/2`, `1½`, `1,5`, `1.5`, `1,000`; null for anything else. */
export function readAmount(text: string): number | null {
  if (/^\d{1,3}(?:,\d{3})+$/.test(text)) return Number(text.replaceAll(',', ''));
  const [, whole, over, under, vulgar] = MIXED_AMOUNT.exec(text) ?? [];
  // `1/2` alone: the part that matched as the whole number is the numerator.
  const fraction = /^(\d+)\/(\d+)$/.exec(text);
  if (fraction !== null) return quotient(fraction[1]!, fraction[2]!);
  if (whole === undefined && vulgar === undefined) return null;
  const added = vulgar === undefined ? quotient(over ?? '0', under ?? '1') : FRACTIONS[vulgar]!;
  return added === null ? null : Number((whole ?? '0').replace(',', '.')) + added;
}

function quotient(over: string, under: string): number | null {
  return Number(under) === 0 ? null : Number(over) / Number(under);
}

function readMeasure(text: string, match: RegExpMatchArray): Measure | null {
  const start = match.index!;
  const { last, unit: spelling } = match.groups as { last: string; unit?: string };
  const end = start + match[0].length;
  const amountsEnd = match[0].slice(0, match[0].length - (spelling?.length ?? 0));
  const before = amountsEnd.replace(/[\s-]$/, '').slice(0, -last.length);
  const isList = match.groups!['amounts'] !== undefined;
  const unit =
    spelling !== undefined && isUnit(text, { spelling, start, end, last })
      ? unitOf(spelling)
      : null;
  const value = readAmount(last);
  if (value === null) return null;
  const single = unit === null ? null : `${numberTerm(value * unit.factor)}${unit.unit}`;
  if (!isList) return single === null ? null : { start, end, term: single, parts: wholes([last]) };
  const amounts = [...before.matchAll(ONE_AMOUNT)].map(([amount]) => amount);
  const values = [...amounts, last].map(readAmount);
  if (values.some((amount) => amount === null)) return null;
  const term = values.map((amount) => numberTerm(amount!)).join('x');
  const listEnd = unit === null && spelling !== undefined ? end - spelling.length : end;
  return {
    start,
    end: listEnd,
    term,
    parts: [...wholes([...amounts, last]), ...(single === null ? [] : [single])],
  };
}

/** Whether an ambiguous spelling (`in`, a quotation mark, an apostrophe) is a unit here. */
function isUnit(
  text: string,
  { spelling, start, end, last }: { spelling: string; start: number; end: number; last: string },
): boolean {
  const isJoined = text.slice(start, end) === last + spelling;
  if (/^in$/i.test(spelling)) {
    const after = text.slice(end, end + 20);
    if (/^[\s-]*\d/.test(after)) return false;
    return isJoined || !/^\d+$/.test(last) || AFTER_INCHES.test(after);
  }
  if (/^["”″]$/.test(spelling)) {
    return isJoined && !/(?:^|[\s([{])["“](?=\S)[^"“”]*$/.test(text.slice(0, end - 1));
  }
  if (/^['’′]$/.test(spelling)) {
    return isJoined && last.length <= 3 && /^(?:$|[\s,x×)])/.test(text.slice(end, end + 1));
  }
  return true;
}

function wholes(amounts: readonly string[]): string[] {
  return amounts.filter((amount) => /^\d+$/.test(amount));
}

/** Up to four decimals, with `p` for the point: the FTS5 tokenizer splits at points. */
function numberTerm(value: number): string {
  return String(Math.round(value * 10_000) / 10_000).replace('.', 'p');
}
