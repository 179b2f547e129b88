import type { Directory } from '../../directory.ts';
import type { Shop } from '../../domain/organization.ts';
import type { Platform } from '../../platform.ts';
import type { ShownAhead } from '../../storage/catalog/visible.ts';
import type { Database } from '../../storage/engine/database.ts';
import { Mutex } from '../instances/mutex.ts';
import { listDocuments } from './document-list.ts';
import type { Embeddings } from './embeddings.ts';
import { type Layers, loadLayers, type SearchableLayers, searchLayers } from './load-layers.ts';
import { ShownDocuments } from './shown-documents.ts';
import { Slices } from './slices.ts';

/** Vectors set between two pauses: about 1 ms. */
const LATE_AT_ONCE = 64;

/** The share of the time between two libSQL searches that loading gets. */
const LOADING_SHARE = 1 / 2;

/** Estimated memory per document, before it is loaded: vector, postings, columns. */
const BYTES_PER_DOCUMENT = 2000;

/** The state of each shop that decides which documents are visible, by shop key. */
type ShopStates = ReadonlyMap<number, Pick<Shop, 'generation' | 'revision'>>;

/** An organization's catalogue in memory, in one of its states. */
export interface LoadedIndex extends SearchableLayers {
  readonly layers: Layers;
  /** Cache of recently shown documents. */
  readonly shown: ShownDocuments;
  /** The state of the catalogue, and the model of the vectors, that it holds. */
  readonly shops: ShopStates;
  readonly modelKey: number | null;
}

export interface IndexKeeperOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly directory: Directory;
  readonly embeddings: Embeddings;
  /** The most memory that all indexes together may take. */
  readonly budgetBytes: number;
}

/** The index of a catalogue that is about to become visible. */
export interface PreparedIndex {
  readonly organizationKey: number;
  readonly index: LoadedIndex;
}

/** What to load: a catalogue's present state, or the next one. */
interface Target {
  readonly organizationKey: number;
  readonly shops: ShopStates;
  /** Null: the present state. */
  readonly ahead: ShownAhead | null;
  readonly former: LoadedIndex | null;
  readonly isWanted: () => boolean;
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
  readonly #shown: ShownDocuments;
  readonly #wanted = new Set<number>();
  /** One load at a time. */
  readonly #loading = new Mutex();
  /** The load in progress, and the vectors written since it began. */
  #present: { slices: Slices; late: Map<number, Uint8Array | Float32Array> } | null = null;
  /** The queue of searches that wait for libSQL, and when the last one started. */
  #lastTurn: Promise<void> = Promise.resolve();
  #lastTurnAt = { ms: 0, workedMs: 0 };
  /** States that exceed the budget. */
  readonly #tooLarge = new Map<number, ShopStates>();

  constructor(options: IndexKeeperOptions) {
    this.#options = options;
    this.#shown = new ShownDocuments(options.db);
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
      const index = await this.#load({
        ...{ organizationKey, shops, ahead: null },
        former: this.#usableFormer(organizationKey, shops),
        isWanted: () => !signal.aborted,
      });
      if (index !== null) this.#take(organizationKey, index);
      // The catalogue may have changed while it was loading.
      if (!signal.aborted) this.find(organizationKey);
    });
    return true;
  }

  /**
   * Loads the index of a catalogue as it will be once `shop` shows `generation`. Call it before the
   * commit, and pass the result to `adopt` after it. Null if the current catalogue's index is not
   * in memory, or if both do not fit.
   */
  async prepare(
    shop: Shop,
    generation: number,
    signal: AbortSignal,
  ): Promise<PreparedIndex | null> {
    const { organizationKey } = shop;
    if (this.find(organizationKey) === null) return null;
    return this.#loading.run(async () => {
      const former = this.#loaded.get(organizationKey);
      const present = this.#shopsOf(organizationKey);
      if (former === undefined || !this.#isCurrent(former, present)) return null;
      const { revision } = present.get(shop.key)!;
      const index = await this.#load({
        organizationKey,
        shops: new Map(present).set(shop.key, { generation, revision: revision + 1 }),
        ahead: { shopKey: shop.key, generation },
        former,
        isWanted: () => !signal.aborted,
      });
      return index && { organizationKey, index };
    });
  }

  /** Serves a prepared index if it matches the catalogue that is visible now. */
  adopt(prepared: PreparedIndex | null): void {
    if (prepared === null) return;
    const { organizationKey, index } = prepared;
    if (this.#isCurrent(index, this.#shopsOf(organizationKey))) this.#take(organizationKey, index);
  }

  /**
   * Resolves when a search may ask libSQL: at once, except while an index is loading. Then searches
   * in libSQL, each of which holds the event loop, start one by one, and loading gets its share of
   * the time between two of them.
   */
  async turn(): Promise<void> {
    if (this.#present === null) return;
    this.#lastTurn = this.#lastTurn.then(() => this.#awaitShare());
    await this.#lastTurn;
  }

  async #awaitShare(): Promise<void> {
    const { platform } = this.#options;
    const present = this.#present;
    while (present !== null && present === this.#present) {
      const elapsedMs = platform.monotonicMs() - this.#lastTurnAt.ms;
      const workedMs = present.slices.workedMs - this.#lastTurnAt.workedMs;
      if (workedMs >= elapsedMs * LOADING_SHARE) break;
      await platform.yield();
    }
    this.#lastTurnAt = {
      ms: platform.monotonicMs(),
      workedMs: this.#present?.slices.workedMs ?? 0,
    };
  }

  /** Keeps the indexes up to date with vectors that were just written. */
  takeVectors(vectors: ReadonlyMap<number, Uint8Array | Float32Array>): void {
    for (const [documentKey, vector] of vectors) {
      this.#present?.late.set(documentKey, vector);
      for (const { index } of this.#loaded.values())
        if (index.setVector(documentKey, vector)) break;
    }
  }

  /** Documents in memory that have no vector yet, at most `limit`: of each catalogue those that get theirs first. */
  waitingForVectors(limit: number): number[] {
    const waiting = [...this.#loaded.values()].flatMap(({ index }) => index.lackingVectors(limit));
    return waiting.slice(0, limit);
  }

  /** Null if it is not wanted any more, is beyond the budget, or its documents were cleared away. */
  async #load(target: Target): Promise<LoadedIndex | null> {
    const { db, platform, embeddings } = this.#options;
    const { organizationKey, shops, ahead, isWanted } = target;
    const { model } = embeddings;
    const slices = new Slices(platform);
    const late = new Map<number, Uint8Array | Float32Array>();
    this.#present = { slices, late };
    this.#lastTurnAt = { ms: platform.monotonicMs(), workedMs: 0 };
    try {
      const documents = await listDocuments(db, organizationKey, { ahead, slices });
      // What was listed in part before a change and in part after it is no catalogue.
      const present = this.#shopsOf(organizationKey);
      if (ahead === null && !isSame(present, shops)) return null;
      const former = this.#formerWithin(target, documents.size);
      if (former === 'too large') return null;
      const options = { db, slices, model, isWanted };
      const layers = await loadLayers(
        documents,
        { former, isExtensible: !isRollback(target) },
        options,
      );
      if (layers === null) return null;
      const searchable = searchLayers(layers);
      await this.#setLate(searchable, late);
      return { ...searchable, layers, shown: this.#shown, shops, modelKey: model?.key ?? null };
    } finally {
      this.#present = null;
    }
  }

  /** The layers that the new ones may rest on: where not both fit into the budget, the former index is dropped. */
  #formerWithin(
    { organizationKey, shops, ahead, former }: Target,
    documentCount: number,
  ): Layers | null | 'too large' {
    const { budgetBytes } = this.#options;
    const expectedBytes = documentCount * BYTES_PER_DOCUMENT;
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
    const onlyImports = [...former.shops].every(([key, was]) => {
      const is = shops.get(key);
      return is !== undefined && is.revision - was.revision === is.generation - was.generation;
    });
    return onlyImports ? former : null;
  }

  #isCurrent({ shops, modelKey }: LoadedIndex, current: ShopStates): boolean {
    return modelKey === this.#modelKey && isSame(shops, current);
  }

  get #modelKey(): number | null {
    return this.#options.embeddings.model?.key ?? null;
  }

  #shopsOf(organizationKey: number): ShopStates {
    const shops = this.#options.directory.shopsOf(organizationKey);
    return new Map(shops.map(({ key, generation, revision }) => [key, { generation, revision }]));
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

function isSame(one: ShopStates, other: ShopStates): boolean {
  if (one.size !== other.size) return false;
  for (const [key, { generation, revision }] of one) {
    const state = other.get(key);
    if (state?.generation !== generation || state.revision !== revision) return false;
  }
  return true;
}
