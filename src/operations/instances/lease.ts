import { AppError } from '../../domain/errors.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import { releaseLease, takeLease } from '../../storage/leases.ts';

/** Between two attempts to get a lease that another instance has. */
const WAIT_MS = 500;

/** A lease is prolonged that many times before it would run out. */
const PROLONGED_TIMES = 3;

export interface LeaseOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly stopping: AbortSignal;
  readonly name: string;
  /** After so long without a sign of life the lease is another instance's to take. */
  readonly durationMs: number;
}

/**
 * What only one instance may do at a time. Where the data are a file there is only one, and it has every
 * lease without asking.
 */
export class Lease {
  readonly #options: LeaseOptions;
  /** On the monotonic clock, never later than the server thinks. */
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  get isHeld(): boolean {
    const { db, platform } = this.#options;
    return db.instance === null || platform.monotonicMs() < this.#heldUntilMs;
  }

  /** Takes or prolongs it; false while another instance has it. Throws `unavailable`. */
  async take(): Promise<boolean> {
    const { db, platform, name, durationMs } = this.#options;
    if (db.instance === null) return true;
    const askedMs = platform.monotonicMs();
    const [taken] = await db.write([takeLease({ name, owner: db.instance, durationMs })]);
    const isTaken = taken!.rows.length > 0;
    this.#heldUntilMs = isTaken ? askedMs + durationMs : Number.NEGATIVE_INFINITY;
    return isTaken;
  }

  /** `take` for a loop: a server that is away gives no lease, and is asked again. */
  async keep(): Promise<boolean> {
    return this.take().catch(() => false);
  }

  /** Lets others have it at once. One that cannot be given back runs out. */
  async release(): Promise<void> {
    const { db, name } = this.#options;
    if (db.instance === null || !this.isHeld) return;
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
    await db.write([releaseLease({ name, owner: db.instance })]).catch(() => undefined);
  }

  /**
   * Runs `task` once the lease is had, however long that takes, and prolongs it meanwhile. Throws
   * `unavailable` when the service stops before, or the server is away, and `conflict` when it ran out
   * meanwhile and another instance has it.
   */
  async hold<Result>(task: () => Promise<Result>): Promise<Result> {
    const { db, platform, stopping, durationMs } = this.#options;
    if (db.instance === null) return task();
    while (!(await this.take())) {
      await platform.sleep(WAIT_MS, stopping);
      if (stopping.aborted)
        throw new AppError('unavailable', 'The service is shutting down.', { retryAfterMs: 5000 });
    }
    const done = new AbortController();
    const prolonging = this.#prolong(done.signal, durationMs / PROLONGED_TIMES);
    try {
      return await task();
    } catch (error) {
      const isCutOff = error instanceof AppError && error.code === 'unavailable' && !this.isHeld;
      throw isCutOff && (await this.#isTaken()) ? lost(error) : error;
    } finally {
      done.abort();
      await prolonging;
      await this.release();
    }
  }

  /** Whether another instance has it. */
  async #isTaken(): Promise<boolean> {
    return this.take().then(
      (isHad) => !isHad,
      () => false,
    );
  }

  async #prolong(signal: AbortSignal, everyMs: number): Promise<void> {
    for (;;) {
      await this.#options.platform.sleep(everyMs, signal);
      if (signal.aborted) return;
      await this.keep();
    }
  }
}

/** A process that slept for long finds its requests broken off, which is not why it failed. */
function lost(cause: unknown): AppError {
  return new AppError('conflict', 'Another instance has taken over meanwhile: try again.', {
    retryAfterMs: WAIT_MS,
    cause,
  });
}
