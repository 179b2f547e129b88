import type { Availability, CatalogItem } from './catalog.ts';

/** What the landing page needs of every visible item, to count it and to choose which to show. */
export interface Glance {
  readonly key: number;
  readonly id: string;
  readonly type: CatalogItem['type'];
  readonly updatedAt: number;
  readonly name: string | null;
  /** Null for a context, like every member below. */
  readonly kind: 'product' | 'service' | null;
  readonly productType: string | null;
  readonly vendor: string | null;
  readonly currency: string | null;
  readonly priceMinor: number | null;
  readonly compareAtPriceMinor: number | null;
  readonly availability: Availability | null;
  readonly publishedAt: string | null;
  readonly image: string | null;
}

/** Where a served page came from. */
export type PageCache = 'hit' | 'miss' | 'stale' | 'regenerated';

/** A stored landing page with the values of its headers. */
export interface LandingPage {
  readonly markdown: string;
  /** A strong, quoted entity tag of the content. */
  readonly etag: string;
  readonly builtAt: number;
  /** When the content last changed. */
  readonly changedAt: number;
}
