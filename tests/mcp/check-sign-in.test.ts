import { afterAll, expect, test } from 'bun:test';
import { checkServer } from '../../src/mcp/check.ts';

/** A service where people sign assistants in; `broken` says what is wrong with it. */
let broken: 'nothing' | 'another address' | 'no PKCE' | 'no registration' | 'no page' = 'nothing';

const service = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { url, headers } = request;
    const { origin, pathname, searchParams } = new URL(url);
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    if (pathname === '/mcp') {
      expect(headers.get('user-agent')).toBe('vitrine-check');
      const challenge = `Bearer resource_metadata="${metadata}", scope="mcp"`;
      return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
    }
    if (metadata.endsWith(pathname)) {
      const resource = broken === 'another address' ? 'https://other.example/mcp' : `${origin}/mcp`;
      return Response.json({ resource, authorization_servers: [origin] });
    }
    if (pathname === '/.well-known/oauth-authorization-server') {
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/oauth/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        registration_endpoint: `${origin}/oauth/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: broken === 'no PKCE' ? ['plain'] : ['S256'],
      });
    }
    if (pathname === '/oauth/register' && broken !== 'no registration') {
      const metadata = (await request.json()) as object;
      return Response.json({ client_id: 'known', ...metadata }, { status: 201 });
    }
    const isPage = pathname === '/oauth/authorize' && broken !== 'no page';
    const isGood = searchParams.get('client_id') === 'known' && searchParams.has('code_challenge');
    return new Response(null, { status: isPage ? (isGood ? 200 : 400) : 404 });
  },
});
afterAll(() => service.stop(true));

test.each([
  ['nothing', null],
  ['another address', 'protected resource metadata'],
  ['no PKCE', 'authorization server metadata'],
  ['no registration', 'client registration'],
  ['no page', 'sign-in page'],
] as const)('where people sign in with %s wrong, the check finds %p', async (wrong, failing) => {
  broken = wrong;
  const url = new URL('/mcp', service.url);
  const steps = await Array.fromAsync(
    checkServer({ url, apiKey: null, signal: AbortSignal.timeout(10_000) }),
  );
  expect(steps[0]).toMatchObject({ ok: true, detail: 'a person signs the assistant in' });
  expect(steps.find(({ ok }) => !ok)?.name ?? null).toBe(failing);
  expect(steps.every(({ ok, hint }) => ok === (hint === null))).toBe(true);
});
