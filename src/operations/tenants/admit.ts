import { type ApiKey, apiKeyId, matchesHash, type Scope } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import type { Organization } from '../../domain/organization.ts';
import { clientNetwork } from '../../domain/private-data.ts';
import type { LimitState } from '../../rate-limit.ts';
import type { TenantServices } from './tenant-services.ts';

/** Somebody whose key is good. Only `identify` makes one. */
export interface Caller {
  readonly organization: Organization;
  readonly apiKey: ApiKey;
}

/** Wrong keys that one client network may try in a minute. A good key from there is never affected. */
const FAILED_KEYS_LIMIT = { perMinute: 30, burst: 30 };

/**
 * Whose key this is. Everything short of a key in force is `unauthorized` in the same words, and
 * `rate_limited` once the client's network has tried too many. Touches no database.
 */
export function identify(
  services: TenantServices,
  apiKey: string | null,
  clientAddress: () => string,
): Caller {
  const { directory, platform, keyUses } = services;
  const id = apiKey === null ? null : apiKeyId(apiKey);
  const known = id === null ? null : directory.findApiKey(id);
  const nowMs = platform.now();
  if (
    apiKey !== null &&
    known !== null &&
    matchesHash(apiKey, known.hash) &&
    isInForce(known, nowMs)
  ) {
    keyUses.set(known.id, nowMs);
    return { organization: directory.organization(known.organizationKey), apiKey: known };
  }
  const { waitMs } = services.rateLimiter.take(
    `failed:${clientNetwork(clientAddress())}`,
    FAILED_KEYS_LIMIT,
  );
  if (waitMs > 0)
    throw new AppError('rate_limited', 'Too many requests with a wrong key.', {
      retryAfterMs: waitMs,
    });
  throw new AppError('unauthorized', 'Send a valid API key in the header X-API-Key.');
}

/** What is limited apart from the rest, so that neither tracking nor rebuilding starves search. */
const LIMITS = {
  hits: { perMinute: 6000, burst: 1000 },
  regenerate: { perMinute: 6, burst: 6 },
} as const;

/** What a request takes from its organization. */
export interface Charge {
  readonly bucket: 'organization' | keyof typeof LIMITS;
  /** Left out: the one token that every request costs. Else all that it costs, of which that one was taken. */
  readonly cost?: number;
}

/** Takes the caller's tokens; null when the organization has no limit. Never throws: look at `waitMs`. */
export function takeTurn(
  { rateLimiter }: TenantServices,
  { organization }: Caller,
  { bucket, cost }: Charge,
): LimitState | null {
  const { key, rateLimit } = organization;
  if (rateLimit === null) return null;
  const limit = bucket === 'organization' ? rateLimit : LIMITS[bucket];
  const name = `${bucket}:${key}`;
  return cost === undefined
    ? rateLimiter.take(name, limit)
    : rateLimiter.takeRest(name, limit, cost);
}

/** Throws `forbidden` unless the key has the scope. */
export function requireScope({ apiKey }: Caller, scope: Scope): void {
  if (!apiKey.scopes.includes(scope))
    throw new AppError('forbidden', `This key lacks the scope "${scope}".`);
}

export function isInForce({ expiresAt, revokedAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > nowMs);
}
