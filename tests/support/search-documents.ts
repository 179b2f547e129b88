import type { CatalogItem } from '../../src/domain/catalog.ts';
import { FIELDS, type Field } from '../../src/domain/field.ts';
import { type DocumentTexts, documentTerms, termsIn } from '../../src/search/index/documents.ts';
import { ENGLISH } from './english.ts';

interface SearchDocument extends DocumentTexts {
  /** The terms of each field, blank-separated. */
  readonly fields: Readonly<Record<Field, string>>;
}

/** The documents of an English item. */
export function searchDocuments(item: CatalogItem): SearchDocument[] {
  return documentTerms(item, ENGLISH).map(({ embeddingText, passage, ...document }) => {
    const fields = FIELDS.map((field) => [field, termsIn(document, field).join(' ')]);
    return { fields: Object.fromEntries(fields), embeddingText, passage };
  });
}
