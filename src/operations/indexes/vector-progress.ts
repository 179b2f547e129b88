/** Batches from which the pace is measured: some ten seconds of work. */
const RECENT_BATCHES = 16;

/** What was last known about this work is forgotten after this time: another instance may do it now. */
const FORGOTTEN_AFTER_MS = 60_000;

interface Batch {
  readonly texts: number;
  readonly ms: number;
}

/**
 * How many documents still need a vector, and how long that will take at the recent pace. Null while
 * it is not known: right after the start, after a failure, and where another instance does the work.
 */
export class VectorProgress {
  readonly #monotonicMs: () => number;
  #batches: Batch[] = [];
  #running: { readonly texts: number; readonly sinceMs: number } | null = null;
  #left: number | null = null;
  #knownMs = Number.NEGATIVE_INFINITY;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Documents without a vector of the configured model. */
  get left(): number | null {
    return this.#monotonicMs() - this.#knownMs > FORGOTTEN_AFTER_MS ? null : this.#left;
  }

  set left(left: number | null) {
    this.#left = left;
    this.#knownMs = this.#monotonicMs();
  }

  begin(texts: number): void {
    this.#running = { texts, sinceMs: this.#monotonicMs() };
  }

  /** `made`: documents that now have a vector of the configured model; null if the batch failed. */
  end(made: number | null): void {
    const running = this.#running!;
    this.#running = null;
    if (made === null) {
      this.#batches = [];
      return;
    }
    const ms = this.#monotonicMs() - running.sinceMs;
    this.#batches = [...this.#batches, { texts: running.texts, ms }].slice(-RECENT_BATCHES);
    if (this.#left !== null) this.left = Math.max(0, this.#left - made);
  }

  /** Documents a second, lately. */
  get perSecond(): number | null {
    const msPerText = this.#msPerText();
    return msPerText === null ? null : 1000 / msPerText;
  }

  /** Whole seconds until every document has its vector. */
  get remainingSeconds(): number | null {
    const { left } = this;
    if (left === null || left === 0) return left;
    const msPerText = this.#msPerText();
    return msPerText === null ? null : Math.ceil((left * msPerText) / 1000);
  }

  #msPerText(): number | null {
    let texts = 0;
    let ms = 0;
    for (const batch of this.#batches) {
      texts += batch.texts;
      ms += batch.ms;
    }
    if (texts === 0 || ms === 0) return null;
    if (this.#running === null) return ms / texts;
    // A batch that takes longer than usual counts before it has ended.
    const runningMs = this.#monotonicMs() - this.#running.sinceMs;
    const isSlower = runningMs / this.#running.texts > ms / texts;
    return isSlower ? (ms + runningMs) / (texts + this.#running.texts) : ms / texts;
  }
}
