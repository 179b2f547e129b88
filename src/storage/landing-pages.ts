import { eq } from 'drizzle-orm';
import type { Glance, LandingPage } from '../domain/landing-page.ts';
import { readPage } from './engine/answer-limit.ts';
import type { Database } from './engine/database.ts';
import { landingPages } from './engine/schema.ts';
import type { Statement } from './engine/statement.ts';

/** A page with the state of its rebuilding. Times are milliseconds since the epoch. */
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

/** Puts pages into the queue; those that are in it keep their place. */
export function markStale(organizationKeys: readonly number[], nowMs: number): Statement {
  return {
    sql: `UPDATE landing_pages SET stale_since = ? WHERE stale_since IS NULL
          AND organization_key IN (SELECT value FROM json_each(?))`,
    args: [nowMs, JSON.stringify(organizationKeys)],
  };
}

/** The page that has waited longest of those that are due and not leased; null when there is none. */
export async function findNextStale(db: Database, nowMs: number): Promise<number | null> {
  const [row] = await db.all<{ organizationKey: number }>({
    sql: `SELECT organization_key AS organizationKey FROM landing_pages
          WHERE stale_since IS NOT NULL AND coalesce(leased_until, 0) <= ? AND coalesce(retry_at, 0) <= ?
          ORDER BY stale_since, organization_key LIMIT 1`,
    args: [nowMs, nowMs],
  });
  return row?.organizationKey ?? null;
}

export interface Lease {
  readonly nowMs: number;
  readonly untilMs: number;
  /** Milliseconds to wait after a first attempt that fails or is killed; doubled for each further one. */
  readonly backOffMs: number;
  readonly backOffMaxMs: number;
}

/**
 * Takes a page to rebuild it, and counts the attempt: whoever dies over it has failed. Runs as one
 * statement and returns a row exactly when the lease is had.
 */
export function leaseLandingPage(organizationKey: number, lease: Lease): Statement {
  const { nowMs, untilMs, backOffMs, backOffMaxMs } = lease;
  return {
    sql: `INSERT INTO landing_pages (organization_key, stale_since, leased_until, attempts, retry_at)
          VALUES (?1, ?2, ?3, 1, ?2 + ?4)
          ON CONFLICT (organization_key) DO UPDATE SET
            stale_since = coalesce(stale_since, ?2), leased_until = ?3, attempts = attempts + 1,
            retry_at = ?2 + min(?5, ?4 * (1 << min(attempts, 20)))
          WHERE coalesce(leased_until, 0) <= ?2
          RETURNING attempts`,
    args: [organizationKey, nowMs, untilMs, backOffMs, backOffMaxMs],
  };
}

export interface BuiltPage extends LandingPage {
  readonly inputs: string;
  /** What a language model wrote, and of what; null: nothing. */
  readonly introduction: { readonly text: string; readonly of: string } | null;
  /** Whether its inputs have changed since. */
  readonly isOutdated: boolean;
}

/** Keeps a page and gives its lease back. */
export function saveLandingPage(organizationKey: number, page: BuiltPage): Statement {
  const { markdown, etag, inputs, introduction, builtAt, changedAt, isOutdated } = page;
  return {
    sql: `UPDATE landing_pages SET body = ?, etag = ?, inputs = ?, introduction = ?, introduction_of = ?,
            built_at = ?, changed_at = ?, stale_since = ?, leased_until = NULL, attempts = 0,
            retry_at = NULL, last_error = NULL
          WHERE organization_key = ?`,
    args: [
      ...[markdown, etag, inputs, introduction?.text ?? null, introduction?.of ?? null],
      ...[builtAt, changedAt, isOutdated ? builtAt : null, organizationKey],
    ],
  };
}

/** Gives a lease back with the reason why nothing came of it. The page stays in the queue. */
export function failLandingPage(organizationKey: number, error: string): Statement {
  return {
    sql: 'UPDATE landing_pages SET leased_until = NULL, last_error = ? WHERE organization_key = ?',
    args: [error, organizationKey],
  };
}

/** For a process that has the database to itself: leases that are still there are of a killed one. */
export function releaseLeases(): Statement {
  return {
    sql: 'UPDATE landing_pages SET leased_until = NULL WHERE leased_until IS NOT NULL',
    args: [],
  };
}

/** Looked at in one statement: some 4 ms of the event loop. */
const GLANCES_AT_ONCE = 500;

export interface Glances {
  readonly glances: readonly Glance[];
  /** Where to go on; null at the end. */
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

/** The visible ones of the next items of an organization, of which some are versions that nobody sees. */
export async function findGlances(
  db: Database,
  organizationKey: number,
  after: number,
): Promise<Glances> {
  // One JSON text a slice: a row for each item would cost as much again in the client.
  const { page, limit } = await readPage(GLANCES_AT_ONCE * db.batchFactor, (slice) =>
    db.all<{ visited: number; lastKey: number | null; glances: string }>({
      sql: `SELECT count(*) AS visited, max(key) AS lastKey,
            json_group_array(json_array(key, id, type, updated_at, json_extract(body, '$.name', '$.kind', '$.productType',
              '$.vendor', '$.currency', '$.priceMinor', '$.compareAtPriceMinor', '$.availability',
              '$.publishedAt', '$.image'))) FILTER (WHERE visible) AS glances
          FROM (SELECT i.key, i.id, i.type, i.updated_at, i.body, i.first_generation <= s.generation
                  AND (i.last_generation IS NULL OR i.last_generation >= s.generation) AS visible
                FROM items i JOIN shops s ON s.key = i.shop_key
                WHERE i.organization_key = ? AND i.key > ? ORDER BY i.key LIMIT ?)`,
      args: [organizationKey, after, slice],
    }),
  );
  const { visited, lastKey, glances } = page[0]!;
  return {
    glances: (JSON.parse(glances) as GlanceRow[]).map(toGlance),
    next: visited < limit ? null : lastKey,
  };
}

function toGlance([key, id, type, updatedAt, extracted]: GlanceRow): Glance {
  // One literal: spreading objects would take as long as the query.
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
