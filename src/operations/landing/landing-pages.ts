import type { Directory } from '../../directory.ts';
import { AppError } from '../../domain/errors.ts';
import type { LandingPage, PageCache } from '../../domain/landing-page.ts';
import type { Organization, Shop } from '../../domain/organization.ts';
import { PAGE_VERSION } from '../../landing/page.ts';
import type { ServiceAddress } from '../../landing/page-content.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import {
  failLandingPage,
  findLandingPage,
  findLandingPageInputs,
  findRetryWait,
  type LandingPageRow,
  leaseLandingPage,
  markStale,
  type QueueTime,
  saveLandingPage,
} from '../../storage/landing-pages.ts';
import { Mutex } from '../instances/mutex.ts';
import { digest, gatherPageContent, introduce, renderWithTag } from './build-landing-page.ts';
import type { Introductions } from './introductions.ts';

const MEDIA_TYPE = 'text/markdown; charset=utf-8';

/** Pages kept in memory, at most 25 KB each. */
const PAGES_MAX = 1000;

/** Longer than any rebuild takes, a model's introduction included. */
const LEASE_MS = 120_000;

/** A request polls at this interval, for 10 s in all, while another instance rebuilds the page. */
const LEASE_WAIT_MS = 250;
const LEASE_ATTEMPTS = 40;

/** Pause after a failed rebuild; doubles each time. */
const BACK_OFF_MS = 2000;
const BACK_OFF_MAX_MS = 10 * 60_000;

/** Attempts to read a catalogue that keeps changing; after that, the page is queued again. */
const READINGS_MAX = 3;

const ERROR_MAX = 300;

/** A page as it is served. */
export interface KeptPage extends LandingPage {
  /** The Markdown, shared by responses instead of copied. */
  readonly body: Blob;
  /** `changedAt` as an HTTP date. */
  readonly lastModified: string;
  /** Digest of the inputs that the page was built from. */
  readonly inputs: string;
  /** Whether a rebuild was requested, even without changes. */
  readonly isQueued: boolean;
}

export interface ServedPage {
  readonly page: KeptPage;
  readonly cache: PageCache;
}

export interface LandingPagesOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly directory: Directory;
  /** Null if no language model is configured. */
  readonly introductions: Introductions | null;
  readonly stopping: AbortSignal;
  readonly address: ServiceAddress;
}

interface Rebuild {
  readonly inputs: string;
  readonly page: Promise<KeptPage>;
}

/**
 * The landing pages. The database rows are both the authoritative state and the queue; memory caches the
 * most recently requested pages. A page is fresh while the digest of its inputs is unchanged, so an
 * import, a rollback, a change to the organization and a new version of this program make it stale
 * without any notification.
 */
export class LandingPages {
  readonly #options: LandingPagesOptions;
  #address: ServiceAddress;
  /** Least recently requested first. */
  readonly #pages = new Map<number, KeptPage>();
  readonly #inputs = new Map<
    number,
    { organization: Organization; shops: readonly Shop[]; address: ServiceAddress; inputs: string }
  >();
  readonly #rebuilds = new Map<number, Rebuild>();
  /** Catalogues are read one at a time; waiting for a model happens outside the mutex. */
  readonly #reading = new Mutex();
  /** The version of the directory at the last check for changes. */
  #seen = 0;
  readonly #counts = { rebuilt: 0, failed: 0, lastMs: 0 };

  constructor(options: LandingPagesOptions) {
    this.#options = options;
    this.#address = options.address;
  }

  /** Sets the listener's address; ignored if an operator configured a public URL. */
  listensAt(baseUrl: string): void {
    if (!this.#address.isPublic) this.#address = { baseUrl, isPublic: false };
  }

  get address(): ServiceAddress {
    return this.#address;
  }

  /** Rebuilds and failures since the start, and the duration of the last rebuild in milliseconds. */
  get counts(): { readonly rebuilt: number; readonly failed: number; readonly lastMs: number } {
    return { ...this.#counts };
  }

  isRebuilding(organizationKey: number): boolean {
    return this.#rebuilds.has(organizationKey);
  }

  /** The digest of the current inputs of the organization's page. */
  inputs(organizationKey: number): string {
    const { directory } = this.#options;
    const organization = directory.organization(organizationKey);
    const shops = directory.shopsOf(organizationKey);
    const address = this.#address;
    const known = this.#inputs.get(organizationKey);
    // A reload creates new objects.
    if (
      known?.organization === organization &&
      known.shops === shops &&
      known.address === address
    ) {
      return known.inputs;
    }
    const { id, name, profile, publicAssistants } = organization;
    const inputs = digest([PAGE_VERSION, address, id, name, profile, publicAssistants.isOn, shops]);
    this.#inputs.set(organizationKey, { organization, shops, address, inputs });
    return inputs;
  }

  /** A page in memory and whether it is fresh; null if it must be read from the database. */
  peek(organizationKey: number): ServedPage | null {
    const page = this.#pages.get(organizationKey);
    if (page === undefined) return null;
    const isFresh = !page.isQueued && page.inputs === this.inputs(organizationKey);
    return { page, cache: isFresh ? 'hit' : 'stale' };
  }

  /** The existing page, fresh or stale, or a new one if there is none. Throws `unavailable` if it cannot be built. */
  async find(organizationKey: number): Promise<ServedPage> {
    const { db } = this.#options;
    const present = this.peek(organizationKey);
    if (present !== null) return present;
    const row = await findLandingPage(db, organizationKey);
    if (row !== null && row.body !== null) {
      this.#keepRow(row);
      return this.peek(organizationKey)!;
    }
    if (row !== null && row.retryAt !== null && !this.isRebuilding(organizationKey)) {
      const waitMs = await findRetryWait(db, organizationKey, queueTime(this.#options));
      if (waitMs > 0) throw unbuildable(waitMs, row.lastError);
    }
    return { page: await this.rebuild(organizationKey), cache: 'miss' };
  }

  /**
   * Builds the page after this call. Concurrent callers, on any instance, share one rebuild, unless
   * something has changed since it began. Throws `unavailable` if it fails.
   */
  rebuild(organizationKey: number): Promise<KeptPage> {
    const inputs = this.inputs(organizationKey);
    const present = this.#rebuilds.get(organizationKey);
    if (present?.inputs === inputs) return present.page;
    const page = Promise.allSettled([present?.page])
      .then(() => this.#rebuildNow(organizationKey))
      .finally(() => {
        if (this.#rebuilds.get(organizationKey)?.page === page)
          this.#rebuilds.delete(organizationKey);
      });
    this.#rebuilds.set(organizationKey, { inputs, page });
    return page;
  }

  /** Queues stale pages. Costs nothing while nothing has changed. */
  async noticeChanges(): Promise<void> {
    const { db, directory } = this.#options;
    const { version } = directory;
    if (version === this.#seen) return;
    const pages = await findLandingPageInputs(db, directory.reloadedSince(this.#seen));
    const outdated = pages.filter(
      ({ organizationKey, inputs }) => inputs !== this.inputs(organizationKey),
    );
    const keys = outdated.map(({ organizationKey }) => organizationKey);
    if (keys.length > 0) await db.write([markStale(keys, queueTime(this.#options))]);
    this.#seen = version;
  }

  /** Drops cached pages that another instance has rebuilt; the database has the new ones. */
  forgetChanged(
    states: readonly { organizationKey: number; builtAt: number | null; inputs: string | null }[],
  ): void {
    for (const { organizationKey, builtAt, inputs } of states) {
      const page = this.#pages.get(organizationKey);
      if (page !== undefined && (page.builtAt !== builtAt || page.inputs !== inputs))
        this.#pages.delete(organizationKey);
    }
  }

  /** Drops what is in memory of an organization that was deleted. */
  forget(organizationKey: number): void {
    this.#pages.delete(organizationKey);
    this.#inputs.delete(organizationKey);
  }

  /** Resolves when no rebuild is running. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#rebuilds.values()].map(({ page }) => page));
  }

  async #rebuildNow(organizationKey: number): Promise<KeptPage> {
    const { db, platform } = this.#options;
    const startedMs = platform.monotonicMs();
    const builtElsewhere = await this.#lease(organizationKey);
    if (builtElsewhere !== null) return builtElsewhere;
    try {
      const page = await this.#build(organizationKey);
      this.#counts.rebuilt += 1;
      this.#counts.lastMs = Math.round(platform.monotonicMs() - startedMs);
      return page;
    } catch (error) {
      this.#counts.failed += 1;
      const cause = String(error).slice(0, ERROR_MAX);
      platform.log('error', 'landing_page_failed', { organizationKey, cause });
      await db.write([failLandingPage(db, organizationKey, cause)]);
      throw unbuildable(BACK_OFF_MS, error);
    }
  }

  /**
   * Acquires the lease and returns null. If another instance holds it, waits for a while and returns that
   * instance's page if it has the same inputs.
   */
  async #lease(organizationKey: number): Promise<KeptPage | null> {
    const { db, platform, stopping } = this.#options;
    const times = { durationMs: LEASE_MS, backOffMs: BACK_OFF_MS, backOffMaxMs: BACK_OFF_MAX_MS };
    const attempts = db.instance === null ? 1 : LEASE_ATTEMPTS;
    for (let attempt = 1; attempt <= attempts && !stopping.aborted; attempt++) {
      const isFirst = attempt === 1;
      if (!isFirst) await platform.sleep(LEASE_WAIT_MS, stopping);
      const unlessBuiltFrom = isFirst ? null : this.inputs(organizationKey);
      const lease = { ...times, now: queueTime(this.#options), unlessBuiltFrom };
      const [leased] = await db.write([leaseLandingPage(organizationKey, lease)]);
      if (leased!.rows.length > 0) return null;
      if (isFirst) continue;
      // A leased page is queued, so a page that is not queued was rebuilt since the first attempt.
      const row = await findLandingPage(db, organizationKey);
      if (row?.staleSince === null && row.inputs === unlessBuiltFrom) return this.#keepRow(row);
    }
    throw unbuildable(BACK_OFF_MS, 'another process rebuilds it');
  }

  async #build(organizationKey: number): Promise<KeptPage> {
    const { db, platform } = this.#options;
    const former = await findLandingPage(db, organizationKey);
    const { content, inputs } = await this.#reading.run(() => this.#read(organizationKey));
    const written =
      former?.introduction == null
        ? null
        : { text: former.introduction, of: former.introductionOf! };
    const introduction = await introduce(this.#options, content, written);
    const { markdown, etag } = renderWithTag({
      ...content,
      introduction: introduction?.text ?? null,
    });
    const builtAt = platform.now();
    const changedAt = former?.etag === etag ? former.changedAt! : builtAt;
    const page = { markdown, etag, builtAt, changedAt, inputs };
    const isOutdated = inputs !== this.inputs(organizationKey);
    await db.write([saveLandingPage(db, organizationKey, { ...page, introduction, isOutdated })]);
    return this.#keep(organizationKey, { ...page, isQueued: false });
  }

  /** The page's content and the inputs that it belongs to; consistent, unless the catalogue keeps changing. */
  async #read(organizationKey: number) {
    for (let reading = 1; ; reading++) {
      const inputs = this.inputs(organizationKey);
      const content = await gatherPageContent(this.#options, organizationKey, this.#address);
      if (reading === READINGS_MAX || inputs === this.inputs(organizationKey)) {
        return { content, inputs };
      }
    }
  }

  #keepRow({ organizationKey, body, staleSince, ...row }: LandingPageRow): KeptPage {
    const { etag, builtAt, changedAt, inputs } = row;
    const page = { markdown: body!, etag: etag!, builtAt: builtAt!, changedAt: changedAt! };
    const isQueued = staleSince !== null;
    return this.#keep(organizationKey, { ...page, inputs: inputs!, isQueued });
  }

  #keep(organizationKey: number, page: Omit<KeptPage, 'body' | 'lastModified'>): KeptPage {
    const body = new Blob([page.markdown], { type: MEDIA_TYPE });
    const kept = { ...page, body, lastModified: new Date(page.changedAt).toUTCString() };
    this.#pages.delete(organizationKey);
    this.#pages.set(organizationKey, kept);
    if (this.#pages.size > PAGES_MAX) this.#pages.delete(this.#pages.keys().next().value!);
    return kept;
  }
}

/**
 * The landing page of an organization, at once if it is in memory. With `regenerate`, it is built after
 * this call. Rejects with `unavailable` if there is none and it cannot be built.
 */
export function getLandingPage(
  { landing }: { readonly landing: LandingPages },
  { key }: Organization,
  { regenerate = false }: { regenerate?: boolean } = {},
): ServedPage | Promise<ServedPage> {
  if (!regenerate) return landing.peek(key) ?? landing.find(key);
  return landing.rebuild(key).then((page) => ({ page, cache: 'regenerated' }));
}

/** The queue's time: this process's clock for a file, the server's clock for a server. */
export function queueTime({
  db,
  platform,
}: Pick<LandingPagesOptions, 'db' | 'platform'>): QueueTime {
  return db.instance === null ? platform.now() : null;
}

function unbuildable(retryAfterMs: number, cause: unknown): AppError {
  return new AppError('unavailable', 'The page cannot be built at the moment.', {
    retryAfterMs,
    cause,
  });
}
