import { describe, expect, test } from 'bun:test';
import { makeApiKey } from '../../src/domain/api-key.ts';
import type { Service } from '../support/service.ts';
import { TARGETS, useService } from '../support/targets.ts';

const SEARCH = '/rest/search/v3/?q=mug';

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  test('200: a bearer token is an alias of X-API-Key, its scheme in any case', async () => {
    const { asStranger, apiKey } = service();
    for (const authorization of [`Bearer ${apiKey}`, `bearer ${apiKey}`, `BEARER  ${apiKey}`]) {
      expect((await asStranger(SEARCH, { headers: { authorization } })).status).toBe(200);
    }
  });

  test('401: whatever is wrong with a key, the answer is the same', async () => {
    const { asStranger, operator, apiKey } = service();
    const revoked = await operator.createKey();
    await operator.revokeKey(revoked.id);
    const rotated = await operator.createKey();
    await operator.rotateKey(rotated.id, 0);
    const unknown = makeApiKey((count) => new Uint8Array(count).fill(7));
    const sameId = apiKey.slice(0, 20) + unknown.slice(20);
    const refused: Record<string, Record<string, string>> = {
      none: {},
      empty: { 'x-api-key': '' },
      malformed: { 'x-api-key': 'hunter2' },
      'wrong checksum': {
        'x-api-key': `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`,
      },
      unknown: { 'x-api-key': unknown },
      'known id, other secret': { 'x-api-key': sameId },
      revoked: { 'x-api-key': revoked.apiKey },
      'rotated away': { 'x-api-key': rotated.apiKey },
      'basic authorization': { authorization: `Basic ${btoa(`x:${apiKey}`)}` },
      'a good bearer token behind a bad key': {
        'x-api-key': 'x',
        authorization: `Bearer ${apiKey}`,
      },
    };
    const bodies = new Set<string>();
    for (const [what, headers] of Object.entries(refused)) {
      const response = await asStranger(SEARCH, {
        headers: { ...headers, 'x-request-id': 'same' },
      });
      expect([what, response.status]).toEqual([what, 401]);
      expect(response.headers.get('www-authenticate')).toBe('ApiKey realm="vitrine"');
      expect(response.headers.get('ratelimit')).toBeNull();
      bodies.add(await response.text());
    }
    expect([...bodies].map((body) => JSON.parse(body))).toEqual([
      {
        type: 'urn:vitrine:problem:unauthorized',
        title: 'Unauthorized',
        status: 401,
        detail: 'Send a valid API key in the header X-API-Key.',
        code: 'unauthorized',
        error: 'Send a valid API key in the header X-API-Key.',
        details: {},
        requestId: 'same',
      },
    ]);
  });

  test('401: a key counts nowhere but in a header', async () => {
    const { asStranger, apiKey } = service();
    const names = ['api_key', 'apikey', 'key', 'x-api-key', 'X-API-Key', 'access_token', 'token'];
    for (const name of names) {
      expect((await asStranger(`${SEARCH}&${name}=${apiKey}`)).status).toBe(401);
    }
    expect((await asStranger(SEARCH, { headers: { cookie: `x-api-key=${apiKey}` } })).status).toBe(
      401,
    );
  });

  test('401: strangers learn nothing of what the input lacks', async () => {
    expect((await service().asStranger('/rest/search/v3/?limit=none')).status).toBe(401);
    expect((await service().asStranger('/rest/search/v3/nobody/?q=x')).status).toBe(401);
  });

  test('403: a key without the scope is told which one', async () => {
    const { as, operator } = service();
    const { apiKey } = await operator.createKey({ scopes: ['hits', 'landing'] });
    for (const version of ['v2', 'v3']) {
      const response = await as(apiKey)(`/rest/search/${version}/?q=mug`);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        code: 'forbidden',
        detail: 'This key lacks the scope "search".',
      });
    }
  });

  test('200: of a rotated key both work until the overlap ends, and the old one says it is deprecated', async () => {
    const { as, operator, elapse } = service();
    const former = await operator.createKey({ scopes: ['search'] });
    const before = await as(former.apiKey)(SEARCH);
    expect(before.headers.get('deprecation')).toBeNull();
    const successor = await operator.rotateKey(former.id, 2);
    const overlapping = await as(former.apiKey)(SEARCH);
    expect(overlapping.status).toBe(200);
    expect(overlapping.headers.get('deprecation')).toMatch(/^@\d{10}$/);
    const renewed = await as(successor.apiKey)(SEARCH);
    expect([renewed.status, renewed.headers.get('deprecation')]).toEqual([200, null]);
    expect(successor.scopes).toEqual(['search']);
    await elapse(2000);
    expect((await as(former.apiKey)(SEARCH)).status).toBe(401);
    expect((await as(successor.apiKey)(SEARCH)).status).toBe(200);
  }, 60_000);

  test('401: the first request after a revocation fails', async () => {
    const { as, operator } = service();
    const { id, apiKey } = await operator.createKey();
    expect((await as(apiKey)(SEARCH)).status).toBe(200);
    await operator.revokeKey(id);
    expect((await as(apiKey)(SEARCH)).status).toBe(401);
  });

  test('404: no authorization server is pretended', async () => {
    for (const name of [
      'oauth-authorization-server',
      'oauth-protected-resource',
      'openid-configuration',
    ]) {
      const response = await service().asStranger(`/.well-known/${name}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
    }
  });

  test('404: a foreign shop in the path and one that nobody has are the same, byte for byte', async () => {
    const foreign = await service().operator.createOrganization('Harbour');
    const names = [
      foreign.shops[0]!.id,
      '01999999-9999-7999-8999-999999999999',
      'nobody',
      'shop-2',
    ];
    for (const version of ['v2', 'v3']) {
      const answers = await Promise.all(names.map((name) => shopAnswer(service(), version, name)));
      expect(new Set(answers).size).toBe(1);
      expect(JSON.parse(answers[0]!)).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('200: a foreign or unknown shop in the query matches nothing', async () => {
    const foreign = await service().operator.createOrganization('Lagoon');
    const answers: unknown[] = [];
    for (const shop of [foreign.shops[0]!.id, '01999999-9999-7999-8999-999999999999', 'nobody']) {
      const headers = { 'x-request-id': 'same' };
      const response = await service().fetch(`/rest/search/v2/?q=mug&shop_id=${shop}`, { headers });
      expect(response.status).toBe(200);
      answers.push(await response.json());
    }
    expect(answers).toEqual(Array(3).fill({ results: [], count: 0 }));
  });

  test('200: a shop is known by its id and its handle, in any case', async () => {
    const { fetch, shop } = service();
    for (const name of [shop.id, shop.id.toUpperCase(), 'shop-1', 'SHOP-1']) {
      const inPath = await (await fetch(`/rest/search/v2/${name}/?q=lighthouse`)).json();
      const inQuery = await (await fetch(`/rest/search/v2/?q=lighthouse&shop_id=${name}`)).json();
      expect(inPath).toMatchObject({ count: 2 });
      expect(inQuery).toEqual(inPath);
    }
  });
});

async function shopAnswer({ fetch }: Service, version: string, shop: string): Promise<string> {
  const headers = { 'x-request-id': 'same' };
  const response = await fetch(`/rest/search/${version}/${shop}/?q=mug`, { headers });
  return response.text();
}
