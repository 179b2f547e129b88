import type { Shop, Storefront } from '../../domain/organization.ts';
import { describeMissing, type MissingAddress, type Placed } from '../offerings/missing-address.ts';
import type { PreparedLink } from './prepare-rows.ts';

/** Counts the offerings of an import that have no address, and those whose address tells the shop software. */
export class LinkTally {
  #offerings = 0;
  #ofShopify = 0;
  #missing = 0;
  #example: PreparedLink['missing'] = null;

  add({ missing, isOfShopify }: PreparedLink): void {
    this.#offerings += 1;
    if (isOfShopify) this.#ofShopify += 1;
    if (missing === null) return;
    this.#missing += 1;
    this.#example ??= missing;
  }

  /**
   * The shop software: the one whose export this is, or the one that every offering's address tells. Null
   * if neither is certain.
   */
  storefront(ofFormat: Storefront | null): Storefront | null {
    if (this.#offerings === 0) return null;
    return ofFormat ?? (this.#ofShopify === this.#offerings ? 'shopify' : null);
  }

  /** Null if every offering has an address. `host`: where the shop may be, if its settings do not say. */
  missing(services: Placed, shop: Shop, host: string | null): MissingAddress | null {
    const offering = this.#example;
    if (offering === null) return null;
    return describeMissing(services, shop, { count: this.#missing, offering, host });
  }
}
