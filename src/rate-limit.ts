import type { RateLimit } from './domain/organization.ts';

/** The tokens left at `atMs`. Refilled lazily, so that an idle bucket costs nothing. */
export interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

export interface Taken {
  readonly bucket: Bucket;
  /** Milliseconds until enough tokens are available; 0 if granted. */
  readonly waitMs: number;
}

/** A request for tokens. */
export interface Taking {
  readonly cost: number;
  /** Tokens of `cost` that were taken in advance; default 0. */
  readonly paid?: number;
  readonly nowMs: number;
}

/**
 * Takes `cost` tokens, less those already `paid`. Pure: returns the next bucket and how long to wait
 * until the whole cost can be granted (0 = granted). A full bucket grants a cost above the burst and
 * then owes the rest. A clock that steps back refills nothing and does not drain the bucket.
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
  // Tolerates rounding, so that a caller who waits for `waitMs` is granted its tokens.
  if (tokens >= needed - paid - 0.001)
    return { bucket: { tokens: tokens - cost + paid, atMs: nowMs }, waitMs: 0 };
  return { bucket: { tokens, atMs: nowMs }, waitMs: Math.ceil((needed - tokens) / perMs) };
}

/** The state of a bucket, as reported to its caller. */
export interface LimitState {
  readonly limit: RateLimit;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Whole seconds until the next token; 0 if the bucket is full. */
  readonly nextTokenSeconds: number;
  readonly waitMs: number;
}

/** A bucket by its name, which begins with its kind and a colon, and what it holds. */
export interface NamedLimit {
  readonly name: string;
  readonly limit: RateLimit;
}

/** Token buckets by name. Beyond `capacity` the least recently used one is dropped; it starts full again. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();
  readonly #refusals = new Map<string, number>();
  readonly #capacity: number;
  readonly #monotonicMs: () => number;

  constructor(options: { capacity: number; monotonicMs: () => number }) {
    this.#capacity = options.capacity;
    this.#monotonicMs = options.monotonicMs;
  }

  /** Refusals by kind of bucket, which is the part of its name before the colon. */
  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  /**
   * Takes from every bucket, or from none where one has too few. Checks and takes in one synchronous step,
   * so that concurrent callers cannot take the same token. Returns the state of the tightest bucket.
   */
  take(limits: readonly NamedLimit[], cost = 1): LimitState {
    return this.#take(limits, { cost, paid: 0 });
  }

  /** As `take`, when one token of `cost` was already taken before the full cost of the request was known. */
  takeRest(limits: readonly NamedLimit[], cost: number): LimitState {
    return this.#take(limits, { cost, paid: 1 });
  }

  #take(limits: readonly NamedLimit[], price: { cost: number; paid: number }): LimitState {
    const nowMs = this.#monotonicMs();
    const taking = { cost: price.cost, paid: price.paid, nowMs };
    const tries = limits.map(({ name, limit }) => {
      const before = this.#buckets.get(name) ?? { tokens: limit.burst, atMs: nowMs };
      return { name, limit, before, taken: takeTokens(before, limit, taking) };
    });
    const isGranted = tries.every(({ taken }) => taken.waitMs === 0);
    let tightest: LimitState | null = null;
    for (const { name, limit, before, taken } of tries) {
      const { bucket, waitMs } = taken;
      const kept = isGranted || waitMs > 0 ? bucket : before;
      this.#keep(name, kept);
      if (waitMs > 0) this.#countRefusal(name);
      const state = stateOf(kept, limit, waitMs);
      tightest = tightest === null ? state : tighter(tightest, state);
    }
    return tightest!;
  }

  #countRefusal(name: string): void {
    const kind = name.slice(0, name.indexOf(':'));
    this.#refusals.set(kind, (this.#refusals.get(kind) ?? 0) + 1);
  }

  #keep(name: string, bucket: Bucket): void {
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > this.#capacity)
      this.#buckets.delete(this.#buckets.keys().next().value!);
  }
}

function stateOf(bucket: Bucket, limit: RateLimit, waitMs: number): LimitState {
  const missing = bucket.tokens >= limit.burst ? 0 : Math.floor(bucket.tokens) + 1 - bucket.tokens;
  return {
    limit,
    remaining: Math.max(0, Math.floor(bucket.tokens + 0.001)),
    nextTokenSeconds: Math.ceil((missing * 60) / limit.perMinute),
    waitMs,
  };
}

function tighter(a: LimitState, b: LimitState): LimitState {
  if (a.waitMs !== b.waitMs) return a.waitMs > b.waitMs ? a : b;
  return b.remaining < a.remaining ? b : a;
}
