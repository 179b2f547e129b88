import { and, asc, eq, lte, notInArray } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { catalogSources } from '../engine/schema.ts';
import { type Statement, statement } from '../engine/statement.ts';

export type CatalogSourceRow = typeof catalogSources.$inferSelect;

/** The most sources listed for one shop. */
const SOURCES_MAX = 1000;

export async function findCatalogSource(
  db: Database,
  shopKey: number,
  url: string,
): Promise<CatalogSourceRow | null> {
  const [row] = await db.find(
    db.orm
      .select()
      .from(catalogSources)
      .where(and(eq(catalogSources.shopKey, shopKey), eq(catalogSources.url, url)))
      .limit(1),
  );
  return row ?? null;
}

/** Ordered by address. */
export function findCatalogSources(db: Database, shopKey: number): Promise<CatalogSourceRow[]> {
  return db.find(
    db.orm
      .select()
      .from(catalogSources)
      .where(eq(catalogSources.shopKey, shopKey))
      .orderBy(asc(catalogSources.url))
      .limit(SOURCES_MAX),
  );
}

/**
 * The source that has been due for longest, except those of the shops named; null if there is none.
 */
export async function findDueSource(
  db: Database,
  nowMs: number,
  exceptShopKeys: readonly number[],
): Promise<CatalogSourceRow | null> {
  const [next] = await db.poll<{ at: number | null }>({
    sql: 'SELECT min(next_at) AS at FROM catalog_sources',
    args: [],
  });
  if ((next!.at ?? Number.POSITIVE_INFINITY) > nowMs) return null;
  const [row] = await db.find(
    db.orm
      .select()
      .from(catalogSources)
      .where(
        and(
          lte(catalogSources.nextAt, nowMs),
          notInArray(catalogSources.shopKey, [...exceptShopKeys]),
        ),
      )
      .orderBy(asc(catalogSources.nextAt), asc(catalogSources.key))
      .limit(1),
  );
  return row ?? null;
}

/** Adds a source or replaces the stored one. */
export function saveCatalogSource(db: Database, source: Omit<CatalogSourceRow, 'key'>): Statement {
  const { shopKey, url, ...rest } = source;
  const target = [catalogSources.shopKey, catalogSources.url];
  return statement(
    db.orm
      .insert(catalogSources)
      .values({ shopKey, url, ...rest })
      .onConflictDoUpdate({ target, set: rest }),
  );
}

export function updateCatalogSource(
  db: Database,
  key: number,
  change: Partial<Omit<CatalogSourceRow, 'key'>>,
): Statement {
  return statement(db.orm.update(catalogSources).set(change).where(eq(catalogSources.key, key)));
}

/** The next fetch from every address of a shop then reads the file, even if it has not changed. */
export function forgetValidators(db: Database, shopKey: number): Statement {
  return statement(
    db.orm
      .update(catalogSources)
      .set({ etag: null, lastModified: null })
      .where(eq(catalogSources.shopKey, shopKey)),
  );
}

export function deleteCatalogSource(db: Database, shopKey: number, url: string): Statement {
  return statement(
    db.orm
      .delete(catalogSources)
      .where(and(eq(catalogSources.shopKey, shopKey), eq(catalogSources.url, url))),
  );
}
