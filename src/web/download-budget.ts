/** Limit for the bytes received and, separately, for the bytes after decompression. */
const DOWNLOAD_BYTES_MAX = 200 * 1024 * 1024;

/** The time that 200 MiB take at 1 Mbit/s. Stops a server that sends a byte now and then, for ever. */
const TOTAL_MAX_MS = 30 * 60_000;

/** The bytes and time that one or more downloads share. Time runs from construction. */
export class DownloadBudget {
  /** Aborts when time runs out. */
  readonly deadline: AbortSignal;
  /** Limit for received and, separately, for decompressed bytes. */
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

  /** Bytes received so far, before decompression. */
  get received(): number {
    return this.#received;
  }

  /** Whether `bytes` more may be received. */
  allows(bytes: number): boolean {
    return this.#received + bytes <= this.bytesMax;
  }

  /** Counts received bytes; false beyond the limit. */
  receive(bytes: number): boolean {
    this.#received += bytes;
    return this.#received <= this.bytesMax;
  }

  /** Counts decompressed bytes; false beyond the limit. */
  inflate(bytes: number): boolean {
    this.#inflated += bytes;
    return this.#inflated <= this.bytesMax;
  }
}
