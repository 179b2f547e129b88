import type { Offering } from '../../domain/catalog.ts';
import type { Shop } from '../../domain/organization.ts';
import { countOfferings, findAvailableOfferings } from '../../storage/catalog/offerings.ts';
import type { BaseServices } from '../base-services.ts';

/** Offerings read at once: about a millisecond. */
const PAGE = 50;

export interface ListedOffering {
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

/** Everything of the organization that can be ordered, always in the same order, read as far as it is taken. */
export async function* listOfferings(
  { db, directory }: BaseServices,
  organizationKey: number,
): AsyncGenerator<ListedOffering> {
  for (let after = 0; ; ) {
    const page = await findAvailableOfferings(db, organizationKey, { after, limit: PAGE });
    for (const { id, shopKey, offering } of page)
      yield { id, shop: directory.shop(shopKey), offering };
    if (page.length < PAGE) return;
    after = page.at(-1)!.key;
  }
}
