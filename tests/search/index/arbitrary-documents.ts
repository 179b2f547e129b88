import fc from 'fast-check';
import type { Field } from '../../../src/domain/field.ts';
import type { TermGroup } from '../../../src/search/query/expand-terms.ts';
import type { TextDocument } from '../../support/indexed-database.ts';

export const DIMENSIONS = 20;

// With a character outside the BMP, one of the private use area's neighbours, and shared prefixes.
export const WORDS = 'red reds shoe show lamp lampshade ab12 12 été ñu 沙发 𠮷野 \uf900x zz'.split(
  ' ',
);
export const EVERYWHERE = { shopKeys: null, productsOnly: false };

export function group(...alternatives: string[]): TermGroup {
  return { term: alternatives[0]!, alternatives, idf: 1 };
}

export function blankFields(): Record<Field, string> {
  return { name: '', type: '', vendor: '', codes: '', details: '', body: '' };
}

export function documentOf(key: number, overrides: Partial<TextDocument> = {}): TextDocument {
  return {
    documentKey: key,
    itemKey: key + 1000,
    id: `00000000-0000-4000-8000-${String(key).padStart(12, '0')}`,
    shopKey: 1,
    type: 'product',
    available: true,
    fields: blankFields(),
    vector: null,
    vendor: null,
    productType: null,
    tags: [],
    currency: 'EUR',
    priceMinor: null,
    generation: 1,
    ...overrides,
  };
}

const arbitraryText = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 6 })
  .map((words) => words.join(' '));
export const arbitraryVector = fc.option(
  fc
    .array(fc.integer({ min: -50, max: 50 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
    .map((values) => Float32Array.from(values, (value) => value / 100)),
);
export const arbitraryDocuments = fc
  .array(
    fc.record({
      fields: fc.record({
        name: arbitraryText,
        type: arbitraryText,
        vendor: arbitraryText,
        codes: arbitraryText,
        details: arbitraryText,
        body: arbitraryText,
      }),
      vector: arbitraryVector,
      shopKey: fc.integer({ min: 1, max: 3 }),
      type: fc.constantFrom('product' as const, 'context' as const),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((rows) => rows.map((row, index) => documentOf(index * 3 + 1, row)));
export const arbitraryScope = fc.record({
  shopKeys: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 })),
  productsOnly: fc.boolean(),
});
export const arbitraryTerms = fc.uniqueArray(
  fc.constantFrom(...WORDS, 're*', 'lamp*', 'sho*', 'nothing', 'q*', '1*', '沙*'),
  { minLength: 1, maxLength: 5 },
);
