import type { Offering } from '../../domain/catalog.ts';
import type { Shop } from '../../domain/organization.ts';
import { countOfferings, findAvailableOfferings } from '../../storage/catalog/offerings.ts';
import type { BaseServices } from '../base-services.ts';

/** Offerings read at once: about a millisecond. */
const PAGE = 50;

export interface ListedOffering {
  /** Its place in the order of the list; later ones are greater. */
  readonly place: number;
  readonly id: string;
  readonly shop: Shop;
  readonly offering: Offering;
}

/** How many there are of an organization's offerings. */
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
 * Everything of the organization that can be ordered, behind the place `after`, always in the same order,
 * read as far as it is taken.
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
