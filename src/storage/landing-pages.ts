import { eq, isNotNull } from 'drizzle-orm';
import type { Glance, LandingPage } from '../domain/landing-page.ts';
import { readPage } from './engine/answer-limit.ts';
import type { Database } from './engine/database.ts';
import { landingPages } from './engine/schema.ts';
import { SERVER_NOW } from './engine/server-clock.ts';
import { type Statement, statement } from './engine/statement.ts';

/** A page and the state of its rebuild. Times are milliseconds since the epoch. */
export type LandingPageRow = typeof landingPages.$inferSelect;

export async function findLandingPage(
  db: Database,
  organizationKey: number,
): Promise<LandingPageRow | null> {
  const [row] = await db.find(
    db.orm.select().from(landingPages).where(eq(landingPages.organizationKey, organizationKey)),
  );
  return row ?? null;
}

/** The state of a page without its texts. */
export type LandingPageState = Omit<LandingPageRow, 'body' | 'introduction' | 'introductionOf'> & {
  readonly bytes: number;
};

/** Every page, oldest organization first. */
export async function findLandingPageStates(db: Database): Promise<LandingPageState[]> {
  return db.all<LandingPageState>({
    sql: `SELECT organization_key AS organizationKey, etag, inputs, built_at AS builtAt, changed_at AS changedAt,
            stale_since AS staleSince, leased_until AS leasedUntil, attempts, retry_at AS retryAt,
            last_error AS lastError, coalesce(octet_length(body), 0) AS bytes
          FROM landing_pages ORDER BY organization_key`,
    args: [],
  });
}

/** From which inputs the pages of these organizations were built, without pages that never were. */
export async function findLandingPageInputs(
  db: Database,
  organizationKeys: readonly number[],
): Promise<{ organizationKey: number; inputs: string }[]> {
  return db.all({
    sql: `SELECT organization_key AS organizationKey, inputs FROM landing_pages
          WHERE inputs IS NOT NULL AND organization_key IN (SELECT value FROM json_each(?))`,
    args: [JSON.stringify(organizationKeys)],
  });
}

/**
 * The current time for the queue, in milliseconds since the epoch. Null: use the server's clock,
 * because the clocks of several instances need not agree.
 */
export type QueueTime = number | null;

/** `?1` is a `QueueTime`. */
const NOW = `coalesce(?1, ${SERVER_NOW})`;

/** Puts pages into the queue. Pages that are already queued keep their place. */
export function markStale(organizationKeys: readonly number[], now: QueueTime): Statement {
  return {
    sql: `UPDATE landing_pages SET stale_since = ${NOW} WHERE stale_since IS NULL
          AND organization_key IN (SELECT value FROM json_each(?2))`,
    args: [now, JSON.stringify(organizationKeys)],
  };
}

/**
 * Of the pages that are due and not leased, the one that has waited longest; null if there is none.
 */
export async function findNextStale(db: Database, now: QueueTime): Promise<number | null> {
  const stale = db.orm
    .select({ organizationKey: landingPages.organizationKey })
    .from(landingPages)
    .where(isNotNull(landingPages.staleSince))
    .limit(1);
  if ((await db.poll(statement(stale))).length === 0) return null;
  const [row] = await db.all<{ organizationKey: number }>({
    sql: `SELECT organization_key AS organizationKey FROM landing_pages
          WHERE stale_since IS NOT NULL AND coalesce(leased_until, 0) <= ${NOW}
            AND coalesce(retry_at, 0) <= ${NOW}
          ORDER BY stale_since, organization_key LIMIT 1`,
    args: [now],
  });
  return row?.organizationKey ?? null;
}

/** Milliseconds until a failed page may be retried; 0 or less: now. */
export async function findRetryWait(
  db: Database,
  organizationKey: number,
  now: QueueTime,
): Promise<number> {
  const [row] = await db.all<{ waitMs: number | null }>({
    sql: `SELECT retry_at - ${NOW} AS waitMs FROM landing_pages WHERE organization_key = ?2`,
    args: [now, organizationKey],
  });
  return row?.waitMs ?? 0;
}

export interface PageLease {
  readonly now: QueueTime;
  readonly durationMs: number;
  /**
   * Milliseconds to wait after the first attempt that fails or is killed; doubled for each further
   * one.
   */
  readonly backOffMs: number;
  readonly backOffMaxMs: number;
  /**
   * A page that is up to date and was built from these inputs is not leased. Null: every page is
   * leased.
   */
  readonly unlessBuiltFrom: string | null;
}

/**
 * Leases a page for a rebuild and counts the attempt, so that a crash during the rebuild counts as
 * a failure. Runs as one statement and returns a row if and only if the lease was granted.
 */
export function leaseLandingPage(organizationKey: number, lease: PageLease): Statement {
  const { now, durationMs, backOffMs, backOffMaxMs, unlessBuiltFrom } = lease;
  return {
    sql: `INSERT INTO landing_pages (organization_key, stale_since, leased_until, attempts, retry_at)
          VALUES (?2, ${NOW}, ${NOW} + ?3, 1, ${NOW} + ?4)
          ON CONFLICT (organization_key) DO UPDATE SET
            stale_since = coalesce(stale_since, excluded.stale_since), leased_until = excluded.leased_until,
            attempts = attempts + 1, retry_at = ${NOW} + min(?5, ?4 * (1 << min(attempts, 20)))
          WHERE coalesce(leased_until, 0) <= ${NOW}
            AND (?6 IS NULL OR stale_since IS NOT NULL OR inputs IS NOT ?6)
          RETURNING attempts`,
    args: [now, organizationKey, durationMs, backOffMs, backOffMaxMs, unlessBuiltFrom],
  };
}

export interface BuiltPage extends LandingPage {
  readonly inputs: string;
  /** The text a language model wrote, and a digest of its input; null if there is none. */
  readonly introduction: { readonly text: string; readonly of: string } | null;
  /** Whether the inputs have changed in the meantime. */
  readonly isOutdated: boolean;
}

/** Saves a page and releases its lease. */
export function saveLandingPage(
  db: Database,
  organizationKey: number,
  { markdown, introduction, isOutdated, ...page }: BuiltPage,
): Statement {
  return statement(
    db.orm
      .update(landingPages)
      .set({
        ...page,
        body: markdown,
        introduction: introduction?.text ?? null,
        introductionOf: introduction?.of ?? null,
        staleSince: isOutdated ? page.builtAt : null,
        leasedUntil: null,
        attempts: 0,
        retryAt: null,
        lastError: null,
      })
      .where(eq(landingPages.organizationKey, organizationKey)),
  );
}

/** Releases a lease and records why the rebuild failed. The page stays in the queue. */
export function failLandingPage(
  db: Database,
  organizationKey: number,
  lastError: string,
): Statement {
  return statement(
    db.orm
      .update(landingPages)
      .set({ leasedUntil: null, lastError })
      .where(eq(landingPages.organizationKey, organizationKey)),
  );
}

/**
 * For a process that owns the database: any remaining lease belongs to a process that was killed.
 */
export function releaseLeases(db: Database): Statement {
  return statement(
    db.orm
      .update(landingPages)
      .set({ leasedUntil: null })
      .where(isNotNull(landingPages.leasedUntil)),
  );
}

/** Items read in one statement: about 4 ms of the event loop. */
const GLANCES_AT_ONCE = 500;

export interface Glances {
  readonly glances: readonly Glance[];
  /** Where to continue; null at the end. */
  readonly next: number | null;
}

type GlanceRow = readonly [
  ...(readonly [Glance['key'], Glance['id'], Glance['type'], Glance['updatedAt']]),
  readonly [
    ...(readonly [
      Glance['name'],
      Glance['kind'],
      Glance['productType'],
      Glance['vendor'],
      Glance['currency'],
    ]),
    ...(readonly [Glance['priceMinor'], Glance['compareAtPriceMinor'], Glance['availability']]),
    ...(readonly [Glance['publishedAt'], Glance['image']]),
  ],
];

/**
 * The visible items among an organization's next ones; the others are versions that nobody sees.
 */
export async function findGlances(
  db: Database,
  organizationKey: number,
  after: number,
): Promise<Glances> {
  // One JSON text a slice: a row for each item would double the cost in the client.
  const { page, limit } = await readPage(GLANCES_AT_ONCE * db.batchFactor, (slice) =>
    db.all<{ visited: number; lastKey: number | null; glances: string }>({
      sql: `SELECT count(*) AS visited, max(key) AS lastKey,
            json_group_array(json_array(key, id, type, updated_at, json_extract(body, '$.name', '$.kind', '$.productType',
              '$.vendor', '$.currency', '$.priceMinor', '$.compareAtPriceMinor', '$.availability',
              '$.publishedAt', '$.image'))) FILTER (WHERE visible AND json_valid(body)) AS glances
          FROM (SELECT i.key, i.id, i.type, i.updated_at, i.body, i.first_generation <= s.generation
                  AND (i.last_generation IS NULL OR i.last_generation >= s.generation) AS visible
                FROM items i JOIN shops s ON s.key = i.shop_key
                WHERE i.organization_key = ? AND i.key > ? ORDER BY i.key LIMIT ?)`,
      args: [organizationKey, after, slice],
    }),
  );
  const { visited, lastKey, glances } = page[0]!;
  return {
    glances: (db.parse<GlanceRow[]>(glances) ?? []).map(toGlance),
    next: visited < limit ? null : lastKey,
  };
}

function toGlance([key, id, type, updatedAt, extracted]: GlanceRow): Glance {
  // A single literal: spreading objects would take as long as the query.
  return {
    key,
    id,
    type,
    updatedAt,
    name: extracted[0],
    kind: extracted[1],
    productType: extracted[2],
    vendor: extracted[3],
    currency: extracted[4],
    priceMinor: extracted[5],
    compareAtPriceMinor: extracted[6],
    availability: extracted[7],
    publishedAt: extracted[8],
    image: extracted[9],
  };
}
