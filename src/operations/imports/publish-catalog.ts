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
  { db, directory, indexes, stopping }: ImportServices,
  shop: Shop,
  shown: { generation: number; previousGeneration: number | null },
  also: readonly Statement[],
): Promise<void> {
  const index = await indexes.prepare(shop, shown.generation, stopping);
  await db.write([...fence(db, IMPORT_LEASE), showGeneration(shop.key, shown), ...also]);
  await directory.reload();
  indexes.adopt(index);
  // Asked for now, so that the first searches of a catalogue that was not prepared find it in memory.
  indexes.find(shop.organizationKey);
}
