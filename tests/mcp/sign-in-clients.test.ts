import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  Client as NewerClient,
  StreamableHTTPClientTransport as NewerHttp,
} from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { fetchOf } from '../support/mcp.ts';
import { allow, ISSUER, RETURN_URL } from '../support/sign-in.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const DOCUMENT_URL = 'https://assistant.example/client.json';

/** What the document at that address says. */
const DOCUMENT = {
  client_id: DOCUMENT_URL,
  client_name: 'An assistant with a document',
  redirect_uris: [RETURN_URL],
  token_endpoint_auth_method: 'none',
};

let service: LocalService;
beforeAll(async () => {
  service = await startService({
    flags: { 'public-url': ISSUER },
    fetchDocument: async (url) => (url === DOCUMENT_URL ? DOCUMENT : null),
  });
});
afterAll(() => service.close());

/** What a host of assistants keeps for one server. */
class Host {
  readonly redirectUrl = RETURN_URL;
  readonly clientMetadata = { client_name: 'Host', redirect_uris: [RETURN_URL] };
  readonly clientMetadataUrl?: string;
  /** Where the person is sent. */
  sentTo: URL | null = null;
  kept: OAuthTokens | undefined;
  #client: { client_id: string } | undefined;
  #verifier = '';

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  clientInformation = () => this.#client;
  saveClientInformation = (client: { client_id: string }) => {
    this.#client = client;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens) => {
    this.kept = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
}

interface Talk {
  /** Names of the tools. */
  list(): Promise<string[]>;
  close(): Promise<void>;
}

interface Way {
  readonly path: string;
  readonly clientMetadataUrl?: string;
  /** Signs in through `answer`, which takes the person’s way, and connects. */
  connect(url: URL, host: Host, answer: () => Promise<URL>): Promise<Talk>;
}

const fetch = (url: string | URL, init?: RequestInit) => fetchOf(service.asStranger)(url, init);

async function connectOlder(
  open: (authProvider: OAuthClientProvider) => StreamableHTTPClientTransport | SSEClientTransport,
  host: Host,
  answer: () => Promise<URL>,
): Promise<Talk> {
  const provider = host as unknown as OAuthClientProvider;
  const first = open(provider);
  const client = () => new Client({ name: 'test', version: '1' });
  await client()
    .connect(first as Transport)
    .catch(({ message }: Error) => expect(message).toContain('Unauthorized'));
  await first.finishAuth((await answer()).searchParams.get('code')!);
  const connected = client();
  await connected.connect(open(provider) as Transport);
  return talkOf(connected);
}

function talkOf(client: {
  listTools(): Promise<{ tools: { name: string }[] }>;
  close(): Promise<void>;
}): Talk {
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}

const WAYS: Readonly<Record<string, Way>> = {
  'the SDK’s client over Streamable HTTP': {
    path: '/mcp',
    connect: (url, host, answer) =>
      connectOlder(
        (authProvider) => new StreamableHTTPClientTransport(url, { authProvider, fetch }),
        host,
        answer,
      ),
  },
  'the SDK’s client over HTTP+SSE, at an organization’s address': {
    path: '/mcp/org/acme/',
    connect: (url, host, answer) =>
      connectOlder(
        (authProvider) => new SSEClientTransport(url, { authProvider, fetch }),
        host,
        answer,
      ),
  },
  'the newer client, which has a document about itself': {
    path: '/mcp/org/acme',
    clientMetadataUrl: DOCUMENT_URL,
    async connect(url, host, answer) {
      const open = () => new NewerHttp(url, { authProvider: host as never, fetch });
      const client = () => new NewerClient({ name: 'test', version: '1' });
      const first = open();
      await client()
        .connect(first)
        .catch(({ message }: Error) => expect(message).toContain('Unauthorized'));
      await first.finishAuth((await answer()).searchParams);
      const connected = client();
      await connected.connect(open());
      return talkOf(connected);
    },
  },
};

test.each(Object.entries(WAYS))(
  '%s discovers the sign-in, signs in once, and refreshes its token after an hour',
  async (_, { path, clientMetadataUrl, connect }) => {
    const host = new Host(clientMetadataUrl);
    const talk = await connect(new URL(ISSUER + path), host, () =>
      allow(service, host.sentTo!.pathname + host.sentTo!.search, service.apiKey),
    );
    expect(host.sentTo!.searchParams.get('resource')).toBe(ISSUER + path);
    expect(host.sentTo!.searchParams.get('client_id')).toBe(
      clientMetadataUrl ?? host.clientInformation()!.client_id,
    );
    expect(await talk.list()).toHaveLength(5);
    const { access_token, refresh_token } = host.kept!;
    service.platform.advance(3_600_000);
    expect(await talk.list()).toHaveLength(5);
    expect(host.kept!.access_token).not.toBe(access_token);
    expect(host.kept!.refresh_token).not.toBe(refresh_token);
    await talk.close();
  },
);
