import { AppError } from './errors.ts';

/** A token bucket: tokens added per minute, and the most that can accumulate (`burst`). */
export interface RateLimit {
  readonly perMinute: number;
  readonly burst: number;
}

/** A tenant. It owns keys, limits, and shops with their catalogues. */
export interface Organization {
  /** Row key inside this database; never leaves the process. */
  readonly key: number;
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** For search, MCP and the landing page. Null: unlimited. */
  readonly rateLimit: RateLimit | null;
  readonly publicAssistants: PublicAssistants;
  /** The tools that assistants are offered besides the five. */
  readonly toolSets: readonly ToolSet[];
  readonly createdAt: number;
  readonly profile: Profile;
  /** Row key of the embedding model whose vectors answer; null before the first vector. */
  readonly vectorModelKey: number | null;
}

/**
 * Whether an organization was deleted. Its row stays, without what it said, so that its key is never used again; its
 * slug is its id, which nobody can choose.
 */
export function isDeleted({ id, slug }: Pick<Organization, 'id' | 'slug'>): boolean {
  return slug === id;
}

/** Throws `not_found` for an organization that was deleted. */
export function refuseDeleted(organization: Organization): void {
  if (isDeleted(organization)) throw new AppError('not_found', 'The organization was deleted.');
}

/** Sets of tools, each of which an organization turns on by itself. */
export const TOOL_SETS = ['chatgpt', 'cart', 'ucp'] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

/** Whether customers' assistants, which have no key, may call an organization, and how often. */
export interface PublicAssistants {
  readonly isOn: boolean;
  /** For all of them together; each client address gets half. */
  readonly rateLimit: RateLimit;
}

/** How an organization describes itself, one line per member; null where it says nothing. */
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
  /** The generation of items that searches see. */
  readonly generation: number;
  /** The generation that a rollback restores; null if there is none. */
  readonly previousGeneration: number | null;
  /** Increases with every new generation and every rollback. */
  readonly revision: number;
  /** Counts the changes made in place within generations: pushed prices and availability. */
  readonly pushes: number;
  /** The version of its curation rules; 0 before the first. */
  readonly curationVersion: number;
  /**
   * The software that the shop runs on, which determines the form of links. Null until an operator or an
   * import names it.
   */
  readonly storefront: Storefront | null;
  /** Host names, besides `domain`, that checkout and booking links may use. */
  readonly furtherDomains: readonly string[];
  /** Templates in the syntax of `link-template.ts`. */
  readonly productUrlTemplate: string | null;
  readonly bookingUrlTemplate: string | null;
  readonly checkoutUrlTemplate: string | null;
  /** Base URL of the Universal Commerce Protocol checkout, without a trailing slash. */
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
