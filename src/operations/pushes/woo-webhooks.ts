import type { JsonObject } from '../../catalog/record/json-fields.ts';
import { isPublished, wooInstant, wooMembers, wooOffer } from '../../catalog/woo/woo-json.ts';
import { type CatalogItem, leadingAvailability, leadingPrice } from '../../domain/catalog.ts';
import { changeOffer } from '../../domain/offer-change.ts';
import type { WaitingDelivery } from '../../storage/catalog/webhooks.ts';
import { type ItemChange, putItem } from './item-changes.ts';
import { type ItemPatch, readOfferChange } from './item-patch.ts';
import {
  idOf,
  ofPresent,
  type ProductEvent,
  readDeletion,
  readObject,
  unreadable,
  type WebhookReader,
} from './webhook-events.ts';

const FORMAT = 'woo-json';

/** Products as version 3 of the REST API describes them; variations come under the same topics. */
export const wooWebhooks: WebhookReader = {
  topics: new Set([
    ...['product.created', 'product.updated', 'product.deleted'],
    ...['product.restored', 'product.published'],
  ]),
  async read(delivery) {
    const values = readObject(delivery.body);
    return delivery.topic === 'product.deleted'
      ? readDeletion(delivery, values, FORMAT)
      : readProduct(delivery, values);
  },
};

function readProduct({ topic }: WaitingDelivery, values: JsonObject): ProductEvent {
  const resource = idOf(values['id']);
  const changedAt = Date.parse(wooInstant(values['date_modified_gmt']) ?? '');
  if (Number.isNaN(changedAt) || typeof values['name'] !== 'string') throw unreadable();
  return {
    ...{ kind: 'product', resource, changedAt, isDeleted: false, stockItems: [] },
    isRestored: topic === 'product.restored',
    change: values['type'] === 'variation' ? ofVariation(values) : ofProduct(values),
  };
}

function ofProduct(values: JsonObject): ItemChange {
  const externalId = idOf(values['id']);
  if (!isPublished(values)) return ofPresent({ externalId, format: FORMAT }, () => null);
  const put = putItem(externalId, wooMembers(values));
  const variations = Array.isArray(values['variations']) ? values['variations'].map(String) : [];
  return {
    ...{ externalId, line: null, format: FORMAT },
    apply(present, options) {
      const made = put.apply(present, options);
      return made && { item: withVariants(made.item!, present, variations) };
    },
  };
}

/** The variants that the catalogue has of the variations that there still are. */
function withVariants(
  item: CatalogItem,
  present: CatalogItem | null,
  variations: readonly string[],
): CatalogItem {
  if (item.type !== 'product' || present?.type !== 'product') return item;
  const variants = present.variants.filter(({ id }) => variations.includes(id));
  if (variants.length === 0) return item;
  const availability = leadingAvailability(variants);
  return { ...item, variants, ...leadingPrice(variants), availability };
}

/** Price and availability of one variation. One that the catalogue does not have is left alone. */
function ofVariation(values: JsonObject): ItemChange {
  const id = idOf(values['id']);
  const patch = { variants: [{ id, ...wooOffer(values) }] } as ItemPatch;
  const externalId = idOf(values['parent_id']);
  return {
    ...{ externalId, line: null, format: FORMAT },
    apply(present, { issues }) {
      if (present?.type !== 'product' || present.variants.every((variant) => variant.id !== id))
        return { item: present };
      const offer = readOfferChange(patch, present, issues);
      return { item: changeOffer(present, offer), offer };
    },
  };
}
