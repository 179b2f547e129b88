import type { Directory } from '../directory.ts';
import { isAvailable } from '../domain/catalog.ts';
import type { Platform } from '../platform.ts';
import { searchDocuments } from '../search/documents.ts';
import type { ItemFacts } from '../search/filter.ts';
import { factsOf } from '../search/item-facts.ts';
import type { MemoryIndex } from '../search/memory-index.ts';
import { MemoryIndexBuilder } from '../search/memory-index-builder.ts';
import { nameTerms } from '../search/name.ts';
import { NameTable } from '../search/name-table.ts';
import type { Database } from '../storage/database.ts';
import {
  countVisibleDocuments,
  findSearchableRows,
  type SearchableRow,
} from '../storage/searchable-rows.ts';
import type { Meaning } from './meaning.ts';
import { ShownDocuments } from './shown-documents.ts';

/** Documents read from libSQL at once: about 3 ms. */
const ROWS_AT_ONCE = 64;

/** After so much work whatever waits goes first. */
const SLICE_MS = 8;

/** What a document takes in memory, for a decision before it is loaded: vector, postings, columns. */
const BYTES_PER_DOCUMENT = 2000;

/** An organization's catalogue in memory, as of one state of it. */
export interface LoadedIndex {
  readonly index: MemoryIndex;
  /** By the document's place in the index. */
  readonly names: NameTable;
  readonly facts: readonly ItemFacts[];
  /** Documents that were shown lately. */
  readonly shown: ShownDocuments;
  /** Documents without a vector, in the order of their keys. */
  readonly waiting: Set<number>;
  /** Which state of the catalogue, and vectors of which model, it holds. */
  readonly version: string;
}

export interface IndexKeeperOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly directory: Directory;
  readonly meaning: Meaning;
  /** Most that all indexes together may take. */
  readonly budgetBytes: number;
}

/**
 * The catalogues that are in memory. libSQL stays the only truth: an index is built from it, is used
 * only while it is of the present state, and is forgotten when the budget is needed for another one
 * that was asked more lately. Who finds none searches in libSQL, with the same result.
 */
export class IndexKeeper {
  readonly #options: IndexKeeperOptions;
  /** The one asked least lately comes first. */
  readonly #loaded = new Map<number, LoadedIndex>();
  readonly #shown: ShownDocuments;
  readonly #wanted = new Set<number>();
  /** Vectors that were written while an index was loading. */
  #late: Map<number, Uint8Array | Float32Array> | null = null;
  /** States that are beyond the budget. */
  readonly #tooLarge = new Map<number, string>();

  constructor(options: IndexKeeperOptions) {
    this.#options = options;
    this.#shown = new ShownDocuments(options.db);
  }

  /** What the indexes take in memory. */
  get byteSize(): number {
    return [...this.#loaded.values()].reduce((sum, { index }) => sum + index.byteSize, 0);
  }

  /** The index of an organization's present catalogue, or null; then it is loaded as soon as may be. */
  find(organizationKey: number): LoadedIndex | null {
    const loaded = this.#loaded.get(organizationKey);
    const version = this.#version(organizationKey);
    if (loaded?.version === version) {
      this.#loaded.delete(organizationKey);
      this.#loaded.set(organizationKey, loaded);
      return loaded;
    }
    if (this.#tooLarge.get(organizationKey) !== version) this.#wanted.add(organizationKey);
    return null;
  }

  /** Loads one wanted index; false when none is wanted. Never holds the event loop for more than some milliseconds. */
  async loadNext(signal: AbortSignal): Promise<boolean> {
    const { db, meaning, budgetBytes } = this.#options;
    const [organizationKey] = this.#wanted;
    // Without knowing the model an index would have to be loaded twice.
    if (organizationKey === undefined || !meaning.isSettled) return false;
    this.#wanted.delete(organizationKey);
    const version = this.#version(organizationKey);
    // Searches that came while it was loading asked for it once more.
    if (this.#loaded.get(organizationKey)?.version === version) return true;
    this.#loaded.delete(organizationKey);
    const expectedBytes = (await countVisibleDocuments(db, organizationKey)) * BYTES_PER_DOCUMENT;
    if (expectedBytes > budgetBytes) {
      this.#tooLarge.set(organizationKey, version);
      return true;
    }
    this.#late = new Map();
    const loaded = await this.#load(organizationKey, version, signal);
    const late = this.#late;
    this.#late = null;
    if (loaded === null) return true;
    for (const [documentKey, vector] of late) setVector(loaded, documentKey, vector);
    this.#loaded.set(organizationKey, loaded);
    this.#evict();
    if (!this.#loaded.has(organizationKey)) this.#tooLarge.set(organizationKey, version);
    return true;
  }

  /** Keeps the indexes up to date with vectors that were just written. */
  takeVectors(vectors: ReadonlyMap<number, Uint8Array | Float32Array>): void {
    for (const [documentKey, vector] of vectors) {
      this.#late?.set(documentKey, vector);
      for (const loaded of this.#loaded.values()) if (setVector(loaded, documentKey, vector)) break;
    }
  }

  /** Documents in memory that have no vector yet, at most `limit`: of each catalogue those that get theirs first. */
  waitingForVectors(limit: number): number[] {
    const waiting = [...this.#loaded.values()].flatMap((loaded) => [
      ...loaded.waiting.values().take(limit),
    ]);
    return waiting.slice(0, limit);
  }

  /** Null when the catalogue changed while it was read, or the service stops. */
  async #load(
    organizationKey: number,
    version: string,
    signal: AbortSignal,
  ): Promise<LoadedIndex | null> {
    const { db, platform, meaning } = this.#options;
    const { model } = meaning;
    const builder = new MemoryIndexBuilder({ dimensions: model?.dimensions ?? null });
    const names = new NameTable();
    const facts: ItemFacts[] = [];
    const waiting = new Set<number>();
    for (let after = 0; ; ) {
      const query = { after, limit: ROWS_AT_ONCE, modelKey: model?.key ?? null };
      const rows = await findSearchableRows(db, organizationKey, query);
      let sliceStartMs = platform.monotonicMs();
      for (const row of rows) {
        if (platform.monotonicMs() - sliceStartMs > SLICE_MS) {
          await platform.yield();
          sliceStartMs = platform.monotonicMs();
        }
        builder.add(indexable(row));
        names.add(nameTerms(row.item.name));
        facts.push(factsOf(row.item));
        if (row.vector === null) waiting.add(row.documentKey);
      }
      await platform.yield();
      if (signal.aborted || this.#version(organizationKey) !== version) return null;
      if (rows.length < ROWS_AT_ONCE) break;
      after = rows.at(-1)!.documentKey;
    }
    const finishing = builder.finish();
    for (;;) {
      const step = finishing.next();
      if (step.done === true)
        return { index: step.value, names, facts, shown: this.#shown, waiting, version };
      await platform.yield();
    }
  }

  #version(organizationKey: number): string {
    const { directory, meaning } = this.#options;
    return `${directory.indexVersion(organizationKey)}/${meaning.model?.key ?? 'none'}`;
  }

  #evict(): void {
    let bytes = 0;
    for (const [organizationKey, { index, names }] of [...this.#loaded].reverse()) {
      bytes += index.byteSize + names.byteSize;
      if (bytes > this.#options.budgetBytes) this.#loaded.delete(organizationKey);
    }
  }
}

function setVector(
  { index, waiting }: LoadedIndex,
  documentKey: number,
  vector: Uint8Array | Float32Array,
): boolean {
  const isKnown = index.setVector(documentKey, vector);
  if (isKnown) waiting.delete(documentKey);
  return isKnown;
}

function indexable({ documentKey, itemKey, id, shopKey, passage, item, vector }: SearchableRow) {
  const document = searchDocuments(item).find((candidate) => candidate.passage === passage);
  const offering = item.type === 'product' ? item : null;
  return {
    documentKey,
    itemKey,
    id,
    shopKey,
    type: item.type,
    available: offering === null || isAvailable(offering.availability),
    vendor: offering?.vendor ?? null,
    productType: offering?.productType ?? null,
    tags: offering?.tags ?? [],
    currency: offering?.currency ?? '',
    priceMinor: offering?.priceMinor ?? null,
    fields: document!.fields,
    vector,
  };
}
