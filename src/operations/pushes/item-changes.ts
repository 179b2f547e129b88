import { readItem } from '../../catalog/own/json-item.ts';
import { recordFindings } from '../../catalog/record/findings.ts';
import { type CatalogItem, canonicalItem, type Offering } from '../../domain/catalog.ts';
import { AppError, type Issue } from '../../domain/errors.ts';
import { changeOffer, type OfferChange } from '../../domain/offer-change.ts';
import type { Shop } from '../../domain/organization.ts';
import { exportedItem } from '../imports/export-catalog.ts';
import { type ItemPatch, readOfferChange } from './item-patch.ts';

/** Members of an item in vitrine's own JSON format. */
export type ItemMembers = Readonly<Record<string, unknown>>;

/** What a change makes of an item. */
export interface ChangedState {
  /** Null: it is removed. */
  readonly item: CatalogItem | null;
  /** If only prices and availability change: what of them. */
  readonly offer?: OfferChange;
}

/** One change of one item. */
export interface ItemChange {
  readonly externalId: string;
  /** Its line in the body; null for a body that is one record. */
  readonly line: number | null;
  /** The format that the item came in, for the resolution of identities. */
  readonly format: string;
  /**
   * The item's new state, or null with its faults added to `issues`. `present` is null if there is no
   * such item. Throws `not_found`.
   */
  apply(present: CatalogItem | null, options: ChangeOptions): ChangedState | null;
}

interface ChangeOptions {
  readonly shop: Shop;
  readonly nowMs: number;
  readonly issues: Issue[];
}

const OWN_FORMAT = 'json-lines';

/** Replaces an item as a whole, or adds it. */
export function putItem(externalId: string, members: ItemMembers): ItemChange {
  return {
    ...{ externalId, line: null, format: OWN_FORMAT },
    apply(_present, options) {
      const item = readMembers({ ...members, externalId }, options);
      return item === null ? null : { item };
    },
  };
}

export function removeItem(externalId: string): ItemChange {
  return {
    ...{ externalId, line: null, format: OWN_FORMAT },
    apply(present) {
      if (present === null) throw noItem();
      return { item: null };
    },
  };
}

/** Changes some members of an item; `null` clears a member. */
export function patchItem(
  { externalId, line }: { externalId: string; line: number | null },
  { offer, members }: { offer: ItemPatch; members: ItemMembers },
): ItemChange {
  return {
    ...{ externalId, line, format: OWN_FORMAT },
    apply(present, options) {
      const { issues } = options;
      if (present === null || (present.type === 'context' && Object.keys(offer).length > 0)) {
        if (line === null && present === null) throw noItem();
        issues.push({ path: 'externalId', message: 'names no offering of this shop' });
        return null;
      }
      const isText = Object.keys(members).length > 0;
      const item = isText
        ? readMembers({ ...exportedItem(present), ...members }, options)
        : present;
      if (item === null) return null;
      if (item.type === 'context') return { item };
      const change = readOfferChange(offer, item, issues);
      return { item: changeOffer(item, change), ...(isText ? {} : { offer: change }) };
    },
  };
}

function noItem(): AppError {
  return new AppError('not_found', 'There is no such item.');
}

/** Reads an item as an import does. Its faults become issues; what was left out does not. */
function readMembers(
  members: ItemMembers,
  { shop, nowMs: now, issues }: ChangeOptions,
): CatalogItem | null {
  const shopUrl = shop.domain === null ? null : `https://${shop.domain}`;
  const { findings } = recordFindings('', { line: 1, record: 1, text: '' }, 'json');
  const item = readItem(members, findings, { currency: shop.currency, shopUrl, now });
  for (const { severity, column, message } of findings.faults) {
    if (severity === 'warning') continue;
    const path = column ?? '';
    issues.push({ path, message: message.replace(`${path} `, '').replace(/\.$/, '') });
  }
  return item;
}

/** Whether two states of an item have the same text, so that at most prices and availability differ. */
export function hasSameText(one: CatalogItem | null, other: CatalogItem | null): boolean {
  if (one?.type !== 'product' || other?.type !== 'product') return false;
  return textOf(one) === textOf(other);
}

function textOf(offering: Offering): string {
  const none = { priceMinor: null, compareAtPriceMinor: null, availability: 'unknown' as const };
  const variants = offering.variants.map((variant) => ({ ...variant, ...none }));
  return JSON.stringify(canonicalItem({ ...offering, ...none, variants }));
}

/** Every price and availability of an offering, as a change to them. */
export function offerOf({ variants, ...offering }: Offering): OfferChange {
  const pick = ({ priceMinor, compareAtPriceMinor, availability }: OfferChange) => {
    return { priceMinor, compareAtPriceMinor, availability } as OfferChange;
  };
  if (variants.length === 0) return pick(offering);
  return { variants: variants.map((variant) => ({ id: variant.id, ...pick(variant) })) };
}
