import type { Directory } from '../directory.ts';
import type { Metrics } from '../metrics.ts';
import type { Platform } from '../platform.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { Database } from '../storage/engine/database.ts';
import type { HitRecorder } from './hits/hit-recorder.ts';
import type { OwnTraffic } from './hits/own-traffic.ts';
import type { Lease } from './instances/lease.ts';
import type { Mutex } from './instances/mutex.ts';
import type { Introductions } from './landing/introductions.ts';
import type { LandingPages } from './landing/landing-pages.ts';
import type { IndexKeeper } from './search/index-keeper.ts';
import type { Meaning } from './search/meaning.ts';
import type { Scoring } from './search/score-candidates.ts';
import type { AdminSessions } from './tenants/admin-sessions.ts';
import type { BodyBudget } from './tenants/body-budget.ts';
import type { Readiness } from './upkeep/readiness.ts';

/** What lives as long as the process, as operations see it. Opened by `services.ts`. */
export interface Services {
  readonly platform: Platform;
  readonly db: Database;
  /** Everything that is measured: whoever knows something of itself registers it. */
  readonly metrics: Metrics;
  readonly directory: Directory;
  readonly readiness: Readiness;
  readonly rateLimiter: RateLimiter;
  /** Request bodies in memory. */
  readonly bodyBudget: BodyBudget;
  readonly meaning: Meaning;
  /** Catalogues in memory. */
  readonly indexes: IndexKeeper;
  /** Null: no language model is set up. */
  readonly scoring: Scoring | null;
  /** Null: no language model is set up. */
  readonly introductions: Introductions | null;
  readonly landing: LandingPages;
  /** Signs cursors; kept in the database, so that they outlive a restart. */
  readonly cursorSecret: string;
  /** What one instance does for all of them: whoever has it embeds, rebuilds, counts and fetches. */
  readonly background: Lease;
  /** One import at a time over all instances. */
  readonly importMutex: Mutex;
  /** Hands out the keys of organizations and shops one at a time, over all instances. */
  readonly creationMutex: Mutex;
  /** Creates what the environment names once, whichever instance starts first. */
  readonly bootstrapMutex: Mutex;
  /** One copy of the database at a time. */
  readonly copyMutex: Mutex;
  /** Aborts when the service begins to shut down. */
  readonly stopping: AbortSignal;
  /** Keys used since the last flush, with the time of their last use. */
  readonly keyUses: Map<string, number>;
  /** Assistants' sessions whose stream is open in this process. */
  readonly openSessions: Set<string>;
  /** The way of hits to the disk that somebody waits for. */
  readonly hits: HitRecorder;
  /** Idempotency-Keys of requests that are being answered, each with its organization. */
  readonly hitRequestsInUse: Set<string>;
  /** The service's own traffic, until it is recorded. */
  readonly ownTraffic: OwnTraffic;
  readonly hitRetention: HitRetention;
  /** Who may see the admin page. */
  readonly adminSessions: AdminSessions;
  /** Absolute. */
  readonly dataFolder: string;
}

/** How long hits are kept. */
export interface HitRetention {
  readonly days: number;
  readonly rollUpMonths: number;
  /** After that only the network of an address stays. */
  readonly fullAddressHours: number;
}
