import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { Problem } from '../../src/http/errors.ts';
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
