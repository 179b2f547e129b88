import type { OpenedSource, SourceHints } from '../../catalog/open-source.ts';
import type { Validators } from '../../web/download.ts';
import type { UploadSource } from '../pushes/upload-queue.ts';
import type { SourceResult } from '../sources/catalog-sources.ts';
import { openCatalogUrl } from '../sources/open-catalog-url.ts';

/** A public https address, fetched each time it is opened. */
export class AddressSource implements UploadSource {
  readonly #url: string;
  readonly #onEnd: ((result: SourceResult, validators: Validators | null) => Promise<void>) | null;
  #validators: Validators | null = null;

  constructor(
    url: string,
    onEnd: ((result: SourceResult, validators: Validators | null) => Promise<void>) | null = null,
  ) {
    this.#url = url;
    this.#onEnd = onEnd;
  }

  /** Throws as `openCatalogUrl` does. */
  async open(_name: string, hints: SourceHints, signal: AbortSignal): Promise<OpenedSource> {
    const opened = await openCatalogUrl(this.#url, hints, { allowPrivate: false, signal });
    // Null only if it is unchanged, which was not asked.
    this.#validators = opened!.validators;
    return opened!.source;
  }

  async ended(result: SourceResult): Promise<void> {
    await this.#onEnd?.(result, this.#validators);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
