import type { Shop } from '../../domain/organization.ts';
import {
  deleteVersions,
  findLeftovers,
  hasMoreEnded,
  type LeftoverKind,
  reviveVersions,
} from '../../storage/catalog/items.ts';
import { fence, IMPORT_LEASE } from '../../storage/leases.ts';
import type { ImportServices } from './import-services.ts';

/** Old versions removed in one transaction. */
const SWEEP_ROWS = 200;

/**
 * So many replaced versions of a shop take about a gigabyte. Beyond them imports bring more than the
 * background removes, and wait.
 */
const REPLACED_MAX = 1_000_000;

type ClearServices = Pick<ImportServices, 'db' | 'platform'>;

/**
 * Removes, in slices, what would become visible with the next import: the rows of killed and rolled-back
 * ones. A command also removes the versions that no rollback can restore. In a service an import does not
 * wait for that (`upkeep/clear-versions.ts`).
 */
export async function clearLeftovers(services: ClearServices, shop: Shop): Promise<void> {
  const { db } = services;
  const isAny = db.isAlone || (await hasMoreEnded(db, shop, REPLACED_MAX));
  const kind = isAny ? 'any' : 'unpublished';
  const slice = { kind, limit: SWEEP_ROWS } as const;
  while (await clearSomeLeftovers(services, shop, slice)) await services.platform.yield();
}

/** Removes at most `limit` of them in one transaction; false if there are none. */
export async function clearSomeLeftovers(
  { db }: Pick<ClearServices, 'db'>,
  shop: Shop,
  slice: { readonly kind: LeftoverKind; readonly limit: number },
): Promise<boolean> {
  const revive = reviveVersions(shop, slice.limit);
  const revived = await db.stage([...fence(db, IMPORT_LEASE), ...revive]);
  if (revived.some(({ rowsAffected }) => rowsAffected > 0)) return true;
  const leftovers = await findLeftovers(db, shop, slice);
  if (leftovers.length === 0) return false;
  await db.stage([...fence(db, IMPORT_LEASE), ...deleteVersions(leftovers)]);
  return true;
}
