import { AppError } from '../../domain/errors.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import { releaseLease, takeLease } from '../../storage/leases.ts';

/** Interval between attempts to take a lease that another instance holds. */
const WAIT_MS = 500;

/** Renewals per lease duration. */
const PROLONGED_TIMES = 3;

export interface LeaseOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly stopping: AbortSignal;
  readonly name: string;
  /** Another instance may take the lease if it is not renewed for this long. */
  readonly durationMs: number;
}

/**
 * Guards work that only one instance may do at a time. A database file has only one instance, which
 * always holds every lease.
 */
export class Lease {
  readonly #options: LeaseOptions;
  /** Expiry on the monotonic clock, never later than the server's. */
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  get isHeld(): boolean {
    const { db, platform } = this.#options;
    return db.instance === null || platform.monotonicMs() < this.#heldUntilMs;
  }

  /** Takes or renews the lease; false while another instance holds it. Throws `unavailable`. */
  async take(): Promise<boolean> {
    const { db, platform, name, durationMs } = this.#options;
    if (db.instance === null) return true;
    const askedMs = platform.monotonicMs();
    const [taken] = await db.write([takeLease({ name, owner: db.instance, durationMs })]);
    const isTaken = taken!.rows.length > 0;
    this.#heldUntilMs = isTaken ? askedMs + durationMs : Number.NEGATIVE_INFINITY;
    return isTaken;
  }

  /** `take` for a loop: false while the server is unreachable, so that the loop tries again. */
  async keep(): Promise<boolean> {
    return this.take().catch(() => false);
  }

  /** Releases the lease immediately. If that fails, the lease expires. */
  async release(): Promise<void> {
    const { db, name } = this.#options;
    if (db.instance === null || !this.isHeld) return;
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
    await db.write([releaseLease({ name, owner: db.instance })]).catch(() => undefined);
  }

  /**
   * Waits without limit for the lease, then runs `task` and renews the lease in the meantime. Throws
   * `unavailable` if the service stops first or the server is unreachable, and `conflict` if the lease
   * expired and another instance took it.
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

  /** Whether another instance holds the lease. */
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

/** A process that was suspended for long finds its requests aborted. The lost lease is the real cause. */
function lost(cause: unknown): AppError {
  return new AppError('conflict', 'Another instance has taken over meanwhile: try again.', {
    retryAfterMs: WAIT_MS,
    cause,
  });
}
