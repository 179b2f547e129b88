import type { Shop } from '../../domain/organization.ts';
import { showGeneration } from '../../storage/catalog/items.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { fence, IMPORT_LEASE } from '../../storage/leases.ts';
import type { ImportServices } from './import-services.ts';

/**
 * Makes another generation of a shop's catalogue visible in one transaction with `also`. Work that must
 * follow every change to the visible catalogue belongs here.
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
  // Requested now, so that the first searches find an unprepared catalogue in memory.
  indexes.find(shop.organizationKey);
}
