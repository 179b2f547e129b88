import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Tokens } from '../../src/operations/sign-in/issue-tokens.ts';
import { connectMcp } from '../support/mcp.ts';
import {
  allow,
  askForTokens,
  authorizePath,
  Browser,
  codeForm,
  ISSUER,
  RETURN_URL,
  register,
  signIn,
} from '../support/sign-in.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

let service: LocalService;
beforeEach(async () => {
  service = await startService({ flags: { 'public-url': ISSUER } });
});
afterEach(() => service.close());

/** The status of a ping with a token. */
async function ping(token: string, path = '/mcp'): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: PING };
  return (await service.asStranger(path, init)).status;
}

const linkOf = async () => {
  service.services.adminSessions.listensAt('http://127.0.0.1:8788');
  return (await service.perform<{ url: string }>('admin.link', {})).url;
};

describe('a client in a browser', () => {
  const PAGE = 'https://web-host.example';
  const allows = ({ headers }: Response) => ({
    origin: headers.get('access-control-allow-origin'),
    headers: headers.get('access-control-allow-headers')?.toLowerCase().split(', ') ?? [],
    exposed: headers.get('access-control-expose-headers')?.split(', ') ?? [],
  });
  const preflight = (path: string, asked: string) =>
    service.asStranger(path, {
      method: 'OPTIONS',
      headers: { origin: PAGE, 'access-control-request-headers': asked },
    });

  test.each([
    ['GET', '/.well-known/oauth-authorization-server', 200],
    ['GET', '/.well-known/oauth-protected-resource/mcp', 200],
    ['POST', '/oauth/register', 415],
    ['POST', '/oauth/token', 415],
    ['POST', '/oauth/revoke', 415],
    ['DELETE', '/oauth/token', 405],
  ])('may read the answer of %s %s, a fault too', async (method, path, status) => {
    const asked = await preflight(path, 'content-type,mcp-protocol-version');
    expect(asked.status).toBe(204);
    expect(allows(asked)).toMatchObject({
      origin: '*',
      headers: expect.arrayContaining(['content-type', 'mcp-protocol-version', 'authorization']),
    });
    const answer = await service.asStranger(path, { method, headers: { origin: PAGE } });
    expect([answer.status, allows(answer).origin]).toEqual([status, '*']);
  });

  test('reads the challenge of a 401, and may send its token and session', async () => {
    const headers = { origin: PAGE };
    const refused = await service.asStranger('/mcp', { method: 'POST', headers });
    expect([refused.status, allows(refused).exposed]).toEqual([
      401,
      expect.arrayContaining(['WWW-Authenticate']),
    ]);
    const names = ['authorization', 'mcp-session-id', 'last-event-id', 'mcp-method', 'mcp-name'];
    const asked = await preflight('/mcp/messages', names.join(', '));
    expect(allows(asked).headers).toEqual(expect.arrayContaining(names));
  });

  test('cannot read the pages that a person sees', async () => {
    const clientId = await register(service);
    const page = await service.asStranger(authorizePath(clientId), { headers: { origin: PAGE } });
    expect([page.status, allows(page).origin]).toEqual([200, null]);
    for (const path of ['/oauth/authorize', '/oauth/consent'])
      expect(allows(await preflight(path, 'content-type')).origin).toBeNull();
  });
});

describe('metadata', () => {
  const challengeOf = async (path: string) =>
    (await service.asStranger(path, { method: 'POST' })).headers.get('www-authenticate');

  test('401 on MCP endpoints names the document of that very endpoint, and REST names keys only', async () => {
    const documents = `${ISSUER}/.well-known/oauth-protected-resource`;
    for (const [path, named] of [
      ['/mcp', '/mcp'],
      ['/mcp/messages', '/mcp'],
      ['/mcp/org/acme/', '/mcp/org/acme/'],
      ['/mcp/org/nobody', '/mcp/org/nobody'],
    ]) {
      expect(await challengeOf(path!)).toBe(
        `Bearer resource_metadata="${documents}${named}", scope="mcp", ApiKey realm="vitrine"`,
      );
      const document = await service.asStranger(`/.well-known/oauth-protected-resource${named}`);
      expect(await document.json()).toEqual({
        resource: ISSUER + named,
        authorization_servers: [ISSUER],
        scopes_supported: ['mcp'],
        bearer_methods_supported: ['header'],
      });
    }
    expect(await challengeOf('/rest/hits/')).toBe('ApiKey realm="vitrine"');
    const server = await service.asStranger('/.well-known/oauth-authorization-server');
    expect(await server.json()).toMatchSnapshot();
  });

  test('metadata of a public URL with a path is served below that path and at the root of the host', async () => {
    const below = await startService({ flags: { 'public-url': `${ISSUER}/catalogue` } });
    for (const path of ['', '/catalogue']) {
      const server = await below.asStranger(`/.well-known/oauth-authorization-server${path}`);
      expect(await server.json()).toMatchObject({
        issuer: `${ISSUER}/catalogue`,
        token_endpoint: `${ISSUER}/catalogue/oauth/token`,
      });
      const resource = await below.asStranger(`/.well-known/oauth-protected-resource${path}/mcp`);
      expect(await resource.json()).toMatchObject({ resource: `${ISSUER}/catalogue/mcp` });
    }
    const browser = new Browser(below);
    const resource = `${ISSUER}/catalogue/mcp`;
    await browser.open(authorizePath(await register(below), { resource }));
    expect(browser.html).toContain('action="/catalogue/oauth/authorize"');
    await below.close();
  });

  test('404: there is no sign-in without a public URL, with oauth off, or where no key is needed', async () => {
    const closed = [
      await startService(),
      await startService({ flags: { 'public-url': ISSUER, oauth: 'off' } }),
    ];
    await service.operator.setPublic(true);
    for (const { asStranger } of [service, ...closed]) {
      for (const path of ['oauth-authorization-server', 'oauth-protected-resource/mcp'])
        expect((await asStranger(`/.well-known/${path}`)).status).toBe(404);
    }
    for (const one of closed) {
      expect((await one.asStranger('/oauth/authorize')).status).toBe(404);
      const refused = await one.asStranger('/mcp', { method: 'POST' });
      expect(refused.headers.get('www-authenticate')).toBe('ApiKey realm="vitrine"');
      await one.close();
    }
    const other = await service.operator.createOrganization('Private');
    const document = (slug: string) =>
      service.asStranger(`/.well-known/oauth-protected-resource/mcp/org/${slug}/`);
    expect((await document('acme')).status).toBe(404);
    expect((await document(other.slug)).status).toBe(200);
    expect((await service.asStranger('/.well-known/oauth-authorization-server')).status).toBe(200);
  });
});

describe('signing in', () => {
  test('with a key, the client gets a token of its own, valid for the MCP endpoints and nothing else', async () => {
    const tokens = await signIn(service);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'mcp' });
    const authorization = `Bearer ${tokens.access_token}`;
    const client = await connectMcp((path, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', authorization);
      return service.asStranger(path, { ...init, headers });
    });
    expect((await client.listTools()).tools).toHaveLength(5);
    await client.close();
    const { slug, id } = service.organization;
    for (const path of ['/mcp/messages?sessionId=x', `/mcp/org/${slug}/`, `/mcp/org/${id}`])
      expect([path, await ping(tokens.access_token, path)]).not.toEqual([path, 401]);
    for (const path of ['/rest/search/v3/?q=mug', `/rest/org/ai/${slug}/`]) {
      const refused = await service.asStranger(path, { headers: { authorization } });
      expect([path, refused.status]).toEqual([path, 401]);
    }
    expect(JSON.stringify(tokens)).not.toContain(service.apiKey);
  });

  test('the pages name the client, its redirect host and the organization, and run no script', async () => {
    const browser = new Browser(service);
    const page = await browser.open(authorizePath(await register(service)));
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://assistant.example;");
    expect(page.headers.get('set-cookie')).toMatch(/^__Host-.*; Secure; HttpOnly; SameSite=Strict/);
    expect(browser.html).toContain('Claude');
    expect(browser.html).toContain('<dd>assistant.example</dd>');
    expect(browser.html).not.toContain('Acme');
    await browser.submit({ secret: service.apiKey, decision: 'continue' });
    expect(browser.html).toContain('<dd>Acme<');
    expect(browser.html).not.toContain(service.apiKey);
  });

  test('a client’s name is shown as text', async () => {
    const browser = new Browser(service);
    const name = '<img src=x onerror=alert(1)>\u202eevil "quoted"';
    const metadata = { client_name: name, redirect_uris: [RETURN_URL] };
    await browser.open(authorizePath(await register(service, metadata)));
    expect(browser.html).toContain('&lt;img src=x onerror=alert(1)&gt;evil &quot;quoted&quot;');
    expect(browser.html).not.toContain('<img');
  });

  test('the answer adds code, state and issuer to the redirect URI; a refusal is access_denied', async () => {
    const redirect_uri = 'https://assistant.example/cb?tenant=7';
    const id = await register(service, { redirect_uris: [redirect_uri] });
    const returned = await allow(service, authorizePath(id, { redirect_uri }), service.apiKey);
    expect(Object.fromEntries(returned.searchParams)).toEqual({
      ...{ tenant: '7', state: 'xyz', iss: ISSUER },
      code: expect.stringMatching(/^vc_/) as unknown as string,
    });
    const browser = new Browser(service);
    await browser.open(authorizePath(id, { redirect_uri }));
    const cancelled = await browser.submit({ decision: 'cancel' });
    expect(cancelled.status).toBe(303);
    const query = new URL(cancelled.headers.get('location')!).searchParams;
    expect([query.get('error'), query.get('iss'), query.get('code')]).toEqual([
      'access_denied',
      ISSUER,
      null,
    ]);
  });

  test('an operator’s link signs in once, and offers a choice of organizations', async () => {
    const other = await service.operator.createOrganization('Second');
    const id = await register(service);
    const link = await linkOf();
    const browser = new Browser(service);
    await browser.open(authorizePath(id));
    await browser.submit({ secret: link, decision: 'continue' });
    expect(browser.html).toContain('<option');
    const response = await browser.submit({ organization: other.id, decision: 'allow' });
    const code = new URL(response.headers.get('location')!).searchParams.get('code')!;
    const tokens = (await (await askForTokens(service, codeForm(id, code))).json()) as Tokens;
    expect(await ping(tokens.access_token, `/mcp/org/${other.slug}`)).toBe(200);
    expect(await ping(tokens.access_token, '/mcp/org/acme')).toBe(404);
    await browser.open(authorizePath(id));
    await browser.submit({ secret: link, decision: 'continue' });
    expect(browser.html).toContain('was used before');
  });

  test('a key without the scope, of another organization or invalid is refused with a reason', async () => {
    const other = await service.operator.createOrganization('Second');
    const { apiKey } = await service.operator.createKey({ scopes: ['search'] });
    const resource = `${ISSUER}/mcp/org/acme/`;
    const browser = new Browser(service);
    for (const [secret, reason] of [
      [apiKey, 'lacks the scope'],
      [other.apiKey, 'does not belong to the organization'],
      ['hunter2', 'neither a valid API key'],
    ]) {
      await browser.open(authorizePath(await register(service), { resource }));
      await browser.submit({ secret, decision: 'continue' });
      expect([secret, browser.html.includes(reason!)]).toEqual([secret, true]);
    }
    await browser.submit({ secret: service.apiKey, decision: 'continue' });
    expect(browser.html).toContain('<dd>Acme<');
  });

  test('400: a form is accepted only from the service’s own page, in time and from the same browser', async () => {
    const id = await register(service);
    const consent = async (origin?: string) => {
      const browser = new Browser(service, origin);
      await browser.open(authorizePath(id));
      return browser;
    };
    const filled = { secret: service.apiKey, decision: 'continue' };
    const foreign = await consent('https://evil.example');
    expect((await foreign.submit(filled)).status).toBe(400);
    const without = await consent();
    expect((await without.submit(filled, { cookie: 'a=b' })).status).toBe(400);
    const late = await consent();
    service.platform.advance(10 * 60_000);
    expect((await late.submit(filled)).status).toBe(400);
    const skipped = await consent();
    skipped.html = skipped.html.replace('/oauth/authorize', '/oauth/consent');
    expect((await skipped.submit({ decision: 'allow' })).status).toBe(400);
  });

  test('429: wrong keys and registrations are limited, and Retry-After is true', async () => {
    const id = await register(service);
    const browser = new Browser(service);
    await browser.open(authorizePath(id));
    let last = new Response();
    for (let attempt = 0; attempt <= 30; attempt++)
      last = await browser.submit({ secret: 'hunter2', decision: 'continue' });
    expect(last.status).toBe(429);
    const attempt = () =>
      service.asStranger('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [RETURN_URL] }),
      });
    let refused = await attempt();
    while (refused.status === 201) refused = await attempt();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    service.platform.advance(Number(refused.headers.get('retry-after')) * 1000);
    expect((await attempt()).status).toBe(201);
  });
});
