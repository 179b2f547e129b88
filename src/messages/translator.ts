import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { type Language, languageOf } from './languages.ts';
import { nl } from './nl.ts';
import type { Message, MessageKey, Messages, Plural, Said, Text } from './wording.ts';

export const CATALOGUES: Readonly<Record<Language, Messages>> = { en, de, fr, es, it, nl };

/** Writes messages, lists and numbers in the language of a locale. */
export interface Translator {
  readonly language: Language;
  text<Key extends MessageKey>(...said: Said<Key>): string;
  tell(message: Message): string;
  /** `a, b and c`. */
  list(items: readonly string[]): string;
  /** Digits in groups: `12,345`. */
  count(count: number): string;
  /** The name of a locale's language: `German`. */
  languageName(locale: string): string;
  /** `12%`, of a share from 0 to 1; with its sign if it is a change. */
  percent(share: number, kind?: 'change'): string;
  /** A day such as `2026-01-31`: `Jan 31, 2026`, or without its year. */
  day(day: string, kind?: 'withoutYear'): string;
  /** A decimal string such as `"1234.50"`, with the locale's separator and no groups. */
  decimal(decimal: string): string;
}

/** Locales whose translators are kept: more than a service's shops have in practice. */
const TRANSLATORS_MAX = 100;

const translators = new Map<string, Translator>();

/** `locale`: BCP 47, valid. English where there is no catalogue for its language. */
export function translatorFor(locale: string): Translator {
  let translator = translators.get(locale);
  if (translator === undefined) {
    translator = createTranslator(locale);
    if (translators.size < TRANSLATORS_MAX) translators.set(locale, translator);
  }
  return translator;
}

/** The messages whose keys begin so, by the rest of their keys, for a page that says them itself. */
export function messagesUnder(
  prefix: string,
  language: Language,
): Readonly<Record<string, Text | Plural>> {
  const entries: [string, Text | Plural][] = Object.entries(CATALOGUES[language]);
  return Object.fromEntries(
    entries.flatMap(([key, wording]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), wording]] : [],
    ),
  );
}

/** For an answer about several shops: their language, English if they have several. */
export function translatorForShops(shops: readonly { readonly locale: string }[]): Translator {
  return translatorFor(localeOfShops(shops));
}

/** The locale of the first shop if all have its language, else `en`. */
export function localeOfShops(shops: readonly { readonly locale: string }[]): string {
  const [first, ...others] = shops.map(({ locale }) => locale);
  const isShared = others.every((locale) => languageOf(locale) === languageOf(first!));
  return first === undefined || !isShared ? 'en' : first;
}

/** A message whose values have been checked against its names. */
type Written = readonly [MessageKey, Values?];
type Values = Readonly<Record<string, string | number>>;

/** Ends the name of a value whose digits are grouped. */
const NUMBER = ', number';

function createTranslator(locale: string): Translator {
  const language = languageOf(locale);
  const messages = CATALOGUES[language];
  // Everywhere the same in English, which also stands in for languages without a catalogue.
  const numbering = language === 'en' ? 'en' : locale;
  const plurals = new Intl.PluralRules(language);
  const grouped = new Intl.NumberFormat(numbering);
  const point =
    new Intl.NumberFormat(numbering).formatToParts(0.5).find(({ type }) => type === 'decimal')
      ?.value ?? '.';
  // American English puts a comma before “and”.
  const lists = new Intl.ListFormat(language === 'en' ? 'en-GB' : language);
  const names = new Intl.DisplayNames(language, { type: 'language' });
  const percents = new Intl.NumberFormat(numbering, { style: 'percent' });
  const changes = new Intl.NumberFormat(numbering, {
    style: 'percent',
    signDisplay: 'exceptZero',
  });
  const days = new Intl.DateTimeFormat(numbering, { dateStyle: 'medium', timeZone: 'UTC' });
  const daysOfYear = new Intl.DateTimeFormat(numbering, {
    ...{ day: 'numeric', month: 'short', timeZone: 'UTC' },
  });
  const templates = new Map<Text, readonly string[]>();

  const written = (name: string, values: Values): string | number => {
    if (!name.endsWith(NUMBER)) return values[name]!;
    return grouped.format(Number(values[name.slice(0, -NUMBER.length)]!));
  };
  const write = ([key, values = {}]: Written): string => {
    const wording: Text | Plural = messages[key];
    const text =
      typeof wording === 'string'
        ? wording
        : wording[plurals.select(Number(values['count'])) === 'one' ? 'one' : 'other'];
    let parts = templates.get(text);
    if (parts === undefined) {
      parts = text.split(/\{(\w+(?:, number)?)\}/);
      templates.set(text, parts);
    }
    let whole = parts[0]!;
    for (let at = 1; at < parts.length; at += 2)
      whole += `${written(parts[at]!, values)}${parts[at + 1]!}`;
    return whole;
  };
  return {
    language,
    text: (...said) => write(said as Written),
    tell: write,
    list: (items) => (items.length === 1 ? items[0]! : lists.format(items)),
    count: (count) => grouped.format(count),
    percent: (share, kind) => (kind === 'change' ? changes : percents).format(share),
    day: (day, kind) =>
      (kind === 'withoutYear' ? daysOfYear : days).format(new Date(`${day}T00:00:00Z`)),
    languageName: (of) => names.of(of) ?? of,
    decimal: (decimal) => decimal.replace('.', point),
  };
}
