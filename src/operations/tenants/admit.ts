import { type ApiKey, apiKeyId, matchesHash, type Scope } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import type { Organization } from '../../domain/organization.ts';
import { clientNetwork } from '../../domain/private-data.ts';
import type { LimitState, NamedLimit } from '../../rate-limit.ts';
import type { TenantServices } from './tenant-services.ts';

/** Somebody who may call an organization. */
export type Caller = KeyedCaller | PublicCaller;

/** Somebody whose key is good. Only `identify` makes one. */
export interface KeyedCaller {
  readonly organization: Organization;
  readonly apiKey: ApiKey;
}

/** Somebody without a key, where the organization answers everybody. */
export interface PublicCaller {
  readonly organization: Organization;
  readonly apiKey: null;
  /** Of the client's address. */
  readonly network: string;
}

/** What everybody may do where an organization answers everybody: what its own site shows. */
const PUBLIC_SCOPES: readonly Scope[] = ['mcp', 'landing'];

/** The share of the public tokens that one client network may use: many customers call from few addresses. */
const NETWORK_SHARE = 1 / 2;

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
): KeyedCaller {
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
  const { waitMs } = services.rateLimiter.take([
    { name: `failed:${clientNetwork(clientAddress())}`, limit: FAILED_KEYS_LIMIT },
  ]);
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
  caller: Caller,
  { bucket, cost }: Charge,
): LimitState | null {
  const limits = caller.apiKey === null ? publicLimits(caller) : keyedLimits(caller, bucket);
  if (limits.length === 0) return null;
  return cost === undefined ? rateLimiter.take(limits) : rateLimiter.takeRest(limits, cost);
}

function keyedLimits(
  { organization: { key, rateLimit } }: KeyedCaller,
  bucket: Charge['bucket'],
): NamedLimit[] {
  if (rateLimit === null) return [];
  const limit = bucket === 'organization' ? rateLimit : LIMITS[bucket];
  return [{ name: `${bucket}:${key}`, limit }];
}

function publicLimits({ organization, network }: PublicCaller): NamedLimit[] {
  const { key, publicAssistants } = organization;
  const { perMinute, burst } = publicAssistants.rateLimit;
  const share = {
    perMinute: perMinute * NETWORK_SHARE,
    burst: Math.max(1, Math.floor(burst * NETWORK_SHARE)),
  };
  return [
    { name: `public:${key}`, limit: publicAssistants.rateLimit },
    { name: `public_client:${key} ${network}`, limit: share },
  ];
}

export function hasScope({ apiKey }: Caller, scope: Scope): boolean {
  return (apiKey?.scopes ?? PUBLIC_SCOPES).includes(scope);
}

/** Throws `forbidden` unless the caller has the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (hasScope(caller, scope)) return;
  throw new AppError(
    'forbidden',
    caller.apiKey === null
      ? `This needs a key with the scope "${scope}".`
      : `This key lacks the scope "${scope}".`,
  );
}

/** Whether somebody who was let in would be let in now. */
export function isStillWelcome({ directory, platform }: TenantServices, caller: Caller): boolean {
  if (caller.apiKey === null)
    return directory.organization(caller.organization.key).publicAssistants.isOn;
  const apiKey = directory.findApiKey(caller.apiKey.id);
  return apiKey !== null && isInForce(apiKey, platform.now());
}

export function isInForce({ expiresAt, revokedAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > nowMs);
}
