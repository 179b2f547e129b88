import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CATALOG } from '../support/catalog.ts';
import { figure } from '../support/figure.ts';
import {
  bytesOf,
  faultOf,
  faultOfBytes,
  makeGarbage,
  type RawRequest,
  randomFrom,
  SESSION,
} from '../support/garbage.ts';
import { post } from '../support/mcp.ts';
import { exchange } from '../support/raw-exchange.ts';
import { SEED } from '../support/seed.ts';
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

/** Requests straight to the handler, and over sockets; `bun run promises` sends more. */
const INPUTS = Number(process.env['VITRINE_TEST_GARBAGE'] ?? 5000);
const SENT = INPUTS / 10;
const AT_ONCE = 32;

/** A well-formed question of anything: it must be answered, not only survived. */
const question = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...['mug', 'lamp', '"', "'", '*', '(', ')', 'AND', 'NOT', ':', '^', '-', 'ſ', '中文', 'ก็'],
      ),
      { minLength: 1 },
    )
    .map((words) => words.join(' ')),
);

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);
  const numRuns = target.name === 'handler' ? 150 : 30;

  test('every question of 1 to 1,024 characters that is not blank is answered', async () => {
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
      { numRuns },
    );
  }, 60_000);
});

interface Answer {
  readonly results: readonly { readonly highlights: readonly { readonly snippet: string }[] }[];
}

test(`garbage on every route gives no 5xx and no error of another shape, seed ${SEED}`, async () => {
  const service = await startService();
  await service.operator.importRows(CATALOG);
  const session = await beginSession(service.fetch);
  const random = randomFrom(SEED);
  const statuses = new Map<number, number>();
  for (let count = 0; count < INPUTS; count++) {
    const garbage = makeGarbage(random);
    const response = await service.fetch(garbage.target.replaceAll(SESSION, session), {
      method: garbage.method,
      headers: garbage.headers,
      body: garbage.body,
    });
    const fault = faultOf(garbage, response, await bodyOf(response));
    if (fault !== null) expect({ fault, ...shown(garbage) }).toBeNull();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  }
  // Garbage that all falls at the same hurdle shows nothing.
  for (const status of [200, 201, 202, 204, 400, 401, 404, 405, 415])
    expect([status, (statuses.get(status) ?? 0) >= INPUTS / 5000]).toEqual([status, true]);
  expect(service.platform.logged).toEqual([]);
  figure(
    `${INPUTS} inputs: ${[...statuses]
      .sort()
      .map(([status, count]) => `${status} × ${count}`)
      .join(', ')}`,
  );
  await service.close();
}, 7_200_000);

const LISTENING = TARGETS.filter(({ name }) => !name.startsWith('handler'));

describe.each(LISTENING)('$name, over sockets', (target) => {
  const service = useService(target);

  test(`bytes that may be a request or not give no 5xx and no error of another shape, seed ${SEED}`, async () => {
    const { url, apiKey, fetch, logged } = service();
    const session = await beginSession(fetch);
    const random = randomFrom(SEED);
    let left = SENT;
    let answered = 0;
    const send = async () => {
      while (left-- > 0) {
        const made = makeGarbage(random);
        const garbage = { ...made, target: made.target.replaceAll(SESSION, session) };
        const bytes = bytesOf(random, garbage, apiKey);
        const answer = await exchange(url!, bytes);
        const fault = faultOfBytes(garbage, answer);
        if (fault !== null) expect({ fault, sent: bytes.toString('latin1'), answer }).toBeNull();
        if (answer.includes('x-request-id')) answered += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    expect(answered).toBeGreaterThan(SENT / 4);
    expect((await fetch('/rest/search/v3/?q=mug')).status).toBe(200);
    expect(logged()).not.toContain('"level":"error"');
    figure(
      `${SENT} over sockets, of which ${answered} reached a route or were told that there is none`,
    );
  }, 7_200_000);

  test.each([
    'Host: a\r\nHost: b',
    'Host:',
    'Host: a b',
    'Host: a@b',
    'Host: [::1',
    'Host: a:99999',
    'Host: 999.9.9.9',
  ])('400: %j', async (host) => {
    const { url, apiKey } = service();
    const lines = `GET /rest/search/v3/?q=mug HTTP/1.1\r\n${host}\r\nX-API-Key: ${apiKey}\r\n`;
    const told = '"detail":"The header Host is not valid."';
    const answer = await exchange(url!, Buffer.from(`${lines}\r\n`), told);
    expect(answer).toStartWith('HTTP/1.1 400 ');
    expect(answer).toContain(told);
  });

  test('200: an HTTP/1.0 request without a host', async () => {
    const bytes = Buffer.from('GET /healthz HTTP/1.0\r\n\r\n');
    const ok = '{"status":"ok"}';
    expect(await exchange(service().url!, bytes, ok)).toEndWith(ok);
  });

  test.each([
    ['/rest/hits/', '"code":"too_large"'],
    ['/mcp', '"jsonrpc":"2.0"'],
  ])(
    '413: a body larger than any route takes is told like any other fault, %s',
    async (path, told) => {
      const { url, apiKey } = service();
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`;
      const body = Buffer.alloc(5 * 1024 * 1024, 0x20);
      for (const [framing, first] of [
        [`Content-Length: ${body.length}`, ''],
        ['Transfer-Encoding: chunked', `${body.length.toString(16)}\r\n`],
      ]) {
        const begun = Buffer.from(`${head}${framing}\r\n\r\n${first}`);
        const answer = await exchange(url!, Buffer.concat([begun, body]), told);
        expect(answer).toStartWith('HTTP/1.1 413 ');
        expect(answer).toContain(told);
      }
    },
  );

  test('a client that disconnects in the middle of a body does not cause an error in the log', async () => {
    const { url, apiKey, logged } = service();
    const head = `POST /rest/hits/ HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`;
    await exchange(url!, Buffer.from(`${head}Content-Length: 50\r\n\r\n{`));
    await exchange(url!, Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{`));
    await service().fetch('/healthz');
    expect(logged()).not.toContain('request_failed');
  });
});

async function beginSession(fetch: Parameters<typeof post>[0]): Promise<string> {
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  const { headers } = await post(fetch, message, { path: '/mcp/messages' });
  return headers.get('mcp-session-id')!;
}

/** A stream's is not waited for. */
async function bodyOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  await response.body?.cancel();
  return '';
}

function shown({ body, ...request }: RawRequest) {
  return { ...request, body: body === null ? null : Buffer.from(body).toString('latin1') };
}
