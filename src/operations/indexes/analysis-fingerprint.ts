import { createHash } from 'node:crypto';
import type { Context, Offering } from '../../domain/catalog.ts';
import { FIELDS } from '../../domain/field.ts';
import { analyzeOffering, documentTerms, termsIn } from '../../search/index/documents.ts';
import { factsOf } from '../../search/index/fact-table.ts';
import { PACKING_VERSION } from '../../search/index/packing.ts';
import { nameTerms } from '../../search/ranking/name.ts';
import { type Language, languageOf, perLanguage } from '../../search/text/language.ts';
import { FIELD_WEIGHTS } from '../../search/tuning/ranking-weights.ts';

/** Words, sizes, codes and marks that the text analysis treats in different ways. */
const TEXT = [
  'Größe 8x10 in, 2.5 kg, ½ inch, 1,200 ml, 5-pack; women’s dresses, Kinderwagen, boxes, cities.',
  'USB-C 3.1 Wi-Fi router AX-5400/B, 12V 5Ah, 65" 4K TVs, 100% cotton, R&B, naïve café, Ελλάς, 東京.',
  'with for the and of without not under over between 10 and 20 EUR, size XL, A4, B2B, t-shirt.',
].join('\n');

const SAMPLE: Offering = {
  type: 'product',
  kind: 'product',
  externalId: 'sample',
  name: TEXT,
  description: TEXT,
  image: null,
  images: [],
  slug: null,
  publicUrl: null,
  publishedAt: null,
  vendor: 'Möller & Söhne',
  tags: TEXT.split(' '),
  productType: 'Shoes > Running shoes',
  currency: 'EUR',
  priceMinor: 1999,
  compareAtPriceMinor: null,
  availability: 'in_stock',
  sku: 'AX-5400/B 12',
  mpn: '006R90321',
  gtins: ['4006381333931'],
  bookingUrl: null,
  checkoutUrl: null,
  attributes: { color: 'red', gluten_free: false, width: '30 cm' },
  variants: [],
};

const fingerprintOf = perLanguage((language) => {
  const analyzed = analyzeOffering(SAMPLE, language);
  const page: Context = { ...SAMPLE, type: 'context', description: `# Heading\n\n${TEXT}` };
  const made = {
    words: language.words,
    terms: wordsIn(language.words).map(language.termOf),
    documents: [...documentTerms(SAMPLE, language, analyzed), ...documentTerms(page, language)].map(
      ({ embeddingText, passage, ...document }) => ({
        terms: Object.fromEntries(FIELDS.map((field) => [field, termsIn(document, field)])),
        embeddingText,
        passage,
      }),
    ),
    name: nameTerms(SAMPLE.name, language, analyzed.measures.name),
    facts: { ...factsOf(SAMPLE, analyzed) },
  };
  return `${language.code}:${digest(made)}`;
});

/**
 * Names the analysis of a locale: the code of its language and a fingerprint, which differs as soon as this program
 * analyses the texts of the sample or the language's own words differently than another one.
 */
export function analysisOf(locale: string): string {
  return fingerprintOf(languageOf(locale));
}

/**
 * Differs as soon as this program packs an index differently than another one, so that neither uses
 * the other's files.
 */
export function packingFingerprint(): string {
  return digest({ packing: PACKING_VERSION, weights: FIELD_WEIGHTS });
}

function wordsIn({ question, items }: Language['words']): string[] {
  return `${question.stopWords} ${question.synonyms} ${items.colours}`.split(/[\s,]+/);
}

function digest(made: unknown): string {
  return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16);
}
