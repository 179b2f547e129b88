import assert from 'node:assert/strict';
import { readPage } from '../engine/answer-limit.ts';
import type { Database } from '../engine/database.ts';
import type { Statement } from '../engine/statement.ts';
import { type SearchScope, visibleDocuments } from './visible.ts';

/** Mean cosines of a model: to pairs of unrelated and of related texts. */
interface CosineScale {
  readonly unrelated: number;
  readonly related: number;
}

/** The row of an embedding model, created on first use. Its scale is null until it is saved. */
export async function saveEmbeddingModel(
  db: Database,
  model: { tag: string; dimensions: number },
): Promise<{ key: number; scale: CosineScale | null }> {
  await db.write([
    {
      sql: 'INSERT INTO embedding_models (tag, dimensions) VALUES (?, ?) ON CONFLICT DO NOTHING',
      args: [model.tag, model.dimensions],
    },
  ]);
  const [row] = await db.all<{
    key: number;
    dimensions: number;
    unrelated: number | null;
    related: number | null;
  }>({
    sql: `SELECT key, dimensions, unrelated_cosine AS unrelated, related_cosine AS related
          FROM embedding_models WHERE tag = ?`,
    args: [model.tag],
  });
  assert.equal(row?.dimensions, model.dimensions, 'a model keeps its number of dimensions');
  const { key, unrelated, related } = row;
  return { key, scale: unrelated === null || related === null ? null : { unrelated, related } };
}

export function saveCosineScale(modelKey: number, { unrelated, related }: CosineScale): Statement {
  return {
    sql: 'UPDATE embedding_models SET unrelated_cosine = ?, related_cosine = ? WHERE key = ?',
    args: [unrelated, related, modelKey],
  };
}

export interface UnembeddedDocument {
  readonly key: number;
  readonly itemKey: number;
  readonly passage: string | null;
}

/** The oldest documents without a vector, over all organizations. */
export async function findUnembedded(db: Database, limit: number): Promise<UnembeddedDocument[]> {
  const { page } = await readPage(limit, (rows) =>
    db.all<UnembeddedDocument>({
      sql: 'SELECT key, item_key AS itemKey, passage FROM documents WHERE vector IS NULL ORDER BY key LIMIT ?',
      args: [rows],
    }),
  );
  return page;
}

/**
 * Stores one vector for each document, quantised to 8 bits a dimension. Documents that are gone are
 * skipped.
 */
export function saveVectors(
  model: { key: number; dimensions: number },
  vectors: ReadonlyMap<number, Float32Array>,
): Statement[] {
  return [...vectors].map(([documentKey, vector]) => {
    // libSQL would store a vector of another length silently, and every search over the column
    // would fail.
    assert.equal(vector.length, model.dimensions);
    return {
      sql: 'UPDATE documents SET model_key = ?, vector = vector8(vector32(?)) WHERE key = ?',
      args: [model.key, bytesOf(vector), documentKey],
    };
  });
}

/** Deletes up to `limit` vectors of other models, so that they are recomputed. */
export function forgetOtherVectors(modelKey: number, limit: number): Statement {
  return {
    sql: `UPDATE documents SET model_key = NULL, vector = NULL WHERE key IN
          (SELECT key FROM documents WHERE model_key < ? OR model_key > ? LIMIT ?)`,
    args: [modelKey, modelKey, limit],
  };
}

/** The number of documents with a vector of each model, by the model's tag. */
export async function countVectorsByModel(db: Database): Promise<Map<string, number>> {
  const rows = await db.all<{ tag: string; count: number }>({
    sql: `SELECT m.tag AS tag, count(*) AS count FROM documents d JOIN embedding_models m ON m.key = d.model_key
          GROUP BY m.key ORDER BY m.key`,
    args: [],
  });
  return new Map(rows.map(({ tag, count }) => [tag, count]));
}

export interface VectorMatch {
  readonly documentKey: number;
  readonly itemKey: number;
  /** From -1 to 1; near 0 for unrelated texts. */
  readonly cosine: number;
}

/** The documents in scope with the greatest cosine, greatest first, ties by key. */
export async function matchVectors(
  db: Database,
  scope: SearchScope,
  query: { modelKey: number; vector: Float32Array; limit: number },
): Promise<VectorMatch[]> {
  const visible = visibleDocuments(scope);
  return db.all<VectorMatch>({
    sql: `SELECT documentKey, itemKey, 1 - distance AS cosine FROM (
            SELECT d.key AS documentKey, d.item_key AS itemKey, vector_distance_cos(d.vector, q.vector) AS distance
            FROM (SELECT vector8(vector32(?)) AS vector) q, documents d ${visible.join}
            WHERE d.model_key = ? AND ${visible.where})
          WHERE distance IS NOT NULL ORDER BY distance, documentKey LIMIT ?`,
    args: [bytesOf(query.vector), query.modelKey, ...visible.args, query.limit],
  });
}

/**
 * The stored vectors of the given documents as `vector8` BLOBs, by document key, in key order.
 * Vectors of other models are left out.
 */
export async function findVectors(
  db: Database,
  documentKeys: readonly number[],
  modelKey: number,
): Promise<Map<number, Uint8Array>> {
  const rows = await db.all<{ key: number; vector: ArrayBuffer }>({
    sql: `SELECT key, vector FROM documents
          WHERE key IN (SELECT value FROM json_each(?)) AND model_key = ? ORDER BY key`,
    args: [JSON.stringify(documentKeys), modelKey],
  });
  return new Map(rows.map(({ key, vector }) => [key, new Uint8Array(vector)]));
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
