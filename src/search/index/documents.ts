import { distinct } from '../../collections/distinct.ts';
import type { CatalogItem, Context, Offering } from '../../domain/catalog.ts';
import { FIELDS, type Field } from '../../domain/field.ts';
import { type NameTerms, nameTerms, readName } from '../ranking/name.ts';
import { codeTermsOf, idTermsOf } from '../text/codes.ts';
import { type IndexTerm, IndexTerms } from '../text/index-terms.ts';
import { type Language, perLanguage } from '../text/language.ts';
import type { Lexicon } from '../text/lexicon.ts';
import { anyOf, wordsIn } from '../text/phrases.ts';
import type { Measure } from '../text/units.ts';

/** Separates the codes of an item in its text: a code may contain blanks. */
export const CODE_SEPARATOR = '\n';

/** Attribute values that deny the attribute. */
const deniedIn = perLanguage(({ words: { items } }) => {
  const denials = wordsIn(items.denied);
  return {
    pattern: new RegExp(`^(?:${anyOf(denials)})$`, 'iu'),
    lengthMax: Math.max(...denials.map(({ length }) => length)),
  };
});

const indexTermsIn = perLanguage((language) => new IndexTerms(language.termOf));

/** The texts of a searchable document: one for an offering, one for each passage of a context. */
export interface DocumentTexts {
  /** The text that its vector stands for: as long as it stays, so does the vector. */
  readonly embeddingText: string;
  /** The passage that an answer shows; null for an offering, whose description is shown. */
  readonly passage: string | null;
}

/** The most code points to embed: the model truncates at 256 word pieces. */
const EMBEDDING_TEXT_MAX = 1200;

/**
 * Target length of a passage in code points: a person reads it at a glance, and a model without
 * truncation.
 */
const PASSAGE_LENGTH = 700;

/** The texts of an item's documents, in order. */
export function documentTexts(item: CatalogItem): DocumentTexts[] {
  return item.type === 'product'
    ? [{ embeddingText: offeringEmbeddingText(item), passage: null }]
    : contextPassages(item).map(({ embeddingText, passage }) => ({ embeddingText, passage }));
}

/** What an embedding model reads of a document. */
export interface ReadText {
  readonly text: string;
  readonly passage: string | null;
}

/**
 * What an embedding model reads of an item's documents. It skips a description all of whose words are in the
 * name, as in four of ten offerings of electronics: reading them twice takes time and says nothing new.
 */
export function readTexts(item: CatalogItem): ReadText[] {
  if (item.type === 'product' && repeatsItsName(item))
    return [{ text: `${item.name}.`, passage: null }];
  return documentTexts(item).map(({ embeddingText, passage }) => ({
    text: embeddingText,
    passage,
  }));
}

function repeatsItsName({ name, description }: Offering): boolean {
  const words = new Set(plainWords(name));
  return plainWords(description).every((word) => words.has(word));
}

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * As `documentTexts`, with the terms of each field. `analyzed`: the analysis of an offering, if there is one
 * already.
 */
export function documentTerms(
  item: CatalogItem,
  language: Language,
  analyzed?: AnalyzedOffering,
): DocumentTerms[] {
  return item.type === 'product'
    ? [offeringDocument(item, language, analyzed ?? analyzeOffering(item, language))]
    : contextDocuments(item, language);
}

/** The terms of a document by field, repetitions included; `lexicon` numbers those of words. */
export interface NumberedTerms {
  readonly lexicon: Lexicon;
  readonly terms: Readonly<Record<Field, readonly IndexTerm[]>>;
}

export interface DocumentTerms extends NumberedTerms, DocumentTexts {
  /** The name of the item. */
  readonly name: NameTerms<IndexTerm>;
}

/** The terms of a field as text. */
export function termsIn({ lexicon, terms }: NumberedTerms, field: Field): string[] {
  return terms[field].map((term) => textOf(term, lexicon));
}

function textOf(term: IndexTerm, lexicon: Lexicon): string {
  return typeof term === 'string' ? term : lexicon.text(term);
}

/**
 * An offering's texts by field and the sizes in them, found once because several callers need them.
 */
export interface AnalyzedOffering {
  readonly texts: Readonly<Record<Field, string>>;
  readonly measures: Readonly<Record<Field, readonly Measure[]>>;
}

export function analyzeOffering(offering: Offering, language: Language): AnalyzedOffering {
  const texts = offeringTexts(offering, language);
  return {
    texts,
    measures: byField((field) => (field === 'codes' ? [] : language.measures.find(texts[field]))),
  };
}

/** The texts of an offering by field, as a person would read them. */
export function offeringTexts(
  offering: Offering,
  language: Language,
): Readonly<Record<Field, string>> {
  const { name, productType, tags, vendor, sku, mpn, gtins, attributes, variants, description } =
    offering;
  const codes = [sku, mpn, ...gtins];
  for (const variant of variants) codes.push(variant.sku, variant.gtin);
  // `gluten_free: false` must not match "gluten free".
  const details = Object.entries(attributes)
    .filter(([, value]) => !isDenied(String(value), language))
    .map(([key, value]) => `${key.replaceAll('_', ' ')} ${value}`);
  const choices: string[] = [];
  for (const { title, options } of variants) choices.push(title, ...Object.values(options));
  return {
    name,
    type: [productType ?? '', ...tags].join(', '),
    vendor: vendor ?? '',
    codes: distinct(codes.filter((code) => code !== null)).join(CODE_SEPARATOR),
    details: [...details, ...distinct(choices)].join('; '),
    body: description,
  };
}

/** Checks the length first: an offering has dozens of attributes, and hardly any is denied. */
function isDenied(value: string, language: Language): boolean {
  const { lengthMax, pattern } = deniedIn(language);
  return value.length <= lengthMax && pattern.test(value);
}

function offeringDocument(
  offering: Offering,
  language: Language,
  { texts, measures }: AnalyzedOffering,
): DocumentTerms {
  const indexTerms = indexTermsIn(language);
  const lexicon = indexTerms.begin();
  const codes = [...codeTerms(texts.codes, language), ...idTermsOf(offering.externalId)];
  const starts: number[] = [];
  const terms = byField((field) => {
    if (field === 'codes') return distinct(codes);
    return language.indexTermsOf(texts[field], indexTerms, {
      measures: measures[field],
      starts: field === 'name' ? starts : undefined,
    });
  });
  const scanned = {
    terms: terms.name.slice(0, starts.length),
    starts,
    textOf: (term: IndexTerm) => textOf(term, lexicon),
  };
  return {
    lexicon,
    terms,
    name: readName(offering.name, scanned, language),
    embeddingText: offeringEmbeddingText(offering),
    passage: null,
  };
}

function offeringEmbeddingText({ name, description }: Offering): string {
  return `${name}. ${description}`.slice(0, EMBEDDING_TEXT_MAX);
}

/** A loop and not six calls: whatever `make` does is compiled into it, once. */
function byField<Value>(make: (field: Field) => Value): Record<Field, Value> {
  const made: Record<Field, Value | undefined> = { ...NO_VALUES };
  for (const field of FIELDS) made[field] = make(field);
  return made as Record<Field, Value>;
}

/** Gives all objects by field the same shape. */
const NO_VALUES: Record<Field, undefined> = {
  name: undefined,
  type: undefined,
  vendor: undefined,
  codes: undefined,
  details: undefined,
  body: undefined,
};

const NO_TEXTS: Readonly<Record<Field, string>> = {
  name: '',
  type: '',
  vendor: '',
  codes: '',
  details: '',
  body: '',
};

function contextDocuments(context: Context, language: Language): DocumentTerms[] {
  const indexTerms = indexTermsIn(language);
  const name = nameTerms(context.name, language);
  return contextPassages(context).map(({ texts, embeddingText, passage }) => ({
    lexicon: indexTerms.begin(),
    name,
    terms: byField((field) =>
      texts[field] === '' ? [] : language.indexTermsOf(texts[field], indexTerms),
    ),
    embeddingText,
    passage,
  }));
}

function contextPassages({ name, description }: Context): {
  texts: Readonly<Record<Field, string>>;
  embeddingText: string;
  passage: string;
}[] {
  return splitPassages(description).map(({ heading, text }) => ({
    texts: { ...NO_TEXTS, name: `${name} ${heading}`, body: text },
    embeddingText: `${name}. ${heading}. ${text}`.slice(0, EMBEDDING_TEXT_MAX),
    passage: passageText({ heading: heading === name ? '' : heading, text }),
  }));
}

function passageText({ heading, text }: { heading: string; text: string }): string {
  return [heading, text].filter((part) => part !== '').join(': ');
}

/**
 * Splits a Markdown text into passages, in order, each with its heading; headings with no text
 * between them are joined (`Shipping – Europe`). Every word of the text is in one passage. A
 * passage ends at a heading, and at a paragraph's end once it has about 700 code points; a longer
 * paragraph is a passage of its own. At least one passage, empty if the text is.
 */
export function splitPassages(markdown: string): { heading: string; text: string }[] {
  const passages: { heading: string; text: string }[] = [];
  let heading = '';
  let text = '';
  const flush = () => {
    if (text !== '') passages.push({ heading, text });
    text = '';
  };
  for (const block of markdown.split(/\n\s*\n|\n(?=#{1,6}\s)/)) {
    const [, title, rest] = /^\s*#{1,6}\s+([^\n]*)\n?([\s\S]*)$/.exec(block) ?? [];
    if (title !== undefined) {
      const textless = text === '' ? heading : '';
      flush();
      const parts = [textless, title.replace(/\s*#*\s*$/, '')];
      heading = parts.filter((part) => part !== '').join(' – ');
    }
    const paragraph = (rest ?? (title === undefined ? block : '')).trim();
    if (paragraph === '') continue;
    if (text !== '' && text.length + paragraph.length > PASSAGE_LENGTH) flush();
    text = text === '' ? paragraph : `${text}\n\n${paragraph}`;
  }
  if (text !== '' || heading !== '' || passages.length === 0) passages.push({ heading, text });
  return passages;
}

function codeTerms(codes: string, language: Language): string[] {
  return codes.split(CODE_SEPARATOR).flatMap((code) => codeTermsOf(code, language));
}
