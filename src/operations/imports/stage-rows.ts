import type { Fault } from '../../catalog/record/reader.ts';
import { catalogItemId } from '../../domain/ids.ts';
import type { Shop } from '../../domain/organization.ts';
import { collectGarbage } from '../../garbage.ts';
import { insertIds, StagedIds } from '../../storage/catalog/item-ids.ts';
import {
  endVersions,
  findAliases,
  findIdsBySlug,
  findLargestKeys,
  findVersions,
  findVisibleKeys,
  isBlank,
  type KeyPlace,
  type KnownVersion,
} from '../../storage/catalog/items.ts';
import { countPlaces, StagedBatch, type StagedItem } from '../../storage/catalog/staged-items.ts';
import { fence, IMPORT_LEASE } from '../../storage/leases.ts';
import { Slices } from '../indexes/slices.ts';
import type { ImportServices } from './import-services.ts';
import { KeySet } from './key-set.ts';
import { LinkTally } from './link-tally.ts';
import type { PreparedRow, PreparedRows } from './prepare-rows.ts';

/** Faults stored with the import's record; the caller receives all of them. */
const KEPT_FAULTS_MAX = 20;

/** Versions examined and ended at once, which takes a few milliseconds. */
const PAGE_ROWS = 500;

/**
 * Blocks written in one transaction where nobody waits. Indexes of random keys then change each page
 * less often.
 */
const BLOCKS_AT_ONCE_ALONE = 8;

/** Transactions between two garbage collections where nobody waits: some 10 MB of garbage. */
const TRANSACTIONS_PER_COLLECTION = 2;

export interface StagingOptions {
  readonly shop: Shop;
  readonly format: string;
  /** Whether the import is checked without writing anything. */
  readonly dryRun: boolean;
  onFault(fault: Fault): void;
}

/** What is known about the item of a row. */
interface Resolved {
  readonly id: string;
  /** Its currently visible version. */
  readonly current: KnownVersion | null;
}

/** Writes one import's rows where searches do not see them. Tracks counts, faults and new keys. */
export class RowStaging {
  readonly counts = { new: 0, changed: 0, same: 0, archived: 0, rejected: 0, warnings: 0 };
  readonly links = new LinkTally();
  /** The first ones, without records. */
  readonly faults: Fault[] = [];
  readonly #services: ImportServices;
  readonly #options: StagingOptions;
  /** Visible versions that the import contains. */
  readonly #met: KeySet;
  /** Whether the shop holds nothing that a row could mean, so that no lookups are needed. */
  readonly #isFirst: boolean;
  /** The ids of the items that the rows so far describe. */
  readonly #ids: StagedIds;
  readonly #slices: Slices;
  /** What is not written yet, and of how many blocks. */
  #waiting = new StagedBatch();
  #waitingBlocks = 0;
  #transactions = 0;
  /** Versions of rejected records: a faulty record must not archive its item. */
  readonly #kept: KeySet;

  private constructor(
    services: ImportServices,
    options: StagingOptions,
    { largestKey, isFirst }: { largestKey: number; isFirst: boolean },
  ) {
    this.#isFirst = isFirst;
    this.#services = services;
    this.#options = options;
    this.#ids = new StagedIds(largestKey);
    this.#slices = new Slices(services.platform);
    this.#met = new KeySet(largestKey);
    this.#kept = new KeySet(largestKey);
  }

  static async begin(services: ImportServices, options: StagingOptions): Promise<RowStaging> {
    const { db, rowKeys } = services;
    const largest = await findLargestKeys(db);
    rowKeys.raise(largest);
    return new RowStaging(services, options, {
      largestKey: largest.itemKey,
      isFirst: await isBlank(db, options.shop.key),
    });
  }

  /**
   * Returns the items that it has written or will write, in the order of their keys. Call `finish` after
   * the last ones.
   */
  async add({ rows, faults, texts, places }: PreparedRows): Promise<StagedItem[]> {
    const { db } = this.#services;
    const { dryRun } = this.#options;
    for (const fault of faults) this.#note(fault);
    await this.#keepRejected(faults);
    const items: StagedItem[] = [];
    await this.#slices.run(this.#ids.makeRoom(rows.length));
    let nextPlacesAt = 0;
    for (const [row, known] of await this.#resolve(rows)) {
      const placesAt = nextPlacesAt;
      nextPlacesAt += countPlaces(row.names);
      if (!this.#ids.add(known.id)) {
        this.#refuse(row);
        continue;
      }
      if (row.link !== null) this.links.add(row.link);
      if (known.current !== null) this.#met.add(known.current.key);
      if (known.current?.contentHash === row.contentHash) {
        this.counts.same += 1;
        continue;
      }
      this.counts[known.current === null ? 'new' : 'changed'] += 1;
      const item = this.#stagedItem(row, known, placesAt);
      items.push(item);
      if (!dryRun) this.#ids.stage(item.id, item.key);
    }
    if (items.length === 0 || dryRun) return [];
    this.#waiting.add(items, { texts, places });
    this.#waitingBlocks += 1;
    if (!db.isAlone || this.#waitingBlocks >= BLOCKS_AT_ONCE_ALONE) await this.#flush();
    return items;
  }

  /** Writes what is not written yet, and the ids by which all of it is found once it is shown. */
  async finish(): Promise<void> {
    await this.#flush();
    const { db, platform } = this.#services;
    const { key: shopKey, generation } = this.#options.shop;
    const staging = { shopKey, generation: generation + 1 };
    const factor = db.isAlone ? BLOCKS_AT_ONCE_ALONE : db.batchFactor;
    const ordered = await this.#slices.run(this.#ids.inOrder());
    for (const { ids, pages } of this.#ids.inParts(ordered, factor)) {
      await db.stage([...fence(db, IMPORT_LEASE), insertIds(staging, ids)], pages);
      await platform.yield();
    }
    this.#ids.release();
  }

  /** How many items are visible, and how many of them no row described. */
  async countMissing(): Promise<{ missing: number; visible: number }> {
    let missing = 0;
    let visible = 0;
    for await (const keys of this.#visibleKeys()) {
      visible += keys.length;
      missing += keys.filter((key) => this.#isMissing(key)).length;
    }
    return { missing, visible };
  }

  /** Archives the items that no row described. */
  async archiveMissing(): Promise<void> {
    const { db } = this.#services;
    const { shop, dryRun } = this.#options;
    for await (const keys of this.#visibleKeys()) {
      const missing = keys.filter((key) => this.#isMissing(key));
      this.counts.archived += missing.length;
      if (missing.length === 0 || dryRun) continue;
      await db.stage([...fence(db, IMPORT_LEASE), ...endVersions(missing, shop.generation)]);
    }
  }

  async #flush(): Promise<void> {
    if (this.#waitingBlocks === 0) return;
    const { db, platform } = this.#services;
    const { organizationKey, key: shopKey, generation } = this.#options.shop;
    const { format } = this.#options;
    const batch = this.#waiting;
    [this.#waiting, this.#waitingBlocks] = [new StagedBatch(), 0];
    const staging = { organizationKey, shopKey, format, nowMs: platform.now() };
    const statements = batch.statements({ ...staging, generation: generation + 1 });
    await db.stage([...fence(db, IMPORT_LEASE), ...statements]);
    this.#transactions += 1;
    if (db.isAlone && this.#transactions % TRANSACTIONS_PER_COLLECTION === 0) collectGarbage();
  }

  #isMissing(key: number): boolean {
    return !this.#met.has(key) && !this.#kept.has(key);
  }

  async #keepRejected(faults: readonly Fault[]): Promise<void> {
    const { db } = this.#services;
    const { shop } = this.#options;
    const externalIds = faults.flatMap(({ severity, externalId }) =>
      severity === 'error' && externalId !== null ? [externalId] : [],
    );
    if (externalIds.length === 0) return;
    const aliases = await findAliases(db, shop.key, externalIds);
    const ids = externalIds.flatMap((externalId) => [
      catalogItemId(shop.id, externalId),
      ...(aliases.has(externalId) ? [aliases.get(externalId)!] : []),
    ]);
    for (const version of await findVersions(db, shop.key, [...new Set(ids)]))
      if (this.#isCurrent(version)) this.#kept.add(version.key);
  }

  /** Yields pages of the keys that are visible now, regardless of staged rows. */
  async *#visibleKeys(): AsyncGenerator<number[]> {
    const { db, platform } = this.#services;
    let after: KeyPlace = { key: 0, firstGeneration: 0 };
    for (;;) {
      const page = await findVisibleKeys(db, this.#options.shop, { after, limit: PAGE_ROWS });
      if (page.length === 0) return;
      yield page.map(({ key }) => key);
      after = page.at(-1)!;
      await platform.yield();
    }
  }

  #stagedItem(row: PreparedRow, { id, current }: Resolved, placesAt: number): StagedItem {
    const { externalId, ownId, type, slug, contentHash, availability, names } = row;
    const { rowKeys } = this.#services;
    // Spreading takes as long as all the rest.
    return {
      key: rowKeys.nextItem(),
      id,
      externalId,
      type,
      slug,
      contentHash,
      availability,
      names,
      placesAt,
      isAlias: id !== ownId,
      documents: row.documents.map(({ passage, textHash }) => {
        return { key: rowKeys.nextDocument(), passage, textHash };
      }),
      replacesKey: current?.key ?? null,
    };
  }

  #refuse({ position, externalId }: PreparedRow): void {
    const fault: Fault = {
      ...position,
      externalId,
      column: null,
      code: 'duplicate_identity',
      message: 'It describes the same item as an earlier record.',
      severity: 'error',
      raw: null,
    };
    this.#note(fault);
    this.#options.onFault(fault);
  }

  #note(fault: Fault): void {
    if (fault.severity === 'error') this.counts.rejected += 1;
    else this.counts.warnings += 1;
    if (this.faults.length < KEPT_FAULTS_MAX) this.faults.push({ ...fault, raw: null });
  }

  /**
   * Finds the item of each row: by its external id, else by a former external id, else by the slug of an
   * item that arrived by another route; otherwise it is new.
   */
  async #resolve(rows: readonly PreparedRow[]): Promise<[PreparedRow, Resolved][]> {
    if (this.#isFirst) return rows.map((row) => [row, { id: row.ownId, current: null }]);
    const { db } = this.#services;
    const { shop, format } = this.#options;
    const versions = new Map<string, KnownVersion[]>();
    const learn = async (ids: readonly string[]) => {
      if (ids.length === 0) return;
      for (const version of await findVersions(db, shop.key, ids)) {
        const known = versions.get(version.id);
        if (known === undefined) versions.set(version.id, [version]);
        else known.push(version);
      }
    };
    await learn(rows.map(({ ownId }) => ownId));
    const strangers = rows.filter(({ ownId }) => !versions.has(ownId));
    const aliases = await findAliases(
      db,
      shop.key,
      strangers.map(({ externalId }) => externalId),
    );
    const slugs = strangers.flatMap(({ externalId, slug }) =>
      slug === null || aliases.has(externalId) ? [] : [slug],
    );
    const bySlug = slugs.length === 0 ? null : await findIdsBySlug(db, shop, { slugs, format });
    const idOf = ({ externalId, ownId, slug }: PreparedRow) =>
      versions.has(ownId)
        ? ownId
        : (aliases.get(externalId) ?? (slug === null ? null : bySlug?.get(slug)) ?? ownId);
    const ids = rows.map(idOf);
    await learn([...new Set(ids)].filter((id) => !versions.has(id)));
    return rows.map((row, at) => {
      const id = ids[at]!;
      const current = versions.get(id)?.find((version) => this.#isCurrent(version));
      return [row, { id, current: current ?? null }];
    });
  }

  #isCurrent({ firstGeneration, lastGeneration }: KnownVersion): boolean {
    const { generation } = this.#options.shop;
    return firstGeneration <= generation && (lastGeneration ?? generation) >= generation;
  }
}
