import { canonicalItem, type Offering } from '../../domain/catalog.ts';
import { contentHash } from '../../domain/content-hash.ts';
import { changeOffer } from '../../domain/offer-change.ts';
import type { Shop } from '../../domain/organization.ts';
import { showGeneration } from '../../storage/catalog/items.ts';
import {
  type ChangedItem,
  changeInPlace,
  findStagedItems,
  type VisibleItem,
} from '../../storage/catalog/pushed-items.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { fence, IMPORT_LEASE } from '../../storage/leases.ts';
import type { ChangedOffer } from '../indexes/index-parts.ts';
import type { StagedCatalogue } from '../indexes/load-target.ts';
import type { ImportServices } from './import-services.ts';
import type { FollowedPushes } from './push-log.ts';

/**
 * Makes another generation of a shop's catalogue visible in one transaction with `also`. Work that must
 * follow every change to the visible catalogue belongs here. `pushes`: the changes to repeat.
 */
export async function publishCatalog(
  services: ImportServices,
  shop: Shop,
  {
    pushes,
    staged = null,
    ...shown
  }: StagedCatalogue & { previousGeneration: number | null; pushes?: FollowedPushes },
  also: readonly Statement[],
): Promise<void> {
  const { db, directory, indexes, stopping, pushLog } = services;
  const index = await indexes.prepare(shop, { ...shown, staged }, stopping);
  try {
    await pushLog.mutex.run(async () => {
      const repeated = await repeatPushes(services, shop, {
        generation: shown.generation,
        changes: pushes?.changes ?? new Map(),
      });
      const show = showGeneration(shop.key, shown);
      await db.write([...fence(db, IMPORT_LEASE), show, ...repeated.statements, ...also]);
      await directory.reloadCatalogue(shop.organizationKey);
      if (repeated.statements.length > 0) indexes.takePush({ ...shopOf(shop), ...repeated });
      indexes.adopt(index);
    });
  } finally {
    indexes.release(index);
  }
  // Requested now, so that the first searches find an unprepared catalogue in memory.
  indexes.find(shop.organizationKey);
}

function shopOf({ organizationKey, key: shopKey }: Shop) {
  return { organizationKey, shopKey };
}

/** Applies changes to the staged versions. Those that were not staged have them already. */
async function repeatPushes(
  { db, directory, platform }: ImportServices,
  { key: shopKey }: Shop,
  { generation, changes }: { generation: number; changes: FollowedPushes['changes'] },
): Promise<{ push: number; offers: ChangedOffer[]; statements: Statement[] }> {
  const push = directory.shop(shopKey).pushes + 1;
  const staged =
    changes.size === 0
      ? []
      : await findStagedItems(db, { shopKey, generation }, [...changes.keys()]);
  const changed = staged.flatMap((version) => {
    const item = JSON.parse(version.body) as Offering;
    if (item.type !== 'product') return [];
    return changedVersion(version, changes.get(version.id)!.reduce(changeOffer, item)) ?? [];
  });
  if (changed.length === 0) return { push, offers: [], statements: [] };
  const items = changed.map(({ row }) => row);
  return {
    push,
    offers: changed.map(({ offer }) => offer),
    statements: changeInPlace(db, shopKey, { items, push, nowMs: platform.now() }),
  };
}

/** How a version is stored and indexed with other prices and availability; null if nothing differs. */
export function changedVersion(
  { key, documentKey, generation, contentHash: present }: VisibleItem,
  offering: Offering,
): { row: ChangedItem; offer: ChangedOffer } | null {
  const body = JSON.stringify(canonicalItem(offering));
  const hash = contentHash(body);
  if (hash === present) return null;
  const { availability } = offering;
  return {
    row: { key, body, contentHash: hash, availability },
    offer: { documentKey, generation, offering },
  };
}
