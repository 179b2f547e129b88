import { isActive } from '../../domain/api-key.ts';
import {
  type CredentialKind,
  credentialId,
  makeCredential,
  type RandomBytes,
} from '../../domain/credential.ts';
import { endOf, MAIN_RESOURCE, organizationResource } from '../../domain/grant.ts';
import { SCOPE } from '../../oauth/metadata.ts';
import { type Reading, refused } from '../../oauth/oauth-fault.ts';
import { readParameters } from '../../oauth/parameters.ts';
import { provesChallenge } from '../../oauth/pkce.ts';
import { parseResource } from '../../oauth/resource.ts';
import { successorBytes } from '../../oauth/successor.ts';
import { readTokenRequest, type TokenRequest } from '../../oauth/token-request.ts';
import {
  findGrant,
  findSpentAt,
  replaceTokens,
  type StoredGrant,
  saveFirstTokens,
  type TokenHashes,
} from '../../storage/oauth-grants.ts';
import { endGrant, type GrantEnd } from '../tenants/grants.ts';
import { storedHash } from './grant-access.ts';
import { limitStrangers } from './limits.ts';
import type { OpenSignInServices } from './sign-in-services.ts';

const ACCESS_MS = 3_600_000;
const REFRESH_MS = 30 * 24 * 3_600_000;

/** Most sign-ins of an organization; the least recently used one makes room. */
const GRANTS_MAX = 1000;

/** Used refresh tokens kept for each grant, to detect reuse: one an hour for 30 days. */
const SPENT_MAX = 720;

/**
 * How long the refresh token that was replaced last may come again: two windows of a client refresh at
 * the same time, or an answer is lost.
 */
const RETRY_MS = 60_000;

/** Time until every instance on a database server accepts a new token. */
const SPREAD_MS = 2000;

/** A successful answer of the token endpoint (RFC 6749, section 5.1). */
export interface Tokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Exchanges a code or a refresh token for tokens. Throws `rate_limited`. */
export async function issueTokens(
  services: OpenSignInServices,
  form: string,
  clientAddress: string,
): Promise<Reading<Tokens>> {
  limitStrangers(services, 'token', clientAddress);
  const parameters = readParameters(form);
  if ('fault' in parameters) return parameters;
  const request = readTokenRequest(parameters.value);
  if ('fault' in request) return request;
  return request.value.grantType === 'authorization_code'
    ? redeemCode(services, request.value)
    : refreshTokens(services, request.value);
}

type OfType<Type> = Extract<TokenRequest, { readonly grantType: Type }>;

const BAD_CODE = refused(
  'invalid_grant',
  'The code is unknown, was used already, has expired or belongs to another request.',
);

const BAD_TOKEN = refused(
  'invalid_grant',
  'The refresh token is unknown, was used already, has expired or was revoked.',
);

const BAD_RESOURCE = refused('invalid_target', 'The grant is for another resource.');

/** A code that is presented twice was stolen, so its grant is revoked. */
async function redeemCode(
  services: OpenSignInServices,
  request: OfType<'authorization_code'>,
): Promise<Reading<Tokens>> {
  const { code, codeVerifier, redirectUri } = request;
  const grant = await presentedGrant(services, credentialId('code', code), request);
  if (grant === null || grant.codeHash !== storedHash(code)) return BAD_CODE;
  if (grant.accessHash !== null) return stolen(services, grant, 'code used twice');
  const isOther = redirectUri !== null && redirectUri !== grant.redirectUri;
  if (!isOpen(services, grant) || isOther || !provesChallenge(codeVerifier, grant.codeChallenge))
    return BAD_CODE;
  if (!isForResource(services, request, grant)) return BAD_RESOURCE;
  const pair = makePair(grant, () => services.platform.randomBytes);
  const hashes = hashesOf(services, pair);
  if (!(await saveFirstTokens(services.db, grant.id, hashes)))
    return stolen(services, grant, 'code used twice');
  await publish(services, grant);
  await makeRoom(services, grant);
  return { value: tokensOf(services, { ...grant, ...hashes }, pair) };
}

/** Replaces both tokens of a grant. */
async function refreshTokens(
  services: OpenSignInServices,
  request: OfType<'refresh_token'>,
): Promise<Reading<Tokens>> {
  const { db, platform } = services;
  const { refreshToken } = request;
  const grant = await presentedGrant(services, credentialId('refreshToken', refreshToken), request);
  if (grant === null) return BAD_TOKEN;
  const formerHash = storedHash(refreshToken);
  if (grant.refreshHash !== formerHash) return repeatRefresh(services, request, grant);
  if (!isOpen(services, grant)) return BAD_TOKEN;
  if (!isForResource(services, request, grant)) return BAD_RESOURCE;
  const pair = makeSuccessors(services, grant, refreshToken);
  const hashes = hashesOf(services, pair);
  const former = { id: grant.id, formerHash, nowMs: platform.now() };
  if (!(await replaceTokens(db, former, hashes, SPENT_MAX))) {
    // Another request with the same token came first.
    const changed = await findGrant(db, grant.id);
    return changed === null ? BAD_TOKEN : repeatRefresh(services, request, changed);
  }
  await publish(services, grant);
  return { value: tokensOf(services, { ...grant, ...hashes }, pair) };
}

/**
 * Answers a refresh token that was replaced already. For `RETRY_MS`, the token replaced last gets the
 * same tokens again. Otherwise one of its two users stole it, so its grant is revoked.
 */
async function repeatRefresh(
  services: OpenSignInServices,
  request: OfType<'refresh_token'>,
  grant: StoredGrant,
): Promise<Reading<Tokens>> {
  const { db, platform } = services;
  const { refreshToken } = request;
  const spentAt = await findSpentAt(db, { id: grant.id, hash: storedHash(refreshToken) });
  if (spentAt === null) return BAD_TOKEN;
  const pair = makeSuccessors(services, grant, refreshToken);
  const isLatest = grant.refreshHash === storedHash(pair.refresh);
  if (!isLatest || Math.abs(platform.now() - spentAt) > RETRY_MS)
    return stolen(services, grant, 'refresh token used twice');
  if (!isOpen(services, grant)) return BAD_TOKEN;
  if (!isForResource(services, request, grant)) return BAD_RESOURCE;
  await publish(services, grant);
  return { value: tokensOf(services, grant, pair) };
}

/** The grant with this id, if it is the client's own; else null. */
async function presentedGrant(
  { db }: OpenSignInServices,
  id: string | null,
  { clientId }: TokenRequest,
): Promise<StoredGrant | null> {
  const grant = id === null ? null : await findGrant(db, id);
  return grant?.clientId === clientId ? grant : null;
}

async function stolen(
  services: OpenSignInServices,
  grant: StoredGrant,
  reason: GrantEnd,
): Promise<Reading<Tokens>> {
  await endGrant(services, grant, reason);
  return reason === 'code used twice' ? BAD_CODE : BAD_TOKEN;
}

/** Whether neither the grant nor the key that granted it has ended. */
function isOpen({ directory, platform }: OpenSignInServices, grant: StoredGrant): boolean {
  return isActive(endOf(grant, directory.grantorOf(grant)), platform.now());
}

/**
 * Whether the resource that the request names, if any, is the granted one (RFC 8707). A refresh may
 * name `/mcp` instead: clients of the older transport post to `/mcp/messages`, where a 401 names `/mcp`.
 * The new token is still for the granted resource.
 */
function isForResource(
  { signIn, directory }: OpenSignInServices,
  { resource, grantType }: TokenRequest,
  grant: StoredGrant,
): boolean {
  if (resource === null) return true;
  const asked = parseResource(signIn.issuer, resource);
  if (asked === null) return false;
  const { organization } = asked;
  if (organization === null)
    return grant.resource === MAIN_RESOURCE || grantType === 'refresh_token';
  const named = directory.findOrganization(organization);
  return named !== null && grant.resource === organizationResource(named.id);
}

interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

function makePair({ id }: StoredGrant, bytesFor: (kind: CredentialKind) => RandomBytes): TokenPair {
  return {
    access: makeCredential('accessToken', id, bytesFor('accessToken')),
    refresh: makeCredential('refreshToken', id, bytesFor('refreshToken')),
  };
}

/** The tokens that replace a refresh token, the same each time. */
function makeSuccessors(
  { signIn }: OpenSignInServices,
  grant: StoredGrant,
  refreshToken: string,
): TokenPair {
  return makePair(grant, (kind) => successorBytes(signIn.secret, kind, refreshToken));
}

function hashesOf({ platform }: OpenSignInServices, { access, refresh }: TokenPair): TokenHashes {
  const nowMs = platform.now();
  return {
    accessHash: storedHash(access),
    accessExpiresAt: nowMs + ACCESS_MS,
    refreshHash: storedHash(refresh),
    expiresAt: nowMs + REFRESH_MS,
  };
}

function tokensOf(
  { platform, directory }: OpenSignInServices,
  grant: StoredGrant,
  { access, refresh }: TokenPair,
): Tokens {
  const issued = { expiresAt: grant.accessExpiresAt ?? 0, revokedAt: null };
  const end = endOf(issued, directory.grantorOf(grant));
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.floor((end.expiresAt - platform.now()) / 1000)),
    refresh_token: refresh,
    scope: SCOPE,
  };
}

/** Resolves when every instance accepts the new token. */
async function publish(
  { db, directory, platform, signIn }: OpenSignInServices,
  { organizationKey }: StoredGrant,
): Promise<void> {
  await directory.reloadAccess(organizationKey);
  if (db.instance !== null) await platform.sleep(SPREAD_MS, signIn.stopping);
}

async function makeRoom(
  services: OpenSignInServices,
  { organizationKey }: StoredGrant,
): Promise<void> {
  const { directory, platform, keyUses } = services;
  const open = directory
    .grants()
    .filter((grant) => grant.organizationKey === organizationKey)
    .filter((grant) => isActive(endOf(grant, directory.grantorOf(grant)), platform.now()))
    .map((grant) => ({
      grant,
      usedAt: keyUses.get(grant.id) ?? grant.lastUsedAt ?? grant.createdAt,
    }))
    .sort((a, b) => a.usedAt - b.usedAt);
  for (const { grant } of open.slice(0, Math.max(0, open.length - GRANTS_MAX)))
    await endGrant(services, grant, 'room');
}
