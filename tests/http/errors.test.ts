import { describe, expect, test } from 'bun:test';
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

/** A value that no answer may repeat. */
const CANARY = 'zanzibar';

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly details: { readonly issues?: readonly { path: string; message: string }[] };
}

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  async function problem(path: string, status: number): Promise<Problem> {
    const response = await service().fetch(path);
    const text = await response.text();
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(text).not.toContain(CANARY);
    return JSON.parse(text) as Problem;
  }

  test('400: a problem has the members of RFC 9457, and error and details for older clients', async () => {
    const headers = { 'x-request-id': 'abc' };
    const response = await service().fetch('/rest/search/v2/', { headers });
    expect(response.status).toBe(400);
    expect(await response.text()).toBe(
      JSON.stringify({
        type: 'urn:vitrine:problem:missing-parameter',
        title: 'Missing parameter',
        status: 400,
        detail: 'Query parameter q is required.',
        code: 'missing_parameter',
        error: 'Query parameter q is required.',
        details: { issues: [{ path: 'q', message: 'is required' }] },
        requestId: 'abc',
      }),
    );
  });

  const VERSIONS = ['v2', 'v3'];
  const MISSING = [['q', 'is required']];
  const NO_BOOLEAN = 'must be true, false, 1 or 0';
  const FORBIDDEN = 'holds a character that is not allowed';
  test.each([
    ['no q', '', MISSING],
    ['an empty q', 'q=', MISSING],
    ['a blank q', 'q=+%20%09', MISSING],
    ['q without a value', 'q', MISSING],
    ['another spelling of q', `Q=${CANARY}`, MISSING],
    ['q twice', `q=${CANARY}&q=b`, [['q', 'may be given only once']]],
    ['NUL', `q=${CANARY}%00`, [['q', FORBIDDEN]]],
    ['NUL in a shop', `q=a&shop_id=${CANARY}%00`, [['shop_id', FORBIDDEN]]],
    ['a bad boolean', `q=a&products_only=${CANARY}`, [['products_only', NO_BOOLEAN]]],
    [
      'a boolean that every object inherits',
      'q=a&skip_scoring=constructor',
      [['skip_scoring', NO_BOOLEAN]],
    ],
    ['an empty boolean', 'q=a&skip_scoring=', [['skip_scoring', NO_BOOLEAN]]],
    [
      'a boolean twice',
      'q=a&skip_scoring=1&skip_scoring=1',
      [['skip_scoring', 'may be given only once']],
    ],
    ['bytes that are not UTF-8', `q=${CANARY}%ff`, [['', 'is not valid UTF-8']]],
    ['half an escape', `q=${CANARY}%e`, [['', 'is not valid UTF-8']]],
    ['an unpaired surrogate', `q=${CANARY}%ED%A0%80`, [['', 'is not valid UTF-8']]],
  ])('400: %s', async (_what, query, expected) => {
    for (const version of VERSIONS) {
      const { details } = await problem(`/rest/search/${version}/?${query}`, 400);
      expect(details.issues?.map(({ path, message }) => [path, message])).toEqual(expected);
    }
  });

  test('400: every fault of a query is told at once, and no value of it', async () => {
    const query = [
      `products_only=${CANARY}`,
      `skip_scoring=${CANARY}`,
      `limit=${CANARY}`,
      `cursor=${CANARY}`,
    ];
    const { code, detail, details } = await problem(`/rest/search/v3/?${query.join('&')}`, 400);
    expect(code).toBe('invalid_input');
    expect(details.issues?.map(({ path }) => path)).toEqual([
      'q',
      'products_only',
      'skip_scoring',
      'limit',
    ]);
    for (const { path, message } of details.issues!) expect(detail).toContain(`${path} ${message}`);
  });

  test.each(['0', '101', '-1', '1.5', '1e1', '0x10', '', 'ten', '99999999999999999999'])(
    '400: a limit of %j',
    async (limit) => {
      const { details } = await problem(`/rest/search/v3/?q=a&limit=${limit}`, 400);
      expect(details.issues).toEqual([
        { path: 'limit', message: 'must be a whole number from 1 to 100' },
      ]);
    },
  );

  test.each(['true', 'TRUE', 'True', '1', 'false', 'FALSE', '0'])(
    '200: a boolean spelled %s',
    async (value) => {
      const response = await service().fetch(`/rest/search/v3/?q=lighthouse&skip_scoring=${value}`);
      const isTrue = /true|1/i.test(value);
      expect(await response.json()).toMatchObject({ scoring: isTrue ? 'skipped' : 'local' });
    },
  );

  test.each([
    ['letters', 'a'.repeat(1024)],
    ['astral characters, two UTF-16 units each', 'a'.repeat(624) + '😀'.repeat(400)],
    ['combining marks, each of them counted', 'e\u0301'.repeat(512)],
    ['blanks around it, which do not count', `  ${'b'.repeat(1024)}  `],
  ])('200: a question of 1,024 code points is taken whole: %s', async (_what, question) => {
    const response = await service().fetch(`/rest/search/v3/?q=${encodeURIComponent(question)}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ query: question.trim() });
  });

  test.each([
    ['letters', 'a'.repeat(1025)],
    ['combining marks', `${'e\u0301'.repeat(512)}e`],
    ['an astral character as the last', `${'a'.repeat(1024)}😀`],
  ])('400: a question of 1,025 code points is never cut: %s', async (_what, question) => {
    for (const version of VERSIONS) {
      const path = `/rest/search/${version}/?q=${encodeURIComponent(question)}`;
      const { details } = await problem(path, 400);
      expect(details.issues).toEqual([{ path: 'q', message: 'is longer than 1024 characters' }]);
    }
  });

  test('400: fifty shops may be named, fifty-one not', async () => {
    const shops = (count: number) => '&shop_id=shop-1'.repeat(count);
    const taken = await service().fetch(`/rest/search/v2/?q=lighthouse${shops(50)}`);
    expect(await taken.json()).toMatchObject({ count: 2 });
    const { details } = await problem(`/rest/search/v2/?q=lighthouse${shops(51)}`, 400);
    expect(details.issues).toEqual([{ path: 'shop_id', message: 'may be given at most 50 times' }]);
  });

  test('413: an address of 8 KiB is taken, one byte more is not', async () => {
    const start = '/rest/search/v2/?q=lighthouse&padding=';
    const path = start.padEnd(8192, 'x');
    expect((await service().fetch(path)).status).toBe(200);
    expect(await problem(`${path}x`, 413)).toMatchObject({ code: 'too_large' });
  });

  test.each([
    '/',
    '/rest',
    '/rest/search/',
    '/rest/search/v1/?q=a',
    '/rest/search/v4/?q=a',
    '/rest/search/v3/a/b/?q=a',
    '/REST/SEARCH/V3/?q=a',
    '/rest/search/v3//?q=a',
    `/${CANARY}`,
    '/%00',
    '/%ff',
    '/rest/search/v3/%ff/?q=a',
    '/rest/search/v3/%/?q=a',
    '/rest/search/v3/%00/?q=a',
    '/rest/search/v3/__proto__/?q=a',
  ])('404: %s', async (path) => {
    expect(await problem(path, 404)).toMatchObject({ code: 'not_found', details: {} });
  });
});

test('500: a bug leaves as a fixed sentence; its cause is in the log under the request id', async () => {
  const service = await startService();
  const { db } = service.services;
  const { all } = db;
  db.all = () => Promise.reject(new Error(`secret ${CANARY}`));
  const response = await service.fetch('/rest/search/v3/?q=mug', {
    headers: { 'x-request-id': 'r1' },
  });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    type: 'urn:vitrine:problem:internal',
    title: 'Internal error',
    status: 500,
    detail: 'Something went wrong on our side. Quote the request id when you report it.',
    code: 'internal',
    error: 'Something went wrong on our side. Quote the request id when you report it.',
    details: {},
    requestId: 'r1',
  });
  const [line] = service.platform.logged.filter(({ level }) => level === 'error');
  expect(line).toMatchObject({ event: 'request_failed', fields: { requestId: 'r1' } });
  expect(String(line!.fields['cause'])).toContain(CANARY);
  db.all = all;
  await service.close();
});

test('503: who asks while it stops is told to come back', async () => {
  const service = await startService();
  service.services.beginStop();
  const response = await service.asStranger('/readyz');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.json()).toMatchObject({ code: 'unavailable' });
  expect((await service.asStranger('/healthz')).status).toBe(200);
  await service.close();
});
