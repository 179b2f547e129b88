import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import {
  allow,
  askForTokens,
  authorizePath,
  codeForm,
  ISSUER,
  RETURN_URL,
  register,
  VERIFIER,
} from '../support/sign-in.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const DOCUMENT_URL = 'https://assistant.example/client.json';

/** The documents of clients, by address. */
const documents = new Map<string, unknown>();

let service: LocalService;
beforeAll(async () => {
  const fetchDocument = async (url: string) => documents.get(url);
  service = await startService({ flags: { 'public-url': ISSUER }, fetchDocument });
});
// What one address may do in a minute is there again.
beforeEach(() => service.platform.advance(60_000));
afterAll(() => service.close());

const ERRORS: readonly [string, Readonly<Record<string, string | undefined>>, string][] = [
  ['no response_type', { response_type: undefined }, 'invalid_request'],
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ['another response_mode', { response_mode: 'fragment' }, 'invalid_request'],
  ['no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['no challenge method', { code_challenge_method: undefined }, 'invalid_request'],
  ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a malformed challenge', { code_challenge: 'short' }, 'invalid_request'],
  ['an unknown scope', { scope: 'openid' }, 'invalid_scope'],
  ['a foreign resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
  ['a resource that is no endpoint', { resource: `${ISSUER}/rest/` }, 'invalid_target'],
  ['a resource by another scheme', { resource: 'http://shop.example/mcp' }, 'invalid_target'],
  ['a resource with a query', { resource: `${ISSUER}/mcp?a=b` }, 'invalid_target'],
];

test.each(ERRORS)('303: %s goes back as the specification’s error', async (_, fields, error) => {
  const local = 'http://127.0.0.1:7/cb';
  const id = await register(service, { redirect_uris: [local, RETURN_URL] });
  const ask = (redirect_uri: string) =>
    service.asStranger(authorizePath(id, { redirect_uri, ...fields }));
  const response = await ask(local);
  expect(response.status).toBe(303);
  const location = new URL(response.headers.get('location')!);
  expect(location.origin + location.pathname).toBe(local);
  const { searchParams } = location;
  expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')]).toEqual([
    error,
    'xyz',
    ISSUER,
  ]);
  // Anybody can register a web site, so the person decides whether to go there.
  const page = await ask(RETURN_URL);
  expect([page.status, page.headers.get('location')]).toEqual([400, null]);
  const html = await page.text();
  expect(html).toContain(`(${error})`);
  expect(html).toContain(`href="${RETURN_URL}?error=${error}&amp;`);
});

test('400: an unknown client, a foreign redirect URI or a repeated parameter is never redirected', async () => {
  const id = await register(service);
  for (const path of [
    authorizePath('nobody'),
    authorizePath(`${id.slice(0, -1)}x`),
    '/oauth/authorize',
    authorizePath(id, { redirect_uri: 'https://evil.example/callback' }),
    authorizePath(id, { redirect_uri: `${RETURN_URL}/` }),
    authorizePath(id, { redirect_uri: `${RETURN_URL}?a=b` }),
    authorizePath(id, { redirect_uri: 'https://assistant.example.evil.example/callback' }),
    `${authorizePath(id)}&state=again`,
    authorizePath(id, { state: '\0' }),
  ]) {
    const response = await service.asStranger(path);
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 400, null]);
  }
});

test('a loopback redirect URI may have any port; nothing else may differ', async () => {
  const registered = [
    'http://127.0.0.1:1234/cb',
    'http://[::1]/cb',
    'http://localhost/cb',
    'cursor://app/cb',
  ];
  const id = await register(service, { redirect_uris: registered });
  const statusOf = async (redirect_uri: string) =>
    (await service.asStranger(authorizePath(id, { redirect_uri }))).status;
  for (const good of [
    'http://127.0.0.1:50000/cb',
    'http://[::1]:7/cb',
    'http://localhost:7/cb',
    'cursor://app/cb',
  ])
    expect([good, await statusOf(good)]).toEqual([good, 200]);
  for (const bad of [
    'http://127.0.0.1:50000/other',
    'http://127.0.0.2:50000/cb',
    'http://localhost:7/cb?x',
    'http://localhost.evil.example/cb',
    'http://localhost:7@evil.example/cb',
    'https://localhost:7/cb',
    'cursor://app:7/cb',
  ])
    expect([bad, await statusOf(bad)]).toEqual([bad, 400]);
});

test('400: no client registers a redirect URI that is unsafe', async () => {
  const attempt = async (metadata: unknown) => {
    const response = await service.asStranger('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    return [response.status, ((await response.json()) as { error: string }).error] as const;
  };
  for (const uri of [
    'http://evil.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:pass@a.example/cb',
    'https://a.example/cb#fragment',
    '/cb',
    7,
  ])
    expect([uri, ...(await attempt({ redirect_uris: [uri] }))]).toEqual([
      uri,
      400,
      'invalid_redirect_uri',
    ]);
  expect(await attempt({ redirect_uris: [] })).toEqual([400, 'invalid_redirect_uri']);
  const redirect_uris = [RETURN_URL];
  expect(await attempt({ redirect_uris, grant_types: ['implicit'] })).toEqual([
    400,
    'invalid_client_metadata',
  ]);
  const long = Array.from({ length: 3 }, (__, at) => `https://a.example/${at}${'x'.repeat(1500)}`);
  expect(await attempt({ redirect_uris: long })).toEqual([400, 'invalid_client_metadata']);
});

test('400: each mistake at the token endpoint has its error, and does not use up the code', async () => {
  const id = await register(service);
  const other = await register(service, { redirect_uris: ['https://other.example/cb'] });
  const returned = await allow(service, authorizePath(id), service.apiKey);
  const good = codeForm(id, returned.searchParams.get('code')!);
  const errorOf = async (fields: Readonly<Record<string, string | undefined>>) => {
    const response = await askForTokens(service, { ...good, ...fields });
    return [response.status, ((await response.json()) as { error: string }).error] as const;
  };
  for (const [fields, error] of [
    [{ grant_type: undefined }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ client_id: undefined }, 'invalid_request'],
    [{ client_id: other }, 'invalid_grant'],
    [{ code: undefined }, 'invalid_request'],
    [{ code: 'vc_forged' }, 'invalid_grant'],
    [{ code_verifier: undefined }, 'invalid_request'],
    [{ code_verifier: `${VERIFIER}x` }, 'invalid_grant'],
    [{ code_verifier: 'short' }, 'invalid_grant'],
    [{ redirect_uri: 'https://other.example/cb' }, 'invalid_grant'],
    [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
    [{ resource: `${ISSUER}/mcp/org/acme/` }, 'invalid_target'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'x', scope: 'openid' }, 'invalid_scope'],
  ] as const)
    expect([fields, ...(await errorOf(fields))]).toEqual([fields, 400, error]);
  const response = await askForTokens(service, { ...good, resource: `${ISSUER}/mcp` });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const json = await service.asStranger('/oauth/token', { method: 'POST', body: '{}' });
  expect([json.status, ((await json.json()) as { error: string }).error]).toEqual([
    415,
    'invalid_request',
  ]);
});

describe('a client with a document about itself', () => {
  const good = { client_id: DOCUMENT_URL, client_name: 'Itself', redirect_uris: [RETURN_URL] };

  test.each([
    ['is nowhere', undefined],
    ['is about another client', { ...good, client_id: `${DOCUMENT_URL}?other` }],
    ['has no address to return to', { ...good, redirect_uris: [] }],
    ['asks for a secret', { ...good, token_endpoint_auth_method: 'client_secret_basic' }],
  ])('400: its document %s', async (_, document) => {
    documents.set(DOCUMENT_URL, document);
    expect((await service.asStranger(authorizePath(DOCUMENT_URL))).status).toBe(400);
  });

  test('its document is cached for ten minutes, and one address can cause few downloads', async () => {
    documents.set(DOCUMENT_URL, good);
    const page = await service.asStranger(authorizePath(DOCUMENT_URL));
    expect([page.status, (await page.text()).includes('Connect Itself')]).toEqual([200, true]);
    documents.clear();
    for (let attempt = 0; attempt < 12; attempt++)
      expect((await service.asStranger(authorizePath(DOCUMENT_URL))).status).toBe(200);
    service.platform.advance(600_000);
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt++)
      statuses.push((await service.asStranger(authorizePath(DOCUMENT_URL))).status);
    expect([statuses[9], statuses[10]]).toEqual([400, 429]);
  });

  test('400: documents are fetched over https and from public addresses only', async () => {
    const plain = await startService({ flags: { 'public-url': ISSUER } });
    for (const id of [
      'https://127.0.0.1/client.json',
      'https://[::ffff:10.0.0.1]/client.json',
      'https://localhost/client.json',
      'http://assistant.example/client.json',
      'https://user@assistant.example/client.json',
      'https://assistant.example/../client.json',
      'https://assistant.example/',
    ])
      expect([id, (await plain.asStranger(authorizePath(id))).status]).toEqual([id, 400]);
    await plain.close();
  });
});

test('garbage never gets a 5xx, a token or a redirect', async () => {
  const value = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 60 }),
    fc.constantFrom('code', 'S256', RETURN_URL, `${ISSUER}/mcp`, 'authorization_code', 'a.b', '%'),
  );
  const name = fc.constantFrom(
    ...['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'resource', 'ticket'],
    ...['grant_type', 'code', 'refresh_token', 'code_verifier', 'token', 'secret', 'decision'],
  );
  const fields = fc.array(fc.tuple(name, value), { maxLength: 8 });
  const path = fc.constantFrom('authorize', 'consent', 'token', 'revoke', 'register');
  const attempt = fc.asyncProperty(path, fields, async (endpoint, given) => {
    service.platform.advance(4000);
    const text = new URLSearchParams(given).toString();
    const json = JSON.stringify(Object.fromEntries(given));
    const isJson = endpoint === 'register';
    const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
    const asked = await service.asStranger(`/oauth/${endpoint}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: isJson ? json : text,
    });
    const shown = await service.asStranger(`/oauth/authorize?${text}`);
    expect(endpoint === 'revoke' ? [200, 400] : [400]).toContain(asked.status);
    expect([shown.status, shown.headers.get('location')]).toEqual([400, null]);
  });
  await fc.assert(attempt, { numRuns: 150 });
});
