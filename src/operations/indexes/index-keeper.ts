import type { Directory } from '../../directory.ts';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import { KeyedMutex } from '../instances/mutex.ts';
import type { Embeddings } from './embeddings.ts';
import type { IndexArchive } from './index-archive.ts';
import { IndexLoader } from './index-loader.ts';
import type { Layers } from './layers.ts';
import { LoadQueue, type QueuedLoad, RestingLoads } from './load-queue.ts';
import type { StagedCatalogue, Target } from './load-target.ts';
import {
  type IndexSize,
  isSame,
  type LoadedIndex,
  LoadedIndexes,
  type MemoryShortage,
  onlyImportsSince,
  type PreparedIndex,
  type Push,
  pushed,
  type ShopStates,
  statesOf,
} from './loaded-index.ts';
import { shopLanguages } from './shop-languages.ts';
import { ShownDocuments, shownBytesMax } from './shown-documents.ts';
import { Slices } from './slices.ts';

/** How long after a failed load the catalogue is not loaded again: a load takes up to a minute. */
const FAILED_REST_MS = 60_000;

/** How long searches wait for a load since it began. From a file, a million documents take half a second. */
const WAIT_MS = 5000;

/** How long a load on behalf of a search waits until the model of its vectors is known. */
const MODEL_WAIT_MS = 1000;

export interface IndexKeeperOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly directory: Directory;
  readonly embeddings: Embeddings;
  /** The memory for all indexes together. A single one is kept even if it takes more. */
  readonly budgetBytes: number;
  /** Null: no index outlives the process. */
  readonly archive: IndexArchive | null;
  readonly stopping: AbortSignal;
  /** Whether a search waits for its catalogue however long it takes, as in a command; default: false. */
  readonly isPatient?: boolean;
  /** As in `IndexLoaderOptions`. */
  readonly largeFrom?: number;
}

/**
 * The catalogues in memory, which answer all searches. libSQL remains the source of truth: an index is
 * loaded from it or from its file, serves while it matches the current state, and is dropped when the budget
 * is needed for a catalogue that was searched more recently. If a catalogue is not in memory, its searches
 * wait until it is.
 *
 * An import prepares the index of its catalogue before it commits, so that the former index serves
 * until the new one is ready.
 */
export class IndexKeeper {
  readonly #options: IndexKeeperOptions;
  readonly #loaded: LoadedIndexes;
  readonly #shown: ShownDocuments;
  readonly #queue = new LoadQueue();
  /** One load of an organization at a time. */
  readonly #loading = new KeyedMutex();
  readonly #loader: IndexLoader;
  readonly #prepared = new Set<PreparedIndex>();
  /** Loads that searches wait for, by organization; each promise ends `WAIT_MS` after it began. */
  readonly #awaited = new Map<number, Promise<void>>();
  /** States that exceed the machine's memory, or could not be loaded. */
  readonly #resting: RestingLoads;

  constructor(options: IndexKeeperOptions) {
    this.#options = options;
    const { budgetBytes } = options;
    this.#loaded = new LoadedIndexes({ budgetBytes, machineBytes: options.platform.memoryBytes() });
    this.#resting = new RestingLoads(options.platform);
    const languageOfShop = shopLanguages(options.directory);
    this.#shown = new ShownDocuments(options.db, languageOfShop, shownBytesMax(budgetBytes));
    this.#loader = new IndexLoader({
      ...{ ...options, shown: this.#shown, languageOfShop },
      formerWithin: (target, documentCount) => this.#formerWithin(target, documentCount),
    });
  }

  /** How much memory is missing to load a catalogue of that size; null if it fits. */
  shortageFor(documentCount: number): MemoryShortage | null {
    return this.#loaded.shortageOf(this.#sizeOf(documentCount));
  }

  /** How much memory is missing to hold catalogues of that size together; null if they fit. */
  budgetShortageFor(documentCount: number): MemoryShortage | null {
    return this.#loaded.budgetShortageOf(this.#sizeOf(documentCount));
  }

  /** Of the indexes in memory. */
  get byteSize(): number {
    return this.#loaded.byteSize;
  }

  /**
   * The index of an organization's current catalogue. If it is not in memory, requests a load and
   * returns null. One whose vectors are of a former model serves until those of the present one are
   * loaded.
   */
  find(organizationKey: number): LoadedIndex | null {
    const shops = this.#shopsOf(organizationKey);
    if (this.#isDue(organizationKey, shops)) this.#queue.ask(organizationKey);
    const loaded = this.#loaded.get(organizationKey);
    if (loaded === null || !isSame(loaded.shops, shops)) return null;
    this.#loaded.touch(organizationKey);
    return loaded;
  }

  /**
   * The index that answers an organization's searches. Waits for that of the current catalogue if it is not
   * in memory: `WAIT_MS` at most since its load began, or without a limit if the keeper is patient. Then the
   * former index answers. Throws `unavailable` if there is none.
   */
  async forSearch(organizationKey: number): Promise<LoadedIndex> {
    const found = this.find(organizationKey);
    if (found !== null) return found;
    await this.#awaitLoad(organizationKey);
    const index = this.find(organizationKey) ?? this.#loaded.get(organizationKey);
    if (index !== null) return index;
    throw this.#resting.has(organizationKey, this.#shopsOf(organizationKey))
      ? new AppError('unavailable', 'The catalogue cannot be searched at the moment.', {
          retryAfterMs: FAILED_REST_MS,
        })
      : new AppError('unavailable', 'The catalogue is being loaded.', { retryAfterMs: WAIT_MS });
  }

  /** Begins the load that a search needs, once for all searches, and waits for it. */
  #awaitLoad(organizationKey: number): Promise<void> {
    const awaited = this.#awaited.get(organizationKey);
    if (awaited !== undefined) return awaited;
    const load = this.#loadUntilCurrent(organizationKey).finally(() =>
      this.#awaited.delete(organizationKey),
    );
    const begun = this.#options.isPatient === true ? load : this.#within(WAIT_MS, load);
    this.#awaited.set(organizationKey, begun);
    return begun;
  }

  async #loadUntilCurrent(organizationKey: number): Promise<void> {
    const { embeddings, stopping } = this.#options;
    const asked = { organizationKey, isAsked: true };
    // Without stored vectors, only the model itself tells which index file fits.
    if (this.#modelKeyOf(organizationKey) === null)
      await this.#within(MODEL_WAIT_MS, embeddings.settled);
    const isMissing = () =>
      this.find(organizationKey) === null &&
      !this.#resting.has(organizationKey, this.#shopsOf(organizationKey));
    // The catalogue may change during its load.
    while (isMissing() && !stopping.aborted)
      await this.#loading.run(organizationKey, () => this.#loadCurrent(asked, stopping));
  }

  async #within(ms: number, done: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    try {
      await Promise.race([done, this.#options.platform.sleep(ms, over.signal)]);
    } finally {
      over.abort();
    }
  }

  /** Resolves when the loads in progress have ended. */
  idle(): Promise<void> {
    return this.#loader.idle();
  }

  /** Whether a load would bring what is not in memory. */
  #isDue(organizationKey: number, shops: ShopStates): boolean {
    const loaded = this.#loaded.get(organizationKey);
    const isCurrent = loaded !== null && isSame(loaded.shops, shops);
    if (isCurrent && loaded.modelKey === this.#modelKeyOf(organizationKey)) return false;
    return !this.#resting.has(organizationKey, shops);
  }

  /**
   * Requests loads of catalogues that nobody has asked for yet. They come after those that somebody asked
   * for, and only as far as there is room.
   */
  preload(organizationKeys: Iterable<number>): void {
    this.#queue.preload(organizationKeys);
  }

  /** Whether an index is being loaded, or waits for it. */
  get isLoading(): boolean {
    return this.#loader.isLoading || !this.#queue.isEmpty;
  }

  /** Resolves when a load is requested, or when `signal` aborts. One caller at a time. */
  requested(signal: AbortSignal): Promise<void> {
    return this.#queue.filled(signal);
  }

  /** Loads one requested index; false when none is. Works in slices of some milliseconds. */
  async loadNext(signal: AbortSignal): Promise<boolean> {
    // Until the model is known, a load would have to be repeated.
    if (this.#queue.isEmpty || !this.#options.embeddings.isSettled) return false;
    const next = this.#queue.take()!;
    await this.#loading.run(next.organizationKey, () => this.#loadCurrent(next, signal));
    return true;
  }

  async #loadCurrent({ organizationKey, isAsked }: QueuedLoad, signal: AbortSignal): Promise<void> {
    const shops = this.#shopsOf(organizationKey);
    // It may have been asked for during its load.
    if (!this.#isDue(organizationKey, shops)) return;
    const former = this.#loaded.get(organizationKey);
    let isTaken = false;
    await this.#loader.load(this.#modelKeyOf(organizationKey), {
      ...{ organizationKey, shops, ahead: null, staged: null },
      former: former !== null && onlyImportsSince(former.shops, shops) ? former : null,
      isWanted: () => !signal.aborted,
      take: (index) => {
        isTaken = true;
        if (isAsked) this.#loaded.hold(organizationKey, index);
        else this.#takePreloaded(organizationKey, index);
      },
    });
    // The catalogue may have changed while it was listed.
    if (!isTaken && this.#isDue(organizationKey, shops))
      this.#resting.add(organizationKey, shops, FAILED_REST_MS);
    // The catalogue may have changed during its load.
    const isWanted = isAsked || this.#loaded.get(organizationKey) !== null;
    if (isWanted && !signal.aborted) this.find(organizationKey);
  }

  /**
   * Loads the index of a catalogue as it will be once `shop` shows `generation`. Call it before the
   * commit, pass the result to `adopt` after it, and to `release` in any case. Null if the current
   * catalogue's index is not in memory, or if both do not fit.
   */
  async prepare(
    shop: Shop,
    { generation, staged = null }: StagedCatalogue,
    signal: AbortSignal,
  ): Promise<PreparedIndex | null> {
    const { organizationKey } = shop;
    if (this.find(organizationKey) === null) return null;
    return this.#loading.run(organizationKey, async () => {
      const former = this.#loaded.get(organizationKey);
      const present = this.#shopsOf(organizationKey);
      if (former === null || !isSame(former.shops, present)) return null;
      const state = present.get(shop.key)!;
      let prepared: PreparedIndex | null = null;
      await this.#loader.load(this.#modelKeyOf(organizationKey), {
        organizationKey,
        shops: new Map(present).set(shop.key, {
          ...state,
          generation,
          revision: state.revision + 1,
        }),
        ahead: { shopKey: shop.key, generation },
        staged,
        former,
        isWanted: () => !signal.aborted,
        take: (index) => {
          prepared = { organizationKey, index };
          this.#prepared.add(prepared);
        },
      });
      return prepared;
    });
  }

  /** Serves a prepared index if it matches the catalogue that is visible now. */
  adopt(prepared: PreparedIndex | null): void {
    if (prepared === null) return;
    const { organizationKey, index } = prepared;
    if (isSame(index.shops, this.#shopsOf(organizationKey)))
      this.#loaded.hold(organizationKey, index);
  }

  /** Forgets a prepared index, adopted or not. */
  release(prepared: PreparedIndex | null): void {
    if (prepared !== null) this.#prepared.delete(prepared);
  }

  /** Drops the index of an organization that was deleted, and its files. */
  async forget(organizationKey: number): Promise<void> {
    this.#queue.forget(organizationKey);
    await this.#loading.run(organizationKey, async () => this.#loaded.drop(organizationKey));
    await this.#options.archive?.forget(organizationKey);
  }

  /**
   * Changes offerings in place in every index that holds them. Call it once the push is committed and
   * the directory knows its number.
   */
  takePush(push: Push): void {
    const { organizationKey } = push;
    this.#shown.forget(push.offers.map(({ documentKey }) => documentKey));
    this.#loader.takePush(push);
    for (const prepared of this.#prepared)
      if (prepared.organizationKey === organizationKey)
        prepared.index = pushed(prepared.index, push);
    this.#loaded.takePush(push);
  }

  /** Keeps the indexes that hold vectors of this model up to date with those that were just written. */
  takeVectors(modelKey: number, vectors: ReadonlyMap<number, Uint8Array | Float32Array>): void {
    this.#loader.takeVectors(modelKey, vectors);
    this.#loaded.takeVectors(modelKey, vectors);
  }

  /** The models of the vectors in memory. */
  modelKeys(): Set<number> {
    return this.#loaded.modelKeys();
  }

  /**
   * Orders the vectors of one index, or writes one to its file for the next start. Returns false if nothing is left to do.
   * Does not wait until others are loaded: that may take minutes, and the budget may have dropped this one by then.
   */
  async keepNext(): Promise<boolean> {
    const { archive, platform, embeddings } = this.#options;
    const unsettled = this.#loaded.unsettled().filter(([key]) => !this.#loading.isBusy(key));
    const disordered = unsettled.find(([, { layers }]) => layers.base.index.isDisordered);
    if (disordered !== undefined) {
      // Before it is written: an index cannot be packed while it is being ordered.
      await new Slices(platform).run(disordered[1].layers.base.index.orderVectors());
      return true;
    }
    for (const [organizationKey, loaded] of unsettled) {
      const model = await embeddings.modelOf(loaded.modelKey);
      if (archive?.isUpToDate(organizationKey, loaded) ?? true) this.#loaded.settle(loaded);
      else if (await archive!.keep(organizationKey, { ...loaded, model })) return true;
    }
    return false;
  }

  /**
   * Documents in memory that have no vector of this model yet, at most `limit`: of each catalogue those
   * that get theirs first.
   */
  waitingForVectors(modelKey: number, limit: number): number[] {
    const holding = this.#loaded.ofModel(modelKey);
    return holding.flatMap(({ index }) => index.lackingVectors(limit)).slice(0, limit);
  }

  /**
   * The layers to build on. The index that serves now is dropped only if the machine lacks the memory for
   * both, and never for a catalogue that is not visible yet.
   */
  #formerWithin(
    { organizationKey, shops, ahead, former }: Target,
    documentCount: number,
  ): Layers | null | 'too large' {
    const size = this.#sizeOf(documentCount);
    const canBuild = this.#loaded.canBuild(size);
    if (canBuild && this.#loaded.makeRoom(size, organizationKey)) return former?.layers ?? null;
    if (ahead !== null) return 'too large';
    this.#loaded.drop(organizationKey);
    if (canBuild) return null;
    this.#resting.add(organizationKey, shops);
    this.#options.platform.log('error', 'catalogue_too_large', {
      organization: this.#options.directory.organization(organizationKey).slug,
      ...this.#loaded.shortageOf(size),
      hint: 'it cannot be searched: give the machine or the control group more memory',
    });
    return 'too large';
  }

  /** Takes an index if there is room for it. Where there is none, no others are preloaded either. */
  #takePreloaded(organizationKey: number, index: LoadedIndex): void {
    const hasRoom = this.#loaded.hasRoomFor(organizationKey, index);
    if (hasRoom) this.#loaded.hold(organizationKey, index);
    else this.#queue.stopPreloading();
  }

  #sizeOf(documentCount: number): IndexSize {
    return { documentCount, dimensions: this.#options.embeddings.dimensions };
  }

  #modelKeyOf(organizationKey: number): number | null {
    const { directory, embeddings } = this.#options;
    return embeddings.answeringKey(directory.vectorModelKey(organizationKey));
  }

  #shopsOf(organizationKey: number): ShopStates {
    return statesOf(this.#options.directory.shopsOf(organizationKey));
  }
}
