import type { AnalysisWords } from '../languages/language-words.ts';
import { Memo } from './memo.ts';
import { anyOf, phrasesIn, wordsIn } from './phrases.ts';

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

/** A unit of measurement in the spellings that are the same in every language. */
interface Unit {
  /** The unit that it is converted to, and the factor. */
  readonly unit: string;
  readonly factor: number;
  readonly symbols: readonly string[];
}

const UNITS: Readonly<Record<string, Unit>> = {
  mm: unit('mm', 1, 'mm'),
  cm: unit('mm', 10, 'cm'),
  m: unit('mm', 1000, 'm'),
  km: unit('km', 1, 'km'),
  in: unit('in', 1, '"', '″', '”', "''"),
  ft: unit('ft', 1, 'ft', "'", '′', '’'),
  yd: unit('yd', 1, 'yd'),
  ml: unit('ml', 1, 'ml'),
  cl: unit('ml', 10, 'cl'),
  dl: unit('ml', 100, 'dl'),
  l: unit('ml', 1000, 'l'),
  floz: unit('floz', 1, 'fl oz', 'fl. oz', 'fl.oz', 'floz'),
  gal: unit('gal', 1, 'gal'),
  qt: unit('qt', 1, 'qt'),
  mg: unit('mg', 1, 'mg'),
  g: unit('g', 1, 'g'),
  kg: unit('g', 1000, 'kg'),
  oz: unit('oz', 1, 'oz'),
  lb: unit('lb', 1, 'lb'),
  mb: unit('mb', 1, 'mb'),
  gb: unit('gb', 1, 'gb'),
  tb: unit('gb', 1000, 'tb'),
  w: unit('w', 1, 'w'),
  kw: unit('w', 1000, 'kw'),
  v: unit('v', 1, 'v'),
  amp: unit('amp', 1, 'amp'),
  mah: unit('mah', 1, 'mah'),
  ah: unit('mah', 1000, 'ah'),
  wh: unit('wh', 1, 'wh'),
  hz: unit('hz', 1, 'hz'),
  khz: unit('khz', 1, 'khz'),
  mhz: unit('mhz', 1, 'mhz'),
  ghz: unit('mhz', 1000, 'ghz'),
  mp: unit('mp', 1, 'mp'),
  lm: unit('lm', 1, 'lm'),
  nm: unit('nm', 1, 'nm'),
  psi: unit('psi', 1, 'psi'),
  rpm: unit('rpm', 1, 'rpm'),
  db: unit('db', 1, 'db'),
  btu: unit('btu', 1, 'btu'),
};

function unit(name: string, factor: number, ...symbols: readonly string[]): Unit {
  return { unit: name, factor, symbols };
}

const UNIT_NAMES: ReadonlySet<string> = new Set(Object.values(UNITS).map((known) => known.unit));

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

/** Not preceded by a letter, a digit or the beginning of a number. */
const NOT_INSIDE = `(?<![\\p{L}\\p{N}])(?<!\\p{N}[.,/])`;
const NOT_GOING_ON = '(?![\\p{L}\\p{N}])';

/** Longer texts are truncated: a size further down is not what an item is about. */
const TEXT_MAX = 20_000;

const NUMBER_RUN = new RegExp(`[\\d.,/${VULGAR}]+`, 'y');
const BEHIND_NUMBER =
  /[\s-]?(?:(?<word>[a-zA-Z]+)(?!\p{L})|[\p{L}×"″”'′’]|\d{1,2}\/\d|\d{3}(?!\p{N}))/uy;
const MIXED_AMOUNT = new RegExp(`^(\\d+(?:[.,]\\d+)?)?(?:[ -]?(\\d+)/(\\d+)|([${VULGAR}]))?$`, 'u');

/** A spelling of a unit, as it is converted. */
export interface ConvertedUnit {
  readonly unit: string;
  readonly factor: number;
}

/** Reads sizes in the units and number format of one language. */
export class MeasureReader {
  /** Matches every spelling of every unit, within a regular expression. */
  readonly unitPattern: string;
  readonly #unitOf: (spelling: string) => ConvertedUnit | null;
  readonly #size: RegExp;
  readonly #oneAmount: RegExp;
  readonly #numberStart = new RegExp(`[\\d${VULGAR}]`, 'g');
  readonly #isSizeWord: Memo<boolean>;
  readonly #grouped: RegExp;
  readonly #afterInches: RegExp;

  constructor({ decimal, units, times, inchesBefore }: AnalysisWords) {
    // `6 500 g` may be six times 500 g, `10 000 mAh` is not.
    const grouped = decimal === '.' ? '(?:,\\d{3})+' : '(?:[.\\u00a0\\u202f]\\d{3}| 000)+';
    const known = Object.entries(UNITS).map(([name, { symbols, ...converted }]) => {
      const spellings = anyOf([...symbols, ...phrasesIn(units[name] ?? '')]);
      return { spellings, converted, exact: new RegExp(`^(?:${spellings})$`, 'iu') };
    });
    this.unitPattern = known.map(({ spellings }) => spellings).join('|');
    const unitOf = new Memo(
      (spelling) => known.find(({ exact }) => exact.test(spelling))?.converted ?? null,
      1000,
    );
    this.#unitOf = (spelling) => unitOf.get(spelling);
    const number = `(?:\\d{1,3}${grouped}|\\d{1,6}(?:[.,]\\d{1,3})?(?:[ -]\\d{1,2}/\\d{1,2}|[${VULGAR}])?|[${VULGAR}])`;
    const amount = `(?:\\d{1,2}/\\d{1,2}(?!/)|${number})`;
    const joints = phrasesIn(times);
    const by = joints.length === 0 ? '' : `|\\s(?:${anyOf(joints)})\\s`;
    this.#oneAmount = new RegExp(amount, 'gu');
    this.#size = new RegExp(
      `${NOT_INSIDE}(?<amounts>${amount}(?:\\s?(?:${this.unitPattern}))?(?:\\s?[x×]\\s?${by})){0,3}` +
        `(?<last>${amount})(?:[\\s-]?(?<unit>${this.unitPattern}))?${NOT_GOING_ON}`,
      'giuy',
    );
    const firstWords = Object.keys(UNITS)
      .flatMap((name) => [...UNITS[name]!.symbols, ...phrasesIn(units[name] ?? '')])
      .filter((spelling) => /[ .]/.test(spelling))
      .map((spelling) => spelling.split(/[ .]/)[0]!);
    const beside = anyOf([...new Set([...firstWords, 'x', ...joints])]);
    const sizeWord = new RegExp(`^(?:(?:${this.unitPattern})x?|${beside})$`, 'iu');
    this.#isSizeWord = new Memo((word) => sizeWord.test(word), 1000);
    this.#grouped = new RegExp(`^\\d{1,3}${grouped}$`);
    this.#afterInches = new RegExp(
      `^\\s*(?:$|[^\\s\\p{L}\\p{N}-]|[x×]|-?(?:${anyOf(wordsIn(inchesBefore))})\\b)`,
      'iu',
    );
  }

  /** The sizes in a text, in order, without overlaps. */
  find(text: string): Measure[] {
    const measures: Measure[] = [];
    const read = text.slice(0, TEXT_MAX);
    const start = this.#numberStart;
    start.lastIndex = 0;
    // The long pattern is tried only at positions that can hold a size: trying it everywhere costs a
    // hundred times as much.
    while (start.test(read)) {
      const at = start.lastIndex - 1;
      NUMBER_RUN.lastIndex = at;
      NUMBER_RUN.test(read);
      if (!this.#maySize(read, NUMBER_RUN.lastIndex)) {
        start.lastIndex = NUMBER_RUN.lastIndex;
        continue;
      }
      this.#size.lastIndex = at;
      const match = this.#size.exec(read);
      if (match === null) continue;
      start.lastIndex = this.#size.lastIndex;
      const measure = this.#readMeasure(text, match);
      if (measure !== null) measures.push(measure);
    }
    return measures;
  }

  /** The unit a spelling is converted to, and the factor; null if it is not a unit. */
  unitOf(spelling: string): ConvertedUnit | null {
    return this.#unitOf(spelling);
  }

  /** The value of `1/2`, `1 1/2`, `1½`, `1,5`, `1.5`, `1,000`; null for anything else. */
  readAmount(text: string): number | null {
    if (this.#grouped.test(text)) return Number(text.replace(/[.,\s]/g, ''));
    const [, whole, over, under, vulgar] = MIXED_AMOUNT.exec(text) ?? [];
    // `1/2` alone: the part that matched as the whole number is the numerator.
    const fraction = /^(\d+)\/(\d+)$/.exec(text);
    if (fraction !== null) return quotient(fraction[1]!, fraction[2]!);
    if (whole === undefined && vulgar === undefined) return null;
    const added = vulgar === undefined ? quotient(over ?? '0', under ?? '1') : FRACTIONS[vulgar]!;
    return added === null ? null : Number((whole ?? '0').replace(',', '.')) + added;
  }

  /**
   * Whether the number that ends at `end` may be part of a size: a unit or another amount follows it.
   */
  #maySize(text: string, end: number): boolean {
    BEHIND_NUMBER.lastIndex = end;
    const behind = BEHIND_NUMBER.exec(text);
    if (behind === null) return false;
    const word = behind.groups!['word'];
    return word === undefined || this.#isSizeWord.get(word);
  }

  #readMeasure(text: string, match: RegExpMatchArray): Measure | null {
    const start = match.index!;
    const { last, unit: spelling } = match.groups as { last: string; unit?: string };
    const end = start + match[0].length;
    const amountsEnd = match[0].slice(0, match[0].length - (spelling?.length ?? 0));
    const before = amountsEnd.replace(/[\s-]$/, '').slice(0, -last.length);
    const isList = match.groups!['amounts'] !== undefined;
    const converted =
      spelling !== undefined && this.#isUnit(text, { spelling, start, end, last })
        ? this.unitOf(spelling)
        : null;
    const value = this.readAmount(last);
    if (value === null) return null;
    const single =
      converted === null ? null : `${numberTerm(value * converted.factor)}${converted.unit}`;
    if (!isList)
      return single === null ? null : { start, end, term: single, parts: wholes([last]) };
    const amounts = [...before.matchAll(this.#oneAmount)].map(([amount]) => amount);
    const values = [...amounts, last].map((amount) => this.readAmount(amount));
    if (values.some((amount) => amount === null)) return null;
    const term = values.map((amount) => numberTerm(amount!)).join('x');
    const listEnd = converted === null && spelling !== undefined ? end - spelling.length : end;
    return {
      start,
      end: listEnd,
      term,
      parts: [...wholes([...amounts, last]), ...(single === null ? [] : [single])],
    };
  }

  /** Whether an ambiguous spelling (`in`, a quotation mark, an apostrophe) is a unit here. */
  #isUnit(
    text: string,
    { spelling, start, end, last }: { spelling: string; start: number; end: number; last: string },
  ): boolean {
    const isJoined = text.slice(start, end) === last + spelling;
    if (/^in$/i.test(spelling)) {
      const after = text.slice(end, end + 20);
      if (/^[\s-]*\d/.test(after)) return false;
      return isJoined || !/^\d+$/.test(last) || this.#afterInches.test(after);
    }
    if (/^["”″]$/.test(spelling)) {
      return isJoined && !/(?:^|[\s([{])["“](?=\S)[^"“”]*$/.test(text.slice(0, end - 1));
    }
    if (/^['’′]$/.test(spelling)) {
      return isJoined && last.length <= 3 && /^(?:$|[\s,x×)])/.test(text.slice(end, end + 1));
    }
    return true;
  }
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

function quotient(over: string, under: string): number | null {
  return Number(under) === 0 ? null : Number(over) / Number(under);
}

function wholes(amounts: readonly string[]): string[] {
  return amounts.filter((amount) => /^\d+$/.test(amount));
}

/** Up to four decimals, with `p` for the point, because a term has none. */
function numberTerm(value: number): string {
  return String(Math.round(value * 10_000) / 10_000).replace('.', 'p');
}
