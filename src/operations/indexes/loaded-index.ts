import { PropertyMap } from '../../collections/property-map.ts';
import type { Shop } from '../../domain/organization.ts';
import { collectGarbage } from '../../garbage.ts';
import { analysisOf } from './analysis-fingerprint.ts';
import type { ChangedOffer } from './index-parts.ts';
import { changeOfferInLayers, type Layers, type SearchableLayers } from './layers.ts';
import type { ShownDocuments } from './shown-documents.ts';
import type { Slices } from './slices.ts';

/** What decides which documents of a shop are visible, and what their words are. */
export interface ShopState extends Pick<Shop, 'generation' | 'revision' | 'pushes'> {
  /** Of the shop's locale, as `analysisOf` names it. */
  readonly analysis: string;
}

/** By shop key. */
export type ShopStates = ReadonlyMap<number, ShopState>;

/** The same object for the same list of shops, which the directory replaces when one of them changes. */
export function statesOf(shops: readonly Shop[]): ShopStates {
  let states = statesByShops.get(shops);
  if (states === undefined) {
    states = new Map(
      shops.map(({ key, generation, revision, pushes, locale }) => [
        key,
        { generation, revision, pushes, analysis: analysisOf(locale) },
      ]),
    );
    statesByShops.set(shops, states);
  }
  return states;
}

const statesByShops = new PropertyMap<readonly Shop[], ShopStates>();

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

/**
 * Memory that a build takes besides the finished index: a share of the index for arrays that exist in two orders for
 * a moment, and the thread's runtime and garbage, some 6 KB a document until garbage is collected.
 */
const BUILD_FACTOR = 1.3;
const BUILD_BYTES_PER_DOCUMENT = 6 * 1024;
const BUILD_BYTES_MAX = 150 * MIB;

/**
 * Garbage is collected once dropped indexes come to this many bytes, or to half of the budget if that is more. Left to
 * itself, the collector let 3.6 GB of them pile up beside a budget of 700 MB.
 */
const DROPPED_BYTES_MIN = 256 * MIB;

/** Memory of the service besides indexes, and of an embedding model. */
const SERVICE_BYTES = 150 * MIB;
const MODEL_BYTES = 200 * MIB;

/** The memory that there is. */
export interface IndexMemory {
  /** For all indexes together. */
  readonly budgetBytes: number;
  /** For the whole process: of the machine, or of its control group. */
  readonly machineBytes: number;
}

/** What a catalogue lacks of its memory, in MB. */
export interface MemoryShortage {
  /**
   * Whether the index exceeds what indexes should take together, so that it is kept alone, or its build what
   * the machine has besides the service, so that it cannot be searched.
   */
  readonly of: 'index' | 'build';
  readonly neededMb: number;
  readonly allowedMb: number;
}

/** The size of a catalogue. `dimensions`: of its vectors; 0 for words alone. */
export interface IndexSize {
  readonly documentCount: number;
  readonly dimensions: number;
}

/** The memory that an index will take, before it is loaded. */
function expectedBytesOf({ documentCount, dimensions }: IndexSize): number {
  return documentCount * (WORD_BYTES_PER_DOCUMENT + BYTES_PER_DIMENSION * dimensions);
}

/** The most memory that an index takes while it is built, itself included. */
export function buildBytesOf(size: IndexSize): number {
  const besides = Math.min(BUILD_BYTES_MAX, size.documentCount * BUILD_BYTES_PER_DOCUMENT);
  return expectedBytesOf(size) * BUILD_FACTOR + besides;
}

/** What is left for indexes, and for building one. */
function bytesBesidesService({ machineBytes }: IndexMemory, { dimensions }: IndexSize): number {
  return machineBytes - SERVICE_BYTES - (dimensions > 0 ? MODEL_BYTES : 0);
}

/** What all indexes and a build beside them take at most, in MB. */
export function memoryWhileBuilding(memory: IndexMemory, dimensions: number): number {
  const neededBytes = memory.budgetBytes * (1 + BUILD_FACTOR) + BUILD_BYTES_MAX;
  const allowedBytes = bytesBesidesService(memory, { documentCount: 0, dimensions });
  return Math.max(0, Math.floor(Math.min(neededBytes, allowedBytes) / MIB));
}

/** What an index lacks of its memory, above all to be built; null if it fits. */
export function shortageOf(size: IndexSize, memory: IndexMemory): MemoryShortage | null {
  const allowedBytes = bytesBesidesService(memory, size);
  return lack('build', buildBytesOf(size), allowedBytes) ?? budgetShortageOf(size, memory);
}

/** What indexes of that size together lack to be kept; null if they fit. */
function budgetShortageOf(size: IndexSize, memory: IndexMemory): MemoryShortage | null {
  return lack('index', expectedBytesOf(size), memory.budgetBytes);
}

function lack(
  of: MemoryShortage['of'],
  neededBytes: number,
  allowedBytes: number,
): MemoryShortage | null {
  if (neededBytes <= allowedBytes) return null;
  return { of, neededMb: Math.ceil(neededBytes / MIB), allowedMb: Math.floor(allowedBytes / MIB) };
}

/** Whether the catalogues are equal. */
export function isSame(one: ShopStates, other: ShopStates): boolean {
  if (one === other) return true;
  if (!isSameText(one, other)) return false;
  return [...one].every(([key, { pushes }]) => other.get(key)?.pushes === pushes);
}

/** Whether the catalogues differ at most in prices and availability. */
export function isSameText(one: ShopStates, other: ShopStates): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([key, { generation, revision, analysis }]) => {
    const state = other.get(key);
    return (
      state?.generation === generation && state.revision === revision && state.analysis === analysis
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
      is.analysis === was.analysis &&
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

/** The indexes in memory by organization: one, or as many as fit into the budget. */
export class LoadedIndexes {
  readonly #memory: IndexMemory;
  /** Least recently searched first. */
  readonly #indexes = new Map<number, LoadedIndex>();
  readonly #settled = new WeakSet<LoadedIndex>();
  /** Of the indexes that were dropped since the last garbage collection. */
  #droppedBytes = 0;

  constructor(memory: IndexMemory) {
    this.#memory = memory;
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
    if (this.#indexes.size === 0) return true;
    const former = this.#indexes.get(organizationKey)?.byteSize ?? 0;
    return this.byteSize - former + byteSize <= this.#memory.budgetBytes;
  }

  shortageOf(size: IndexSize): MemoryShortage | null {
    return shortageOf(size, this.#memory);
  }

  budgetShortageOf(size: IndexSize): MemoryShortage | null {
    return budgetShortageOf(size, this.#memory);
  }

  /** Whether the machine has the memory to build an index of that size. */
  canBuild(size: IndexSize): boolean {
    return buildBytesOf(size) <= bytesBesidesService(this.#memory, size);
  }

  /**
   * Drops the indexes searched least recently, except that of `kept`, until an index of that size can be built
   * beside the rest. Returns false if there is no memory for it beside that one alone.
   */
  makeRoom(size: IndexSize, kept: number): boolean {
    const allowedBytes = bytesBesidesService(this.#memory, size) - buildBytesOf(size);
    for (const key of this.#indexes.keys()) {
      if (this.byteSize <= allowedBytes) break;
      if (key !== kept) this.drop(key);
    }
    return this.byteSize <= allowedBytes;
  }

  /** Holds the index, in place of those searched least recently where the budget is exceeded. */
  hold(organizationKey: number, index: LoadedIndex): void {
    this.#indexes.delete(organizationKey);
    this.#indexes.set(organizationKey, index);
    let bytes = 0;
    for (const [key, { byteSize }] of [...this.#indexes].reverse()) {
      bytes += byteSize;
      if (bytes > this.#memory.budgetBytes && key !== organizationKey) this.drop(key);
    }
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
    this.#droppedBytes += this.#indexes.get(organizationKey)?.byteSize ?? 0;
    this.#indexes.delete(organizationKey);
    if (this.#droppedBytes < Math.max(DROPPED_BYTES_MIN, this.#memory.budgetBytes / 2)) return;
    this.#droppedBytes = 0;
    collectGarbage();
  }
}
