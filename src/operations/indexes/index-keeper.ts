import type { Directory } from '../../directory.ts';
import type { Shop } from '../../domain/organization.ts';
import type { Platform } from '../../platform.ts';
import { Unpacking } from '../../search/index/packing.ts';
import type { Database } from '../../storage/engine/database.ts';
import { Mutex } from '../instances/mutex.ts';
import { listChanged, listDocuments } from './document-list.ts';
import type { EmbeddingModel, Embeddings } from './embeddings.ts';
import type { IndexArchive } from './index-archive.ts';
import { unpackParts } from './index-parts.ts';
import { type Layers, searchLayers } from './layers.ts';
import { loadLayers } from './load-layers.ts';
import { LoadQueue, RestingLoads } from './load-queue.ts';
import { isRollback, type StagedCatalogue, type Target } from './load-target.ts';
import {
  type IndexSize,
  isSame,
  isSameText,
  type Load,
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
import { applyMissedPushes } from './missed-pushes.ts';
import { SearchTurns } from './search-turns.ts';
import { type LanguageOfShop, shopLanguages } from './shop-languages.ts';
import { ShownDocuments, shownBytesMax } from './shown-documents.ts';
import { Slices } from './slices.ts';
import { fillVectors, replaceVectors, setLateVectors } from './stored-vectors.ts';

/** How long a catalogue rests that could not be loaded: loading it takes up to a minute. */
const FAILED_REST_MS = 60_000;

export interface IndexKeeperOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly directory: Directory;
  readonly embeddings: Embeddings;
  /** The most memory that all indexes together may take. */
  readonly budgetBytes: number;
  /** Null: no index outlives the process. */
  readonly archive: IndexArchive | null;
}

/**
 * The catalogues that are in memory. libSQL remains the source of truth: an index is loaded from it,
 * serves only while it matches the current state, and is dropped when the budget is needed for a
 * catalogue that was searched more recently. A search that finds no index here goes to libSQL, with
 * the same result.
 *
 * An import prepares the index of its catalogue before it commits, so that the former index serves
 * until the new one is ready.
 */
export class IndexKeeper {
  readonly #options: IndexKeeperOptions;
  readonly #loaded: LoadedIndexes;
  readonly #languageOfShop: LanguageOfShop;
  readonly #shown: ShownDocuments;
  readonly #queue = new LoadQueue();
  /** One load at a time. */
  readonly #loading = new Mutex();
  #present: Load | null = null;
  readonly #prepared = new Set<PreparedIndex>();
  readonly #turns: SearchTurns;
  /** States that exceed the budget, or could not be loaded. */
  readonly #resting: RestingLoads;

  constructor(options: IndexKeeperOptions) {
    this.#options = options;
    const { budgetBytes } = options;
    this.#loaded = new LoadedIndexes({ budgetBytes, machineBytes: options.platform.memoryBytes() });
    this.#resting = new RestingLoads(options.platform);
    this.#languageOfShop = shopLanguages(options.directory);
    this.#shown = new ShownDocuments(options.db, this.#languageOfShop, shownBytesMax(budgetBytes));
    this.#turns = new SearchTurns(options.platform);
  }

  /** What a catalogue of that size lacks to be searched in memory; null if it fits, or none shall. */
  shortageFor(documentCount: number): MemoryShortage | null {
    return this.#loaded.shortageOf(this.#sizeOf(documentCount));
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
    return this.#present !== null || !this.#queue.isEmpty;
  }

  /** Resolves when a load is requested, or when `signal` aborts. One caller at a time. */
  requested(signal: AbortSignal): Promise<void> {
    return this.#queue.filled(signal);
  }

  /** Loads one requested index; false when none is. Works in slices of some milliseconds. */
  async loadNext(signal: AbortSignal): Promise<boolean> {
    // Until the model is known, a load would have to be repeated.
    if (this.#queue.isEmpty || !this.#options.embeddings.isSettled) return false;
    await this.#loading.run(async () => {
      const next = this.#queue.take();
      if (next === null) return;
      const { organizationKey, isAsked } = next;
      const shops = this.#shopsOf(organizationKey);
      // It may have been asked for during its load.
      if (!this.#isDue(organizationKey, shops)) return;
      const former = this.#loaded.get(organizationKey);
      let isTaken = false;
      await this.#load({
        ...{ organizationKey, shops, ahead: null, staged: null },
        former: former !== null && onlyImportsSince(former.shops, shops) ? former : null,
        isWanted: () => !signal.aborted,
        take: (index) => {
          isTaken = true;
          if (isAsked) this.#take(organizationKey, index);
          else this.#takePreloaded(organizationKey, index);
        },
      });
      // A document is damaged or gone. Once its record is put aside, the catalogue has another state.
      if (!isTaken && this.#isDue(organizationKey, shops))
        this.#resting.add(organizationKey, shops, FAILED_REST_MS);
      // The catalogue may have changed during its load.
      const isWanted = isAsked || this.#loaded.get(organizationKey) !== null;
      if (isWanted && !signal.aborted) this.find(organizationKey);
    });
    return true;
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
    return this.#loading.run(async () => {
      const former = this.#loaded.get(organizationKey);
      const present = this.#shopsOf(organizationKey);
      if (former === null || !isSame(former.shops, present)) return null;
      const state = present.get(shop.key)!;
      let prepared: PreparedIndex | null = null;
      await this.#load({
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
    if (isSame(index.shops, this.#shopsOf(organizationKey))) this.#take(organizationKey, index);
  }

  /** Forgets a prepared index, adopted or not. */
  release(prepared: PreparedIndex | null): void {
    if (prepared !== null) this.#prepared.delete(prepared);
  }

  /**
   * Changes offerings in place in every index that holds them. Call it once the push is committed and
   * the directory knows its number.
   */
  takePush(push: Push): void {
    const { organizationKey } = push;
    this.#shown.forget(push.offers.map(({ documentKey }) => documentKey));
    this.#present?.pushes.push(push);
    for (const prepared of this.#prepared)
      if (prepared.organizationKey === organizationKey)
        prepared.index = pushed(prepared.index, push);
    this.#loaded.takePush(push);
  }

  /** Resolves when a search may ask libSQL: one after the other. */
  turn(): Promise<void> {
    return this.#turns.next();
  }

  /** Keeps the indexes that hold vectors of this model up to date with those that were just written. */
  takeVectors(modelKey: number, vectors: ReadonlyMap<number, Uint8Array | Float32Array>): void {
    if (this.#present?.modelKey === modelKey)
      for (const [documentKey, vector] of vectors) this.#present.vectors.set(documentKey, vector);
    this.#loaded.takeVectors(modelKey, vectors);
  }

  /** The models of the vectors in memory. */
  modelKeys(): Set<number> {
    return this.#loaded.modelKeys();
  }

  /** Orders the vectors of one index, or keeps one for the next start; false if there is none. */
  async keepNext(): Promise<boolean> {
    if (this.#present !== null) return false;
    const { archive, platform, embeddings } = this.#options;
    const unsettled = this.#loaded.unsettled();
    const disordered = unsettled.find(([, { layers }]) => layers.base.index.isDisordered);
    if (disordered !== undefined) {
      // Before it is kept: an index cannot be packed while it is being ordered.
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
   * Takes nothing if it is not wanted any more, is beyond the budget, or its documents were cleared
   * away.
   */
  async #load(target: Target): Promise<void> {
    const { platform } = this.#options;
    const modelKey = this.#modelKeyOf(target.organizationKey);
    const slices = new Slices(platform, () => this.#turns.isSearchDue);
    const load: Load = { slices, modelKey, vectors: new Map(), pushes: [] };
    this.#present = load;
    this.#turns.begin(load.slices);
    try {
      const index = await this.#loadTarget(target, load);
      if (index === null) return;
      await setLateVectors(index.index, load.vectors, platform);
      const { organizationKey } = target;
      const own = load.pushes.filter((push) => push.organizationKey === organizationKey);
      target.take(own.reduce(pushed, index));
    } finally {
      this.#present = null;
      this.#turns.end();
    }
  }

  async #loadTarget(asked: Target, { slices, modelKey }: Load): Promise<LoadedIndex | null> {
    const { db, embeddings } = this.#options;
    const { organizationKey, shops, ahead, isWanted } = asked;
    const model = await embeddings.modelOf(modelKey);
    const former = asked.former && (await this.#withVectorsOf(model, asked.former, slices));
    const target = { ...asked, former };
    const restored =
      ahead === null && former === null ? await this.#restore(target, model, slices) : null;
    const present = restored ?? former;
    if (present !== null) {
      await applyMissedPushes(present, shops, { db, shown: this.#shown, slices });
      if (isSameText(present.shops, shops)) return { ...present, shops };
    }
    const documents =
      ahead === null || target.former === null || isRollback(target)
        ? await listDocuments(db, organizationKey, { ahead, slices })
        : await listChanged(db, target.former.layers, { ahead, slices });
    // What was listed in part before a change and in part after it is no catalogue.
    if (ahead === null && !isSameText(this.#shopsOf(organizationKey), shops)) return null;
    const within = this.#formerWithin(target, documents.size);
    if (within === 'too large') return null;
    const staged = target.staged && (await slices.run(unpackParts(new Unpacking(target.staged))));
    const layers = await loadLayers(
      documents,
      { former: restored?.layers ?? within, isExtensible: !isRollback(target) },
      { db, slices, languageOfShop: this.#languageOfShop, model, staged, isWanted },
    );
    if (layers === null) return null;
    return this.#loadedIndex(layers, shops, model?.key ?? null);
  }

  /** The index with the vectors of this model in place of those that it holds. */
  async #withVectorsOf(
    model: EmbeddingModel | null,
    former: LoadedIndex,
    slices: Slices,
  ): Promise<LoadedIndex> {
    if (former.modelKey === (model?.key ?? null)) return former;
    const layers = await replaceVectors(former.layers, { db: this.#options.db, model, slices });
    return this.#loadedIndex(layers, former.shops, model?.key ?? null);
  }

  /** The index that the archive kept of a catalogue, with every vector. */
  async #restore(
    { organizationKey, shops }: Target,
    model: EmbeddingModel | null,
    slices: Slices,
  ): Promise<LoadedIndex | null> {
    const { db, archive } = this.#options;
    const kept = (await archive?.find({ organizationKey, shops, model }, slices)) ?? null;
    if (kept === null) return null;
    const index = this.#loadedIndex(kept.layers, kept.shops, model?.key ?? null);
    await fillVectors(index.index, { db, model, slices });
    return index;
  }

  #loadedIndex(layers: Layers, shops: ShopStates, modelKey: number | null): LoadedIndex {
    return { ...searchLayers(layers), layers, shown: this.#shown, shops, modelKey };
  }

  /** The layers to build on. Where not both fit into the budget, the former index is dropped. */
  #formerWithin(
    { organizationKey, shops, ahead, former }: Target,
    documentCount: number,
  ): Layers | null | 'too large' {
    const size = this.#sizeOf(documentCount);
    const isWithin = this.#loaded.canHold(size);
    if (former !== null && isWithin && this.#loaded.hasRoomBeside(former, size))
      return former.layers;
    // An index that still serves is not dropped for one that is not visible yet.
    if (ahead !== null) return 'too large';
    this.#loaded.drop(organizationKey);
    if (isWithin) this.#loaded.makeRoom(size);
    else this.#resting.add(organizationKey, shops);
    return isWithin ? null : 'too large';
  }

  #take(organizationKey: number, index: LoadedIndex): void {
    if (!this.#loaded.hold(organizationKey, index)) this.#resting.add(organizationKey, index.shops);
  }

  /** Takes an index if there is room for it. Where there is none, no others are preloaded either. */
  #takePreloaded(organizationKey: number, index: LoadedIndex): void {
    const hasRoom = this.#loaded.hasRoomFor(organizationKey, index);
    if (hasRoom) this.#take(organizationKey, index);
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
