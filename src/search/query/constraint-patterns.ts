import type { RangeWords } from '../languages/language-words.ts';
import type { Language } from '../text/language.ts';
import { anyIn, anyOf, phrasesIn, wordsIn } from '../text/phrases.ts';

/** The patterns that find the conditions in questions of one language. */
export interface ConstraintPatterns {
  /** Two amounts: `low` and `high`, or `low2` and `high2`. */
  readonly between: RegExp;
  /** `upper`, `lower` or `around` before a `value`, and `upper` or `lower` behind one. */
  readonly oneBound: RegExp;
  readonly boundBehind: RegExp;
  /** One group, named as in `ConstraintWords.orders`. */
  readonly order: RegExp;
  readonly available: RegExp;
  /** What must not precede an `available` one. */
  readonly availableNotAfter: RegExp;
  /** A `thing` and an ending that says it is absent. */
  readonly freeOf: RegExp;
  /** A negation, and the words behind it: `first`, `second`, and after a comma or an `or` the `third`. */
  readonly negated: RegExp;
  /** A negation whose thing stands before it, and one whose thing follows without a blank. */
  readonly negationBehind: RegExp;
  readonly unspacedNegation: RegExp;
  /** A `thing` behind a minus that is joined to it: `bag -leather`. */
  readonly minus: RegExp;
  readonly noThings: ReadonlySet<string>;
  readonly endThings: ReadonlySet<string>;
  readonly noThingEnding: RegExp;
  /** Amounts by the words for them, in lower case. */
  readonly numbers: ReadonlyMap<string, number>;
  /** ISO 4217 codes by symbol, code and name, in lower case. */
  readonly currencyOf: ReadonlyMap<string, string>;
  /** An amount with thousands apart, and what separates them. */
  readonly grouped: RegExp;
  readonly group: RegExp;
}

/** Symbols and codes of currencies that are the same in every language. */
const CURRENCIES: Readonly<Record<string, string>> = {
  USD: '$, usd',
  EUR: '€, eur',
  GBP: '£, gbp',
  JPY: '¥, jpy',
  CHF: 'chf',
  CAD: 'cad',
  AUD: 'aud',
  SEK: 'sek',
  DKK: 'dkk',
  NOK: 'nok',
  PLN: 'pln',
  INR: '₹, inr',
};
const SYMBOLS = '$€£¥₹';
const WORD_START = '(?<![\\p{L}\\p{N}])';
const WORD_END = '(?![\\p{L}\\p{N}])';
const NAMED = "[\\p{L}\\p{M}\\p{N}][\\p{L}\\p{M}\\p{N}'’-]*";

export function constraintPatterns({ words, measures }: Language): ConstraintPatterns {
  const { constraints, analysis } = words;
  // Where words have no blanks between them, nothing tells where one begins and ends.
  const [START, END, BLANKS] = analysis.isSegmented
    ? ['', '', '\\s*']
    : [WORD_START, WORD_END, '\\s+'];
  const currencyOf = currencyNames(constraints.currencies);
  const names = [...currencyOf.keys()].filter((name) => !SYMBOLS.includes(name));
  const currencyWord = `[${SYMBOLS}]|(?:${anyOf(names)})${END}`;
  // `under 500 in red` is money: inches must be spelt out here.
  const counted = [...phrasesIn(constraints.counted), '%'];
  const unitWord = `(?:"|″|(?!in(?![\\p{L}]))(?:${measures.unitPattern}|${anyOf(counted)})${END})`;
  const [point, comma] = analysis.decimal === '.' ? ['\\.', ','] : [',', '[. \\u00a0\\u202f]'];
  const grouped = `\\d{1,3}(?:${comma}\\d{3})+(?:${point}\\d{1,2})?`;
  const numbers = numbersByWord(constraints.numbers);
  const digits = `${grouped}|\\d{1,9}(?:[.,]\\d{1,3})?|(?:${anyOf([...numbers.keys()])})${END}`;
  /** An amount, with the symbol or unit that makes it money or a size. */
  const amount = (name: string) =>
    `(?<${name}Symbol>(?:US|CA|AU)?[${SYMBOLS}])?\\s?(?<${name}>${digits})(?:\\s?-?(?<${name}Unit>${currencyWord}|${unitWord}))?`;
  const range = ({ from, to }: RangeWords, [low, high]: readonly [string, string]) =>
    `(?:${anyIn(from)})\\s+${amount(low)}\\s*(?:${anyIn(to)}|-|–)\\s*${amount(high)}`;
  const { upper, lower, around, upperBehind, lowerBehind, negations, or } = constraints;
  const orders = Object.entries(constraints.orders).map(
    ([name, phrases]) => `(?<${name}>${anyIn(phrases)})`,
  );
  const fillers = `(?:(?:${anyIn(constraints.negationFillers)})\\s+)*`;
  const repeated = `(?:(?:${anyIn(constraints.negationsRepeated)}) )?`;
  const joint = anyIn(or);
  return {
    between: all(
      `${START}(?:${range(constraints.between, ['low', 'high'])}|` +
        `${range(constraints.fromTo, ['low2', 'high2'])})`,
    ),
    oneBound: all(
      `${START}(?:(?<upper>${anyIn(upper)})|(?<lower>${anyIn(lower)})|(?<around>${anyIn(around)}))${BLANKS}${amount('value')}`,
    ),
    boundBehind: all(
      `${START}${amount('value')}${BLANKS}(?:(?<upper>${anyIn(upperBehind)})|(?<lower>${anyIn(lowerBehind)}))${END}`,
    ),
    order: all(`${START}(?:${orders.join('|')})${END}`),
    available: all(`${START}(?:${anyIn(constraints.available)})${END}`),
    availableNotAfter: new RegExp(`${START}(?:${anyIn(constraints.availableNotAfter)})\\s+$`, 'iu'),
    freeOf: all(`${START}(?<thing>[\\p{L}\\p{M}]{3,40})(?:${anyIn(analysis.freeEndings)})${END}`),
    negated: all(
      `${START}(?:${analysis.isSegmented ? '(?!)' : anyIn(negations)})\\s+${fillers}(?<first>${NAMED})` +
        `(?:\\s+(?!(?:${joint})\\s)(?<second>${NAMED}))?` +
        `(?:\\s*(?:,|${joint})\\s+${repeated}(?<third>${NAMED})(?=\\s*$|[.,?!]))?`,
    ),
    negationBehind: all(`${START}(?:${anyIn(constraints.negationsBehind)})${END}`),
    unspacedNegation: all(analysis.isSegmented ? anyIn(negations) : '(?!)'),
    minus: all('(?<=\\s)[-–−](?<thing>\\p{L}[\\p{L}\\p{M}]{2,39})(?=\\s|$)'),
    numbers,
    noThings: new Set(wordsIn(constraints.noThings)),
    endThings: new Set(wordsIn(constraints.endThings)),
    noThingEnding: new RegExp(`.{2}${constraints.noThingEnding ?? '(?!)'}$`, 'iu'),
    currencyOf,
    grouped: new RegExp(`^${grouped}$`),
    group: new RegExp(comma, 'g'),
  };
}

function all(source: string): RegExp {
  return new RegExp(source, 'giu');
}

function numbersByWord(numbers: string): ReadonlyMap<string, number> {
  return new Map(
    phrasesIn(numbers).map((number) => {
      const at = number.lastIndexOf(' ');
      return [number.slice(0, at).toLowerCase(), Number(number.slice(at))] as const;
    }),
  );
}

function currencyNames(own: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    [...Object.entries(CURRENCIES), ...Object.entries(own)].flatMap(([code, names]) =>
      phrasesIn(names).map((name) => [name.toLowerCase(), code] as const),
    ),
  );
}
