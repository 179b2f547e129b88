import Type from 'typebox';
import {
  type ApiKey,
  apiKeyId,
  DEFAULT_SCOPES,
  isActive,
  makeApiKey,
  SCOPES,
  type Scope,
} from '../../domain/api-key.ts';
import { hashCredential } from '../../domain/credential.ts';
import { AppError } from '../../domain/errors.ts';
import type { Organization } from '../../domain/organization.ts';
import { insertApiKey, touchApiKey, updateApiKey } from '../../storage/api-keys.ts';
import { findAuditEntries, insertAuditEntry } from '../../storage/audit-log.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { touchGrant } from '../../storage/oauth-grants.ts';
import { defineOperation } from '../define-operation.ts';
import { noSuchKey } from './absent-tenants.ts';
import { endGrant, type GrantView, viewGrant } from './grants.ts';
import { resolveOrganization } from './organizations.ts';
import type { TenantServices } from './tenant-services.ts';

/** A key as operators see it after its creation. */
export interface ApiKeyView {
  readonly kind: 'key';
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly state: 'active' | 'rotated' | 'expired' | 'revoked';
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

/** A new key: the only time that the full key is shown. */
export interface CreatedApiKey extends ApiKeyView {
  readonly apiKey: string;
}

const OrganizationReference = Type.Optional(
  Type.String({ description: 'Id or slug; may be omitted if there is only one.' }),
);
const KeyId = Type.String({ description: 'The twelve characters after vk_.' });

const OVERLAP_MS_MAX = 90 * 24 * 3_600_000;
const NAME_MAX = 200;
const AUDIT_ENTRIES_MAX = 1000;

export const createApiKey = defineOperation({
  name: 'key.create',
  input: Type.Object({
    organization: OrganizationReference,
    name: Type.Optional(Type.String({ maxLength: NAME_MAX })),
    scopes: Type.Optional(Type.Array(Type.Enum([...SCOPES]), { minItems: 1 })),
    expiresAt: Type.Optional(
      Type.String({ description: 'A date, or a date and time in RFC 3339 format.' }),
    ),
  }),
  async run(
    services: TenantServices,
    { organization: reference, name = '', scopes = DEFAULT_SCOPES, expiresAt },
  ) {
    const organization = resolveOrganization(services, reference);
    const expiry = expiresAt === undefined ? null : parseExpiry(expiresAt, services.platform.now());
    return addKey(
      services,
      organization,
      { name, scopes, expiresAt: expiry, secret: newSecret(services) },
      'key.created',
    );
  },
});

export const listApiKeys = defineOperation({
  name: 'key.list',
  input: Type.Object({ organization: OrganizationReference }),
  /** The keys, then the sign-ins, each oldest first. */
  async run(
    services: TenantServices,
    { organization: reference },
  ): Promise<(ApiKeyView | GrantView)[]> {
    const { key } = resolveOrganization(services, reference);
    const { directory } = services;
    const isOwn = ({ organizationKey }: { readonly organizationKey: number }) =>
      organizationKey === key;
    return [
      ...directory
        .apiKeys()
        .filter(isOwn)
        .map((apiKey) => viewApiKey(services, apiKey)),
      ...directory
        .grants()
        .filter(isOwn)
        .map((grant) => viewGrant(services, grant)),
    ];
  },
});

export const rotateApiKey = defineOperation({
  name: 'key.rotate',
  input: Type.Object({
    organization: OrganizationReference,
    id: KeyId,
    overlapMs: Type.Integer({
      minimum: 0,
      maximum: OVERLAP_MS_MAX,
      description: 'How long the old key stays valid.',
    }),
  }),
  /** A new key with the same name and scopes; the old one works until the overlap ends. */
  async run(services: TenantServices, { organization: reference, id, overlapMs }) {
    const { db, platform } = services;
    const organization = resolveOrganization(services, reference);
    const former = resolveKey(services, organization, id);
    const nowMs = platform.now();
    if (!isActive(former, nowMs))
      throw new AppError('conflict', 'That key is no longer valid: create a new one.');
    const endMs = Math.min(nowMs + overlapMs, former.expiresAt ?? Number.POSITIVE_INFINITY);
    const { name, scopes } = former;
    const successor = { name, scopes, expiresAt: null, secret: newSecret(services) };
    return addKey(services, organization, successor, 'key.rotated', [
      updateApiKey(db, id, { rotatedAt: nowMs, expiresAt: endMs }),
    ]);
  },
});

export const revokeApiKey = defineOperation({
  name: 'key.revoke',
  input: Type.Object({ organization: OrganizationReference, id: KeyId }),
  /**
   * The next request with it, or with a token that was granted with it, fails. Takes the id of a
   * sign-in as well. Revoking twice changes nothing.
   */
  async run(
    services: TenantServices,
    { organization: reference, id },
  ): Promise<ApiKeyView | GrantView> {
    const { db, platform, directory } = services;
    const organization = resolveOrganization(services, reference);
    const grant = directory.findGrant(id);
    if (grant?.organizationKey === organization.key) {
      await endGrant(services, grant, 'operator');
      return viewGrant(services, directory.findGrant(id)!);
    }
    const apiKey = resolveKey(services, organization, id);
    if (apiKey.revokedAt === null) {
      const entry = {
        at: platform.now(),
        organizationId: organization.id,
        event: 'key.revoked',
        details: { id },
      };
      await db.write([
        updateApiKey(db, id, { revokedAt: platform.now() }),
        insertAuditEntry(db, entry),
      ]);
      await directory.reloadAccess(organization.key);
    }
    return viewApiKey(services, directory.findApiKey(id)!);
  },
});

export const listAuditEntries = defineOperation({
  name: 'audit.list',
  input: Type.Object({
    organization: OrganizationReference,
    limit: Type.Integer({ minimum: 1, maximum: AUDIT_ENTRIES_MAX, default: 100 }),
  }),
  async run(services: TenantServices, { organization: reference, limit }) {
    const entries = await findAuditEntries(
      services.db,
      resolveOrganization(services, reference).id,
      limit,
    );
    return entries.map(({ at, ...entry }) => ({ at: new Date(at).toISOString(), ...entry }));
  },
});

/** Stores a key that the operator chose, at the first start of a container. Throws `invalid_input` for a malformed key. */
export async function adoptApiKey(
  services: TenantServices,
  organization: Organization,
  secret: string,
): Promise<void> {
  const id = apiKeyId(secret);
  if (id === null)
    throw new AppError('invalid_input', 'VITRINE_BOOTSTRAP_API_KEY is not a well-formed key.');
  if (services.directory.findApiKey(id) !== null) return;
  await addKey(
    services,
    organization,
    { name: 'bootstrap', scopes: DEFAULT_SCOPES, expiresAt: null, secret },
    'key.created',
  );
}

/** Writes when keys and access tokens were last used. A background task calls it, never a request. */
export async function flushKeyUses({ db, directory, keyUses }: TenantServices): Promise<void> {
  if (keyUses.size === 0) return;
  const uses = [...keyUses];
  keyUses.clear();
  await db.write(
    uses.map(([id, usedAt]) =>
      (directory.findGrant(id) === null ? touchApiKey : touchGrant)(id, usedAt),
    ),
  );
  await directory.noteUses(uses);
}

function newSecret({ platform }: TenantServices): string {
  return makeApiKey((count) => platform.randomBytes(count));
}

async function addKey(
  services: TenantServices,
  organization: Organization,
  key: { name: string; scopes: readonly Scope[]; expiresAt: number | null; secret: string },
  event: string,
  further: readonly Statement[] = [],
): Promise<CreatedApiKey> {
  const { db, platform, directory } = services;
  const { name, scopes, expiresAt, secret } = key;
  const id = apiKeyId(secret)!;
  const createdAt = platform.now();
  const stored: ApiKey = {
    id,
    organizationKey: organization.key,
    name,
    hash: hashCredential(secret),
    scopes,
    createdAt,
    expiresAt,
    revokedAt: null,
    rotatedAt: null,
    lastUsedAt: null,
  };
  const entry = {
    at: createdAt,
    organizationId: organization.id,
    event,
    details: { id, name, scopes },
  };
  await db.write([...further, insertApiKey(db, stored), insertAuditEntry(db, entry)]);
  await directory.reloadAccess(organization.key);
  return { apiKey: secret, ...viewApiKey(services, stored) };
}

function resolveKey({ directory }: TenantServices, organization: Organization, id: string): ApiKey {
  const apiKey = directory.findApiKey(id);
  if (apiKey?.organizationKey !== organization.key) throw noSuchKey(id);
  return apiKey;
}

function viewApiKey({ platform, keyUses }: TenantServices, apiKey: ApiKey): ApiKeyView {
  const { id, name, scopes, createdAt, expiresAt, revokedAt, rotatedAt } = apiKey;
  const lastUsedAt = keyUses.get(id) ?? apiKey.lastUsedAt;
  const state =
    revokedAt !== null
      ? 'revoked'
      : !isActive(apiKey, platform.now())
        ? 'expired'
        : rotatedAt !== null
          ? 'rotated'
          : 'active';
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    kind: 'key',
    id,
    name,
    scopes,
    state,
    createdAt: instant(createdAt)!,
    expiresAt: instant(expiresAt),
    lastUsedAt: instant(lastUsedAt),
  };
}

function parseExpiry(text: string, nowMs: number): number {
  const ms = Date.parse(text);
  if (!Number.isFinite(ms))
    throw new AppError('invalid_input', 'An expiry is a date such as 2027-01-31.');
  if (ms <= nowMs) throw new AppError('invalid_input', 'That expiry has passed.');
  return ms;
}
