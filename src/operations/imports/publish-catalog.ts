import type { Shop } from '../../domain/organization.ts';
import { showGeneration } from '../../storage/catalog/items.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { fence, IMPORT_LEASE } from '../../storage/leases.ts';
import type { ImportServices } from './import-services.ts';

/**
 * Makes another generation of a shop's catalogue visible, as a whole, in one transaction with `also`.
 * Whatever has to follow every change of what searchers see hangs on here.
 */
export async function publishCatalog(
  { db, directory, indexes }: ImportServices,
  shop: Shop,
  shown: { generation: number; previousGeneration: number | null },
  also: readonly Statement[],
): Promise<void> {
  await db.write([...fence(db, IMPORT_LEASE), showGeneration(shop.key, shown), ...also]);
  await directory.reload();
  // Asked for now, so that the first searches of the new catalogue find it in memory.
  indexes.find(shop.organizationKey);
}
