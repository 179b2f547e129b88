import type { Grant } from '../domain/grant.ts';
import type { Database } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/** The row of a grant, whether its code was redeemed or not. Hashes in base64url. */
export interface StoredGrant extends Omit<Grant, 'accessHash' | 'accessExpiresAt'> {
  readonly codeHash: string;
  /** The PKCE challenge. */
  readonly codeChallenge: string;
  /** Null until the code is redeemed. */
  readonly accessHash: string | null;
  readonly accessExpiresAt: number | null;
  readonly refreshHash: string | null;
}

/** A grant whose code is still to be redeemed. */
export type NewGrant = Omit<
  StoredGrant,
  'accessHash' | 'accessExpiresAt' | 'refreshHash' | 'revokedAt' | 'lastUsedAt'
>;

/** The tokens that a grant gets, as they are stored. */
export interface TokenHashes {
  readonly accessHash: string;
  readonly accessExpiresAt: number;
  readonly refreshHash: string;
  /** When the refresh token expires. */
  readonly expiresAt: number;
}

const COLUMNS = `id, organization_key AS organizationKey, api_key_id AS apiKeyId,
  client_id AS clientId, client_name AS clientName, redirect_uri AS redirectUri, resource,
  code_hash AS codeHash, code_challenge AS codeChallenge, access_hash AS accessHash,
  access_expires_at AS accessExpiresAt, refresh_hash AS refreshHash, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt`;

/** Every grant that has tokens, of one organization or of all, including revoked and expired ones, oldest first. */
export async function findGrants(db: Database, organizationKey?: number): Promise<Grant[]> {
  const rows = await db.all<StoredGrant & { accessHash: string; accessExpiresAt: number }>({
    sql: `SELECT ${COLUMNS} FROM oauth_grants
          WHERE access_hash IS NOT NULL AND organization_key = coalesce(?, organization_key)
          ORDER BY created_at, id`,
    args: [organizationKey ?? null],
  });
  return rows.map(({ codeHash: _, codeChallenge: __, refreshHash: ___, ...grant }) => ({
    ...grant,
    accessHash: new Uint8Array(Buffer.from(grant.accessHash, 'base64url')),
  }));
}

export async function findGrant(db: Database, id: string): Promise<StoredGrant | null> {
  const [row] = await db.all<StoredGrant>({
    sql: `SELECT ${COLUMNS} FROM oauth_grants WHERE id = ?`,
    args: [id],
  });
  return row ?? null;
}

export function insertGrant(grant: NewGrant): Statement {
  return {
    sql: `INSERT INTO oauth_grants (id, organization_key, api_key_id, client_id, client_name,
            redirect_uri, resource, code_hash, code_challenge, created_at, expires_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [
      ...[grant.id, grant.organizationKey, grant.apiKeyId, grant.clientId, grant.clientName],
      ...[grant.redirectUri, grant.resource, grant.codeHash, grant.codeChallenge],
      ...[grant.createdAt, grant.expiresAt],
    ],
  };
}

const SET_TOKENS =
  'UPDATE oauth_grants SET access_hash = ?, access_expires_at = ?, refresh_hash = ?, expires_at = ?';

/**
 * Gives a grant its first tokens, once. Resolves with false if its code was redeemed already or the
 * grant was revoked.
 */
export async function saveFirstTokens(
  db: Database,
  id: string,
  tokens: TokenHashes,
): Promise<boolean> {
  const { accessHash, accessExpiresAt, refreshHash, expiresAt } = tokens;
  const [changed] = await db.write([
    {
      sql: `${SET_TOKENS} WHERE id = ? AND access_hash IS NULL AND revoked_at IS NULL RETURNING id`,
      args: [accessHash, accessExpiresAt, refreshHash, expiresAt, id],
    },
  ]);
  return changed!.rows.length > 0;
}

/**
 * Replaces a grant's tokens, and remembers the latest `keep` refresh tokens that were replaced.
 * Resolves with false if `formerHash` is not that of its refresh token or the grant was revoked.
 */
export async function replaceTokens(
  db: Database,
  former: { readonly id: string; readonly formerHash: string; readonly nowMs: number },
  tokens: TokenHashes,
  keep: number,
): Promise<boolean> {
  const { id, formerHash, nowMs } = former;
  const { accessHash, accessExpiresAt, refreshHash, expiresAt } = tokens;
  const [, changed] = await db.write([
    {
      sql: `INSERT INTO oauth_spent_tokens (token_hash, grant_id, spent_at)
            SELECT refresh_hash, id, ? FROM oauth_grants
            WHERE id = ? AND refresh_hash = ? AND revoked_at IS NULL`,
      args: [nowMs, id, formerHash],
    },
    {
      sql: `${SET_TOKENS} WHERE id = ? AND refresh_hash = ? AND revoked_at IS NULL RETURNING id`,
      args: [accessHash, accessExpiresAt, refreshHash, expiresAt, id, formerHash],
    },
    {
      sql: `DELETE FROM oauth_spent_tokens WHERE token_hash IN (
              SELECT token_hash FROM oauth_spent_tokens WHERE grant_id = ?
              ORDER BY spent_at DESC, token_hash LIMIT -1 OFFSET ?)`,
      args: [id, keep],
    },
  ]);
  return changed!.rows.length > 0;
}

/** When the grant's refresh token with this hash was replaced; null if it had none that was. */
export async function findSpentAt(
  db: Database,
  { id, hash }: { readonly id: string; readonly hash: string },
): Promise<number | null> {
  const [row] = await db.all<{ spentAt: number }>({
    sql: `SELECT spent_at AS spentAt FROM oauth_spent_tokens WHERE token_hash = ? AND grant_id = ?`,
    args: [hash, id],
  });
  return row?.spentAt ?? null;
}

/** Keeps the time of an earlier revocation. */
export function revokeGrant(id: string, revokedAt: number): Statement {
  return {
    sql: 'UPDATE oauth_grants SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?',
    args: [revokedAt, id],
  };
}

/** Never moves the time back: another instance may have seen the token later. */
export function touchGrant(id: string, usedAt: number): Statement {
  return {
    sql: 'UPDATE oauth_grants SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
    args: [usedAt, id],
  };
}

/**
 * Deletes codes that expired before `codesBefore` without being redeemed, and grants that expired
 * or were revoked before `grantsBefore`.
 */
export function forgetGrants({
  codesBefore,
  grantsBefore,
}: {
  readonly codesBefore: number;
  readonly grantsBefore: number;
}): Statement[] {
  const ended = `(access_hash IS NULL AND expires_at < ?) OR expires_at < ? OR revoked_at < ?`;
  const args = [codesBefore, grantsBefore, grantsBefore];
  return [
    {
      sql: `DELETE FROM oauth_spent_tokens WHERE grant_id IN (SELECT id FROM oauth_grants WHERE ${ended})`,
      args,
    },
    { sql: `DELETE FROM oauth_grants WHERE ${ended}`, args },
  ];
}
