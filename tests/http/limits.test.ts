import { describe, expect, test } from 'bun:test';
import { makeApiKey } from '../../src/domain/api-key.ts';
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

const SEARCH = '/rest/search/v2/?q=mug';

/** Wrong keys that one address may try at once. */
const FAILURES_MAX = 30;

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target, { flags: { 'trusted-proxies': '127.0.0.1,10.0.0.0/8' } });

  test('429: says when to come back, and lets the caller in then', async () => {
    const { operator, as, elapse } = service();
    const { slug, apiKey } = await operator.createOrganization('Patience');
    await operator.setLimit({ perMinute: 60, burst: 2 }, slug);
    const first = await as(apiKey)(SEARCH);
    expect(first.headers.get('ratelimit-policy')).toBe('"org";q=2;w=2');
    expect(first.headers.get('ratelimit')).toBe('"org";r=1;t=1');
    expect(first.headers.get('retry-after')).toBeNull();
    expect((await as(apiKey)(SEARCH)).headers.get('ratelimit')).toBe('"org";r=0;t=1');
    const refused = await as(apiKey)(SEARCH);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit')).toBe('"org";r=0;t=1');
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await refused.json()).toMatchObject({ status: 429, code: 'rate_limited', details: {} });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBe(1);
    await elapse(seconds * 1000);
    expect((await as(apiKey)(SEARCH)).status).toBe(200);
  });

  test('429: a new limit holds at once, for the tokens saved up as well', async () => {
    const { operator, as } = service();
    const { slug, apiKey } = await operator.createOrganization('Haste');
    const free = await as(apiKey)(SEARCH);
    expect([free.status, free.headers.get('ratelimit')]).toEqual([200, null]);
    expect(free.headers.get('ratelimit-policy')).toBeNull();
    await operator.setLimit({ perMinute: 1, burst: 1 }, slug);
    const answers = [await as(apiKey)(SEARCH), await as(apiKey)(SEARCH)];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    await operator.setLimit('unlimited', slug);
    expect((await as(apiKey)(SEARCH)).status).toBe(200);
  });

  test('400, 403: a fault of the caller costs a token, a wrong key or address none', async () => {
    const { operator, as, asStranger } = service();
    const { slug, apiKey } = await operator.createOrganization('Thrift');
    await operator.setLimit({ perMinute: 1, burst: 10 }, slug);
    const left = async (path: string, init?: RequestInit) =>
      /r=(\d+)/.exec((await as(apiKey)(path, init)).headers.get('ratelimit') ?? '')?.[1];
    expect(await left(SEARCH)).toBe('9');
    await asStranger(SEARCH);
    await asStranger(SEARCH, { method: 'OPTIONS' });
    expect(await left('/nowhere')).toBeUndefined();
    expect(await left(SEARCH, { method: 'POST' })).toBeUndefined();
    expect(await left('/rest/search/v2/')).toBe('8');
  });

  test('429: one organization that is out of tokens takes none of another', async () => {
    const { operator, as, fetch } = service();
    const { slug, apiKey } = await operator.createOrganization('Crowd');
    await operator.setLimit({ perMinute: 1, burst: 1 }, slug);
    await as(apiKey)(SEARCH);
    expect((await as(apiKey)(SEARCH)).status).toBe(429);
    expect((await fetch(SEARCH)).status).toBe(200);
  });

  test('429: an address that tries wrong keys has to wait; a good key from there has not', async () => {
    const { as, asStranger, apiKey } = service();
    const from = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    const wrong = as(makeApiKey((count) => new Uint8Array(count).fill(9)));
    const tries = [];
    for (let count = 0; count < FAILURES_MAX; count++)
      tries.push((await wrong(SEARCH, from)).status);
    expect(new Set(tries)).toEqual(new Set([401]));
    const refused = await wrong(SEARCH, from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 3);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    expect((await as(apiKey)(SEARCH, from)).status).toBe(200);
    expect((await asStranger(SEARCH, from)).status).toBe(429);
    const neighbour = { headers: { 'x-forwarded-for': '203.0.113.8' } };
    expect((await asStranger(SEARCH, neighbour)).status).toBe(401);
  });

  test('429: an IPv6 client that tries wrong keys has to wait on every address of its /64', async () => {
    const { asStranger } = service();
    const from = async (address: string) =>
      (await asStranger(SEARCH, { headers: { 'x-forwarded-for': address } })).status;
    for (let count = 0; count < FAILURES_MAX; count++)
      expect(await from(`2001:db8:0:7::${count.toString(16)}`)).toBe(401);
    expect(await from('2001:DB8::7:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await from('2001:db8:0:8::1')).toBe(401);
    expect(await from('::ffff:203.0.113.70')).toBe(401);
  });

  test('401: of X-Forwarded-For only what trusted proxies wrote counts', async () => {
    const { asStranger } = service();
    const from = (forwarded: string) =>
      asStranger(SEARCH, { headers: { 'x-forwarded-for': forwarded } });
    for (let count = 0; count < FAILURES_MAX; count++)
      await from(`${count}.1.1.1, 203.0.113.9, 10.0.0.3`);
    expect((await from('1.2.3.4, 203.0.113.9, 10.0.0.3')).status).toBe(429);
    expect((await from('203.0.113.9')).status).toBe(429);
    expect((await from('203.0.113.9, 203.0.113.10')).status).toBe(401);
  });
});

describe.each(TARGETS)('$name, without trusted proxies', (target) => {
  const service = useService(target);

  test('429: an address cannot become another one by X-Forwarded-For', async () => {
    const { asStranger, fetch } = service();
    const statuses = [];
    for (let count = 0; count <= FAILURES_MAX; count++) {
      const headers = { 'x-forwarded-for': `198.51.100.${count}` };
      statuses.push((await asStranger(SEARCH, { headers })).status);
    }
    expect(statuses.lastIndexOf(401)).toBe(FAILURES_MAX - 1);
    expect(statuses.at(-1)).toBe(429);
    expect((await fetch(SEARCH)).status).toBe(200);
  });
});

test('429: Retry-After is true and not a second longer than needed, whatever the limit', async () => {
  const service = await startService();
  for (const limit of [
    { perMinute: 1, burst: 1 },
    { perMinute: 7, burst: 3 },
    { perMinute: 59, burst: 2 },
    { perMinute: 600, burst: 5 },
    { perMinute: 999_983, burst: 4 },
  ]) {
    const { slug, apiKey } = await service.operator.createOrganization(`At ${limit.perMinute}`);
    await service.operator.setLimit(limit, slug);
    const fetch = service.as(apiKey);
    let response = await fetch(SEARCH);
    while (response.status === 200) response = await fetch(SEARCH);
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBe(Math.ceil(60 / limit.perMinute));
    service.platform.advance(seconds * 1000);
    expect((await fetch(SEARCH)).status).toBe(200);
  }
  await service.close();
});

test('429: a jump of the wall clock neither fills nor drains a bucket', async () => {
  const service = await startService();
  await service.operator.setLimit({ perMinute: 1, burst: 1 });
  await service.fetch(SEARCH);
  for (const jumpMs of [3_600_000, -3_600_000, 365 * 86_400_000]) {
    service.platform.setWallClock(service.platform.now() + jumpMs);
    expect((await service.fetch(SEARCH)).status).toBe(429);
  }
  service.platform.advance(60_000);
  expect((await service.fetch(SEARCH)).status).toBe(200);
  await service.close();
});

test('600 a minute with a burst of 100 unless an operator says otherwise', async () => {
  const service = await startService();
  await service.perform('org.create', { name: 'Default', currency: 'EUR' });
  const { apiKey } = await service.operator.createKey({ organization: 'default' });
  const { headers } = await service.as(apiKey)(SEARCH);
  expect(headers.get('ratelimit-policy')).toBe('"org";q=100;w=10');
  expect(headers.get('ratelimit')).toBe('"org";r=99;t=1');
  await service.close();
});
