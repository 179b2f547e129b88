import type { CatalogItem, Context, Offering } from '../domain/catalog.ts';
import type { Field } from '../domain/field.ts';
import { fold, termsOf } from './words.ts';

/** What is searched of an item: one document for an offering, one for each passage of a context. */
export interface SearchDocument {
  /** The terms of each field, blank-separated. */
  readonly fields: Readonly<Record<Field, string>>;
  /** What the embedder reads. */
  readonly meaning: string;
  /** The passage that an answer shows; null for an offering, which shows its description. */
  readonly passage: string | null;
}

/** Code points the embedder reads at most: its model cuts at 256 word pieces. */
const MEANING_LENGTH_MAX = 1200;

/** Aimed-at length of a passage in code points: what a person reads at a glance, and a model in one go. */
const PASSAGE_LENGTH = 700;

export function searchDocuments(item: CatalogItem): SearchDocument[] {
  return item.type === 'product' ? [offeringDocument(item)] : contextDocuments(item);
}

/** The texts of an offering by field, as a person would read them: highlights are cut from these. */
export function offeringTexts(offering: Offering): Readonly<Record<Field, string>> {
  const { name, productType, tags, vendor, sku, mpn, gtins, attributes, variants, description } = offering;
  const codes = new Set([sku, mpn, ...gtins, ...variants.flatMap((variant) => [variant.sku, variant.gtin])]);
  const details = Object.entries(attributes).map(([key, value]) => `${key.replaceAll('_', ' ')} ${value}`);
  const choices = new Set(variants.flatMap(({ title, options }) => [title, ...Object.values(options)]));
  return {
    name,
    type: [productType ?? '', ...tags].join(', '),
    vendor: vendor ?? '',
    codes: [...codes].filter((code) => code !== null).join(' '),
    details: [...details, ...choices].join('; '),
    body: description,
  };
}

function offeringDocument(offering: Offering): SearchDocument {
  const texts = offeringTexts(offering);
  const { name, type, vendor, details, body } = texts;
  return {
    fields: {
      name: indexed(name),
      type: indexed(type),
      vendor: indexed(vendor),
      codes: codeTerms(texts.codes),
      details: indexed(details),
      body: indexed(body),
    },
    meaning: `${name}. ${body}`.slice(0, MEANING_LENGTH_MAX),
    passage: null,
  };
}

function contextDocuments({ name, description }: Context): SearchDocument[] {
  return splitPassages(description).map(({ heading, text }) => ({
    fields: { name: indexed(`${name} ${heading}`), type: '', vendor: '', codes: '', details: '', body: indexed(text) },
    meaning: `${name}. ${heading}. ${text}`.slice(0, MEANING_LENGTH_MAX),
    passage: heading === '' || heading === name ? text : `${heading}: ${text}`,
  }));
}

/**
 * Passages of a Markdown text, in order, each with the heading it stands under. A passage ends at a
 * heading, and at a paragraph's end once it has about 700 code points; a longer paragraph is a
 * passage of its own. At least one passage, empty if the text is.
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
      flush();
      heading = title.replace(/\s*#*\s*$/, '');
    }
    const paragraph = (rest ?? (title === undefined ? block : '')).trim();
    if (paragraph === '') continue;
    if (text !== '' && text.length + paragraph.length > PASSAGE_LENGTH) flush();
    text = text === '' ? paragraph : `${text}\n\n${paragraph}`;
  }
  flush();
  return passages.length > 0 ? passages : [{ heading, text: '' }];
}

function indexed(text: string): string {
  return text === '' ? '' : termsOf(text).join(' ');
}

/** A code is found by its parts and by the whole without punctuation: `AB-12/3` → `ab 12 3 ab123`. */
function codeTerms(codes: string): string {
  const terms = new Set<string>();
  for (const code of codes.split(' ')) {
    for (const term of termsOf(code)) terms.add(term);
    const whole = fold(code.replace(/[^\p{L}\p{N}]/gu, ''));
    if (whole !== '') terms.add(whole);
  }
  return [...terms].join(' ');
}
