import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tokens } from '../../src/operations/sign-in/issue-tokens.ts';
import { fakePlatform } from '../support/fake-platform.ts';
import { StreamReader } from '../support/mcp.ts';
import {
  allow,
  askForTokens,
  authorizePath,
  codeForm,
  ISSUER,
  refreshForm,
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

describe('the life of a grant', () => {
  const statusOf = async (fields: Readonly<Record<string, string | undefined>>) =>
    (await askForTokens(service, fields)).status;
  const listed = async () =>
    (await service.perform<{ kind: string; state: string; id: string }[]>('key.list', {})).filter(
      ({ kind }) => kind === 'sign-in',
    );

  test('a code works once, for a minute; its second use revokes the grant', async () => {
    const { clientId, code, access_token } = await signIn(service);
    expect(await ping(access_token)).toBe(200);
    expect(await statusOf(codeForm(clientId, code))).toBe(400);
    expect(await ping(access_token)).toBe(401);
    const returned = await allow(service, authorizePath(clientId), service.apiKey);
    service.platform.advance(60_000);
    expect(await statusOf(codeForm(clientId, returned.searchParams.get('code')!))).toBe(400);
  });

  test('of concurrent requests with one code, one gets tokens, which are then revoked', async () => {
    const clientId = await register(service);
    const returned = await allow(service, authorizePath(clientId), service.apiKey);
    const form = codeForm(clientId, returned.searchParams.get('code')!);
    const responses = await Promise.all([1, 2, 3, 4].map(() => askForTokens(service, form)));
    const good = responses.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expect(await ping(((await good[0]!.json()) as Tokens).access_token)).toBe(401);
  });

  test('a refresh replaces both tokens; reuse of a refresh token revokes the whole family', async () => {
    const first = await signIn(service);
    const { clientId } = first;
    const refresh = async (token: string) => {
      const response = await askForTokens(service, refreshForm(clientId, token));
      return (await response.json()) as Tokens;
    };
    service.platform.advance(3_600_000);
    expect(await ping(first.access_token)).toBe(401);
    const second = await refresh(first.refresh_token);
    expect(await ping(second.access_token)).toBe(200);
    const third = await refresh(second.refresh_token);
    expect([await ping(second.access_token), await ping(third.access_token)]).toEqual([401, 200]);
    expect(await statusOf(refreshForm('other', third.refresh_token))).toBe(400);
    expect(await statusOf(refreshForm(clientId, third.refresh_token.replace('vr_', 'va_')))).toBe(
      400,
    );
    expect(await ping(third.access_token)).toBe(200);
    expect(await statusOf(refreshForm(clientId, first.refresh_token))).toBe(400);
    expect(await ping(third.access_token)).toBe(401);
    expect(await statusOf(refreshForm(clientId, third.refresh_token))).toBe(400);
    const entries = await service.perform<{ event: string; details: object }[]>('audit.list', {
      limit: 10,
    });
    expect(entries.slice(0, 2)).toMatchObject([
      { event: 'sign_in.revoked', details: { reason: 'refresh token used twice' } },
      { event: 'sign_in.granted', details: { client: 'Claude', returnsTo: 'assistant.example' } },
    ]);
  });

  test('refreshes at the same time get the same tokens, which work', async () => {
    const { clientId, refresh_token } = await signIn(service);
    const form = refreshForm(clientId, refresh_token);
    const responses = await Promise.all([1, 2, 3, 4].map(() => askForTokens(service, form)));
    const [tokens, ...others] = await Promise.all(
      responses.map(async (response) => (await response.json()) as Tokens),
    );
    expect(others).toEqual([tokens!, tokens!, tokens!]);
    expect(await ping(tokens!.access_token)).toBe(200);
    expect(await statusOf(refreshForm(clientId, tokens!.refresh_token))).toBe(200);
  });

  test.each([
    ['a minute later gets the same tokens', 60_000, 200],
    ['later than that revokes the grant', 60_001, 400],
    ['before it was replaced, as a changed clock says, revokes the grant', -60_001, 400],
  ])('a refresh token repeated %s', async (_, ms, status) => {
    const { clientId, refresh_token } = await signIn(service);
    const form = refreshForm(clientId, refresh_token);
    const tokens = (await (await askForTokens(service, form)).json()) as Tokens;
    service.platform.advance(ms);
    const repeated = await askForTokens(service, form);
    expect(repeated.status).toBe(status);
    if (status === 200)
      expect(await repeated.json()).toEqual({ ...tokens, expires_in: 3600 - ms / 1000 });
    expect(await ping(tokens.access_token)).toBe(status === 200 ? 200 : 401);
  });

  test('another client cannot repeat a refresh, nor for another resource', async () => {
    const { clientId, refresh_token } = await signIn(service);
    await askForTokens(service, refreshForm(clientId, refresh_token));
    expect(await statusOf(refreshForm('other', refresh_token))).toBe(400);
    const resource = 'https://other.example/mcp';
    const asked = await askForTokens(service, refreshForm(clientId, refresh_token, { resource }));
    expect(await asked.json()).toMatchObject({ error: 'invalid_target' });
    expect(await statusOf(refreshForm(clientId, refresh_token))).toBe(200);
  });

  test('a grant expires after 30 days without a refresh', async () => {
    const { clientId, refresh_token } = await signIn(service);
    service.platform.advance(30 * 24 * 3_600_000);
    expect(await statusOf(refreshForm(clientId, refresh_token))).toBe(400);
    expect(await listed()).toMatchObject([{ state: 'expired' }]);
  });

  test('401: expired tokens do not count as wrong keys, however many share an address', async () => {
    const { access_token } = await signIn(service);
    service.platform.advance(3_600_000);
    for (let attempt = 0; attempt < 40; attempt++) expect(await ping(access_token)).toBe(401);
  });

  test('revoking the key that granted it ends it at once, with its streams, for good', async () => {
    const { apiKey, id } = await service.operator.createKey();
    const { access_token, refresh_token, clientId } = await signIn(service, { secret: apiKey });
    const headers = { authorization: `Bearer ${access_token}` };
    const stream = new StreamReader(await service.asStranger('/mcp', { headers }));
    await service.operator.revokeKey(id);
    expect(await ping(access_token)).toBe(401);
    expect(await statusOf(refreshForm(clientId, refresh_token))).toBe(400);
    expect(await listed()).toMatchObject([{ state: 'revoked' }]);
    service.platform.advance(1100);
    while ((await stream.next()) !== null);
  });

  test('no token outlives the key that granted it', async () => {
    const at = service.platform.now() + 600_000;
    const { apiKey } = await service.operator.createKey({ expiresAt: new Date(at).toISOString() });
    const tokens = await signIn(service, { secret: apiKey });
    expect(tokens.expires_in).toBe(600);
    service.platform.advance(600_000);
    expect(await ping(tokens.access_token)).toBe(401);
    expect(await statusOf(refreshForm(tokens.clientId, tokens.refresh_token))).toBe(400);
  });

  test('it is listed beside the keys, and its own organization can revoke it by its id', async () => {
    const { slug } = await service.operator.createOrganization('Second');
    const { access_token } = await signIn(service);
    const [grant] = await service
      .perform<{ id: string }[]>('key.list', { organization: 'acme' })
      .then((all) => all.slice(-1));
    expect(grant).toMatchObject({
      ...{ kind: 'sign-in', name: 'Claude', state: 'active', scopes: ['mcp'] },
      grantedBy: service.apiKey.slice(3, 15),
    });
    const { id } = grant!;
    const foreign = service.perform('key.revoke', { id, organization: slug });
    expect(await foreign.catch(({ code }: { code: string }) => code)).toBe('not_found');
    expect(await ping(access_token)).toBe(200);
    await service.perform('key.revoke', { id, organization: 'acme' });
    expect(await ping(access_token)).toBe(401);
  });

  test('a client can revoke its own grant only', async () => {
    const { access_token, refresh_token, clientId } = await signIn(service);
    const revoke = async (client_id: string, token: string) =>
      (
        await service.asStranger('/oauth/revoke', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ token, client_id }).toString(),
        })
      ).status;
    expect(await revoke('other', refresh_token)).toBe(200);
    expect(await ping(access_token)).toBe(200);
    expect(await revoke(clientId, refresh_token)).toBe(200);
    expect(await ping(access_token)).toBe(401);
  });

  test('clients, grants and tokens outlive a restart, though no token is stored', async () => {
    const { access_token, refresh_token, clientId, code } = await signIn(service);
    await service.services.close();
    const stored = readdirSync(service.folder).map((name) =>
      readFileSync(join(service.folder, name), 'latin1'),
    );
    for (const secret of [access_token, refresh_token, code])
      expect(stored.some((text) => text.includes(secret.slice(16)))).toBe(false);
    const again = await startService({
      flags: { 'public-url': ISSUER },
      folder: service.folder,
      platform: fakePlatform(1),
    });
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: PING };
    expect((await again.asStranger('/mcp', init)).status).toBe(200);
    const refreshed = await askForTokens(again, refreshForm(clientId, refresh_token));
    expect(refreshed.status).toBe(200);
    await again.close();
  });
});
