import type { ApiKey } from './api-key.ts';

/** The MCP endpoint of whichever organization the caller belongs to. */
export const MAIN_RESOURCE = '/mcp';

export const MESSAGES_RESOURCE = '/mcp/messages';

/** The MCP endpoint of one organization, by its id. */
export function organizationResource(id: string): string {
  return `/mcp/org/${id}`;
}

/**
 * What a person allowed an assistant by signing it in: access to the MCP endpoints of one organization.
 * Times are in milliseconds since the epoch.
 */
export interface Grant {
  /** The twelve characters after the prefix of each of its tokens; safe to log. */
  readonly id: string;
  readonly organizationKey: number;
  /** The key that the person signed in with; null for a link to the admin page. */
  readonly apiKeyId: string | null;
  readonly clientId: string;
  /** As the client calls itself. */
  readonly clientName: string;
  readonly redirectUri: string;
  /** The path of the MCP endpoint that its tokens are for: `/mcp` or `/mcp/org/<id>`. */
  readonly resource: string;
  /** SHA-256 of its present access token, and when that expires. */
  readonly accessHash: Uint8Array;
  readonly accessExpiresAt: number;
  readonly createdAt: number;
  /** When its refresh token expires, and the grant with it. */
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/**
 * Whether a token for `granted` is valid at the path `called`. `/mcp` includes the endpoints below it, and
 * `/mcp/messages` serves the sessions of every endpoint.
 */
export function coversResource(granted: string, called: string): boolean {
  return granted === called || granted === MAIN_RESOURCE || called === MESSAGES_RESOURCE;
}

/**
 * A grant's access token in the form of a key, which expires and is revoked with the key that granted it.
 * `grantor` is null for a link.
 */
export function accessKeyOf(grant: Grant, grantor: ApiKey | null): ApiKey {
  const { id, organizationKey, clientName, accessHash, createdAt, lastUsedAt } = grant;
  return {
    id,
    organizationKey,
    name: clientName,
    hash: accessHash,
    scopes: ['mcp'],
    createdAt,
    expiresAt: earlier(grant.accessExpiresAt, grantor),
    revokedAt: grant.revokedAt ?? grantor?.revokedAt ?? null,
    rotatedAt: null,
    lastUsedAt,
  };
}

/** When a grant expires unless it is refreshed, and when it was revoked, if it was. */
export function endOf(
  { expiresAt, revokedAt }: Pick<Grant, 'expiresAt' | 'revokedAt'>,
  grantor: ApiKey | null,
): { readonly expiresAt: number; readonly revokedAt: number | null } {
  return {
    expiresAt: earlier(expiresAt, grantor),
    revokedAt: revokedAt ?? grantor?.revokedAt ?? null,
  };
}

function earlier(expiresAt: number, grantor: ApiKey | null): number {
  return Math.min(expiresAt, grantor?.expiresAt ?? Number.POSITIVE_INFINITY);
}
