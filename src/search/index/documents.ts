import type { CatalogItem, Context, Offering } from '../../domain/catalog.ts';
import type { Field } from '../../domain/field.ts';
import { codeTermsOf } from '../text/codes.ts';
import { findMeasures, type Measure } from '../text/units.ts';
import { indexTermsOf } from '../text/words.ts';

/** Separates the codes of an item in its text: a code may contain blanks. */
export const CODE_SEPARATOR = '\n';

/** Attribute values that deny the attribute. */
const DENIED = /^(?:false|no|none|n\/a|nein|non)$/i;
const DENIED_LENGTH_MAX = 5;

/** A searchable document: one for an offering, one for each passage of a context. */
export interface SearchDocument {
  /** The terms of each field, blank-separated. */
  readonly fields: Readonly<Record<Field, string>>;
  /** The text to embed. */
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

export function searchDocuments(item: CatalogItem): SearchDocument[] {
  return documentTerms(item).map(({ terms, embeddingText, passage }) => ({
    fields: byField((field) => terms[field].join(' ')),
    embeddingText,
    passage,
  }));
}

/**
 * As `searchDocuments`, with the terms of each field as a list. `analyzed`: the analysis of an
 * offering, if there is one already.
 */
export function documentTerms(item: CatalogItem, analyzed?: AnalyzedOffering): DocumentTerms[] {
  return item.type === 'product'
    ? [offeringDocument(item, analyzed ?? analyzeOffering(item))]
    : contextDocuments(item);
}

export interface DocumentTerms extends Omit<SearchDocument, 'fields'> {
  readonly terms: Readonly<Record<Field, readonly string[]>>;
}

/**
 * An offering's texts by field and the sizes in them, found once because several callers need them.
 */
export interface AnalyzedOffering {
  readonly texts: Readonly<Record<Field, string>>;
  readonly measures: Readonly<Record<Field, readonly Measure[]>>;
}

export function analyzeOffering(offering: Offering): AnalyzedOffering {
  const texts = offeringTexts(offering);
  return {
    texts,
    measures: byField((field) => (field === 'codes' ? [] : findMeasures(texts[field]))),
  };
}

/** The texts of an offering by field, as a person would read them. */
export function offeringTexts(offering: Offering): Readonly<Record<Field, string>> {
  const { name, productType, tags, vendor, sku, mpn, gtins, attributes, variants, description } =
    offering;
  const codes = new Set([
    sku,
    mpn,
    ...gtins,
    ...variants.flatMap((variant) => [variant.sku, variant.gtin]),
  ]);
  // `gluten_free: false` must not match "gluten free".
  const details = Object.entries(attributes)
    .filter(([, value]) => !isDenied(String(value)))
    .map(([key, value]) => `${key.replaceAll('_', ' ')} ${value}`);
  const choices = new Set(
    variants.flatMap(({ title, options }) => [title, ...Object.values(options)]),
  );
  return {
    name,
    type: [productType ?? '', ...tags].join(', '),
    vendor: vendor ?? '',
    codes: [...codes].filter((code) => code !== null).join(CODE_SEPARATOR),
    details: [...details, ...choices].join('; '),
    body: description,
  };
}

/** Checks the length first: an offering has dozens of attributes, and hardly any is denied. */
function isDenied(value: string): boolean {
  return value.length <= DENIED_LENGTH_MAX && DENIED.test(value);
}

function offeringDocument(
  { name, description }: Offering,
  { texts, measures }: AnalyzedOffering,
): DocumentTerms {
  return {
    terms: byField((field) =>
      field === 'codes' ? codeTerms(texts.codes) : indexTermsOf(texts[field], measures[field]),
    ),
    embeddingText: `${name}. ${description}`.slice(0, EMBEDDING_TEXT_MAX),
    passage: null,
  };
}

function byField<Value>(make: (field: Field) => Value): Record<Field, Value> {
  return {
    name: make('name'),
    type: make('type'),
    vendor: make('vendor'),
    codes: make('codes'),
    details: make('details'),
    body: make('body'),
  };
}

const NO_TEXTS: Readonly<Record<Field, string>> = {
  name: '',
  type: '',
  vendor: '',
  codes: '',
  details: '',
  body: '',
};

function contextDocuments(context: Context): DocumentTerms[] {
  return contextPassages(context).map(({ texts, heading, passage }) => ({
    terms: byField((field) => (texts[field] === '' ? [] : indexTermsOf(texts[field]))),
    embeddingText: `${context.name}. ${heading}. ${texts.body}`.slice(0, EMBEDDING_TEXT_MAX),
    passage,
  }));
}

function contextPassages({ name, description }: Context): {
  texts: Readonly<Record<Field, string>>;
  heading: string;
  passage: string;
}[] {
  return splitPassages(description).map(({ heading, text }) => ({
    texts: { ...NO_TEXTS, name: `${name} ${heading}`, body: text },
    heading,
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

function codeTerms(codes: string): string[] {
  return [...new Set(codes.split(CODE_SEPARATOR).flatMap(codeTermsOf))];
}
