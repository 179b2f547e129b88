import type { Resource } from './resource.ts';

/** The only scope that an assistant gets. */
export const SCOPE = 'mcp';

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** Paths of the authorization server, below the issuer. */
export const ENDPOINTS = {
  authorize: '/oauth/authorize',
  consent: '/oauth/consent',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: RESOURCE_METADATA,
} as const;

/** The address of the document about the MCP endpoint at a path below `issuer`. */
export function resourceMetadataUrl(issuer: string, path: string): string {
  return `${issuer}${RESOURCE_METADATA}${path}`;
}

/** Authorization server metadata (RFC 8414). */
export function serverMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: issuer + ENDPOINTS.authorize,
    token_endpoint: issuer + ENDPOINTS.token,
    registration_endpoint: issuer + ENDPOINTS.register,
    revocation_endpoint: issuer + ENDPOINTS.revoke,
    scopes_supported: [SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Protected resource metadata (RFC 9728). */
export function resourceMetadata(issuer: string, { url }: Resource): object {
  return {
    resource: url,
    authorization_servers: [issuer],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
  };
}
