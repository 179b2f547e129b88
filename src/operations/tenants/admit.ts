import { type ApiKey, isActive, type Scope } from '../../domain/api-key.ts';
import { claimedId, credentialId, matchesHash } from '../../domain/credential.ts';
import { AppError } from '../../domain/errors.ts';
import { coversResource, endOf } from '../../domain/grant.ts';
import type { Organization } from '../../domain/organization.ts';
import { clientNetwork } from '../../domain/private-data.ts';
import type { LimitState, NamedLimit } from '../../rate-limit.ts';
import type { TenantServices } from './tenant-services.ts';

/** A caller that may use an organization. */
export type Caller = KeyedCaller | PublicCaller;

/** A caller with a valid key or access token. Only `identify` makes one. */
export interface KeyedCaller {
  readonly organization: Organization;
  /** For an access token, its grant as a key. */
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

/** What a caller identifies itself with. */
export interface Identification {
  /** A key or an access token; null if it sends neither. */
  readonly secret: string | null;
  /** The path of the MCP endpoint that it calls; null elsewhere, where no access token counts. */
  readonly resource: string | null;
  clientAddress(): string;
}

/**
 * Identifies the caller by its key or access token. Throws `unauthorized`, always in the same words,
 * without a valid one, and what `findCaller` throws.
 */
export function identify(services: TenantServices, given: Identification): KeyedCaller {
  const caller = findCaller(services, given);
  if (caller !== null) return caller;
  throw new AppError('unauthorized', 'Send a valid API key in the header X-API-Key.');
}

/**
 * The caller with this key or access token; null without a valid one. Throws `rate_limited` once the
 * client's network has tried too many. Does not use the database.
 */
export function findCaller(services: TenantServices, given: Identification): KeyedCaller | null {
  const { directory, platform, keyUses } = services;
  const { secret, resource, clientAddress } = given;
  const known = secret === null ? null : findKey(services, secret, resource);
  if (secret !== null && known !== null && matchesHash(secret, known.hash)) {
    const nowMs = platform.now();
    if (isActive(known, nowMs)) {
      keyUses.set(known.id, nowMs);
      return { organization: directory.organization(known.organizationKey), apiKey: known };
    }
    // A client with an expired token has to refresh it. It has not guessed.
    if (credentialId('accessToken', secret) !== null) return null;
  }
  chargeFailure(services, clientAddress());
  return null;
}

/** The stored record of the key that the secret claims to be or, at an endpoint that it is for, of an access token. */
function findKey(
  { directory }: TenantServices,
  secret: string,
  resource: string | null,
): ApiKey | null {
  const keyId = claimedId('apiKey', secret);
  if (keyId !== null) return directory.findApiKey(keyId);
  const grantId = resource === null ? null : claimedId('accessToken', secret);
  const grant = grantId === null ? null : directory.findGrant(grantId);
  if (grant === null || !coversResource(grant.resource, resource!)) return null;
  return directory.findAccessKey(grant.id);
}

/** Throws `rate_limited` once the client's network has tried too many wrong secrets. */
export function chargeFailure({ rateLimiter }: TenantServices, clientAddress: string): void {
  const { waitMs } = rateLimiter.take([
    { name: `failed:${clientNetwork(clientAddress)}`, limit: FAILED_KEYS_LIMIT },
  ]);
  if (waitMs > 0)
    throw new AppError('rate_limited', 'Too many requests with a wrong key.', {
      retryAfterMs: waitMs,
    });
}

/** Separate limits, so that neither tracking nor pushing nor rebuilding starves search. */
const LIMITS = {
  catalog: { perMinute: 600, burst: 100 },
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

/**
 * Whether a caller that was admitted earlier would still be admitted. One with an access token may
 * outlive it: as long as nobody ends its grant, it can get a new one.
 */
export function isStillWelcome({ directory, platform }: TenantServices, caller: Caller): boolean {
  if (caller.apiKey === null)
    return directory.organization(caller.organization.key).publicAssistants.isOn;
  const { id } = caller.apiKey;
  const grant = directory.findGrant(id);
  const end = grant === null ? directory.findApiKey(id) : endOf(grant, directory.grantorOf(grant));
  return end !== null && isActive(end, platform.now());
}
