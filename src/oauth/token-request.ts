import { SCOPE } from './metadata.ts';
import { type Reading, refused } from './oauth-fault.ts';
import type { Parameters } from './parameters.ts';

/** What a client presents for tokens. */
export type TokenRequest = {
  readonly clientId: string;
  /** As the client spells it; null if it names none. */
  readonly resource: string | null;
} & (
  | {
      readonly grantType: 'authorization_code';
      readonly code: string;
      readonly codeVerifier: string;
      /** Null if the client leaves it out, as OAuth 2.1 allows. */
      readonly redirectUri: string | null;
    }
  | { readonly grantType: 'refresh_token'; readonly refreshToken: string }
);

/** Reads a request to the token endpoint (OAuth 2.1, section 3.2). */
export function readTokenRequest(parameters: Parameters): Reading<TokenRequest> {
  const missing = (name: string) => refused('invalid_request', `The parameter ${name} is missing.`);
  const grantType = parameters.get('grant_type');
  if (grantType === undefined) return missing('grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    return refused(
      'unsupported_grant_type',
      'The grant_type must be authorization_code or refresh_token.',
    );
  const clientId = parameters.get('client_id');
  if (clientId === undefined) return missing('client_id');
  const resource = parameters.get('resource') ?? null;
  if (grantType === 'refresh_token') {
    const refreshToken = parameters.get('refresh_token');
    if (refreshToken === undefined) return missing('refresh_token');
    const scope = parameters.get('scope');
    if (scope !== undefined && !scope.split(' ').includes(SCOPE))
      return refused('invalid_scope', `The only scope is ${SCOPE}.`);
    return { value: { grantType, clientId, resource, refreshToken } };
  }
  const code = parameters.get('code');
  if (code === undefined) return missing('code');
  const codeVerifier = parameters.get('code_verifier');
  if (codeVerifier === undefined) return missing('code_verifier');
  const redirectUri = parameters.get('redirect_uri') ?? null;
  return { value: { grantType, clientId, resource, code, codeVerifier, redirectUri } };
}
