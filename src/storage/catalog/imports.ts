import { and, count, desc, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { imports } from '../engine/schema.ts';
import { type Statement, statement } from '../engine/statement.ts';

export interface ImportRecord {
  readonly id: string;
  readonly shopKey: number;
  readonly source: string;
  readonly format: string;
  /**
   * `waiting`: received, but not begun; `checked`: a dry run has ended; `interrupted`: the process
   * ended before the import did.
   */
  readonly state: 'waiting' | 'running' | 'committed' | 'checked' | 'failed' | 'interrupted';
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** The counts as JSON, once it has ended. */
  readonly summary: string | null;
  /** The generation it made visible; null if it changed nothing or did not finish. */
  readonly generation: number | null;
  readonly rolledBackAt: number | null;
  readonly mode: 'upsert' | 'full';
  readonly dryRun: boolean;
  /** Why it failed, for whoever started it. */
  readonly message: string | null;
}

export function insertImport(
  db: Database,
  record: Omit<ImportRecord, 'finishedAt' | 'summary' | 'generation' | 'rolledBackAt' | 'message'> &
    Partial<Pick<ImportRecord, 'finishedAt' | 'message'>>,
): Statement {
  return statement(db.orm.insert(imports).values(record));
}

/** Records that an import runs, whether or not it was recorded as waiting. */
export function beginImport(
  db: Database,
  record: Omit<Parameters<typeof insertImport>[1], 'state'>,
): Statement {
  const running = { state: 'running' as const, format: record.format };
  return statement(
    db.orm
      .insert(imports)
      .values({ ...record, ...running })
      .onConflictDoUpdate({ target: imports.id, set: running }),
  );
}

export function finishImport(
  db: Database,
  id: string,
  end: {
    state: Exclude<ImportRecord['state'], 'waiting' | 'running'>;
    finishedAt: number;
    summary?: string;
    generation?: number | null;
    message?: string | null;
  },
): Statement {
  return statement(db.orm.update(imports).set(end).where(eq(imports.id, id)));
}

/** Marks every unfinished import as interrupted: their process has ended. */
export function interruptImports(db: Database, nowMs: number): Statement {
  return statement(
    db.orm
      .update(imports)
      .set({ state: 'interrupted', finishedAt: nowMs })
      .where(inArray(imports.state, ['waiting', 'running'])),
  );
}

/**
 * Marks the shop's imports as interrupted that are recorded as running although no process runs
 * them.
 */
export function interruptRunningImports(db: Database, shopKey: number, nowMs: number): Statement {
  return statement(
    db.orm
      .update(imports)
      .set({ state: 'interrupted', finishedAt: nowMs })
      .where(and(eq(imports.shopKey, shopKey), eq(imports.state, 'running'))),
  );
}

/** The shop's import with this id, or null. */
export async function findImportById(
  db: Database,
  shopKey: number,
  id: string,
): Promise<ImportRecord | null> {
  const [row] = await db.find(
    db.orm
      .select()
      .from(imports)
      .where(and(eq(imports.id, id), eq(imports.shopKey, shopKey))),
  );
  return row ?? null;
}

/** The latest import that was not a dry run. */
export async function findLatestImport(
  db: Database,
  shopKey: number,
): Promise<ImportRecord | null> {
  const [row] = await db.find(
    db.orm
      .select()
      .from(imports)
      .where(and(eq(imports.shopKey, shopKey), eq(imports.dryRun, false)))
      .orderBy(desc(imports.startedAt), desc(imports.id))
      .limit(1),
  );
  return row ?? null;
}

/** Whether an import of the shop waits or runs. */
export async function hasUnfinishedImport(db: Database, shopKey: number): Promise<boolean> {
  const rows = await db.find(
    db.orm
      .select({ id: imports.id })
      .from(imports)
      .where(and(eq(imports.shopKey, shopKey), inArray(imports.state, ['waiting', 'running'])))
      .limit(1),
  );
  return rows.length > 0;
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
 * The last import that became visible after the generation that a rollback would restore; null if it
 * was made before imports were recorded.
 */
export async function findImportOf(
  db: Database,
  shop: { key: number; previousGeneration: number },
): Promise<ImportRecord | null> {
  const [row] = await db.find(
    db.orm
      .select()
      .from(imports)
      .where(
        and(
          eq(imports.shopKey, shop.key),
          gt(imports.generation, shop.previousGeneration),
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
