import {
  type AuthorizationRequest,
  readAuthorizationRequest,
  readRedirectUri,
} from '../../oauth/authorization-request.ts';
import { type Client, isDocumentUrl, registeredClient } from '../../oauth/client.ts';
import { type OAuthFault, type Reading, refused } from '../../oauth/oauth-fault.ts';
import { readParameters } from '../../oauth/parameters.ts';
import { responseUrl } from '../../oauth/redirect-uri.ts';
import { limitStrangers } from './limits.ts';
import type { OpenSignInServices } from './sign-in-services.ts';

/** What a client asks for, and where the answer goes. */
export interface SignInRequest {
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  /** Returned to the client unchanged. */
  readonly state: string | null;
  readonly codeChallenge: string;
  /** Id or slug of the organization that the client calls; null: the organization of the person. */
  readonly organization: string | null;
}

export type Beginning =
  | { readonly request: SignInRequest }
  | {
      readonly fault: OAuthFault;
      /** Where the client may be told; left out if its id or redirect URI is wrong. */
      readonly client?: Pick<SignInRequest, 'redirectUri' | 'state'>;
    };

/** Reads the query of an authorization request. Throws `rate_limited`. */
export async function beginSignIn(
  services: OpenSignInServices,
  query: string,
  clientAddress: string,
): Promise<Beginning> {
  limitStrangers(services, 'sign_in', clientAddress);
  const { issuer } = services.signIn;
  const parameters = readParameters(query);
  if ('fault' in parameters) return parameters;
  const client = await findClient(services, parameters.value.get('client_id'), clientAddress);
  if ('fault' in client) return client;
  const redirectUri = readRedirectUri(client.value, parameters.value);
  if ('fault' in redirectUri) return redirectUri;
  const state = parameters.value.get('state') ?? null;
  const asked = readAuthorizationRequest(issuer, parameters.value);
  if ('fault' in asked) return { ...asked, client: { redirectUri: redirectUri.value, state } };
  return { request: requestOf(client.value, redirectUri.value, { ...asked.value, state }) };
}

function requestOf(
  { id, name }: Client,
  redirectUri: string,
  asked: AuthorizationRequest & { readonly state: string | null },
): SignInRequest {
  const { state, codeChallenge, resource } = asked;
  const { organization } = resource;
  return { clientId: id, clientName: name, redirectUri, state, codeChallenge, organization };
}

async function findClient(
  services: OpenSignInServices,
  id: string | undefined,
  clientAddress: string,
): Promise<Reading<Client>> {
  const { secret, documents } = services.signIn;
  if (id === undefined) return refused('invalid_request', 'The assistant did not say who it is.');
  const registered = registeredClient(secret, id);
  if (registered !== null) return { value: registered };
  if (!isDocumentUrl(id))
    return refused('invalid_client', 'This assistant is not registered here: connect it again.');
  const known = documents.known(id);
  if (known !== null) return { value: known };
  limitStrangers(services, 'client_document', clientAddress);
  return documents.read(id);
}

/** The redirect URI with a fault for the client (RFC 6749, section 4.1.2.1). */
export function faultUrl(
  { signIn }: OpenSignInServices,
  { redirectUri, state }: Pick<SignInRequest, 'redirectUri' | 'state'>,
  { error, description }: OAuthFault,
): string {
  return responseUrl(redirectUri, {
    error,
    error_description: description,
    state,
    iss: signIn.issuer,
  });
}
