import { FIELDS, type Field } from '../../src/domain/field.ts';
import { type SearchScope, visibleDocuments } from '../../src/storage/catalog/visible.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Statement } from '../../src/storage/engine/statement.ts';

/*
 * SQLite's own search: FTS5 and libSQL's vector functions. They are independent implementations with which tests
 * compare the index in memory.
 */

/** Creates a full-text index of documents whose terms are separated by blanks. */
export function createWordIndex(): Statement[] {
  return [
    `CREATE VIRTUAL TABLE words USING fts5(${FIELDS.join(', ')}, content='', contentless_delete=1,
     tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`,
    "CREATE VIRTUAL TABLE word_terms USING fts5vocab('words', 'row')",
  ].map((sql) => ({ sql, args: [] }));
}

export function indexWords(
  documentKey: number,
  fields: Readonly<Record<Field, string>>,
): Statement {
  const texts = FIELDS.map((field) => fields[field]);
  return {
    sql: `INSERT INTO words (rowid, ${FIELDS.join(', ')}) VALUES (?${', ?'.repeat(FIELDS.length)})`,
    args: [documentKey, ...texts],
  };
}

interface Match {
  readonly documentKey: number;
  readonly itemKey: number;
}

/** The documents in scope with any of these terms, best BM25 first, ties by key. `term*` is a prefix. */
export async function matchWords(
  db: Database,
  scope: SearchScope,
  {
    terms,
    weights,
    limit,
  }: {
    readonly terms: readonly string[];
    readonly weights: Readonly<Record<Field, number>>;
    readonly limit: number;
  },
): Promise<(Match & { readonly bm25: number })[]> {
  const visible = visibleDocuments(scope);
  const weighted = FIELDS.map((field) => weights[field]).join(', ');
  return db.all({
    sql: `SELECT d.key AS documentKey, d.item_key AS itemKey, -bm25(words, ${weighted}) AS bm25
          FROM words w CROSS JOIN documents d ON d.key = w.rowid ${visible.join}
          WHERE words MATCH ? AND ${visible.where} ORDER BY bm25 DESC, documentKey LIMIT ?`,
    args: [terms.map(quoted).join(' OR '), ...visible.args, limit],
  });
}

/** The number of documents with each term; terms that none has are left out. */
export async function countDocuments(
  db: Database,
  terms: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.all<{ term: string; doc: number }>({
    sql: 'SELECT term, doc FROM word_terms WHERE term IN (SELECT value FROM json_each(?))',
    args: [JSON.stringify(terms)],
  });
  return new Map(rows.map(({ term, doc }) => [term, Number(doc)]));
}

/** The terms that begin with `prefix` and have a length in the range, the most frequent first. */
export async function findTerms(
  db: Database,
  query: { prefix: string; lengthMin: number; lengthMax: number; limit: number },
): Promise<{ term: string; count: number }[]> {
  const { prefix, lengthMin, lengthMax, limit } = query;
  const rows = await db.all<{ term: string; count: number }>({
    sql: `SELECT term, doc AS count FROM word_terms
          WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? ORDER BY doc DESC, term LIMIT ?`,
    args: [prefix, `${prefix}\u{10ffff}`, lengthMin, lengthMax, limit],
  });
  return rows.map(({ term, count }) => ({ term, count: Number(count) }));
}

/**
 * The documents in scope whose vectors of this model have the greatest cosine, greatest first, ties by
 * key.
 */
export async function matchVectors(
  db: Database,
  scope: SearchScope,
  query: { modelKey: number; vector: Float32Array; limit: number },
): Promise<(Match & { readonly cosine: number })[]> {
  const visible = visibleDocuments(scope);
  const distances = (table: string, of: 'd' | 'f', further = '') =>
    `SELECT d.key AS documentKey, d.item_key AS itemKey, vector_distance_cos(${of}.vector, q.vector) AS distance
     FROM (SELECT vector8(vector32(?)) AS vector) q, ${table} ${visible.join}
     WHERE ${of}.model_key = ? AND ${visible.where}${further}`;
  const former = 'former_vectors f CROSS JOIN documents d ON d.key = f.document_key';
  const { buffer, byteOffset, byteLength } = query.vector;
  const vector = new Uint8Array(buffer, byteOffset, byteLength);
  const args = [vector, query.modelKey, ...visible.args];
  return db.all({
    sql: `SELECT documentKey, itemKey, 1 - distance AS cosine FROM (
            ${distances('documents d', 'd')} UNION ALL
            ${distances(former, 'f', ' AND d.model_key IS NOT f.model_key')})
          WHERE distance IS NOT NULL ORDER BY distance, documentKey LIMIT ?`,
    args: [...args, ...args, query.limit],
  });
}

/** Quotes a term, so that FTS5 reads nothing in it as an operator. */
function quoted(term: string): string {
  const isPrefix = term.endsWith('*');
  return `"${(isPrefix ? term.slice(0, -1) : term).replaceAll('"', '""')}"${isPrefix ? '*' : ''}`;
}
