import type { Shop } from '../../domain/organization.ts';
import { deleteVersions, findLeftovers, reviveVersions } from '../../storage/catalog/items.ts';
import { unindexDocuments } from '../../storage/catalog/word-index.ts';
import { fence, IMPORT_LEASE } from '../../storage/leases.ts';
import type { ImportServices } from './import-services.ts';

/** Old versions removed in one transaction. */
const SWEEP_ROWS = 200;

type ClearServices = Pick<ImportServices, 'db' | 'platform'>;

/** Removes, in slices, the rows of killed and rolled-back imports and those that no rollback can restore. */
export async function clearLeftovers(services: ClearServices, shop: Shop): Promise<void> {
  while (await clearSomeLeftovers(services, shop, SWEEP_ROWS)) await services.platform.yield();
}

/** Removes at most `limit` of them in one transaction; false if there are none. */
export async function clearSomeLeftovers(
  { db }: Pick<ClearServices, 'db'>,
  shop: Shop,
  limit: number,
): Promise<boolean> {
  const revived = await db.stage([...fence(db, IMPORT_LEASE), ...reviveVersions(shop, limit)]);
  if (revived.some(({ rowsAffected }) => rowsAffected > 0)) return true;
  const leftovers = await findLeftovers(db, shop, limit);
  if (leftovers.length === 0) return false;
  const documentKeys = leftovers.flatMap((leftover) => leftover.documentKeys);
  await db.stage([
    ...fence(db, IMPORT_LEASE),
    unindexDocuments(shop.organizationKey, documentKeys),
    ...deleteVersions(leftovers.map(({ key }) => key)),
  ]);
  return true;
}
