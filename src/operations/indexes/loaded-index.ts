import type { Shop } from '../../domain/organization.ts';
import type { ChangedOffer } from './index-parts.ts';
import { changeOfferInLayers, type Layers, type SearchableLayers } from './layers.ts';
import type { ShownDocuments } from './shown-documents.ts';
import type { Slices } from './slices.ts';

/** The state of each shop that decides which documents are visible, by shop key. */
export type ShopStates = ReadonlyMap<
  number,
  Pick<Shop, 'generation' | 'revision' | 'pushes' | 'wordsAnalysis'>
>;

export function statesOf(shops: readonly Shop[]): ShopStates {
  return new Map(
    shops.map(({ key, generation, revision, pushes, wordsAnalysis }) => [
      key,
      { generation, revision, pushes, wordsAnalysis },
    ]),
  );
}

/** An organization's catalogue in memory, in one of its states. */
export interface LoadedIndex extends SearchableLayers {
  readonly layers: Layers;
  /** Cache of recently shown documents. */
  readonly shown: ShownDocuments;
  /** The state of the catalogue, and the model of the vectors, that it holds. */
  readonly shops: ShopStates;
  readonly modelKey: number | null;
}

/** The index of a catalogue that is about to become visible. It follows pushes until then. */
export interface PreparedIndex {
  readonly organizationKey: number;
  index: LoadedIndex;
}

/** The offerings that a push of a shop has changed in place. */
export interface Push {
  readonly organizationKey: number;
  readonly shopKey: number;
  /** The number of the push. */
  readonly push: number;
  readonly offers: readonly ChangedOffer[];
}

/** The load in progress, and what was written since it began. */
export interface Load {
  readonly slices: Slices;
  /** The model of the vectors that are loaded. */
  readonly modelKey: number | null;
  readonly vectors: Map<number, Uint8Array | Float32Array>;
  readonly pushes: Push[];
}

/**
 * Estimated memory per document for words, columns, names and facts: 400 bytes for short texts, 600
 * for descriptions of some 60 words, 1,000 for long ones.
 */
const WORD_BYTES_PER_DOCUMENT = 700;

/** The same for each dimension of a vector: a byte, and its share of the coarse levels. */
const BYTES_PER_DIMENSION = 1.3;

const MIB = 1024 * 1024;

/** Memory for one catalogue, and for all of them, in MB. */
export interface MemoryShortage {
  readonly neededMb: number;
  readonly allowedMb: number;
}

/** The size of a catalogue. `dimensions`: of its vectors; 0 for words alone. */
export interface IndexSize {
  readonly documentCount: number;
  readonly dimensions: number;
}

/** The memory that an index will take, before it is loaded. */
export function expectedBytesOf({ documentCount, dimensions }: IndexSize): number {
  return documentCount * (WORD_BYTES_PER_DOCUMENT + BYTES_PER_DIMENSION * dimensions);
}

/** What an index lacks of its memory; null if it fits, and if a budget of 0 wants none in memory. */
export function shortageOf(size: IndexSize, budgetBytes: number): MemoryShortage | null {
  const neededBytes = expectedBytesOf(size);
  if (budgetBytes === 0 || neededBytes <= budgetBytes) return null;
  return { neededMb: Math.ceil(neededBytes / MIB), allowedMb: Math.floor(budgetBytes / MIB) };
}

/** Whether the catalogues are equal. */
export function isSame(one: ShopStates, other: ShopStates): boolean {
  if (!isSameText(one, other)) return false;
  return [...one].every(([key, { pushes }]) => other.get(key)?.pushes === pushes);
}

/** Whether the catalogues differ at most in prices and availability. */
export function isSameText(one: ShopStates, other: ShopStates): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([key, { generation, revision, wordsAnalysis }]) => {
    const state = other.get(key);
    return (
      state?.generation === generation &&
      state.revision === revision &&
      state.wordsAnalysis === wordsAnalysis
    );
  });
}

/**
 * Whether nothing but imports and pushes has changed the shops since then. A rollback raises the
 * revision and not the generation, whose number is then used again.
 */
export function onlyImportsSince(then: ShopStates, now: ShopStates): boolean {
  return [...then].every(([key, was]) => {
    const is = now.get(key);
    return (
      is !== undefined &&
      is.wordsAnalysis === was.wordsAnalysis &&
      is.revision - was.revision === is.generation - was.generation
    );
  });
}

/** The index after a push. One that has missed an earlier push stays outdated, and is caught up. */
export function pushed(index: LoadedIndex, { shopKey, push, offers }: Push): LoadedIndex {
  for (const offer of offers) changeOfferInLayers(index.layers, offer);
  const state = index.shops.get(shopKey);
  if (state?.pushes !== push - 1) return index;
  return { ...index, shops: new Map(index.shops).set(shopKey, { ...state, pushes: push }) };
}

/** The indexes in memory by organization, together at most `budgetBytes`. */
export class LoadedIndexes {
  readonly #budgetBytes: number;
  /** Least recently searched first. */
  readonly #indexes = new Map<number, LoadedIndex>();
  readonly #settled = new WeakSet<LoadedIndex>();

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get byteSize(): number {
    return [...this.#indexes.values()].reduce((sum, { byteSize }) => sum + byteSize, 0);
  }

  get(organizationKey: number): LoadedIndex | null {
    return this.#indexes.get(organizationKey) ?? null;
  }

  /** Those that have changed since they were settled. */
  unsettled(): [organizationKey: number, LoadedIndex][] {
    return [...this.#indexes].filter(([, index]) => !this.#settled.has(index));
  }

  /** Tells that nothing is left to do about this one until it changes. */
  settle(index: LoadedIndex): void {
    this.#settled.add(index);
  }

  /** Those with vectors of this model. */
  ofModel(modelKey: number): LoadedIndex[] {
    return [...this.#indexes.values()].filter((index) => index.modelKey === modelKey);
  }

  /** The models of the vectors. */
  modelKeys(): Set<number> {
    return new Set([...this.#indexes.values()].flatMap(({ modelKey }) => modelKey ?? []));
  }

  /** Counts it as searched now. */
  touch(organizationKey: number): void {
    const index = this.#indexes.get(organizationKey);
    if (index === undefined) return;
    this.#indexes.delete(organizationKey);
    this.#indexes.set(organizationKey, index);
  }

  /** Whether it fits beside those of other organizations. */
  hasRoomFor(organizationKey: number, { byteSize }: LoadedIndex): boolean {
    const former = this.#indexes.get(organizationKey)?.byteSize ?? 0;
    return this.byteSize - former + byteSize <= this.#budgetBytes;
  }

  /** Holds the index, in place of those searched least recently. False if it alone is too large. */
  hold(organizationKey: number, index: LoadedIndex): boolean {
    this.#indexes.delete(organizationKey);
    this.#indexes.set(organizationKey, index);
    let bytes = 0;
    for (const [key, { byteSize }] of [...this.#indexes].reverse()) {
      bytes += byteSize;
      if (bytes > this.#budgetBytes) this.#indexes.delete(key);
    }
    return this.#indexes.has(organizationKey);
  }

  /** Changes offerings in place. */
  takePush(push: Push): void {
    const index = this.#indexes.get(push.organizationKey);
    if (index !== undefined) this.#indexes.set(push.organizationKey, pushed(index, push));
  }

  /** Gives documents of indexes with vectors of this model their vectors. */
  takeVectors(modelKey: number, vectors: ReadonlyMap<number, Uint8Array | Float32Array>): void {
    const holding = this.ofModel(modelKey);
    for (const [documentKey, vector] of vectors) {
      const holder = holding.find(({ index }) => index.setVector(documentKey, vector));
      if (holder !== undefined) this.#settled.delete(holder);
    }
  }

  drop(organizationKey: number): void {
    this.#indexes.delete(organizationKey);
  }
}
