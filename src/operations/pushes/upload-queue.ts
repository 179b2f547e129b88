import type { OpenedSource, SourceHints } from '../../catalog/open-source.ts';
import { AppError } from '../../domain/errors.ts';
import type { ImportCounts, ImportRequest } from '../imports/import-catalog.ts';
import { Bell } from '../instances/bell.ts';
import type { SourceResult } from '../sources/catalog-sources.ts';

/** Uploads that an organization may have on disk, received or arriving. */
const PER_ORGANIZATION_MAX = 4;
/** The same for all organizations. */
const IN_ALL_MAX = 16;

/** Imports take seconds to minutes. */
const RETRY_MS = 10_000;

/** How to import a file. */
export interface UploadOptions extends Omit<ImportRequest, 'source' | 'format'> {
  /** The file's name, for messages and the import's record. */
  readonly name: string;
  readonly hints: SourceHints;
}

/** What an import reads: a received file, or an address. */
export interface UploadSource extends AsyncDisposable {
  /** Opens it from the start. `name` is for messages. */
  open(name: string, hints: SourceHints, signal: AbortSignal): Promise<OpenedSource>;
  /** Called when the import has ended. */
  ended?(result: SourceResult): Promise<void>;
}

/** A received file, or an address, that waits for its import. */
export interface Upload {
  /** The import's. */
  readonly id: string;
  readonly shopKey: number;
  readonly source: UploadSource;
  readonly options: UploadOptions;
  /** Frees its place in the queue. */
  readonly place: Disposable;
}

/** The files that programs have uploaded to this process, and how far the present import is. */
export class UploadQueue implements AsyncDisposable {
  readonly #waiting: Upload[] = [];
  readonly #counts = new Map<number, number>();
  #count = 0;
  readonly #bell = new Bell();
  /** The import that runs, and what it has done so far. */
  progress: { readonly id: string; readonly summary: ImportCounts | null } | null = null;

  /** Reserves a place for a file that is about to arrive. Throws `unavailable` if there is none. */
  reserve(organizationKey: number): Disposable {
    const count = this.#counts.get(organizationKey) ?? 0;
    if (count >= PER_ORGANIZATION_MAX || this.#count >= IN_ALL_MAX)
      throw new AppError('unavailable', 'Too many imports are waiting.', {
        retryAfterMs: RETRY_MS,
      });
    this.#counts.set(organizationKey, count + 1);
    this.#count += 1;
    return {
      [Symbol.dispose]: () => {
        this.#count -= 1;
        const rest = this.#counts.get(organizationKey)! - 1;
        if (rest === 0) this.#counts.delete(organizationKey);
        else this.#counts.set(organizationKey, rest);
      },
    };
  }

  add(upload: Upload): void {
    this.#waiting.push(upload);
    this.#bell.ring();
  }

  /** Resolves when a file waits, or when `signal` aborts. One caller at a time. */
  filled(signal: AbortSignal): Promise<void> {
    return this.#bell.rung(this.#waiting.length > 0, signal);
  }

  /** The file that has waited longest; null if none waits. */
  take(): Upload | null {
    return this.#waiting.shift() ?? null;
  }

  /** Closes the files that still wait: their imports are interrupted. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { source } of this.#waiting.splice(0)) await source[Symbol.asyncDispose]();
  }
}
