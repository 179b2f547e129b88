import { type ApiKey, apiKeyId, matchesHash, type Scope } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import type { Organization } from '../../domain/organization.ts';
import { clientNetwork } from '../../domain/private-data.ts';
import type { LimitState, NamedLimit } from '../../rate-limit.ts';
import type { TenantServices } from './tenant-services.ts';

/** A caller that may use an organization. */
export type Caller = KeyedCaller | PublicCaller;

/** A caller with a valid key. Only `identify` makes one. */
export interface KeyedCaller {
  readonly organization: Organization;
  readonly apiKey: ApiKey;
}

/** A caller without a key, if the organization allows public access. */
export interface PublicCaller {
  readonly organization: Organization;
  readonly apiKey: null;
  /** The network of the client's address. */
  readonly network: string;
}

/** The scopes of callers without a key, limited to what the organization's own site shows. */
const PUBLIC_SCOPES: readonly Scope[] = ['mcp', 'landing'];

/** The share of public tokens per client network. It is large because many customers share few addresses. */
const NETWORK_SHARE = 1 / 2;

/** Invalid keys that one client network may try per minute. A valid key from there is never affected. */
const FAILED_KEYS_LIMIT = { perMinute: 30, burst: 30 };

/**
 * Identifies the caller by its key. Throws `unauthorized`, always in the same words, without a valid
 * key, and `rate_limited` once the client's network has tried too many. Does not use the database.
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
    isActive(known, nowMs)
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

/** Separate limits, so that neither tracking nor rebuilding starves search. */
const LIMITS = {
  hits: { perMinute: 6000, burst: 1000 },
  regenerate: { perMinute: 6, burst: 6 },
} as const;

/** The tokens that a request costs. */
export interface Charge {
  readonly bucket: 'organization' | keyof typeof LIMITS;
  /** The request's total cost, of which one token is already taken. By default, that one token. */
  readonly cost?: number;
}

/** Takes the caller's tokens; null when the organization has no limit. Never throws: check `waitMs`. */
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

/** Whether a caller that was admitted earlier would still be admitted. */
export function isStillWelcome({ directory, platform }: TenantServices, caller: Caller): boolean {
  if (caller.apiKey === null)
    return directory.organization(caller.organization.key).publicAssistants.isOn;
  const apiKey = directory.findApiKey(caller.apiKey.id);
  return apiKey !== null && isActive(apiKey, platform.now());
}

export function isActive({ expiresAt, revokedAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > nowMs);
}
