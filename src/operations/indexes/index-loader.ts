import type { Directory } from '../../directory.ts';
import type { Platform } from '../../platform.ts';
import { Unpacking } from '../../search/index/packing.ts';
import type { Database } from '../../storage/engine/database.ts';
import { Mutex } from '../instances/mutex.ts';
import { type DocumentList, listChanged, listDocuments } from './document-list.ts';
import type { EmbeddingModel, Embeddings } from './embeddings.ts';
import type { IndexArchive } from './index-archive.ts';
import { type IndexParts, unpackParts } from './index-parts.ts';
import { type Layers, searchLayers } from './layers.ts';
import { loadLayers } from './load-layers.ts';
import { isRollback, type Target } from './load-target.ts';
import {
  isSameText,
  type Load,
  type LoadedIndex,
  type Push,
  pushed,
  type ShopStates,
  statesOf,
} from './loaded-index.ts';
import { applyMissedPushes } from './missed-pushes.ts';
import type { LanguageOfShop } from './shop-languages.ts';
import type { ShownDocuments } from './shown-documents.ts';
import { Slices } from './slices.ts';
import { fillVectors, replaceVectors, setLateVectors } from './stored-vectors.ts';

/** From so many documents on, which take a second or more to build, an index waits for other large ones only. */
const LARGE_FROM = 20_000;

export interface IndexLoaderOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly directory: Directory;
  readonly embeddings: Embeddings;
  /** Null: no index outlives the process. */
  readonly archive: IndexArchive | null;
  readonly shown: ShownDocuments;
  readonly languageOfShop: LanguageOfShop;
  /** The layers to build an index of so many documents on, or that there is no memory for it. */
  readonly formerWithin: (target: Target, documentCount: number) => Layers | null | 'too large';
  /** Tests lower it. */
  readonly largeFrom?: number;
}

/**
 * Loads indexes: from its file where that belongs to the catalogue, from the index that serves now, and what
 * neither holds from the database. At most one large index and one small one are built at a time, so that no
 * small catalogue waits for a large one.
 */
export class IndexLoader {
  readonly #options: IndexLoaderOptions;
  readonly #present = new Map<Load, Promise<void>>();
  readonly #small = new Mutex();
  readonly #large = new Mutex();

  constructor(options: IndexLoaderOptions) {
    this.#options = options;
  }

  get isLoading(): boolean {
    return this.#present.size > 0;
  }

  /** Resolves when the loads in progress have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#present.values());
  }

  /** Notes what has changed since the loads in progress began. */
  takePush(push: Push): void {
    for (const load of this.#present.keys()) load.pushes.push(push);
  }

  /** As `takePush`, for vectors of this model that were just written. */
  takeVectors(modelKey: number, vectors: ReadonlyMap<number, Uint8Array | Float32Array>): void {
    for (const load of this.#present.keys())
      if (load.modelKey === modelKey)
        for (const [documentKey, vector] of vectors) load.vectors.set(documentKey, vector);
  }

  /**
   * Loads an index with the vectors of that model, and passes it to `target.take`. Passes nothing if it is not
   * wanted any more, the machine has not the memory to build it, or the catalogue has changed meanwhile.
   */
  load(modelKey: number | null, target: Target): Promise<void> {
    const slices = new Slices(this.#options.platform);
    const load: Load = { slices, modelKey, vectors: new Map(), pushes: [] };
    const loading = this.#load(target, load).finally(() => this.#present.delete(load));
    this.#present.set(load, loading);
    return loading;
  }

  async #load(target: Target, load: Load): Promise<void> {
    const index = await this.#loadTarget(target, load);
    if (index === null) return;
    await setLateVectors(index.index, load.vectors, this.#options.platform);
    const { organizationKey } = target;
    const own = load.pushes.filter((push) => push.organizationKey === organizationKey);
    target.take(own.reduce(pushed, index));
  }

  async #loadTarget(asked: Target, { slices, modelKey }: Load): Promise<LoadedIndex | null> {
    const { db, embeddings, shown, largeFrom = LARGE_FROM } = this.#options;
    const { organizationKey, shops, ahead } = asked;
    const model = await embeddings.modelOf(modelKey);
    const target = {
      ...asked,
      former: asked.former && (await this.#withVectorsOf(model, asked.former, slices)),
    };
    const restored =
      ahead === null && target.former === null ? await this.#restore(target, model, slices) : null;
    const present = restored ?? target.former;
    if (present !== null) {
      await applyMissedPushes(present, shops, { db, shown, slices });
      if (isSameText(present.shops, shops)) return { ...present, shops };
    }
    const staged = asked.staged && (await slices.run(unpackParts(new Unpacking(asked.staged))));
    const documents =
      ahead === null || target.former === null || isRollback(target)
        ? await listDocuments(db, organizationKey, { ahead, slices })
        : await listChanged(db, target.former.layers, { ahead, staged, slices });
    const queue = documents.size < largeFrom ? this.#small : this.#large;
    return queue.run(() => this.#build(documents, { target, restored, staged, model, slices }));
  }

  async #build(
    documents: DocumentList,
    {
      target,
      restored,
      staged,
      model,
      slices,
    }: {
      readonly target: Target;
      readonly restored: LoadedIndex | null;
      readonly staged: IndexParts | null;
      readonly model: EmbeddingModel | null;
      readonly slices: Slices;
    },
  ): Promise<LoadedIndex | null> {
    const { db, directory, languageOfShop, formerWithin } = this.#options;
    const { organizationKey, shops, ahead, isWanted } = target;
    // A list that was read partly before a change and partly after it mixes two catalogues. The directory may not
    // know of the change yet, especially if another instance made it.
    if (ahead === null) await directory.reloadCatalogue(organizationKey);
    const now = statesOf(directory.shopsOf(organizationKey));
    if (ahead === null && !isSameText(now, shops)) return null;
    const former = formerWithin(target, documents.size);
    if (former === 'too large') return null;
    const layers = await loadLayers(
      documents,
      { former: restored?.layers ?? former, isExtensible: !isRollback(target) },
      { db, slices, languageOfShop, model, staged, isWanted },
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
    const { shown } = this.#options;
    return { ...searchLayers(layers), layers, shown, shops, modelKey };
  }
}
