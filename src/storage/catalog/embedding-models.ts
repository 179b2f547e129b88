import assert from 'node:assert/strict';
import type { Database } from '../engine/database.ts';
import type { Statement } from '../engine/statement.ts';

/** Mean cosines of a model: to pairs of unrelated and of related texts. */
interface CosineScale {
  readonly unrelated: number;
  readonly related: number;
}

/** An embedding model that was used at some time. */
export interface EmbeddingModelRow {
  readonly key: number;
  readonly tag: string;
  readonly dimensions: number;
  /** Null until it is saved. */
  readonly scale: CosineScale | null;
  /** How to open it again, for the code that opened it; null if that is not known. */
  readonly source: unknown;
}

/** The row of an embedding model, created on first use. Null for `source` keeps the stored one. */
export async function saveEmbeddingModel(
  db: Database,
  model: { tag: string; dimensions: number; source?: object | null },
): Promise<EmbeddingModelRow> {
  const { tag, dimensions, source = null } = model;
  await db.write([
    {
      sql: `INSERT INTO embedding_models (tag, dimensions, source) VALUES (?1, ?2, ?3)
            ON CONFLICT (tag) DO UPDATE SET source = ?3 WHERE ?3 IS NOT NULL AND source IS NOT ?3`,
      args: [tag, dimensions, source && JSON.stringify(source)],
    },
  ]);
  const [row] = await findModels(db, 'tag', tag);
  assert.equal(row?.dimensions, dimensions, 'a model keeps its number of dimensions');
  return row;
}

/** Null if there is no such row. */
export async function findEmbeddingModel(
  db: Database,
  key: number,
): Promise<EmbeddingModelRow | null> {
  const [row] = await findModels(db, 'key', key);
  return row ?? null;
}

async function findModels(
  db: Database,
  column: 'key' | 'tag',
  value: string | number,
): Promise<EmbeddingModelRow[]> {
  const rows = await db.all<
    Pick<EmbeddingModelRow, 'key' | 'tag' | 'dimensions'> & {
      source: string | null;
      unrelated: number | null;
      related: number | null;
    }
  >({
    sql: `SELECT key, tag, dimensions, source, unrelated_cosine AS unrelated, related_cosine AS related
          FROM embedding_models WHERE ${column} = ?`,
    args: [value],
  });
  return rows.map(({ source, unrelated, related, ...row }) => ({
    ...row,
    source: source === null ? null : db.parse(source),
    scale: unrelated === null || related === null ? null : { unrelated, related },
  }));
}

export function saveCosineScale(modelKey: number, { unrelated, related }: CosineScale): Statement {
  return {
    sql: 'UPDATE embedding_models SET unrelated_cosine = ?, related_cosine = ? WHERE key = ?',
    args: [unrelated, related, modelKey],
  };
}
