import { type ApiKey, apiKeyId, matchesHash, type Scope } from '../domain/api-key.ts';
import { AppError } from '../domain/errors.ts';
import type { Organization } from '../domain/organization.ts';
import type { LimitState } from '../rate-limit.ts';
import type { Services } from './services.ts';

/** Somebody whose key is good. Only `identify` makes one. */
export interface Caller {
  readonly organization: Organization;
  readonly apiKey: ApiKey;
}

/** Wrong keys one address may try in a minute. A good key from there is never affected. */
const FAILED_KEYS_LIMIT = { perMinute: 30, burst: 30 };

/**
 * Whose key this is. Everything short of a key in force is `unauthorized` in the same words, and
 * `rate_limited` once the address has tried too many. Touches no database.
 */
export function identify(
  services: Services,
  apiKey: string | null,
  clientAddress: () => string,
): Caller {
  const { directory, platform, keyUses } = services;
  const id = apiKey === null ? null : apiKeyId(apiKey);
  const known = id === null ? null : directory.findApiKey(id);
  if (
    apiKey !== null &&
    known !== null &&
    matchesHash(apiKey, known.hash) &&
    isInForce(known, platform.now())
  ) {
    keyUses.set(known.id, platform.now());
    return { organization: directory.organization(known.organizationKey), apiKey: known };
  }
  const { waitMs } = services.rateLimiter.take(`failed:${clientAddress()}`, FAILED_KEYS_LIMIT);
  if (waitMs > 0)
    throw new AppError('rate_limited', 'Too many requests with a wrong key.', {
      retryAfterMs: waitMs,
    });
  throw new AppError('unauthorized', 'Send a valid API key in the header X-API-Key.');
}

/** Takes the caller's tokens; null when the organization has no limit. Never throws: look at `waitMs`. */
export function takeTurn(
  services: Services,
  { organization }: Caller,
  cost = 1,
): LimitState | null {
  if (organization.rateLimit === null) return null;
  return services.rateLimiter.take(
    `organization:${organization.key}`,
    organization.rateLimit,
    cost,
  );
}

/** Throws `forbidden` unless the key has the scope. */
export function requireScope({ apiKey }: Caller, scope: Scope): void {
  if (!apiKey.scopes.includes(scope))
    throw new AppError('forbidden', `This key lacks the scope "${scope}".`);
}

export function isInForce({ expiresAt, revokedAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > nowMs);
}
