import assert from 'node:assert/strict';
import { readPage } from '../engine/answer-limit.ts';
import type { Database } from '../engine/database.ts';
import type { Statement } from '../engine/statement.ts';
import { keepAnsweringVectors } from './former-vectors.ts';

/** A document to embed. */
export interface EmbeddableDocument {
  readonly key: number;
  readonly itemKey: number;
  readonly organizationKey: number;
  readonly passage: string | null;
}

/** The oldest documents without a vector, over all organizations. */
export async function findUnembedded(
  db: Database,
  limit: number,
): Promise<readonly EmbeddableDocument[]> {
  const { page } = await readPage(limit, (rows) =>
    db.poll<EmbeddableDocument>({
      sql: `SELECT key, item_key AS itemKey, organization_key AS organizationKey, passage FROM documents
            WHERE vector IS NULL ORDER BY key LIMIT ?`,
      args: [rows],
    }),
  );
  return page;
}

/** Documents whose vector is of another model than this one, of one organization or of all (null). */
export async function findOtherVectors(
  db: Database,
  {
    modelKey,
    organizationKey,
    limit,
  }: { modelKey: number; organizationKey: number | null; limit: number },
): Promise<EmbeddableDocument[]> {
  const { page } = await readPage(limit, (rows) =>
    db.all<EmbeddableDocument>({
      sql: `SELECT key, item_key AS itemKey, organization_key AS organizationKey, passage FROM documents
            WHERE model_key IN (SELECT key FROM embedding_models WHERE key <> ?)
              ${organizationKey === null ? '' : 'AND organization_key = ?'} LIMIT ?`,
      args: [modelKey, ...(organizationKey === null ? [] : [organizationKey]), rows],
    }),
  );
  return page;
}

/**
 * Stores one vector for each document, quantised to 8 bits a dimension. Documents that are gone are
 * skipped. The first vectors of an organization are those that answer it; later ones of another
 * model leave them in place.
 */
export function saveVectors(
  model: { key: number; dimensions: number },
  vectors: ReadonlyMap<number, Float32Array>,
): Statement[] {
  const documentKeys = JSON.stringify([...vectors.keys()]);
  return [
    keepAnsweringVectors(model.key, documentKeys),
    ...[...vectors].map(([documentKey, vector]) => {
      // libSQL would store a vector of another length silently, and every search over the column
      // would fail.
      assert.equal(vector.length, model.dimensions);
      return {
        sql: 'UPDATE documents SET model_key = ?, vector = vector8(vector32(?)) WHERE key = ?',
        args: [model.key, bytesOf(vector), documentKey],
      };
    }),
    {
      sql: `UPDATE organizations SET vector_model_key = ? WHERE vector_model_key IS NULL
            AND key IN (SELECT organization_key FROM documents WHERE key IN (SELECT value FROM json_each(?)))`,
      args: [model.key, documentKeys],
    },
  ];
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
          WHERE key IN (SELECT value FROM json_each(?1)) AND model_key = ?2
          UNION ALL SELECT document_key, vector FROM former_vectors
          WHERE document_key IN (SELECT value FROM json_each(?1)) AND model_key = ?2 ORDER BY key`,
    args: [JSON.stringify(documentKeys), modelKey],
  });
  return new Map(rows.map(({ key, vector }) => [key, new Uint8Array(vector)]));
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
