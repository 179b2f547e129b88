import { PropertyMap } from '../../collections/property-map.ts';
import { isAvailable, leadingPrice, type Offering, type Variant } from '../../domain/catalog.ts';
import { leadingVariant, optionsOf, optionValues } from '../../domain/variants.ts';
import type { ExcludeConstraint } from '../query/constraints.ts';
import type { Question } from '../query/parse-question.ts';
import { type Language, perLanguage } from '../text/language.ts';
import { phrasesIn, wordsIn } from '../text/phrases.ts';

/** What a question leaves of an offering's variants. */
export interface VariantChoice {
  /** All variants: those that have most of what the words name first, and then what can be ordered. */
  readonly ordered: readonly Variant[];
  /** Those that have everything that the words name: all of them where the words name nothing. */
  readonly fitting: readonly Variant[];
  /** The one to show: the cheapest available of those that fit. Null where the words choose nothing. */
  readonly matched: Variant | null;
  /** The names of the options in which those that fit still differ. None: the choice is settled. */
  readonly open: readonly string[];
  /** What is not wanted, of `AskedWords.unwanted`, that some variants have and those that fit have not. */
  readonly avoided: readonly string[];
}

/** The words of a question as variants are looked for in them. */
export interface AskedWords {
  readonly language: Language;
  readonly terms: readonly string[];
  /** The terms with a blank before, between and after them. */
  readonly phrase: string;
  /** Each in the same form: what is not wanted. */
  readonly unwanted: readonly string[];
}

/** An exclusion in the form of `AskedWords.unwanted`. */
export function unwantedPhrase({ terms }: ExcludeConstraint): string {
  return phraseOf(terms);
}

/** Of a parsed question, without the prices in it. */
export function askedWords({
  embeddingText: text,
  constraints,
  language,
}: Pick<Question, 'embeddingText' | 'constraints' | 'language'>): AskedWords {
  // An elided article (`l’écharpe`) is no size.
  const terms = language
    .scanWords(text)
    .filter(({ start, end }) => end - start > 1 || !/['’]/.test(text[end] ?? ''))
    .map(({ term }) => term)
    .filter((term) => term !== '');
  const unwanted = constraints.flatMap((constraint) =>
    constraint.kind === 'exclude' ? [unwantedPhrase(constraint)] : [],
  );
  return { language, terms, phrase: phraseOf(terms), unwanted };
}

/**
 * Which variants the words leave. A value is named by its own words in their order, or, where no value of
 * its option is, by its last one: `red` for `Heather Red`. Between two values of an option that are both
 * named, one that stands within the other (`blue` in `light blue`) or in the offering's name counts less.
 */
export function chooseVariant(
  asked: AskedWords,
  { name, variants }: Pick<Offering, 'name' | 'variants'>,
): VariantChoice {
  const { language } = asked;
  const known = readVariants(variants, language);
  const isNamed = [...asked.terms, ...asked.unwanted.flatMap((phrase) => phrase.split(' '))].some(
    (term) => known.vocabulary.has(term),
  );
  if (!isNamed) return known.unasked;
  const bySku = known.rows.filter(({ sku }) => sku !== null && asked.phrase.includes(sku));
  known.ownName ??= phraseOf(language.termsOf(name));
  const { ownName } = known;
  const wanted = known.options.map((option) => namedValues(option, asked.phrase, ownName));
  const unwanted = known.options.map(({ values }) =>
    values.filter(({ phrases }) => phrases.some((phrase) => asked.unwanted.includes(phrase))),
  );
  const judged = known.rows.map((row, place) => {
    const has = (values: readonly OptionValue[], at: number) => values.includes(row.values[at]!);
    const met = wanted.filter((values, at) => values.length > 0 && has(values, at)).length;
    const isRefused = unwanted.some(has);
    const isMet = met === wanted.filter((values) => values.length > 0).length && !isRefused;
    const isFitting = bySku.length > 0 ? bySku.includes(row) : isMet;
    return { ...row, place, isFitting, met: isRefused ? -1 : met };
  });
  const ordered = judged.toSorted(
    (one, other) =>
      Number(other.isFitting) - Number(one.isFitting) ||
      other.met - one.met ||
      Number(isAvailable(other.variant.availability)) -
        Number(isAvailable(one.variant.availability)) ||
      one.place - other.place,
  );
  const fitting = judged.filter(({ isFitting }) => isFitting).map(({ variant }) => variant);
  return {
    ordered: ordered.map(({ variant }) => variant),
    fitting,
    matched: fitting.length < variants.length ? cheapest(fitting) : null,
    open: openOptions(fitting),
    avoided:
      fitting.length === 0
        ? []
        : asked.unwanted.filter((phrase) =>
            unwanted.some((values) => values.some(({ phrases }) => phrases.includes(phrase))),
          ),
  };
}

/** Words that go with a value and say nothing themselves, and the sizes of clothes. */
const optionLanguage = perLanguage(({ words: { items }, termOf }) => ({
  optionWords: new Set(wordsIn(items.optionWords).map(termOf)),
  sizeWord: termOf(wordsIn(items.optionWords)[0] ?? ''),
  clothesSizes: items.clothesSizes.split('\n').map(phrasesIn),
}));

/** The words that say something, but nothing of the offering or of any of its variants. */
export function unreadTerms(
  { terms, language }: AskedWords,
  { name, variants }: Pick<Offering, 'name' | 'variants'>,
): string[] {
  const { vocabulary } = readVariants(variants, language);
  const { optionWords } = optionLanguage(language);
  const own = new Set(
    [name, ...optionsOf(variants).map((option) => option.name)].flatMap((text) =>
      language.termsOf(text),
    ),
  );
  return terms.filter(
    (term) =>
      !(
        vocabulary.has(term) ||
        own.has(term) ||
        optionWords.has(term) ||
        language.isStopWord(term)
      ),
  );
}

interface OptionValue {
  /** What names it, each as in `AskedWords.phrase`. */
  readonly phrases: readonly string[];
  /** Its last word in the same form; null where that says too little. */
  readonly head: string | null;
}

interface KnownOption {
  readonly values: readonly OptionValue[];
}

interface KnownVariants {
  readonly options: readonly KnownOption[];
  readonly rows: readonly {
    readonly variant: Variant;
    readonly sku: string | null;
    /** By option; undefined where the variant has no value of it. */
    readonly values: readonly (OptionValue | undefined)[];
  }[];
  /** Every term by which any of it can be named. */
  readonly vocabulary: ReadonlySet<string>;
  /** The offering's name, as in `AskedWords.phrase`: null until it is needed. */
  ownName: string | null;
  /** What words leave that name nothing. */
  readonly unasked: VariantChoice;
}

/** Shown again and again, the same object each time. */
const knownIn = perLanguage(() => new PropertyMap<readonly Variant[], KnownVariants>());

function readVariants(variants: readonly Variant[], language: Language): KnownVariants {
  const remembered = knownIn(language);
  let known = remembered.get(variants);
  if (known === undefined) {
    known = learnVariants(variants, language);
    remembered.set(variants, known);
  }
  return known;
}

function learnVariants(variants: readonly Variant[], language: Language): KnownVariants {
  const named = optionsOf(variants).map(({ name, values }) => ({
    name,
    values: new Map(values.map((value) => [value, optionValue(name, value, language)])),
  }));
  const rows = variants.map((variant) => {
    const own = optionValues(variant);
    const values = named.map((option) => option.values.get(own[option.name] ?? ''));
    return { variant, values, sku: variant.sku === null ? null : skuPhrase(variant.sku, language) };
  });
  const options = named.map(({ values }) => ({ values: [...values.values()] }));
  const phrases = [
    ...options.flatMap(({ values }) => values.flatMap((value) => [...value.phrases, value.head])),
    ...rows.map(({ sku }) => sku),
  ];
  const available = variants.filter(({ availability }) => isAvailable(availability));
  return {
    options,
    rows,
    ownName: null,
    vocabulary: new Set(phrases.flatMap((phrase) => phrase?.split(' ') ?? []).filter(Boolean)),
    unasked: {
      ordered: [...available, ...variants.filter((variant) => !available.includes(variant))],
      fitting: variants,
      matched: null,
      open: openOptions(variants),
      avoided: [],
    },
  };
}

/** A head of fewer letters is a size or a remainder, and no word by which a value is known. */
const HEAD_LENGTH_MIN = 3;

function optionValue(option: string, value: string, language: Language): OptionValue {
  const { clothesSizes, sizeWord } = optionLanguage(language);
  const isStopWord = (term: string) => language.isStopWord(term);
  const terms = language.termsOf(value);
  const text = terms.join(' ');
  const synonyms = terms.length === 1 ? language.synonymsOf(terms)[0]! : [];
  const spellings = clothesSizes.find((size) => size.includes(text)) ?? [text, ...synonyms];
  const last = terms.at(-1) ?? '';
  const isWord = last.length >= HEAD_LENGTH_MIN && !/\d/.test(last) && !isStopWord(last);
  return {
    phrases: (terms.every(isStopWord) || /^\d$/.test(text)
      ? [`${language.termsOf(option).at(-1) ?? ''} ${text}`, `${sizeWord} ${text}`]
      : spellings
    ).map((spelling) => ` ${spelling} `),
    head: isWord && terms.length > 1 ? ` ${last} ` : null,
  };
}

/** The values of an option that the words name; none where they name no value of it. */
function namedValues(
  { values }: KnownOption,
  asked: string,
  ownName: string,
): readonly OptionValue[] {
  const named = values.flatMap((value) => {
    const phrase = value.phrases.find((candidate) => asked.includes(candidate));
    return phrase === undefined ? [] : [{ value, phrase }];
  });
  const whole = named.filter(
    ({ phrase }) =>
      !named.some((other) => other.phrase !== phrase && other.phrase.includes(phrase)),
  );
  const telling = whole.filter(({ phrase }) => !ownName.includes(phrase));
  if (whole.length > 0) return (telling.length > 0 ? telling : whole).map(({ value }) => value);
  return values.filter(
    ({ head }) => head !== null && asked.includes(head) && !ownName.includes(head),
  );
}

function openOptions(variants: readonly Variant[]): string[] {
  return optionsOf(variants).flatMap(({ name, values }) => (values.length > 1 ? [name] : []));
}

function cheapest(variants: readonly Variant[]): Variant | null {
  return leadingVariant({ variants, priceMinor: leadingPrice(variants).priceMinor });
}

/** A shorter SKU may be any word. */
const SKU_LENGTH_MIN = 4;

function skuPhrase(sku: string, language: Language): string | null {
  return sku.length < SKU_LENGTH_MIN ? null : phraseOf(language.termsOf(sku));
}

function phraseOf(terms: readonly string[]): string {
  return ` ${terms.join(' ')} `;
}
