/** Limit for the bytes that arrive, and again for those they become once inflated (decisions.md, D11.5). */
const DOWNLOAD_BYTES_MAX = 200 * 1024 * 1024;

/** As long as 200 MiB take at 1 Mbit/s. It ends a server that sends a byte now and then, for ever. */
const TOTAL_MAX_MS = 30 * 60_000;

/** What one or several downloads may use together. The time runs from the moment it is made. */
export class DownloadBudget {
  /** Aborts when the time is up. */
  readonly deadline: AbortSignal;
  /** For what arrives, and again for what it becomes. */
  readonly bytesMax: number;
  #received = 0;
  #inflated = 0;

  constructor({
    bytesMax = DOWNLOAD_BYTES_MAX,
    totalMaxMs = TOTAL_MAX_MS,
  }: { readonly bytesMax?: number; readonly totalMaxMs?: number } = {}) {
    this.bytesMax = bytesMax;
    this.deadline = AbortSignal.timeout(totalMaxMs);
  }

  /** Bytes that have come over the wire. */
  get received(): number {
    return this.#received;
  }

  /** Whether so many more bytes may arrive. */
  allows(bytes: number): boolean {
    return this.#received + bytes <= this.bytesMax;
  }

  /** Counts bytes that arrived; false beyond the limit. */
  receive(bytes: number): boolean {
    this.#received += bytes;
    return this.#received <= this.bytesMax;
  }

  /** Counts bytes that came out of compressed ones; false beyond the limit. */
  inflate(bytes: number): boolean {
    this.#inflated += bytes;
    return this.#inflated <= this.bytesMax;
  }
}
