import type { Availability, CatalogItem } from './catalog.ts';

/** What the landing page has to know of every visible item to count it and to choose some. */
export interface Glance {
  readonly key: number;
  readonly id: string;
  readonly type: CatalogItem['type'];
  readonly updatedAt: number;
  readonly name: string | null;
  /** Null for a context, as everything below. */
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

/** How a page that is answered came about. */
export type PageCache = 'hit' | 'miss' | 'stale' | 'regenerated';

/** A landing page as it is kept, with what its headers say. */
export interface LandingPage {
  readonly markdown: string;
  /** Quoted, strong: of the content. */
  readonly etag: string;
  readonly builtAt: number;
  /** When the content last became another one. */
  readonly changedAt: number;
}
