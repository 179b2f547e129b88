import type { Database } from '../engine/database.ts';
import type { Statement } from '../engine/statement.ts';

/*
 * A document has its newest vector in `documents`. While the vectors of a former model still answer its
 * organization, the one that a newer vector has replaced is in `former_vectors`.
 */

/** Keeps the vectors that answer and are about to be replaced by those of this model. */
export function keepAnsweringVectors(modelKey: number, documentKeys: string): Statement {
  return {
    sql: `INSERT OR REPLACE INTO former_vectors (document_key, model_key, vector)
          SELECT d.key, d.model_key, d.vector
          FROM documents d JOIN organizations o ON o.key = d.organization_key
          WHERE d.key IN (SELECT value FROM json_each(?)) AND d.model_key = o.vector_model_key
            AND d.model_key <> ?`,
    args: [documentKeys, modelKey],
  };
}

/** What is left to do about the vectors of other models than this one. */
export interface VectorStates {
  /** Documents have a newer vector of another model beside one of this model. */
  readonly isRestorable: boolean;
  /** Documents have a vector of another model only. */
  readonly hasOthers: boolean;
  /** Documents have two vectors. */
  readonly hasFormers: boolean;
}

export async function findVectorStates(db: Database, modelKey: number): Promise<VectorStates> {
  const [row] = await db.poll<Record<keyof VectorStates, number>>({
    sql: `SELECT EXISTS (SELECT 1 FROM former_vectors WHERE model_key = ?1) AS isRestorable,
            EXISTS (SELECT 1 FROM documents
                    WHERE model_key IN (SELECT key FROM embedding_models WHERE key <> ?1)) AS hasOthers,
            EXISTS (SELECT 1 FROM former_vectors) AS hasFormers`,
    args: [modelKey],
  });
  const { isRestorable, hasOthers, hasFormers } = row!;
  return {
    isRestorable: isRestorable === 1,
    hasOthers: hasOthers === 1,
    hasFormers: hasFormers === 1,
  };
}

/**
 * Counts documents without a vector of this model in the next slice of the documents after `after`, of
 * those without any vector or of all. `last` is the slice's last key; null at the end.
 */
export async function countToEmbed(
  db: Database,
  {
    modelKey,
    of,
    after,
    limit,
  }: { modelKey: number; of: 'unembedded' | 'all'; after: number; limit: number },
): Promise<{ count: number; last: number | null }> {
  const [row] = await db.all<{ count: number; last: number | null }>({
    sql: `SELECT coalesce(sum(model_key IS NOT ?), 0) AS count, max(key) AS last FROM
            (SELECT key, model_key FROM documents
             WHERE ${of === 'all' ? '' : 'vector IS NULL AND'} key > ? ORDER BY key LIMIT ?)`,
    args: [modelKey, after, limit],
  });
  return row!;
}

/** The number of an organization's documents with a vector of this model, and with any. */
export async function countVectors(
  db: Database,
  organizationKey: number,
  modelKey: number,
): Promise<{ ofModel: number; all: number }> {
  const [row] = await db.all<{ ofModel: number; all: number }>({
    sql: `SELECT coalesce(sum(model_key = ?1), 0) AS ofModel, count(*) AS "all" FROM documents
          WHERE model_key IN (SELECT key FROM embedding_models) AND organization_key = ?2`,
    args: [modelKey, organizationKey],
  });
  return row!;
}

/** Puts up to `limit` vectors of a model back that came into use again. */
export function restoreVectors(modelKey: number, limit: number): Statement[] {
  const chosen =
    'SELECT document_key FROM former_vectors WHERE model_key = ?1 ORDER BY document_key LIMIT ?2';
  return [
    {
      sql: `UPDATE documents SET (model_key, vector) =
              (SELECT model_key, vector FROM former_vectors WHERE document_key = documents.key)
            WHERE key IN (${chosen})`,
      args: [modelKey, limit],
    },
    {
      sql: `DELETE FROM former_vectors WHERE document_key IN (${chosen})`,
      args: [modelKey, limit],
    },
  ];
}

/** Deletes up to `limit` vectors of former models. */
export function forgetFormerVectors(limit: number): Statement {
  return {
    sql: `DELETE FROM former_vectors WHERE document_key IN
          (SELECT document_key FROM former_vectors LIMIT ?)`,
    args: [limit],
  };
}
