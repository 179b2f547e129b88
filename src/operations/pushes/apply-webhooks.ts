import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import {
  findStockItem,
  findStockLevels,
  findWaitingDeliveries,
  findWebhookState,
  finishDelivery,
  saveStockItems,
  saveStockLevel,
  saveWebhookState,
  type WaitingDelivery,
} from '../../storage/catalog/webhooks.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { changeItems } from './change-items.ts';
import { patchItem } from './item-changes.ts';
import type { PushServices } from './push-services.ts';
import { WEBHOOKS } from './receive-webhook.ts';
import type { ProductEvent, StockEvent } from './webhook-events.ts';

/** Deliveries read at once. */
const DELIVERIES_AT_ONCE = 50;

/**
 * Applies the deliveries that arrived first, in order, each with its record in one transaction; false if
 * none waits. A faulty one is recorded as refused. Throws `unavailable` if an import takes too long: the
 * rest then waits.
 */
export async function applyNextDeliveries(services: PushServices): Promise<boolean> {
  const { db, directory, stopping } = services;
  const deliveries = await findWaitingDeliveries(db, DELIVERIES_AT_ONCE);
  for (const delivery of deliveries) {
    if (stopping.aborted) return false;
    await applyDelivery(services, directory.shop(delivery.shopKey), delivery);
  }
  return deliveries.length === DELIVERIES_AT_ONCE;
}

async function applyDelivery(
  services: PushServices,
  shop: Shop,
  delivery: WaitingDelivery,
): Promise<void> {
  const { db, platform } = services;
  const done = (outcome: string) => finishDelivery(delivery.key, outcome);
  try {
    const event = await WEBHOOKS[delivery.platform].read(delivery, shop);
    if (event.kind === 'stock') await applyStock(services, shop, { event, done });
    else await applyProduct(services, shop, { event, done });
  } catch (error) {
    if (error instanceof AppError && ['unavailable', 'conflict'].includes(error.code)) throw error;
    const { topic, platform: system } = delivery;
    const message = error instanceof AppError ? error.message : 'a bug: the log says why';
    platform.log('warn', 'webhook_refused', {
      shop: shop.handle,
      system,
      topic,
      cause: String(error),
    });
    await db.write([done(`refused: ${message}`)]);
  }
}

interface Applied<Event> {
  readonly event: Event;
  /** The statement that records the end of the delivery. */
  done(outcome: string): Statement;
}

async function applyProduct(
  services: PushServices,
  shop: Shop,
  { event, done }: Applied<ProductEvent>,
): Promise<void> {
  const { db } = services;
  const { resource, changedAt, isDeleted, isRestored, change, stockItems } = event;
  const state = await findWebhookState(db, shop.key, resource);
  const isStale =
    state !== null && !isDeleted && (state.isDeleted ? !isRestored : changedAt < state.changedAt);
  if (isStale) {
    await db.write([done('stale')]);
    return;
  }
  await changeItems(services, shop, {
    changes: [change],
    also: () => [
      saveWebhookState(shop.key, resource, { changedAt, isDeleted }),
      ...(stockItems.length === 0 ? [] : [saveStockItems(shop.key, stockItems)]),
      done('applied'),
    ],
  });
}

/** A level that is older than the product is only kept: the product came with its stock of that time. */
async function applyStock(
  services: PushServices,
  shop: Shop,
  { event, done }: Applied<StockEvent>,
): Promise<void> {
  const { db } = services;
  const { stockItem, changedAt, location, available } = event;
  const known = await findStockLevels(db, shop.key, stockItem);
  const last = known.find((level) => level.location === location);
  if (last !== undefined && last.changedAt > changedAt) {
    await db.write([done('stale')]);
    return;
  }
  const level = saveStockLevel(shop.key, stockItem, { location, available, changedAt });
  const item = await findStockItem(db, shop.key, stockItem);
  const product = item && (await findWebhookState(db, shop.key, item.externalId));
  if (item === null || product === null || product.isDeleted || product.changedAt > changedAt) {
    await db.write([level, done(item === null ? 'unknown item' : 'kept')]);
    return;
  }
  const counts = [...known.filter((other) => other !== last), { available }];
  const total = counts.reduce((sum, { available: count }) => sum + (count ?? 0), 0);
  const none = item.isBackordered ? ('backorder' as const) : ('out_of_stock' as const);
  const availability = total > 0 ? ('in_stock' as const) : none;
  const patch = { variants: [{ id: item.variantId, availability }] };
  await changeItems(services, shop, {
    changes: [
      patchItem({ externalId: item.externalId, line: null }, { offer: patch, members: {} }),
    ],
    also: () => [level, done('applied')],
  });
}
