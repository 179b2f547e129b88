import type { RateLimit } from './domain/organization.ts';

/** Tokens left as of `atMs`. Refilled lazily, so an idle bucket costs nothing. */
export interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

export interface Taken {
  readonly bucket: Bucket;
  /** Milliseconds until the tokens would be there; 0: granted. */
  readonly waitMs: number;
}

/** What is asked of a bucket. */
export interface Taking {
  readonly cost: number;
  /** Tokens of `cost` that were taken before it was known; 0 if left out. */
  readonly paid?: number;
  readonly nowMs: number;
}

/**
 * Takes what is missing of `cost` tokens. Pure: returns the next bucket, and how long to wait (0 =
 * granted) until the whole cost would be granted. A cost above the burst is granted by a full bucket,
 * which then owes the rest. A clock that steps back refills nothing rather than draining the bucket.
 */
export function takeTokens(
  bucket: Bucket,
  limit: RateLimit,
  { cost, paid = 0, nowMs }: Taking,
): Taken {
  const perMs = limit.perMinute / 60_000;
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  const tokens = Math.min(limit.burst, bucket.tokens + elapsedMs * perMs);
  const needed = Math.min(cost, limit.burst);
  // A thousandth of a token forgives rounding, so that a caller who waits as told gets in.
  if (tokens >= needed - paid - 0.001)
    return { bucket: { tokens: tokens - cost + paid, atMs: nowMs }, waitMs: 0 };
  return { bucket: { tokens, atMs: nowMs }, waitMs: Math.ceil((needed - tokens) / perMs) };
}

/** What a caller is told of its bucket. */
export interface LimitState {
  readonly limit: RateLimit;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Whole seconds until there is one more; 0 when the bucket is full. */
  readonly nextTokenSeconds: number;
  readonly waitMs: number;
}

/** Token buckets by name, the longest unused dropped beyond `capacity`: a dropped one starts full again. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();
  readonly #refusals = new Map<string, number>();
  readonly #capacity: number;
  readonly #monotonicMs: () => number;

  constructor(options: { capacity: number; monotonicMs: () => number }) {
    this.#capacity = options.capacity;
    this.#monotonicMs = options.monotonicMs;
  }

  /** How often each kind of bucket was too empty; the kind is what stands before the colon of a name. */
  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  /** Checks and takes in one synchronous step, so that callers at the same moment cannot share a token. */
  take(name: string, limit: RateLimit, cost = 1): LimitState {
    return this.#take(name, limit, { cost, paid: 0 });
  }

  /** As `take`, after one token of `cost` was taken: what a request costs may be known only in its middle. */
  takeRest(name: string, limit: RateLimit, cost: number): LimitState {
    return this.#take(name, limit, { cost, paid: 1 });
  }

  #take(name: string, limit: RateLimit, price: { cost: number; paid: number }): LimitState {
    const nowMs = this.#monotonicMs();
    const before = this.#buckets.get(name) ?? { tokens: limit.burst, atMs: nowMs };
    const { bucket, waitMs } = takeTokens(before, limit, { ...price, nowMs });
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > this.#capacity)
      this.#buckets.delete(this.#buckets.keys().next().value!);
    if (waitMs > 0) {
      const kind = name.slice(0, name.indexOf(':'));
      this.#refusals.set(kind, (this.#refusals.get(kind) ?? 0) + 1);
    }
    const missing =
      bucket.tokens >= limit.burst ? 0 : Math.floor(bucket.tokens) + 1 - bucket.tokens;
    return {
      limit,
      remaining: Math.max(0, Math.floor(bucket.tokens + 0.001)),
      nextTokenSeconds: Math.ceil((missing * 60) / limit.perMinute),
      waitMs,
    };
  }
}
