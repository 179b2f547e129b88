import { isActive, type Scope } from '../../domain/api-key.ts';
import { endOf, type Grant } from '../../domain/grant.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { revokeGrant } from '../../storage/oauth-grants.ts';
import type { TenantServices } from './tenant-services.ts';

/** A sign-in as operators see it, beside the keys. */
export interface GrantView {
  readonly kind: 'sign-in';
  readonly id: string;
  /** As the assistant calls itself. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly state: 'active' | 'expired' | 'revoked';
  readonly createdAt: string;
  /** When it ends unless the assistant refreshes its token. */
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  /** Id of the key that the person signed in with; null for a link to the admin page. */
  readonly grantedBy: string | null;
}

/** Why a sign-in was revoked. */
export type GrantEnd =
  | 'operator'
  | 'client'
  | 'code used twice'
  | 'refresh token used twice'
  | 'room';

export function viewGrant(
  { platform, directory, keyUses }: TenantServices,
  grant: Grant,
): GrantView {
  const { id, clientName, createdAt, apiKeyId } = grant;
  const end = endOf(grant, directory.grantorOf(grant));
  const lastUsedAt = keyUses.get(id) ?? grant.lastUsedAt;
  const state =
    end.revokedAt !== null ? 'revoked' : isActive(end, platform.now()) ? 'active' : 'expired';
  return {
    kind: 'sign-in',
    id,
    name: clientName,
    scopes: ['mcp'],
    state,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(end.expiresAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
    grantedBy: apiKeyId,
  };
}

/** The next request with a token of the grant fails. Ending it twice changes nothing. */
export async function endGrant(
  { db, platform, directory }: TenantServices,
  grant: Pick<Grant, 'id' | 'organizationKey' | 'revokedAt'>,
  reason: GrantEnd,
): Promise<void> {
  if (grant.revokedAt !== null) return;
  const at = platform.now();
  const { id: organizationId } = directory.organization(grant.organizationKey);
  const entry = { at, organizationId, event: 'sign_in.revoked', details: { id: grant.id, reason } };
  await db.write([revokeGrant(grant.id, at), insertAuditEntry(db, entry)]);
  await directory.reloadAccess(grant.organizationKey);
}
