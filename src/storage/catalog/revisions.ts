import type { Database } from '../engine/database.ts';

/** Numbers that grow with every change of what instances keep in memory, whichever of them makes it. */
export interface Revisions {
  /** Of organizations, shops (their catalogues included) and keys. */
  readonly directory: number;
  /** Of landing pages that were rebuilt. */
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
