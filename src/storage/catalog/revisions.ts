import type { Database } from '../engine/database.ts';

/**
 * Counters that grow with every change to data that instances hold in memory, whichever instance
 * makes it.
 */
export interface Revisions {
  /** Organizations, shops (including their catalogues) and keys. */
  readonly directory: number;
  /** Rebuilt landing pages. */
  readonly landingPages: number;
}

export async function findRevisions(db: Database): Promise<Revisions> {
  const rows = await db.all<{ subject: string; revision: number }>({
    sql: 'SELECT subject, revision FROM revisions',
    args: [],
  });
  const of = (subject: string) => rows.find((row) => row.subject === subject)?.revision ?? 0;
  return { directory: of('directory'), landingPages: of('landing_pages') };
}
