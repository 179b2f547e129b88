import type { Shop } from '../../domain/organization.ts';
import { deleteVersions, findLeftovers, reviveVersions } from '../../storage/catalog/items.ts';
import { unindexDocuments } from '../../storage/catalog/word-index.ts';
import { fence, IMPORT_LEASE } from '../../storage/leases.ts';
import type { ImportServices } from './import-services.ts';

/** Old versions removed in one transaction. */
const SWEEP_ROWS = 200;

/** Removes, in slices, the rows of killed and rolled-back imports and those that no rollback can restore. */
export async function clearLeftovers({ db, platform }: ImportServices, shop: Shop): Promise<void> {
  for (;;) {
    const revived = await db.stage([
      ...fence(db, IMPORT_LEASE),
      ...reviveVersions(shop, SWEEP_ROWS),
    ]);
    await platform.yield();
    if (revived.every(({ rowsAffected }) => rowsAffected === 0)) break;
  }
  for (;;) {
    const leftovers = await findLeftovers(db, shop, SWEEP_ROWS);
    if (leftovers.length === 0) return;
    const documentKeys = leftovers.flatMap((leftover) => leftover.documentKeys);
    await db.stage([
      ...fence(db, IMPORT_LEASE),
      unindexDocuments(shop.organizationKey, documentKeys),
      ...deleteVersions(leftovers.map(({ key }) => key)),
    ]);
    await platform.yield();
  }
}
