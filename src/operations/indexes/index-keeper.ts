import type { Directory } from '../../directory.ts';
import type { Shop } from '../../domain/organization.ts';
import type { Platform } from '../../platform.ts';
import { Unpacking } from '../../search/index/packing.ts';
import type { ShownAhead } from '../../storage/catalog/visible.ts';
import type { Database } from '../../storage/engine/database.ts';
import { Mutex } from '../instances/mutex.ts';
import { listChanged, listDocuments } from './document-list.ts';
import type { Embeddings } from './embeddings.ts';
import { fillVectors } from './fill-vectors.ts';
import type { IndexArchive } from './index-archive.ts';
import { unpackParts } from './index-parts.ts';
import { type Layers, loadLayers, type SearchableLayers, searchLayers } from './load-layers.ts';
import {
  expectedBytesOf,
  isSame,
  isSameText,
  type Load,
  type LoadedIndex,
  type MemoryShortage,
  onlyImportsSince,
  type PreparedIndex,
  type Push,
  pushed,
  type ShopStates,
  shortageOf,
  statesOf,
} from './loaded-index.ts';
import { applyMissedPushes } from './missed-pushes.ts';
import { SearchTurns } from './search-turns.ts';
import { type LanguageOfShop, shopLanguages } from './shop-languages.ts';
import { ShownDocuments } from './shown-documents.ts';
import { Slices } from './slices.ts';

/** Vectors set between two pauses: about 1 ms. */
const LATE_AT_ONCE = 64;

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

/** A generation of a shop that is about to become visible. */
export interface StagedCatalogue {
  readonly generation: number;
  /** The packed index of its new documents, by words alone; null or absent if there is none. */
  readonly staged?: readonly ArrayBuffer[] | null;
}

/** What to load: a catalogue's present state, or the next one. */
interface Target {
  readonly organizationKey: number;
  readonly shops: ShopStates;
  /** Null: the present state. */
  readonly ahead: ShownAhead | null;
  readonly former: LoadedIndex | null;
  /** The packed index of what an import has staged; null without one. */
  readonly staged: readonly ArrayBuffer[] | null;
  readonly isWanted: () => boolean;
  /** Takes the index in the same step that completes it, so that no push falls in between. */
  take(index: LoadedIndex): void;
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
  /** Least recently searched first. */
  readonly #loaded = new Map<number, LoadedIndex>();
  readonly #languageOfShop: LanguageOfShop;
  readonly #shown: ShownDocuments;
  readonly #wanted = new Set<number>();
  /** One load at a time. */
  readonly #loading = new Mutex();
  #present: Load | null = null;
  readonly #prepared = new Set<PreparedIndex>();
  readonly #turns: SearchTurns;
  /** States that exceed the budget. */
  readonly #tooLarge = new Map<number, ShopStates>();

  constructor(options: IndexKeeperOptions) {
    this.#options = options;
    this.#languageOfShop = shopLanguages(options.directory);
    this.#shown = new ShownDocuments(options.db, this.#languageOfShop);
    this.#turns = new SearchTurns(options.platform);
  }

  /** What a catalogue of that size lacks to be searched in memory; null if it fits, or none shall. */
  shortageFor(documentCount: number): MemoryShortage | null {
    const { embeddings, budgetBytes } = this.#options;
    return shortageOf({ documentCount, dimensions: embeddings.dimensions }, budgetBytes);
  }

  /** Bytes that the indexes take in memory. */
  get byteSize(): number {
    return [...this.#loaded.values()].reduce((sum, { byteSize }) => sum + byteSize, 0);
  }

  /**
   * The index of an organization's current catalogue. If it is not in memory, requests a load and
   * returns null.
   */
  find(organizationKey: number): LoadedIndex | null {
    const loaded = this.#loaded.get(organizationKey);
    const shops = this.#shopsOf(organizationKey);
    if (loaded !== undefined && this.#isCurrent(loaded, shops)) {
      this.#loaded.delete(organizationKey);
      this.#loaded.set(organizationKey, loaded);
      return loaded;
    }
    const tooLarge = this.#tooLarge.get(organizationKey);
    if (tooLarge === undefined || !isSame(tooLarge, shops)) this.#wanted.add(organizationKey);
    return null;
  }

  /** Loads one wanted index; false when none is wanted. Works in slices of some milliseconds. */
  async loadNext(signal: AbortSignal): Promise<boolean> {
    // Until the model is known, a load would have to be repeated.
    if (this.#wanted.size === 0 || !this.#options.embeddings.isSettled) return false;
    await this.#loading.run(async () => {
      const [organizationKey] = this.#wanted;
      if (organizationKey === undefined) return;
      this.#wanted.delete(organizationKey);
      // A search that came during the last load may have asked for it again.
      if (this.find(organizationKey) !== null || !this.#wanted.delete(organizationKey)) return;
      const shops = this.#shopsOf(organizationKey);
      await this.#load({
        ...{ organizationKey, shops, ahead: null, staged: null },
        former: this.#usableFormer(organizationKey, shops),
        isWanted: () => !signal.aborted,
        take: (index) => this.#take(organizationKey, index),
      });
      // The catalogue may have changed while it was loading.
      if (!signal.aborted) this.find(organizationKey);
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
      if (former === undefined || !this.#isCurrent(former, present)) return null;
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
    if (this.#isCurrent(index, this.#shopsOf(organizationKey))) this.#take(organizationKey, index);
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
    const loaded = this.#loaded.get(organizationKey);
    if (loaded !== undefined) this.#loaded.set(organizationKey, pushed(loaded, push));
  }

  /** Resolves when a search may ask libSQL: at once, except while an index is loading. */
  turn(): Promise<void> {
    return this.#turns.next();
  }

  /** Keeps the indexes up to date with vectors that were just written. */
  takeVectors(vectors: ReadonlyMap<number, Uint8Array | Float32Array>): void {
    for (const [documentKey, vector] of vectors) {
      this.#present?.vectors.set(documentKey, vector);
      for (const { index } of this.#loaded.values())
        if (index.setVector(documentKey, vector)) break;
    }
  }

  /** Orders the vectors of one index, or keeps one for the next start; false if there is none. */
  async keepNext(): Promise<boolean> {
    if (this.#present !== null) return false;
    const { archive, platform } = this.#options;
    for (const { layers } of this.#loaded.values()) {
      const { index } = layers.base;
      if (!index.isDisordered) continue;
      // Before it is kept: an index cannot be packed while it is being ordered.
      await new Slices(platform).run(index.orderVectors());
      return true;
    }
    if (archive === null) return false;
    for (const [organizationKey, { layers, shops }] of this.#loaded)
      if (await archive.keep(organizationKey, { layers, shops })) return true;
    return false;
  }

  /** Documents in memory that have no vector yet, at most `limit`: of each catalogue those that get theirs first. */
  waitingForVectors(limit: number): number[] {
    const waiting = [...this.#loaded.values()].flatMap(({ index }) => index.lackingVectors(limit));
    return waiting.slice(0, limit);
  }

  /**
   * Takes nothing if it is not wanted any more, is beyond the budget, or its documents were cleared
   * away.
   */
  async #load(target: Target): Promise<void> {
    const { platform } = this.#options;
    const load: Load = { slices: new Slices(platform), vectors: new Map(), pushes: [] };
    this.#present = load;
    this.#turns.begin(load.slices);
    try {
      const index = await this.#loadTarget(target, load);
      if (index === null) return;
      await this.#setLate(index, load.vectors);
      const { organizationKey } = target;
      const own = load.pushes.filter((push) => push.organizationKey === organizationKey);
      target.take(own.reduce(pushed, index));
    } finally {
      this.#present = null;
      this.#turns.end();
    }
  }

  async #loadTarget(target: Target, { slices }: Load): Promise<LoadedIndex | null> {
    const { db, embeddings } = this.#options;
    const { organizationKey, shops, ahead, isWanted } = target;
    const { model } = embeddings;
    const restored =
      ahead === null && target.former === null ? await this.#restore(target, slices) : null;
    const present = restored ?? target.former;
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
    const index = this.#loadedIndex(layers, shops, model?.key ?? null);
    if (restored !== null || staged !== null) await fillVectors(index, { db, model, slices });
    return index;
  }

  /** The index that the archive kept of a catalogue, with every vector. */
  async #restore({ organizationKey, shops }: Target, slices: Slices): Promise<LoadedIndex | null> {
    const { db, archive, embeddings } = this.#options;
    const { model } = embeddings;
    const kept = (await archive?.find(organizationKey, shops, slices)) ?? null;
    if (kept === null) return null;
    const index = this.#loadedIndex(kept.layers, kept.shops, model?.key ?? null);
    await fillVectors(index, { db, model, slices });
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
    const { embeddings, budgetBytes } = this.#options;
    const expectedBytes = expectedBytesOf({ documentCount, dimensions: embeddings.dimensions });
    const isWithin = expectedBytes <= budgetBytes;
    if (former !== null && isWithin && former.byteSize + expectedBytes <= budgetBytes) {
      return former.layers;
    }
    // An index that still serves is not dropped for one that is not visible yet.
    if (ahead !== null) return 'too large';
    this.#loaded.delete(organizationKey);
    if (isWithin) return null;
    this.#tooLarge.set(organizationKey, shops);
    return 'too large';
  }

  /**
   * Sets the vectors that were written while the index was loading, including those written during
   * this call.
   */
  async #setLate(
    { index }: SearchableLayers,
    late: ReadonlyMap<number, Uint8Array | Float32Array>,
  ): Promise<void> {
    let count = 0;
    // Iterating a map includes entries that are added meanwhile.
    for (const [documentKey, vector] of late) {
      index.setVector(documentKey, vector);
      if (++count % LATE_AT_ONCE === 0) await this.#options.platform.yield();
    }
  }

  #take(organizationKey: number, index: LoadedIndex): void {
    this.#loaded.delete(organizationKey);
    this.#loaded.set(organizationKey, index);
    this.#evict();
    if (!this.#loaded.has(organizationKey)) this.#tooLarge.set(organizationKey, index.shops);
  }

  /** The former index, if a newer one may reuse it: same model, and no rollback since. */
  #usableFormer(organizationKey: number, shops: ShopStates): LoadedIndex | null {
    const former = this.#loaded.get(organizationKey) ?? null;
    if (former?.modelKey !== this.#modelKey) return null;
    return onlyImportsSince(former.shops, shops) ? former : null;
  }

  #isCurrent({ shops, modelKey }: LoadedIndex, current: ShopStates): boolean {
    return modelKey === this.#modelKey && isSame(shops, current);
  }

  get #modelKey(): number | null {
    return this.#options.embeddings.model?.key ?? null;
  }

  #shopsOf(organizationKey: number): ShopStates {
    return statesOf(this.#options.directory.shopsOf(organizationKey));
  }

  #evict(): void {
    let bytes = 0;
    for (const [organizationKey, { byteSize }] of [...this.#loaded].reverse()) {
      bytes += byteSize;
      if (bytes > this.#options.budgetBytes) this.#loaded.delete(organizationKey);
    }
  }
}

/**
 * A generation number that was rolled back is reused with other documents, so nothing of it may
 * stay.
 */
function isRollback({ ahead, former }: Target): boolean {
  if (ahead === null || former === null) return false;
  return ahead.generation < former.shops.get(ahead.shopKey)!.generation;
}
