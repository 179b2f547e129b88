import type { CatalogItem } from '../../domain/catalog.ts';
import type { Shop } from '../../domain/organization.ts';
import { findItemsByExternalId } from '../../storage/catalog/pushed-items.ts';
import { exportedItem } from '../imports/export-catalog.ts';
import type { PushServices } from './push-services.ts';

/** A visible item of the shop in vitrine's own JSON format, with its id and its last change; null if there is none. */
export async function findItem(
  { db }: PushServices,
  shop: Shop,
  externalId: string,
): Promise<object | null> {
  const version = (await findItemsByExternalId(db, shop, [externalId])).get(externalId);
  const item = version === undefined ? null : db.parse<CatalogItem>(version.body);
  if (version === undefined || item === null) return null;
  const updatedAt = new Date(version.updatedAt).toISOString();
  return { id: version.id, updatedAt, ...exportedItem(item) };
}
