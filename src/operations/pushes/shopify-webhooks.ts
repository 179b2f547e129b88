import { formatNamed } from '../../catalog/formats.ts';
import { isJsonObject, type JsonObject } from '../../catalog/record/json-fields.ts';
import type { CatalogRow } from '../../catalog/record/reader.ts';
import type { CatalogItem } from '../../domain/catalog.ts';
import type { Shop } from '../../domain/organization.ts';
import type { WaitingDelivery } from '../../storage/catalog/webhooks.ts';
import { refusal } from './apply-push.ts';
import {
  idOf,
  isId,
  ofPresent,
  type ProductEvent,
  readDeletion,
  readObject,
  type StockEvent,
  unreadable,
  type WebhookReader,
} from './webhook-events.ts';

const FORMAT = 'shopify-json';

/** Products as the Admin API describes them, and inventory levels. */
export const shopifyWebhooks: WebhookReader = {
  topics: new Set([
    ...['products/create', 'products/update', 'products/delete'],
    ...['inventory_levels/update', 'inventory_levels/connect', 'inventory_levels/disconnect'],
  ]),
  async read(delivery, shop) {
    const values = readObject(delivery.body);
    if (delivery.topic.startsWith('inventory_levels/')) return readLevel(delivery, values);
    if (delivery.topic === 'products/delete') return readDeletion(delivery, values, FORMAT);
    return readProduct(values, shop, delivery);
  },
};

async function readProduct(
  values: JsonObject,
  shop: Shop,
  { receivedAt }: WaitingDelivery,
): Promise<ProductEvent> {
  const externalId = idOf(values['id']);
  const changedAt = Date.parse(String(values['updated_at']));
  const { variants } = values;
  if (Number.isNaN(changedAt) || !Array.isArray(variants)) throw unreadable();
  const counted = variants.filter(isJsonObject).map(withStock);
  const item = await readItem({ ...values, variants: counted }, shop, receivedAt);
  const stockItems = counted.flatMap(({ id, inventory_item_id: stockItem, inventory_policy }) => {
    const isBackordered = inventory_policy === 'continue';
    if (!isId(id) || !isId(stockItem)) return [];
    return { stockItem: String(stockItem), externalId, variantId: String(id), isBackordered };
  });
  const change =
    item === null
      ? ofPresent({ externalId, format: FORMAT }, () => null)
      : { externalId, line: null, format: FORMAT, apply: () => ({ item }) };
  return {
    ...{ kind: 'product', resource: externalId, changedAt, isDeleted: false, isRestored: false },
    ...{ change, stockItems },
  };
}

/**
 * Newer versions of the API do not say whether stock is counted. Where some is left it is; where none is,
 * the product may as well be one without counted stock.
 */
function withStock(variant: JsonObject): JsonObject {
  const isSaid = 'available' in variant || 'inventory_management' in variant;
  const quantity = variant['inventory_quantity'];
  if (isSaid || typeof quantity !== 'number' || quantity <= 0) return variant;
  return { ...variant, inventory_management: 'shopify' };
}

/** The product as an import reads it; null if it is not published. Throws if it is faulty. */
async function readItem(
  values: JsonObject,
  { currency, domain }: Shop,
  now: number,
): Promise<CatalogItem | null> {
  const record = { line: 1, record: 1, text: JSON.stringify(values), problem: null };
  const options = { currency, shopUrl: domain === null ? null : `https://${domain}`, now };
  const rows: CatalogRow[] = [];
  const records = (async function* () {
    yield record;
  })();
  for await (const row of formatNamed(FORMAT)!.readRecords!('', records, options)) rows.push(row);
  const faults = rows.flatMap((row) => ('fault' in row ? row.fault : []));
  const issues = faults
    .filter(({ severity }) => severity === 'error')
    .map(({ column, message }) => ({ path: column ?? '', message }));
  if (issues.length > 0) throw refusal(issues);
  const found = rows.find((row) => 'item' in row);
  return found !== undefined && 'item' in found ? found.item : null;
}

function readLevel(
  { topic, receivedAt }: WaitingDelivery,
  { inventory_item_id, location_id, available, updated_at }: JsonObject,
): StockEvent {
  const isGone = topic === 'inventory_levels/disconnect';
  const changedAt = isGone ? receivedAt : Date.parse(String(updated_at));
  const isCount = typeof available === 'number' || available === null || isGone;
  if (Number.isNaN(changedAt) || !isCount) throw unreadable();
  return {
    kind: 'stock',
    stockItem: idOf(inventory_item_id),
    location: idOf(location_id),
    available: isGone ? null : (available as number | null),
    changedAt,
  };
}
