import { FIELDS, type Field } from '../../src/domain/field.ts';
import type { NumberedTerms } from '../../src/search/index/documents.ts';
import type { MemoryIndex } from '../../src/search/index/memory-index.ts';
import type { IndexableDocument } from '../../src/search/index/memory-index-builder.ts';
import { MemoryIndexBuilder } from '../../src/search/index/memory-index-builder.ts';
import { type NameTable, NameTableBuilder } from '../../src/search/index/name-table.ts';
import { TermNumbers } from '../../src/search/index/term-table.ts';
import { nameTerms } from '../../src/search/ranking/name.ts';
import { Lexicon } from '../../src/search/text/lexicon.ts';
import { saveEmbeddingModel } from '../../src/storage/catalog/embedding-models.ts';
import { saveVectors } from '../../src/storage/catalog/vectors.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { ENGLISH } from './english.ts';
import { openNewDatabase } from './new-database.ts';
import { createWordIndex, indexWords } from './sqlite-search.ts';

/** A document for an index and a database: each field holds terms separated by blanks. */
export interface TextDocument extends Omit<IndexableDocument, keyof NumberedTerms> {
  readonly fields: Readonly<Record<Field, string>>;
}

/** The terms are given as text. */
const NO_WORDS = new Lexicon();

export function indexable({ fields, ...document }: TextDocument): IndexableDocument {
  const terms = Object.fromEntries(
    FIELDS.map((field) => [field, fields[field].split(' ').filter((term) => term !== '')]),
  ) as Record<Field, string[]>;
  return { ...document, lexicon: NO_WORDS, terms };
}

/** Runs a build to completion. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export function buildIndex(
  documents: readonly TextDocument[],
  dimensions: number | null,
  options: { readonly window?: number } = {},
): MemoryIndex {
  const builder = new MemoryIndexBuilder({ dimensions, ...options });
  for (const document of documents) builder.add(indexable(document));
  return finish(builder.finish());
}

/** A table of English names alone, in this order. */
export function namesOf(names: readonly string[], language = ENGLISH): NameTable {
  const builder = new NameTableBuilder(new TermNumbers());
  const lexicon = new Lexicon();
  for (const name of names) builder.add(nameTerms(name, language), lexicon);
  return finish(builder.finish());
}

/** The same documents in a real database with a full-text index, as organization 1. Each is a separate item. */
export async function storeDocuments(
  documents: readonly TextDocument[],
  dimensions: number,
): Promise<{ db: Database; modelKey: number }> {
  const db = await openNewDatabase();
  const shops = [...new Set(documents.map(({ shopKey }) => shopKey))];
  await db.write([
    {
      sql: "INSERT INTO organizations (key, id, slug, name, created_at) VALUES (1, 'o', 'o', 'o', 0)",
      args: [],
    },
    ...shops.map((key) => ({
      sql: "INSERT INTO shops (key, id, organization_key, handle, name, currency, locale, generation) VALUES (?, ?, 1, ?, 's', 'EUR', 'en', 1)",
      args: [key, `s${key}`, `s${key}`],
    })),
    ...createWordIndex(),
    ...documents.map(({ documentKey, fields }) => indexWords(documentKey, fields)),
    ...documents.flatMap(({ documentKey, itemKey, shopKey, id, type }) => [
      {
        sql: `INSERT INTO items (key, organization_key, shop_key, id, external_id, type, format, content_hash, body, first_generation, updated_at)
              VALUES (?, 1, ?, ?, ?, ?, 'json-lines', '', '{}', 1, 0)`,
        args: [itemKey, shopKey, id, id, type],
      },
      {
        sql: `INSERT INTO documents (key, item_key, organization_key, shop_key, type, first_generation, text_hash)
              VALUES (?, ?, 1, ?, ?, 1, '')`,
        args: [documentKey, itemKey, shopKey, type],
      },
    ]),
  ]);
  const { key } = await saveEmbeddingModel(db, { tag: 'test', dimensions });
  const vectors = new Map(
    documents.flatMap(({ documentKey, vector }) =>
      vector instanceof Float32Array ? [[documentKey, vector] as const] : [],
    ),
  );
  await db.write(saveVectors({ key, dimensions }, vectors));
  return { db, modelKey: key };
}

/** Numbers from 0 to 1 that are the same in every run. */
export function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
