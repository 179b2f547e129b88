import { asc, eq } from 'drizzle-orm';
import type { ApiKey, Scope } from '../domain/api-key.ts';
import type { Database } from './engine/database.ts';
import { apiKeys } from './engine/schema.ts';
import { type Statement, statement } from './engine/statement.ts';

/**
 * Every key ever created, of one organization or of all, including revoked and expired ones, oldest first.
 */
export async function findApiKeys(db: Database, organizationKey?: number): Promise<ApiKey[]> {
  const isAsked =
    organizationKey === undefined ? undefined : eq(apiKeys.organizationKey, organizationKey);
  const rows = await db.find(
    db.orm.select().from(apiKeys).where(isAsked).orderBy(asc(apiKeys.createdAt), asc(apiKeys.id)),
  );
  return rows.map(({ scopes, hash, ...row }) => ({
    ...row,
    hash: new Uint8Array(hash),
    scopes: scopes.split(' ') as Scope[],
  }));
}

export function insertApiKey(db: Database, key: ApiKey): Statement {
  return statement(
    db.orm
      .insert(apiKeys)
      .values({ ...key, hash: Buffer.from(key.hash), scopes: key.scopes.join(' ') }),
  );
}

/** Never moves the time back: another instance may have seen the key later. */
export function touchApiKey(id: string, usedAt: number): Statement {
  return {
    sql: 'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
    args: [usedAt, id],
  };
}

export function updateApiKey(
  db: Database,
  id: string,
  changes: Partial<Pick<ApiKey, 'expiresAt' | 'revokedAt' | 'rotatedAt'>>,
): Statement {
  return statement(db.orm.update(apiKeys).set(changes).where(eq(apiKeys.id, id)));
}
