import type { Availability } from '../../domain/catalog.ts';
import { isCurrency } from '../../domain/money.ts';
import { HEADINGS, WORDS } from './words.ts';

/** What a heading can mean. */
export type Meaning =
  | 'id'
  | 'sku'
  | 'title'
  | 'description'
  | 'summary'
  | 'link'
  | 'image'
  | 'images'
  | 'price'
  | 'grossPrice'
  | 'netPrice'
  | 'purchasePrice'
  | 'listPrice'
  | 'salePrice'
  | 'otherPrice'
  | 'currency'
  | 'tax'
  | 'availability'
  | 'quantity'
  | 'visible'
  | 'status'
  | 'brand'
  | 'gtin'
  | 'mpn'
  | 'category'
  | 'tags'
  | 'color'
  | 'size'
  | 'material'
  | 'group';

/** What a cell of an availability or visibility column can say. */
export type Word = Exclude<Availability, 'unknown'> | 'yes' | 'no';

type Dictionary<Sense> = ReadonlyMap<string, ReadonlySet<Sense>>;

/** Built with the first table, because most files need no dictionary. */
let headings: Dictionary<Meaning> | null = null;
let words: Dictionary<Word> | null = null;

/** Every meaning that a heading has in any language; empty if it is in no dictionary. */
export function meaningsOf(heading: string): ReadonlySet<Meaning> {
  headings ??= readDictionary<Meaning>(HEADINGS);
  const { name } = splitHeading(heading);
  const own = headings.get(keyOf(name));
  if (own !== undefined) return own;
  return headings.get(keyOf(name.replace(LANGUAGE, ''))) ?? NONE;
}

/** What a cell says about availability or visibility, in any language; null if it is not a known word. */
export function wordOf(cell: string): Word | null {
  if (cell === '') return null;
  const counts = cell.match(/\d+/g) ?? [];
  if (counts.length > 0 && counts.every((count) => Number(count) === 0)) return 'out_of_stock';
  words ??= readDictionary<Word>(WORDS);
  const [word] = words.get(keyOf(cell.replace(/\d+/g, ''))) ?? [];
  return word ?? null;
}

/**
 * The currency that a heading names (`Price (USD)`, `Preis in €`), as it is written there; null if it
 * names none.
 */
export function headingCurrency(heading: string): string | null {
  return splitHeading(heading).currency;
}

const NONE: ReadonlySet<Meaning> = new Set();

/** A language at the end of a heading: `name_de`, `Bezeichnung (EN)`. Not `no`, which is a number in English. */
const LANGUAGE = /[\s_.([-]+(?:de|en|fr|es|it|nl|pt|pl|sv|se|da|dk|us|uk|gb|at|ch)[)\]]?$/i;

const BREAKS = /[\s_.,:;/()[\]{}|-]+/;

/** Codes that are no word in any of the languages, so that lower case may mean them. */
const PLAIN_CODES = /^(?:eur|usd|gbp|chf|pln|sek|dkk|nok|czk)$/i;

/** Separates a heading from the currency in it. */
function splitHeading(heading: string): { name: string; currency: string | null } {
  const parts = heading.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(BREAKS);
  const isShouting = heading === heading.toUpperCase() && parts.length > 1;
  const found = parts.find((part) => {
    if (/^euros?$/i.test(part) || PLAIN_CODES.test(part)) return true;
    if (isCurrency(part)) return !isShouting || new RegExp(`[([]${part}[)\\]]`).test(heading);
    return /^[^\p{L}\d]+$/u.test(part) && /\p{Sc}/u.test(part);
  });
  if (found === undefined) return { name: heading, currency: null };
  const name = parts.filter((part) => part !== found).join(' ');
  return {
    name: name.replace(/\s+(?:in|en|em|w|i)\s*$/i, ''),
    currency: /^euros?$/i.test(found) ? 'EUR' : found,
  };
}

/** Equal for the spellings of one word: without case, accents, spaces and punctuation. */
function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/n[°º]|№|#/g, ' no ')
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .replace(/æ/g, 'ae')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The other spelling of umlauts: `Größe` is also `Groesse`, `på` is also `paa`. */
function spelledOut(text: string): string {
  return text
    .toLowerCase()
    .replace(/[äæ]/g, 'ae')
    .replace(/[öø]/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/å/g, 'aa');
}

/** Reads the lines `meaning: word, word`; a line without a colon continues the one before it. */
function readDictionary<Sense extends string>(
  languages: Readonly<Record<string, string>>,
): Dictionary<Sense> {
  const dictionary = new Map<string, Set<Sense>>();
  for (const lines of Object.values(languages)) {
    for (const [, sense, list] of lines.matchAll(/^\s*(\w+):([^:]*)(?=^\s*\w+:|(?![\s\S]))/gm)) {
      for (const word of list!.split(',')) {
        for (const key of [keyOf(word), keyOf(spelledOut(word))]) {
          dictionary.set(key, (dictionary.get(key) ?? new Set()).add(sense as Sense));
        }
      }
    }
  }
  return dictionary;
}
