import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { imports } from '../engine/schema.ts';
import { type Statement, statement } from '../engine/statement.ts';

export interface ImportRecord {
  readonly id: string;
  readonly shopKey: number;
  readonly source: string;
  readonly format: string;
  readonly state: 'running' | 'committed' | 'failed';
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** The counts as JSON, once it has ended. */
  readonly summary: string | null;
  /** The generation it made visible; null if it changed nothing or did not finish. */
  readonly generation: number | null;
  readonly rolledBackAt: number | null;
}

export function insertImport(
  db: Database,
  record: Omit<ImportRecord, 'finishedAt' | 'summary' | 'generation' | 'rolledBackAt'> &
    Partial<Pick<ImportRecord, 'finishedAt'>>,
): Statement {
  return statement(db.orm.insert(imports).values(record));
}

export function finishImport(
  db: Database,
  id: string,
  end: {
    state: 'committed' | 'failed';
    finishedAt: number;
    summary: string;
    generation?: number | null;
  },
): Statement {
  return statement(db.orm.update(imports).set(end).where(eq(imports.id, id)));
}

/**
 * Marks imports as failed that are recorded as running although no process runs them: they were
 * killed.
 */
export function failRunningImports(db: Database, shopKey: number, nowMs: number): Statement {
  return statement(
    db.orm
      .update(imports)
      .set({ state: 'failed', finishedAt: nowMs })
      .where(and(eq(imports.shopKey, shopKey), eq(imports.state, 'running'))),
  );
}

export async function findLatestImport(
  db: Database,
  shopKey: number,
): Promise<ImportRecord | null> {
  const [row] = await db.find(
    db.orm
      .select()
      .from(imports)
      .where(eq(imports.shopKey, shopKey))
      .orderBy(desc(imports.startedAt), desc(imports.id))
      .limit(1),
  );
  return row ?? null;
}

/** The latest imports into any of the shops, newest first. */
export async function findImports(
  db: Database,
  shopKeys: readonly number[],
  limit: number,
): Promise<ImportRecord[]> {
  return db.find(
    db.orm
      .select()
      .from(imports)
      .where(inArray(imports.shopKey, [...shopKeys]))
      .orderBy(desc(imports.startedAt), desc(imports.id))
      .limit(limit),
  );
}

/**
 * The import that made a generation of a shop visible; null for a generation from before imports
 * were recorded.
 */
export async function findImportOf(
  db: Database,
  shop: { key: number; generation: number },
): Promise<ImportRecord | null> {
  const [row] = await db.find(
    db.orm
      .select()
      .from(imports)
      .where(
        and(
          eq(imports.shopKey, shop.key),
          eq(imports.generation, shop.generation),
          isNull(imports.rolledBackAt),
        ),
      )
      .orderBy(desc(imports.startedAt), desc(imports.id))
      .limit(1),
  );
  return row ?? null;
}

export function markRolledBack(db: Database, id: string, nowMs: number): Statement {
  return statement(db.orm.update(imports).set({ rolledBackAt: nowMs }).where(eq(imports.id, id)));
}

/** The number of imports of all shops, by state. */
export async function countImports(db: Database): Promise<Map<ImportRecord['state'], number>> {
  const rows = await db.find(
    db.orm.select({ state: imports.state, count: count() }).from(imports).groupBy(imports.state),
  );
  return new Map(rows.map((row) => [row.state, row.count]));
}
