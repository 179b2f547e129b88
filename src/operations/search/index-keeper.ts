import type { Directory } from '../../directory.ts';
import type { Platform } from '../../platform.ts';
import { countVisibleDocuments } from '../../storage/catalog/searchable-rows.ts';
import type { Database } from '../../storage/engine/database.ts';
import { type IndexParts, loadIndex } from './load-index.ts';
import type { Meaning } from './meaning.ts';
import { ShownDocuments } from './shown-documents.ts';

/** Vectors put in their place between two pauses: about 1 ms. */
const LATE_AT_ONCE = 64;

/** Documents counted between two pauses: about 3 ms. */
const COUNTED_AT_ONCE = 10_000;

/** Slices of a loading index between two searches in libSQL, each of which holds the event loop for longer. */
const SLICES_BETWEEN = 3;

/** What a document takes in memory, for a decision before it is loaded: vector, postings, columns. */
const BYTES_PER_DOCUMENT = 2000;

/** An organization's catalogue in memory, as of one state of it. */
export interface LoadedIndex extends IndexParts {
  /** Documents that were shown lately. */
  readonly shown: ShownDocuments;
  /** Which state of the catalogue, and vectors of which model, it holds. */
  readonly version: string;
  readonly modelKey: number | null;
  /** What it takes in memory. */
  readonly byteSize: number;
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
  #lastTurn: Promise<void> = Promise.resolve();
  /** States that are beyond the budget. */
  readonly #tooLarge = new Map<number, string>();

  constructor(options: IndexKeeperOptions) {
    this.#options = options;
    this.#shown = new ShownDocuments(options.db);
  }

  /** What the indexes take in memory. */
  get byteSize(): number {
    return [...this.#loaded.values()].reduce((sum, { byteSize }) => sum + byteSize, 0);
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
    const { db, platform, meaning, budgetBytes } = this.#options;
    const [organizationKey] = this.#wanted;
    // Without knowing the model an index would have to be loaded twice.
    if (organizationKey === undefined || !meaning.isSettled) return false;
    this.#wanted.delete(organizationKey);
    const version = this.#version(organizationKey);
    // Searches that came while it was loading asked for it once more.
    const former = this.#loaded.get(organizationKey);
    if (former?.version === version) return true;
    const expectedBytes = (await this.#countDocuments(organizationKey)) * BYTES_PER_DOCUMENT;
    if (expectedBytes > budgetBytes) {
      this.#loaded.delete(organizationKey);
      this.#tooLarge.set(organizationKey, version);
      return true;
    }
    const { model } = meaning;
    const isOfUse =
      former?.modelKey === (model?.key ?? null) && former.byteSize + expectedBytes <= budgetBytes;
    if (!isOfUse) this.#loaded.delete(organizationKey);
    this.#late = new Map();
    const parts = await loadIndex({
      ...{ db, platform, organizationKey, model },
      former: isOfUse ? former : null,
      isWanted: () => !signal.aborted && this.#version(organizationKey) === version,
    });
    if (parts !== null) await this.#keep(organizationKey, parts, version);
    this.#late = null;
    return true;
  }

  /**
   * Resolves when a search may ask libSQL: at once, but while an index is being loaded one after the
   * other with some of the loading in between, which would else not end under many searches.
   */
  async turn(): Promise<void> {
    if (this.#late === null) return;
    const { platform } = this.#options;
    this.#lastTurn = this.#lastTurn.then(async () => {
      for (let slice = 0; slice < SLICES_BETWEEN; slice++) await platform.yield();
    });
    await this.#lastTurn;
  }

  /** Keeps the indexes up to date with vectors that were just written. */
  takeVectors(vectors: ReadonlyMap<number, Uint8Array | Float32Array>): void {
    for (const [documentKey, vector] of vectors) {
      this.#late?.set(documentKey, vector);
      for (const { index } of this.#loaded.values())
        if (index.setVector(documentKey, vector)) break;
    }
  }

  /** Documents in memory that have no vector yet, at most `limit`: of each catalogue those that get theirs first. */
  waitingForVectors(limit: number): number[] {
    const waiting = [...this.#loaded.values()].flatMap(({ index }) => index.lackingVectors(limit));
    return waiting.slice(0, limit);
  }

  async #countDocuments(organizationKey: number): Promise<number> {
    const { db, platform } = this.#options;
    let all = 0;
    for (let after = 0; ; ) {
      const query = { after, limit: COUNTED_AT_ONCE };
      const { count, lastKey } = await countVisibleDocuments(db, organizationKey, query);
      all += count;
      if (lastKey === null || count < COUNTED_AT_ONCE) return all;
      after = lastKey;
      await platform.yield();
    }
  }

  /** With the vectors that were written while it was loading, and while these are put in their place. */
  async #keep(organizationKey: number, parts: IndexParts, version: string): Promise<void> {
    const late = this.#late!;
    let count = 0;
    // A map goes on to what is added while it is gone through.
    for (const [documentKey, vector] of late) {
      parts.index.setVector(documentKey, vector);
      if (++count % LATE_AT_ONCE === 0) await this.#options.platform.yield();
    }
    const byteSize = parts.index.byteSize + parts.names.byteSize + parts.facts.byteSize;
    const modelKey = this.#options.meaning.model?.key ?? null;
    this.#loaded.set(organizationKey, {
      ...parts,
      shown: this.#shown,
      version,
      modelKey,
      byteSize,
    });
    this.#evict();
    if (!this.#loaded.has(organizationKey)) this.#tooLarge.set(organizationKey, version);
  }

  #version(organizationKey: number): string {
    const { directory, meaning } = this.#options;
    return `${directory.indexVersion(organizationKey)}/${meaning.model?.key ?? 'none'}`;
  }

  #evict(): void {
    let bytes = 0;
    for (const [organizationKey, { byteSize }] of [...this.#loaded].reverse()) {
      bytes += byteSize;
      if (bytes > this.#options.budgetBytes) this.#loaded.delete(organizationKey);
    }
  }
}
