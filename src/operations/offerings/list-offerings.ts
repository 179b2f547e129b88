import type { Offering } from '../../domain/catalog.ts';
import type { Shop } from '../../domain/organization.ts';
import { countOfferings, findAvailableOfferings } from '../../storage/catalog/offerings.ts';
import type { BaseServices } from '../base-services.ts';

/** Offerings read per slice: about a millisecond. */
const PAGE = 50;

export interface ListedOffering {
  /** Position in the list, in ascending order. */
  readonly place: number;
  readonly id: string;
  readonly shop: Shop;
  readonly offering: Offering;
}

/** The number of an organization's offerings. */
export interface OfferingCounts {
  readonly available: number;
  readonly outOfStock: number;
}

export async function countOfferingsOf(
  { db }: BaseServices,
  organizationKey: number,
): Promise<OfferingCounts> {
  const { all, available } = await countOfferings(db, organizationKey);
  return { available, outOfStock: all - available };
}

/**
 * The organization's offerings after position `after`, in a stable order. Reads lazily, as the caller
 * consumes them.
 */
export async function* listOfferings(
  { db, directory }: BaseServices,
  organizationKey: number,
  after: number,
): AsyncGenerator<ListedOffering> {
  for (let last = after; ; ) {
    const limit = PAGE * db.batchFactor;
    const page = await findAvailableOfferings(db, organizationKey, { after: last, limit });
    for (const { key, id, shopKey, offering } of page)
      yield { place: key, id, shop: directory.shop(shopKey), offering };
    if (page.length === 0) return;
    last = page.at(-1)!.key;
  }
}
