import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationFull,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { CHECK_AGENT } from '../domain/agent.ts';
import type { Step } from './check-step.ts';

export interface SignInOptions {
  /** URL of the MCP endpoint. */
  readonly url: URL;
  /** Where the endpoint's challenge says that its metadata are. */
  readonly metadataUrl: URL;
  /** Names the check to the service, and ends with it. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** Where the check would be sent back to if a person signed it in. */
const REDIRECT_URL = 'http://127.0.0.1/callback';

/**
 * What an assistant does before a person can sign it in. It registers as a client, which leaves no trace,
 * because vitrine stores none.
 */
export function signInSteps(options: SignInOptions): readonly Step[] {
  const { url, metadataUrl, fetch } = options;
  let issuer = '';
  let resource = '';
  let server: AuthorizationServerMetadata | undefined;
  let client: OAuthClientInformationFull | undefined;
  return [
    {
      name: 'protected resource metadata',
      hint: `A proxy must pass ${metadataUrl.pathname} on to the service, and public_url must be its address.`,
      async run() {
        const about = await discoverOAuthProtectedResourceMetadata(
          url,
          { resourceMetadataUrl: metadataUrl },
          fetch,
        );
        const isMeant = url.href.startsWith(about.resource);
        if (!isMeant) throw new Error(`They are about ${about.resource}, not about ${url.href}.`);
        resource = about.resource;
        issuer = about.authorization_servers?.[0] ?? '';
        if (issuer === '') throw new Error('They name no authorization server.');
        return `people sign in at ${issuer}`;
      },
    },
    {
      name: 'authorization server metadata',
      hint: 'A proxy must pass /.well-known/oauth-authorization-server on to the service.',
      async run() {
        server = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
        if (server === undefined) throw new Error(`${issuer} has none.`);
        if (server.code_challenge_methods_supported?.includes('S256') !== true)
          throw new Error('They do not offer PKCE with S256.');
        const isSecure = server.authorization_endpoint.startsWith('https://');
        if (!isSecure && url.protocol === 'https:')
          throw new Error(`${server.authorization_endpoint} is not https.`);
        return `${server.authorization_endpoint}, ${server.token_endpoint}`;
      },
    },
    {
      name: 'client registration',
      hint: 'A proxy must pass /oauth/ on to the service.',
      async run() {
        client = await registerClient(issuer, {
          ...(server && { metadata: server }),
          clientMetadata: { client_name: CHECK_AGENT, redirect_uris: [REDIRECT_URL] },
          fetchFn: fetch,
        });
        return 'a client is accepted';
      },
    },
    {
      name: 'sign-in page',
      hint: 'A proxy must pass /oauth/ on to the service, with its query.',
      async run() {
        if (client === undefined) throw new Error('No client is registered.');
        const { authorizationUrl } = await startAuthorization(issuer, {
          ...(server && { metadata: server }),
          clientInformation: client,
          redirectUrl: REDIRECT_URL,
          resource: new URL(resource),
        });
        const { status } = await fetch(authorizationUrl, { redirect: 'manual' });
        if (status !== 200) throw new Error(`The response was ${status}.`);
        return 'it appears; a person does the rest';
      },
    },
  ];
}
