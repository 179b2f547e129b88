import { htmlToText } from '../record/html-text.ts';
import { isJsonObject, type JsonObject } from '../record/json-fields.ts';

/** What WooCommerce calls the states of its stock. */
const AVAILABILITIES: Readonly<Record<string, string>> = {
  instock: 'in_stock',
  outofstock: 'out_of_stock',
  onbackorder: 'backorder',
};

/** Whether a product of WooCommerce's REST API is for everybody to see. */
export function isPublished({ status, catalog_visibility: visibility }: JsonObject): boolean {
  return status === 'publish' && visibility !== 'hidden';
}

/**
 * A product of WooCommerce's REST API (`/wc/v3/products`), which its webhooks send too, in vitrine's own
 * JSON format. A variable product names its variations by id only, so it comes without variants.
 */
export function wooMembers(values: JsonObject): JsonObject {
  const description = text(values['description']) || text(values['short_description']);
  return {
    type: 'product',
    externalId: String(values['id']),
    name: plain(values['name']),
    description: htmlToText(description),
    images: objects(values['images']).map(({ src }) => text(src)),
    slug: text(values['slug']) || null,
    publicUrl: text(values['permalink']) || null,
    publishedAt: wooInstant(values['date_created_gmt']),
    vendor: plain(objects(values['brands'])[0]?.['name']) || null,
    tags: objects(values['tags']).map(({ name }) => plain(name)),
    productType: plain(objects(values['categories'])[0]?.['name']) || null,
    sku: text(values['sku']) || null,
    gtin: text(values['global_unique_id']) || null,
    attributes: Object.fromEntries(
      objects(values['attributes'])
        .filter(({ options }) => Array.isArray(options))
        .map(({ name, options }) => [plain(name), (options as unknown[]).map(plain).join(', ')]),
    ),
    ...wooOffer(values),
  };
}

/** Price and availability of a product or a variation. `price` is what it costs now. */
export function wooOffer(values: JsonObject): {
  price: string | null;
  compareAtPrice: string | null;
  availability: string;
} {
  return {
    price: text(values['price']) || null,
    compareAtPrice: text(values['regular_price']) || null,
    availability: AVAILABILITIES[text(values['stock_status'])] ?? 'unknown',
  };
}

/** `2026-01-31T12:00:00`, which is UTC without saying so, as RFC 3339; null if it is none. */
export function wooInstant(value: unknown): string | null {
  const match = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(text(value));
  return match === null ? null : `${match[0]}Z`;
}

/** Names come with HTML entities. */
function plain(value: unknown): string {
  return htmlToText(text(value));
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
