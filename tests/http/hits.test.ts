import { describe, expect, test } from 'bun:test';
import { isUuid } from '../../src/domain/ids.ts';
import { hitOf, posted } from '../support/hits.ts';
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

const HITS = '/rest/hits/';

type Issues = { path: string; message: string }[];

async function issuesOf(response: Response): Promise<Issues> {
  return ((await response.json()) as { details: { issues: Issues } }).details.issues;
}

const FULL = {
  method: 'GET',
  path: '/search',
  url: 'https://shop.example/search?q=mug&page=2#top',
  userAgent: 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
  clientIp: '203.0.113.7',
  botScore: 0.97,
  verifiedBot: true,
  headers: { Accept: 'text/html', 'Accept-Encoding': ['gzip', 'br'] },
  cf: { country: 'DE', asn: 3320, tls: { version: 'TLSv1.3', early: null } },
};

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);
  const post = (body: unknown, headers?: Record<string, string>) =>
    service().fetch(HITS, posted(body, headers));
  const own = () => service().organization.id;

  test('201: the record has every field as it was sent, null for the others, and an id of its own', async () => {
    const full = await post(hitOf(own(), FULL));
    expect(full.status).toBe(201);
    const record = (await full.json()) as Record<string, string>;
    const { id, createdAt, updatedAt, ...fields } = record;
    expect(fields).toEqual(hitOf(own(), FULL));
    expect(isUuid(id!) && id![14] === '7').toBe(true);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(updatedAt).toBe(createdAt!);
    const least = await service().fetch('/rest/hits', posted(hitOf(own())));
    expect(least.status).toBe(201);
    const nulls = Object.fromEntries(Object.keys(FULL).map((name) => [name, null]));
    expect(await least.json()).toMatchObject({ ...hitOf(own()), ...nulls });
  });

  test('201: the slug names the organization too, in any case; null is nothing; unknown members are ignored', async () => {
    const { slug, id } = service().organization;
    const sent = { ...hitOf(slug.toUpperCase()), method: null, colour: 'red', id: 'x' };
    const record = (await (await post(sent)).json()) as Record<string, unknown>;
    expect(record).toMatchObject({ organization: id, method: null });
    expect('colour' in record || record['id'] === 'x').toBe(false);
  });

  test('400: all faults at once, none with the caller’s value', async () => {
    const response = await post({
      eventDate: 1767225600,
      classification: 'no blanks',
      method: 'G E T',
      path: 7,
      url: 'shop.example/canary',
      userAgent: [],
      clientIp: 'canary',
      botScore: 98,
      verifiedBot: 'canary',
      headers: { accept: 1 },
      cf: [],
    });
    expect(response.status).toBe(400);
    const text = await response.clone().text();
    expect(text).not.toContain('canary');
    const issues = await issuesOf(response);
    expect(issues.map(({ path }) => path).sort()).toEqual(
      ['organization', 'eventDate', 'classification', ...Object.keys(FULL)].sort(),
    );
    expect(Object.fromEntries(issues.map(({ path, message }) => [path, message]))).toMatchObject({
      organization: 'is required',
      eventDate: 'must be an RFC 3339 date and time such as 2026-01-31T12:00:00Z',
      method: 'must be an HTTP method such as GET',
      path: 'must be text',
      url: 'must be an absolute http or https address',
      clientIp: 'must be an IPv4 or IPv6 address',
      botScore: expect.stringContaining('(100 - score) / 100'),
      verifiedBot: 'must be true or false',
      headers: 'may hold only text and lists of text',
      cf: 'must be an object',
    });
  });

  test.each([
    [{ a: [1] }, 'may hold only text and lists of text'],
    [{ a: 'x'.repeat(8193) }, 'has a value longer than 8192 characters'],
    [{ a: ['x'.repeat(8193)] }, 'has a value longer than 8192 characters'],
    [{ ['x'.repeat(257)]: '' }, 'has a name longer than 256 characters'],
    [[], 'must be an object'],
  ])('400: what is wrong with headers is told without their names', async (headers, message) => {
    const response = await post(hitOf(own(), { headers }));
    expect(await issuesOf(response)).toEqual([{ path: 'headers', message }]);
  });

  test.each([
    ['without organization', { organization: undefined }],
    ['with an empty date', { eventDate: '' }],
    ['on a day that there is not', { eventDate: '2026-02-30T10:00:00Z' }],
    ['at an hour that there is not', { eventDate: '2026-02-03T24:00:00Z' }],
    ['with a date alone', { eventDate: '2026-02-03' }],
    ['with an offset beyond a day', { eventDate: '2026-02-03T10:00:00+24:00' }],
    ['with a score just below 0', { botScore: -0.001 }],
    ['with a score just above 1', { botScore: 1.001 }],
    ['with a classification of 65 characters', { classification: 'x'.repeat(65) }],
    ['with a classification that begins with a digit', { classification: '1st' }],
    ['with a text of 8,193 characters', { path: 'x'.repeat(8193) }],
    [
      'with 101 headers',
      {
        headers: Object.fromEntries(
          Array(101)
            .entries()
            .map(([i]) => [`h${i}`, '']),
        ),
      },
    ],
    ['with a NUL', { path: '/\0' }],
    ['with half a surrogate pair', { userAgent: '\ud800' }],
    ['that is no object', 'text'],
  ])('400: a hit %s', async (_, wrong) => {
    const body = typeof wrong === 'string' ? wrong : hitOf(own(), wrong);
    expect((await post(JSON.stringify(body))).status).toBe(400);
  });

  test.each([
    '2026-01-31T23:59:59.123456789Z',
    '2026-01-31t23:59:59z',
    '1969-07-20 20:17:40+02:30',
    '2026-06-30T23:59:60Z',
    '2026-01-31T23:59:59',
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:00Z',
  ])('201: a date is echoed as it was sent: %s', async (eventDate) => {
    const response = await post(hitOf(own(), { eventDate }));
    expect([response.status, ((await response.json()) as { eventDate: string }).eventDate]).toEqual(
      [201, eventDate],
    );
  });

  test.each([
    ['scores', { botScore: 0 }],
    ['scores', { botScore: 1 }],
    ['classifications', { classification: `x${'A1_.:-'.repeat(10)}abc` }],
    ['texts', { path: `/${'x'.repeat(8191)}` }],
    [
      'headers',
      {
        headers: Object.fromEntries(
          Array(100)
            .entries()
            .map(([i]) => [`h${i}`, '']),
        ),
      },
    ],
    ['addresses', { clientIp: '2001:db8::1' }],
    ['members named __proto__', JSON.parse('{"headers":{"__proto__":"x"}}') as object],
  ])('201: %s at their very limit', async (_, fields) => {
    const response = await post(hitOf(own(), fields as Record<string, unknown>));
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject(fields);
  });

  test('201, 413: a hit may have 65,536 bytes, and not one more', async () => {
    const padded = (bytes: number) => {
      const empty = JSON.stringify(hitOf(own(), { cf: { padding: '' } })).length;
      return hitOf(own(), { cf: { padding: 'x'.repeat(bytes - empty) } });
    };
    expect((await post(padded(65_536))).status).toBe(201);
    expect((await post(padded(65_537))).status).toBe(413);
    const batch = (await (await post([padded(65_537), hitOf(own())])).json()) as object;
    expect(batch).toMatchObject({ accepted: 1, rejected: 1 });
  });

  test('403: a hit of another organization gets the same bytes whether or not the organization exists', async () => {
    const other = await service().operator.createOrganization(`Other ${target.name}`);
    const answers = [];
    for (const organization of [other.id, other.slug, crypto.randomUUID(), 'nobody']) {
      const response = await post(hitOf(organization), { 'x-request-id': 'same' });
      answers.push([response.status, await response.text()]);
    }
    expect(answers[0]![0]).toBe(403);
    expect(new Set(answers.map(String)).size).toBe(1);
  });

  test('403: a key without the scope hits', async () => {
    const { apiKey } = await service().operator.createKey({ scopes: ['search'] });
    expect((await service().as(apiKey)(HITS, posted(hitOf(own())))).status).toBe(403);
  });

  test('405, 415: other methods and media types', async () => {
    const get = await service().fetch(HITS);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const form = await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(form.status).toBe(415);
  });

  test('200: of an array or JSON Lines, valid hits are kept, and each hit gets a result', async () => {
    const items = [hitOf(own()), hitOf('nobody'), { classification: 'search' }, hitOf(own())];
    const lines = `${items.map((item) => JSON.stringify(item)).join('\r\n')}\n\n{"broken":\n`;
    const array = await post(items);
    const ndjson = await post(lines, { 'content-type': 'Application/X-NDJSON; charset=utf-8' });
    for (const [response, broken] of [
      [array, 0],
      [ndjson, 1],
    ] as const) {
      expect(response.status).toBe(200);
      const answer = (await response.json()) as { results: { status: string; code?: string }[] };
      expect(answer).toMatchObject({ accepted: 2, rejected: 2 + broken });
      expect(answer.results.slice(0, 4).map(({ status, code }) => code ?? status)).toEqual([
        ...['accepted', 'forbidden', 'invalid_input', 'accepted'],
      ]);
    }
  });

  test('200: a NUL or half a surrogate pair in one hit of a batch rejects that hit only', async () => {
    const items = [
      hitOf(own()),
      hitOf(own(), { path: '/\0' }),
      hitOf(own(), { cf: { a: '\ud800' } }),
    ];
    const array = await post([...items, hitOf(own())]);
    const ndjson = await post(
      [...items, hitOf(own())].map((item) => JSON.stringify(item)).join('\n'),
      {
        'content-type': 'application/x-ndjson',
      },
    );
    for (const response of [array, ndjson]) {
      expect(response.status).toBe(200);
      const issues = [{ path: '', message: 'holds a character that is not allowed' }];
      expect(await response.json()).toMatchObject({
        accepted: 2,
        rejected: 2,
        results: [
          { index: 0, status: 'accepted' },
          { index: 1, status: 'rejected', code: 'invalid_input', issues },
          { index: 2, status: 'rejected', code: 'invalid_input', issues },
          { index: 3, status: 'accepted' },
        ],
      });
    }
  });

  test('200, 413: a batch may have 1,000 hits, and not one more', async () => {
    const many = (count: number) => Array.from({ length: count }, () => hitOf(own()));
    expect(await (await post(many(1000))).json()).toMatchObject({ accepted: 1000, rejected: 0 });
    expect((await post(many(1001))).status).toBe(413);
    const lines = many(1001)
      .map((hit) => JSON.stringify(hit))
      .join('\n');
    expect((await post(lines, { 'content-type': 'application/x-ndjson' })).status).toBe(413);
  });

  test('201: the same Idempotency-Key and body are answered with the first record, 422 with another body', async () => {
    const key = { 'idempotency-key': 'k'.repeat(255) };
    const first = await post(hitOf(own(), FULL), key);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await post(hitOf(own(), FULL), key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(await again.text()).toBe(await first.text());
    const other = await post(hitOf(own()), key);
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' });
    const batch = [hitOf(own()), {}];
    const texts = [
      await post(batch, { 'idempotency-key': 'b' }),
      await post(batch, { 'idempotency-key': 'b' }),
    ];
    expect(await texts[1]!.text()).toBe(await texts[0]!.text());
    expect((await post(hitOf(own()), { 'idempotency-key': 'k'.repeat(256) })).status).toBe(400);
  });

  test('409 or the first record: concurrent requests with one Idempotency-Key record one hit', async () => {
    const requests = Array.from({ length: 8 }, () =>
      post(hitOf(own()), { 'idempotency-key': 'now' }),
    );
    const answers = await Promise.all(requests);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const made = answers.filter(
      ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
    );
    expect(made).toHaveLength(1);
  });

  test('secrets are neither stored nor returned', async () => {
    const response = await post(
      hitOf(own(), {
        url: 'https://user:canary@shop.example/a?token=canary&q=tea&%65mail=canary#access_token=canary',
        path: '/a?apiKey=canary&password=canary&monkey=1',
        headers: {
          Cookie: 'canary',
          'X-Api-Key': ['canary'],
          authorization: 'canary',
          'x-forwarded-for': '198.51.100.1, canary',
          referer: 'https://shop.example/?session=canary',
          'x-odd': '198.51.100.2',
        },
        cf: { nested: [{ token: 'canary', referer: '/?key=canary' }], address: '198.51.100.3' },
      }),
    );
    const text = await response.text();
    expect(response.status).toBe(201);
    expect(text).not.toMatch(/canary|198\.51/);
    expect(text).toContain('q=tea');
  });
});

test('429: hits have tokens of their own, a batch takes as many as it holds, a fault takes one', async () => {
  const service = await startService();
  const own = service.organization.id;
  await service.operator.setLimit({ perMinute: 1, burst: 1 });
  const left = async (body: unknown) => {
    const response = await service.fetch(HITS, posted(body));
    return [response.status, Number(/r=(\d+)/.exec(response.headers.get('ratelimit')!)![1])];
  };
  expect(await left(hitOf(own))).toEqual([201, 999]);
  expect(await left('no JSON')).toEqual([400, 998]);
  expect(await left(Array(900).fill(hitOf(own)))).toEqual([200, 98]);
  const refused = await service.fetch(HITS, posted(Array(100).fill(hitOf(own))));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  service.platform.advance(1000);
  expect((await service.fetch(HITS, posted(Array(100).fill(hitOf(own))))).status).toBe(200);
  expect((await service.fetch('/rest/search/v2/?q=mug')).status).toBe(200);
  await service.close();
});

test('an Idempotency-Key outlives a restart, and is free again after 24 hours', async () => {
  const first = await startService();
  const { folder, platform } = first;
  const key = { 'idempotency-key': 'order-7' };
  const body = posted(hitOf(first.organization.id), key);
  const record = await (await first.fetch(HITS, body)).text();
  await first.services.close();
  const second = await startService({ folder, platform });
  const replayed = await second.fetch(HITS, body);
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  expect(await replayed.text()).toBe(record);
  platform.advance(24 * 3_600_000);
  const anew = await second.fetch(HITS, body);
  expect([anew.status, anew.headers.get('idempotency-replayed')]).toEqual([201, null]);
  await second.services.close();
  first.discard();
});

test('503: a full disk refuses hits with Retry-After, and accepts them again once there is space', async () => {
  const service = await startService();
  const { db } = service.services;
  const pragma = (value: number) => db.all({ sql: `PRAGMA max_page_count = ${value}`, args: [] });
  await pragma(1);
  const fill = { path: `/${'x'.repeat(8000)}` };
  const statuses: number[] = [];
  let last = new Response();
  for (let count = 0; count < 40; count++) {
    last = await service.fetch(HITS, posted(hitOf(service.organization.id, fill)));
    statuses.push(last.status);
  }
  expect(statuses.at(-1)).toBe(503);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  await pragma(1_000_000);
  const kept = statuses.filter((status) => status === 201).length;
  const [row] = await db.all<{ hits: number }>({
    sql: 'SELECT count(*) AS hits FROM hits',
    args: [],
  });
  expect(row!.hits).toBe(kept);
  expect((await service.fetch(HITS, posted(hitOf(service.organization.id)))).status).toBe(201);
  await service.close();
});
