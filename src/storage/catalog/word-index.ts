import { FIELDS, type Field } from '../../domain/field.ts';
import type { Database } from '../engine/database.ts';
import { PackedNumbers, packedNumber } from '../engine/packed-numbers.ts';
import type { Statement } from '../engine/statement.ts';
import { type SearchScope, visibleDocuments } from './visible.ts';

/**
 * Creates the full-text index of an organization. Each organization has its own, so that document
 * frequencies of others cannot affect its ranking. It stores no text. Terms arrive tokenized, so
 * FTS5's tokenizer only splits at blanks.
 */
export function createWordIndex(organizationKey: number): Statement[] {
  const table = tableOf(organizationKey);
  return [
    {
      sql: `CREATE VIRTUAL TABLE ${table} USING fts5(${FIELDS.join(', ')}, content='', contentless_delete=1,
            tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`,
      args: [],
    },
    { sql: `CREATE VIRTUAL TABLE ${table}_terms USING fts5vocab('${table}', 'row')`, args: [] },
  ];
}

/** Above the terms of one transaction of an import, some 3 MB, which FTS5 then writes in one piece. */
const PENDING_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Segments of one size that FTS5 merges. With its default of 4, a million documents are merged twice as
 * often; with more, each term of a search has to be looked up in more segments.
 */
const MERGED_SEGMENTS = 16;

/**
 * Segments of one size that FTS5 merges at once, however long it takes: 16 by default, as soon as it begins
 * to merge them bit by bit.
 */
const MERGED_AT_ONCE = 64;

/** Says how an organization's full-text index grows. FTS5 keeps the settings with the index. */
export function tuneWordIndex(organizationKey: number): Statement[] {
  const table = tableOf(organizationKey);
  return Object.entries({
    hashsize: PENDING_BYTES_MAX,
    automerge: MERGED_SEGMENTS,
    crisismerge: MERGED_AT_ONCE,
  }).map(([setting, value]) => ({
    // FTS5 takes whole numbers only, and the driver binds every number as a real one.
    sql: `INSERT INTO ${table} (${table}, rank) VALUES ('${setting}', ${value})`,
    args: [],
  }));
}

/** Numbers for the places of a document's fields. */
export const PLACES_OF_DOCUMENT = FIELDS.length * 2;

/** Documents that one statement adds to the full-text index. */
export class IndexedDocuments {
  readonly #numbers = new PackedNumbers();

  /**
   * Adds a document. `places`, from `from` on: start and length of the blank-separated terms of each
   * field, in the order of `FIELDS`. `offset`: bytes of text before those that they refer to.
   */
  add(key: number, places: ArrayLike<number>, { from = 0, offset = 0 } = {}): void {
    this.#numbers.begin(1 + PLACES_OF_DOCUMENT);
    this.#numbers.add(key);
    for (let at = from; at < from + PLACES_OF_DOCUMENT; at += 2) {
      this.#numbers.add(places[at]! + offset);
      this.#numbers.add(places[at + 1]!);
    }
  }

  insert(organizationKey: number, texts: Uint8Array): Statement {
    const number = (column: number) => packedNumber(column, 'value', '?2');
    const values = FIELDS.map(
      (_, at) => `CAST(substr(?1, ${number(at * 2 + 1)}, ${number(at * 2 + 2)}) AS TEXT)`,
    );
    return {
      sql: `INSERT INTO ${tableOf(organizationKey)} (rowid, ${FIELDS.join(', ')})
            SELECT ${number(0)}, ${values.join(', ')} FROM json_each(?3)`,
      args: [texts, this.#numbers.digits, this.#numbers.places],
    };
  }
}

export function unindexDocuments(organizationKey: number, keys: readonly number[]): Statement {
  return {
    sql: `DELETE FROM ${tableOf(organizationKey)} WHERE rowid IN (SELECT value FROM json_each(?))`,
    args: [JSON.stringify(keys)],
  };
}

export function unindexDocumentsOf(organizationKey: number, itemKey: number): Statement {
  return {
    sql: `DELETE FROM ${tableOf(organizationKey)} WHERE rowid IN (SELECT key FROM documents WHERE item_key = ?)`,
    args: [itemKey],
  };
}

export interface WordMatch {
  readonly documentKey: number;
  readonly itemKey: number;
  /** BM25 over the weighted fields; higher is better. */
  readonly bm25: number;
}

export interface WordQuery {
  /** A document has to hold a term of each of these lists. A term that ends in `*` is a prefix. */
  readonly allOf: readonly (readonly string[])[];
  /** Where it has to hold them; by default anywhere. */
  readonly fields?: readonly Field[];
  readonly weights: Readonly<Record<Field, number>>;
  readonly limit: number;
  /** At most so many matches are scored, the oldest ones; by default all. Each takes a few microseconds. */
  readonly scoredMax?: number;
}

/**
 * The documents in scope that match, best BM25 first, ties by key. Only what the query matches of them
 * counts for their BM25.
 */
export async function matchWords(
  db: Database,
  scope: SearchScope,
  query: WordQuery,
): Promise<WordMatch[]> {
  const table = tableOf(scope.organizationKey);
  const visible = visibleDocuments(scope);
  const weights = FIELDS.map((field) => query.weights[field]).join(', ');
  return db.all<WordMatch>({
    sql: `SELECT documentKey, itemKey, bm25 FROM (
            SELECT d.key AS documentKey, d.item_key AS itemKey, -bm25(${table}, ${weights}) AS bm25
            FROM ${table} w CROSS JOIN documents d ON d.key = w.rowid ${visible.join}
            WHERE ${table} MATCH ? AND ${visible.where} LIMIT ?)
          ORDER BY bm25 DESC, documentKey LIMIT ?`,
    args: [matchOf(query), ...visible.args, query.scoredMax ?? -1, query.limit],
  });
}

/** The number of documents that hold a term or prefix; one more than `max` if it is greater. */
export async function countHolders(
  db: Database,
  organizationKey: number,
  { term, max }: { readonly term: string; readonly max: number },
): Promise<number> {
  const table = tableOf(organizationKey);
  const [row] = await db.all<{ count: number }>({
    sql: `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`,
    args: [matchTerm(term), max + 1],
  });
  return row!.count;
}

/** The document frequency of each term; terms that no document holds are left out. */
export async function countDocuments(
  db: Database,
  organizationKey: number,
  terms: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.all<{ term: string; doc: number }>({
    sql: `SELECT t.term AS term, t.doc AS doc FROM json_each(?) j CROSS JOIN ${tableOf(organizationKey)}_terms t ON t.term = j.value`,
    args: [JSON.stringify(terms)],
  });
  return new Map(rows.map(({ term, doc }) => [term, Number(doc)]));
}

/**
 * The number of an organization's documents, including staged ones: the total that `countDocuments`
 * counts in.
 */
export async function countAllDocuments(db: Database, organizationKey: number): Promise<number> {
  const [row] = await db.all<{ size: number }>({
    sql: 'SELECT count(*) AS size FROM documents WHERE organization_key = ?',
    args: [organizationKey],
  });
  return row!.size;
}

/** Differences between an organization's full-text index and its documents. */
export interface IndexComparison {
  readonly total: number;
  /** Documents that the index lacks. Staged ones are not counted. */
  readonly missing: number;
  /** Index entries whose document is gone. */
  readonly orphaned: number;
  /** Items without a document. */
  readonly withoutDocument: number;
}

/**
 * Compares every document; takes seconds for a million. Run it on a copy: it changes no data, but
 * FTS5's integrity check is an INSERT.
 */
export async function compareWordIndex(
  db: Database,
  organizationKey: number,
): Promise<IndexComparison> {
  const table = tableOf(organizationKey);
  await db.write([{ sql: `INSERT INTO ${table} (${table}) VALUES ('integrity-check')`, args: [] }]);
  const [row] = await db.all<IndexComparison>({
    sql: `SELECT
            (SELECT count(*) FROM documents WHERE organization_key = ?1) AS total,
            (SELECT count(*) FROM documents d WHERE d.organization_key = ?1
               AND NOT EXISTS (SELECT 1 FROM ${table}_docsize w WHERE w.id = d.key)
               AND d.first_generation <= (SELECT generation FROM shops WHERE key = d.shop_key)) AS missing,
            (SELECT count(*) FROM ${table}_docsize w
               WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.key = w.id)) AS orphaned,
            (SELECT count(*) FROM items i WHERE i.organization_key = ?1
               AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.item_key = i.key)) AS withoutDocument`,
    args: [organizationKey],
  });
  return row!;
}

/** The terms that begin with `prefix` and have a length in the range, the most frequent first. */
export async function findTerms(
  db: Database,
  organizationKey: number,
  query: { prefix: string; lengthMin: number; lengthMax: number; limit: number },
): Promise<{ term: string; count: number }[]> {
  const { prefix, lengthMin, lengthMax, limit } = query;
  return db.all({
    sql: `SELECT term, doc AS count FROM ${tableOf(organizationKey)}_terms
          WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?
          ORDER BY doc DESC, term LIMIT ?`,
    args: [prefix, `${prefix}\u{10ffff}`, lengthMin, lengthMax, limit],
  });
}

function matchOf({ allOf, fields }: Pick<WordQuery, 'allOf' | 'fields'>): string {
  const all = allOf.map((terms) => `(${terms.map(matchTerm).join(' OR ')})`).join(' AND ');
  return fields === undefined ? all : `{${fields.join(' ')}} : (${all})`;
}

/** Quotes a term, so that FTS5 reads nothing in it as an operator. */
function matchTerm(term: string): string {
  const isPrefix = term.endsWith('*');
  return `"${(isPrefix ? term.slice(0, -1) : term).replaceAll('"', '""')}"${isPrefix ? '*' : ''}`;
}

/** The key is a number that we assign, so it is safe inside SQL. */
export function tableOf(organizationKey: number): string {
  return `words_${Math.trunc(organizationKey)}`;
}
