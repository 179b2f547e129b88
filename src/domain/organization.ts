/** Tokens per minute and the most that can be saved up; null: no limit. */
export interface RateLimit {
  readonly perMinute: number;
  readonly burst: number;
}

/** The tenant: owns keys, limits, shops and their catalogue. */
export interface Organization {
  /** Row key inside this database; never leaves the process. */
  readonly key: number;
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** For search, MCP and the landing page. Null: unlimited. */
  readonly rateLimit: RateLimit | null;
  readonly createdAt: number;
  readonly profile: Profile;
}

/** What an organization says of itself, one line each; null: nothing. */
export interface Profile {
  /** One or two sentences. */
  readonly description: string | null;
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
  readonly address: string | null;
  readonly openingHours: string | null;
}

/** One storefront of an organization. */
export interface Shop {
  readonly key: number;
  readonly id: string;
  readonly organizationKey: number;
  readonly handle: string;
  readonly name: string;
  /** Host name without scheme, for product links; null if unknown. */
  readonly domain: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** BCP 47. */
  readonly locale: string;
  /** The generation of items that searchers see. */
  readonly generation: number;
  /** The one that a rollback brings back; null where there is none. */
  readonly previousGeneration: number | null;
  /** Grows with every visible change of the catalogue. */
  readonly revision: number;
  /** What the shop runs on, which says how its links are made. */
  readonly storefront: Storefront;
  /** Host names besides `domain` that its checkout and bookings may be at. */
  readonly furtherDomains: readonly string[];
  /** As `domain/link-template.ts` has them. */
  readonly bookingUrlTemplate: string | null;
  readonly checkoutUrlTemplate: string | null;
  /** Where a Universal Commerce Protocol checkout begins, without a slash at its end. */
  readonly ucpEndpoint: string | null;
}

export const STOREFRONTS = ['shopify', 'woo', 'other'] as const;
export type Storefront = (typeof STOREFRONTS)[number];

export const DEFAULT_RATE_LIMIT: RateLimit = { perMinute: 600, burst: 100 };

/** Handles and slugs: lower-case words with hyphens, at most 64 characters. */
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** `"Café Müller & Co."` → `"cafe-muller-co"`; empty when no Latin letter or digit is left. */
export function slugify(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
}
