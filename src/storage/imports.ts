import { and, desc, eq, inArray } from 'drizzle-orm';
import { type Database, type Statement, statement } from './database.ts';
import { imports } from './schema.ts';

export interface ImportRecord {
  readonly id: string;
  readonly shopKey: number;
  readonly source: string;
  readonly format: string;
  readonly state: 'running' | 'committed' | 'failed';
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** Counts as JSON once it has ended. */
  readonly summary: string | null;
}

export function insertImport(
  db: Database,
  record: Omit<ImportRecord, 'finishedAt' | 'summary'>,
): Statement {
  return statement(db.orm.insert(imports).values(record));
}

export function finishImport(
  db: Database,
  id: string,
  end: { state: 'committed' | 'failed'; finishedAt: number; summary: string },
): Statement {
  return statement(db.orm.update(imports).set(end).where(eq(imports.id, id)));
}

/** An import that says it is running while nobody runs it was killed. */
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
  const [row] = await db.orm
    .select()
    .from(imports)
    .where(eq(imports.shopKey, shopKey))
    .orderBy(desc(imports.startedAt), desc(imports.id))
    .limit(1);
  return row ?? null;
}

/** The latest imports into any of the shops, newest first. */
export async function findImports(
  db: Database,
  shopKeys: readonly number[],
  limit: number,
): Promise<ImportRecord[]> {
  return db.orm
    .select()
    .from(imports)
    .where(inArray(imports.shopKey, [...shopKeys]))
    .orderBy(desc(imports.startedAt), desc(imports.id))
    .limit(limit);
}
