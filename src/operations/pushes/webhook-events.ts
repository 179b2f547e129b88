import { isJsonObject, type JsonObject } from '../../catalog/record/json-fields.ts';
import type { CatalogItem } from '../../domain/catalog.ts';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import type { StockItem, WaitingDelivery } from '../../storage/catalog/webhooks.ts';
import type { ItemChange } from './item-changes.ts';

/** What a webhook says has happened. */
export type WebhookEvent = ProductEvent | StockEvent;

/** A product, or one variation of it, as it is at a moment. */
export interface ProductEvent {
  readonly kind: 'product';
  /** What is ordered by time: the product, or the variation on its own. */
  readonly resource: string;
  readonly changedAt: number;
  /** Whether it is gone for good, or until it is restored. */
  readonly isDeleted: boolean;
  /** Whether it brings back what was deleted. */
  readonly isRestored: boolean;
  readonly change: ItemChange;
  readonly stockItems: readonly StockItem[];
}

/** How many of a stock item there are at one location. */
export interface StockEvent {
  readonly kind: 'stock';
  readonly stockItem: string;
  readonly location: string;
  /** Null: it is no longer kept there. */
  readonly available: number | null;
  readonly changedAt: number;
}

/** What a shop system's webhooks look like. */
export interface WebhookReader {
  /** Topics that are read; any other is acknowledged and forgotten. */
  readonly topics: ReadonlySet<string>;
  /** Throws `invalid_input` for a body that is not what its topic promises. */
  read(delivery: WaitingDelivery, shop: Shop): Promise<WebhookEvent>;
}

/** A change that leaves alone what is not there. */
export function ofPresent(
  change: Pick<ItemChange, 'externalId' | 'format'>,
  apply: (present: CatalogItem) => CatalogItem | null,
): ItemChange {
  return {
    ...change,
    line: null,
    apply: (present) => ({ item: present === null ? null : apply(present) }),
  };
}

/**
 * A deletion: only the id is sent. A body with more is a product under a false topic, which is not
 * signed.
 */
export function readDeletion(
  { receivedAt }: WaitingDelivery,
  values: JsonObject,
  format: string,
): ProductEvent {
  const externalId = idOf(values['id']);
  if (Object.keys(values).length > 1) throw unreadable();
  return {
    ...{ kind: 'product', resource: externalId, changedAt: receivedAt },
    ...{ isDeleted: true, isRestored: false, stockItems: [] },
    change: ofPresent({ externalId, format }, () => null),
  };
}

export function readObject(body: string): JsonObject {
  const value: unknown = JSON.parse(body, keepLongIds);
  if (isJsonObject(value)) return value;
  throw unreadable();
}

/** Ids may have more digits than a number keeps: they stay as they are written. */
function keepLongIds(this: unknown, _name: string, value: unknown, ...rest: unknown[]): unknown {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return (rest[0] as { readonly source?: string } | undefined)?.source ?? value;
}

export function unreadable(): AppError {
  return new AppError('invalid_input', 'The body is not what its topic promises.');
}

export function isId(value: unknown): value is string | number {
  return (typeof value === 'number' && Number.isSafeInteger(value)) || typeof value === 'string';
}

export function idOf(value: unknown): string {
  if (!isId(value) || value === '') throw unreadable();
  return String(value);
}
