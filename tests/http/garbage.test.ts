import { afterAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { Problem } from '../../src/http/errors.ts';
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

const isProblem = Compile(JSON.parse(JSON.stringify(Problem)));

/** What a query is made of: names we know, names we do not, escapes that are none, other scripts. */
const piece = fc.oneof(
  fc.constantFrom(
    'q',
    'shop_id',
    'products_only',
    'skip_scoring',
    'limit',
    'cursor',
    '__proto__',
    'constructor',
  ),
  fc.constantFrom(
    '=',
    '&',
    '&&',
    '+',
    '%',
    '%00',
    '%ff',
    '%ED%A0%80',
    '%F0%9F%98%80',
    ';',
    '?',
    '/',
    '..',
    ',',
  ),
  fc.constantFrom(
    'mug',
    'true',
    '1',
    '-1',
    'shop-1',
    '"',
    "'",
    '*',
    ' OR ',
    'NEAR(',
    'name:',
    '{',
    '(',
    '--',
    '<script>',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const query = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

/** A well-formed question of anything: it must be answered, not only survived. */
const question = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        'mug',
        'lamp',
        '"',
        "'",
        '*',
        '(',
        ')',
        'AND',
        'NOT',
        ':',
        '^',
        '-',
        'ſ',
        '中文',
        'ก็',
      ),
      { minLength: 1 },
    )
    .map((words) => words.join(' ')),
);

const path = fc.oneof(
  fc.constantFrom(
    '/rest/search/v2/',
    '/rest/search/v3',
    '/rest/search/v3/shop-1/',
    '/healthz',
    '/openapi.json',
  ),
  fc.array(piece, { maxLength: 4 }).map((pieces) => `/rest/search/v3/${pieces.join('')}`),
  fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join('/')}`),
);

const headers = fc.dictionary(
  fc.constantFrom(
    'x-request-id',
    'authorization',
    'accept',
    'content-type',
    'x-forwarded-for',
    'cookie',
    'origin',
  ),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    maxLength: 80,
  }),
);

const method = fc.constantFrom(
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
);

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);
  const numRuns = target.name === 'handler' ? 3000 : 600;

  test('garbage gives no 5xx and no error of another shape', async () => {
    const request = fc.record({ path, query, headers, method, hasKey: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(request, async ({ hasKey, ...garbage }) => {
        const { fetch, asStranger } = service();
        const init = { method: garbage.method, headers: trimmed(garbage.headers) };
        const address = encodeLoneSurrogates(`${garbage.path}?${garbage.query}`);
        const response = await (hasKey ? fetch : asStranger)(address, init);
        expect(response.status).toBeLessThan(500);
        if (response.status < 400 || garbage.method === 'HEAD') return;
        expect(response.headers.get('content-type')).toBe(
          'application/problem+json; charset=utf-8',
        );
        expect(isProblem.Check(await response.json())).toBe(true);
      }),
      { numRuns },
    );
  }, 60_000);

  test('every question of 1 to 1,024 characters that holds more than blanks is answered', async () => {
    const asked = fc.record({ question, skip: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(asked, async ({ question: text, skip }) => {
        fc.pre(text.trim() !== '' && text.isWellFormed() && !text.includes('\0'));
        const response = await service().fetch(
          `/rest/search/v3/?q=${encodeURIComponent(text)}&skip_scoring=${skip}`,
        );
        expect(response.status).toBe(200);
        for (const { highlights } of ((await response.json()) as Answer).results) {
          for (const { snippet } of highlights) {
            expect(snippet.replace(/<\/?mark>/g, '')).not.toMatch(/[<>"']/);
          }
        }
      }),
      { numRuns: numRuns / 10 },
    );
  }, 60_000);
});

interface Answer {
  readonly results: readonly { readonly highlights: readonly { readonly snippet: string }[] }[];
}

const overSockets = TARGETS.filter(({ name }) => name !== 'handler');

describe.each(overSockets)('$name, below HTTP', (target) => {
  const service = useService(target);

  test('bytes that are no request break nothing, and the next caller is served', async () => {
    const line = fc.constantFrom(
      'GET / HTTP/1.1',
      'GET /rest/search/v3/?q=\xff HTTP/1.1',
      'G\0T / HTTP/1.1',
      'GET  HTTP/9.9',
    );
    const host = fc.constantFrom(
      '',
      'Host: localhost',
      'Host: a\r\nHost: b',
      'Host: \xff\xfe',
      'Content-Length: -1',
      'Transfer-Encoding: x',
    );
    const bytes = fc.oneof(
      fc.tuple(line, host).map(([first, second]) => `${first}\r\n${second}\r\n\r\n`),
      fc.string({ unit: 'binary-ascii' }),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (text) => {
        expect(await sendRaw(service().url!, text)).not.toMatch(/^HTTP\/1\.1 50[0-4]/);
      }),
      { numRuns: 100 },
    );
    expect((await service().fetch('/rest/search/v3/?q=mug')).status).toBe(200);
  }, 60_000);
});

describe('two organizations', async () => {
  const service = await startService();
  afterAll(() => service.close());
  const canaries = ['quokkaquartz', 'zebrazephyr'] as const;
  const { operator } = service;
  const tenants = await Promise.all(
    canaries.map(async (canary) => {
      const organization = await operator.createOrganization(`Tenant ${canary}`);
      const rows = [
        {
          externalId: `${canary}-1`,
          name: `${canary} kettle`,
          description: canary,
          vendor: canary,
          tags: [canary],
          sku: canary,
          price: '1.00',
        },
        { externalId: 'shared', name: 'Shared kettle', description: canary, slug: canary },
        {
          externalId: 'policy',
          type: 'context',
          name: `About ${canary}`,
          description: `Our kettle policy: ${canary}.`,
        },
      ];
      await operator.importRows(rows, { organization: organization.slug });
      return { canary, organization, fetch: service.as(organization.apiKey) };
    }),
  );
  const [left, right] = tenants as readonly Tenant[] as readonly [Tenant, Tenant];
  await service.embedAll();

  test('no answer to one ever holds a word of the other', async () => {
    const names = [left, right].flatMap(({ canary, organization }) => [
      canary,
      'kettle',
      canary.slice(0, 5),
      `${canary.slice(0, -1)}s`,
      organization.id,
      organization.shops[0]!.id,
      'shared',
      'About',
    ]);
    const call = fc.record({
      asLeft: fc.boolean(),
      version: fc.constantFrom('v2', 'v3'),
      shop: fc.option(fc.constantFrom(...names, 'shop-1'), { nil: null }),
      words: fc.array(fc.constantFrom(...names, 'about', 'policy'), { minLength: 1, maxLength: 4 }),
      further: fc.constantFrom(
        '',
        '&products_only=1',
        '&skip_scoring=1',
        '&shop_id=shop-1',
        `&shop_id=${left.organization.shops[0]!.id}`,
        `&shop_id=${right.organization.shops[0]!.id}`,
        '&limit=100',
      ),
    });
    await fc.assert(
      fc.asyncProperty(call, async ({ asLeft, version, shop, words, further }) => {
        const [caller, other] = asLeft ? [left, right] : [right, left];
        const inPath = shop === null ? '' : `${encodeURIComponent(shop)}/`;
        const query = `?q=${encodeURIComponent(words.join(' '))}${further}`;
        const response = await caller.fetch(`/rest/search/${version}/${inPath}${query}`);
        // What the caller itself said may come back: only v3's `query` and `meta.constraints` do that.
        const {
          query: _,
          suggestion,
          ...body
        } = (await response.json()) as Record<string, unknown> & {
          meta?: { constraints?: unknown };
        };
        if (body.meta !== undefined) delete body.meta.constraints;
        expect([200, 404]).toContain(response.status);
        expect(JSON.stringify(body)).not.toContain(other.canary);
        expect(JSON.stringify(body)).not.toContain(other.organization.id);
        expect(JSON.stringify(body)).not.toContain(other.organization.shops[0]!.id);
        if (!words.join(' ').includes(other.canary))
          expect(String(suggestion)).not.toContain(other.canary);
      }),
      { numRuns: 600 },
    );
  }, 60_000);

  test('the same external id is another item in another organization', async () => {
    const ids = await Promise.all(
      tenants.map(async ({ fetch }) => {
        const response = await fetch('/rest/search/v2/?q=shared&products_only=true');
        return ((await response.json()) as { results: { id: string }[] }).results[0]!.id;
      }),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('nobody’s ranking depends on what the other has', async () => {
    const scores = async () => {
      const response = await left.fetch('/rest/search/v3/?q=kettle+about');
      const { results } = (await response.json()) as { results: { id: string; score: number }[] };
      return results.map(({ id, score }) => [id, score]);
    };
    const before = await scores();
    const rows = Array.from({ length: 30 }, (_, index) => ({
      externalId: `${index}`,
      name: 'Kettle',
    }));
    await service.operator.importRows(rows, { organization: right.organization.slug });
    expect(await scores()).toEqual(before);
  });
});

interface Tenant {
  readonly canary: string;
  readonly organization: {
    readonly id: string;
    readonly slug: string;
    readonly shops: readonly { readonly id: string }[];
  };
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** What comes back for bytes of ours, until the other side or half a second ends it. */
function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.end(text, 'latin1'));
    socket.setTimeout(500, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

/** `fetch` refuses a header that begins or ends with a blank. */
function trimmed(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
}

/** An address is text that can be sent. */
function encodeLoneSurrogates(address: string): string {
  return address.toWellFormed().replaceAll('#', '%23').replaceAll('\\', '%5C');
}
