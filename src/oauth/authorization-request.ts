import type { Client } from './client.ts';
import { SCOPE } from './metadata.ts';
import { type Reading, refused } from './oauth-fault.ts';
import type { Parameters } from './parameters.ts';
import { isChallenge } from './pkce.ts';
import { matchesRedirectUri } from './redirect-uri.ts';
import { mainResource, parseResource, type Resource } from './resource.ts';

/** What a client asks for, once its id and its redirect address are known to be good. */
export interface AuthorizationRequest {
  readonly resource: Resource;
  readonly codeChallenge: string;
}

/**
 * The address to which the response goes: one that the client registered. A fault here must not be
 * sent anywhere: it is shown to the person.
 */
export function readRedirectUri(client: Client, parameters: Parameters): Reading<string> {
  const asked = parameters.get('redirect_uri');
  const [only, ...others] = client.redirectUris;
  if (asked === undefined)
    return only !== undefined && others.length === 0
      ? { value: only }
      : refused('invalid_request', 'The assistant did not say where to return to.');
  return client.redirectUris.some((registered) => matchesRedirectUri(registered, asked))
    ? { value: asked }
    : refused('invalid_request', 'The assistant asks to return to an address it never registered.');
}

/** Reads the rest of an authorization request. A fault goes back to the client. */
export function readAuthorizationRequest(
  issuer: string,
  parameters: Parameters,
): Reading<AuthorizationRequest> {
  const responseType = parameters.get('response_type');
  if (responseType === undefined)
    return refused('invalid_request', 'The parameter response_type is missing.');
  if (responseType !== 'code')
    return refused('unsupported_response_type', 'The only response_type is code.');
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    return refused('invalid_request', 'The only response_mode is query.');
  const codeChallenge = parameters.get('code_challenge') ?? '';
  if (parameters.get('code_challenge_method') !== 'S256' || !isChallenge(codeChallenge))
    return refused(
      'invalid_request',
      'PKCE is required: send code_challenge, and code_challenge_method=S256.',
    );
  const scope = parameters.get('scope');
  if (scope !== undefined && !scope.split(' ').includes(SCOPE))
    return refused('invalid_scope', `The only scope is ${SCOPE}.`);
  const resource = readResource(issuer, parameters);
  return resource === null
    ? refused('invalid_target', 'The resource is not an MCP endpoint of this service.')
    : { value: { resource, codeChallenge } };
}

/** Null if the named resource is not ours. */
function readResource(issuer: string, parameters: Parameters): Resource | null {
  const named = parameters.get('resource');
  return named === undefined ? mainResource(issuer) : parseResource(issuer, named);
}
