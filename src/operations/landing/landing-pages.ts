import type { Directory } from '../../directory.ts';
import { AppError } from '../../domain/errors.ts';
import type { LandingPage, PageCache } from '../../domain/landing-page.ts';
import type { Organization, Shop } from '../../domain/organization.ts';
import { PAGE_VERSION, type ServiceAddress } from '../../landing/page.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import {
  failLandingPage,
  findLandingPage,
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

/** Longer than any rebuild takes, a model's sentence included. */
const LEASE_MS = 120_000;

/** How long, and how often, somebody who waits for a page waits for the instance that rebuilds it: 10 s. */
const LEASE_WAIT_MS = 250;
const LEASE_ATTEMPTS = 40;

/** After a failed rebuild: 2 s, 4 s, … */
const BACK_OFF_MS = 2000;
const BACK_OFF_MAX_MS = 10 * 60_000;

/** A catalogue that changes while it is read is read again so often; then the page is rebuilt once more. */
const READINGS_MAX = 3;

const ERROR_MAX = 300;

/** A page as it is served. */
export interface KeptPage extends LandingPage {
  /** The Markdown, which answers share instead of copying it. */
  readonly body: Blob;
  /** Of `changedAt`, as HTTP has it. */
  readonly lastModified: string;
  /** What it was made from. */
  readonly inputs: string;
  /** Asked to be rebuilt, whether or not anything has changed. */
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
  /** Null: no language model is set up. */
  readonly introductions: Introductions | null;
  readonly stopping: AbortSignal;
  readonly address: ServiceAddress;
}

interface Rebuild {
  readonly inputs: string;
  readonly page: Promise<KeptPage>;
}

/**
 * The landing pages. The rows are the truth and the queue; in memory are the pages asked for most
 * lately, ready to be sent. A page is fresh while everything it was made from is the same, so an
 * import, a rollback, a change of the organization and a new version of this program all make it
 * stale, and nobody has to say so.
 */
export class LandingPages {
  readonly #options: LandingPagesOptions;
  #address: ServiceAddress;
  /** The one asked least lately comes first. */
  readonly #pages = new Map<number, KeptPage>();
  readonly #inputs = new Map<
    number,
    { organization: Organization; shops: readonly Shop[]; address: ServiceAddress; inputs: string }
  >();
  readonly #rebuilds = new Map<number, Rebuild>();
  /** Catalogues are read one after the other; waiting for a model holds nobody up. */
  readonly #reading = new Mutex();
  /** The state of the directory at the last look for changes. */
  #seen: readonly Organization[] = [];
  readonly #counts = { rebuilt: 0, failed: 0, lastMs: 0 };

  constructor(options: LandingPagesOptions) {
    this.#options = options;
    this.#address = options.address;
  }

  /** Where the service turned out to listen; means nothing once an operator has named its address. */
  listensAt(baseUrl: string): void {
    if (!this.#address.isPublic) this.#address = { baseUrl, isPublic: false };
  }

  get address(): ServiceAddress {
    return this.#address;
  }

  /** Rebuilds since the start, those that failed, and how long the last one took, in milliseconds. */
  get counts(): { readonly rebuilt: number; readonly failed: number; readonly lastMs: number } {
    return { ...this.#counts };
  }

  isRebuilding(organizationKey: number): boolean {
    return this.#rebuilds.has(organizationKey);
  }

  /** Names everything a page of the organization would be made from now. */
  inputs(organizationKey: number): string {
    const { directory } = this.#options;
    const organization = directory.organization(organizationKey);
    const shops = directory.shopsOf(organizationKey);
    const address = this.#address;
    const known = this.#inputs.get(organizationKey);
    // The directory makes new objects whenever anything changes.
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

  /** A page that is in memory, and whether it is true; null: look in the database. */
  peek(organizationKey: number): ServedPage | null {
    const page = this.#pages.get(organizationKey);
    if (page === undefined) return null;
    const isFresh = !page.isQueued && page.inputs === this.inputs(organizationKey);
    return { page, cache: isFresh ? 'hit' : 'stale' };
  }

  /** The page as it is, fresh or stale; built now if there is none. Throws `unavailable` when it cannot be built. */
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
   * A page that is built after the asking. Callers at the same time, at this instance or another one,
   * share one rebuild, unless something has changed since it began. Throws `unavailable` when it fails.
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

  /** Puts pages that are no longer true into the queue. Costs nothing while nothing has changed. */
  async noticeChanges(
    pages: () => Promise<readonly { organizationKey: number; inputs: string | null }[]>,
  ): Promise<void> {
    const { db, directory } = this.#options;
    const organizations = directory.organizations();
    if (organizations === this.#seen) return;
    const outdated = (await pages())
      .filter(
        ({ organizationKey, inputs }) => inputs !== null && inputs !== this.inputs(organizationKey),
      )
      .map(({ organizationKey }) => organizationKey);
    if (outdated.length > 0) await db.write([markStale(outdated, queueTime(this.#options))]);
    this.#seen = organizations;
  }

  /** Lets go of pages that another instance has rebuilt: they are found in the database. */
  forgetChanged(
    states: readonly { organizationKey: number; builtAt: number | null; inputs: string | null }[],
  ): void {
    for (const { organizationKey, builtAt, inputs } of states) {
      const page = this.#pages.get(organizationKey);
      if (page !== undefined && (page.builtAt !== builtAt || page.inputs !== inputs))
        this.#pages.delete(organizationKey);
    }
  }

  /** Resolves when no rebuild is under way. */
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
   * Null once the lease is had. Waits a while for an instance that has it, and takes that one's page if it
   * is what would be built here.
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
      // A leased page is in the queue, so one that is not has been rebuilt since the first attempt.
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

  /** What the page shows, and of which state: the same from the first item to the last, if it can be had. */
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
 * The landing page of an organization, from memory where it can be. With `regenerate` it is built
 * after the asking. Throws `unavailable` when there is none and it cannot be built.
 */
export async function getLandingPage(
  { landing }: { readonly landing: LandingPages },
  { key }: Organization,
  { regenerate = false }: { regenerate?: boolean } = {},
): Promise<ServedPage> {
  if (regenerate) return { page: await landing.rebuild(key), cache: 'regenerated' };
  return landing.peek(key) ?? landing.find(key);
}

/** In a file the queue goes by this process's clock, on a server by that one's. */
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
