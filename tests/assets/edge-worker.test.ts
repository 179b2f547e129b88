import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { edgeWorker } from '../../src/assets/edge-worker.ts';
import { readHit } from '../../src/http/hits/hit-body.ts';
import { vitrine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The worker's own view of its runtime. */
interface Worker {
  fetch(request: Request, env: object, ctx: object): Promise<Response>;
}

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly hits: readonly Record<string, unknown>[];
}

const temporary = temporaryFolder();
const realFetch = globalThis.fetch;
const realTimeout = globalThis.setTimeout;
let worker: Worker;
/** What vitrine gets, and what it answers: 200 when the list is used up. */
let sent: Sent[] = [];
let answers: (number | 'unreachable')[] = [];
let page: () => Response = () => new Response('<p>', { headers: { 'content-type': 'text/html' } });

beforeAll(async () => {
  const path = join(temporary.path, 'worker.mjs');
  writeFileSync(path, edgeWorker);
  worker = ((await import(path)) as { default: Worker }).default;
  const standIn = async (input: string | URL | Request, init?: RequestInit) => {
    if (input instanceof Request) return page();
    const answer = answers.shift() ?? 200;
    const hits = JSON.parse(String(init!.body)) as Sent['hits'];
    sent.push({ url: String(input), headers: new Headers(init!.headers), hits });
    if (answer === 'unreachable') throw new TypeError('unreachable');
    return new Response('{}', { status: answer });
  };
  globalThis.fetch = standIn as typeof fetch;
  // Two seconds of the worker are two milliseconds here.
  globalThis.setTimeout = ((task: () => void, ms: number) =>
    realTimeout(task, ms / 1000)) as typeof setTimeout;
});
afterAll(() => {
  globalThis.fetch = realFetch;
  globalThis.setTimeout = realTimeout;
  temporary.remove();
});

/** Visits at the same moment, until everything that they left behind is done. */
async function visit(
  ...requests: { path: string; cf?: object; headers?: Record<string, string> }[]
) {
  sent = [];
  const behind: Promise<unknown>[] = [];
  const ctx = {
    waitUntil: (task: Promise<unknown>) => behind.push(task),
    passThroughOnException() {},
  };
  const env = {
    VITRINE_URL: 'https://vitrine.example',
    VITRINE_ORGANIZATION: 'acme',
    VITRINE_API_KEY: 'vk',
  };
  const responses = await Promise.all(
    requests.map(({ path, cf = {}, headers = {} }) =>
      worker.fetch(
        Object.assign(new Request(`https://shop.example${path}`, { headers }), { cf }),
        env,
        ctx,
      ),
    ),
  );
  await Promise.all(behind);
  return responses;
}

test('concurrent visits go in one batch, each a valid hit with the bot score inverted', async () => {
  const [response] = await visit(
    {
      path: '/search?q=mug',
      cf: { country: 'DE', botManagement: { score: 2, verifiedBot: true } },
      headers: { 'user-agent': 'GPTBot/1', 'cf-connecting-ip': '203.0.113.7', cookie: 'canary' },
    },
    { path: '/products/mug', cf: { botManagement: { score: 99, verifiedBot: false } } },
    {
      path: '/products/mug?utm_source=mail',
      headers: { referer: 'https://shop.example/search?q=mug' },
    },
    { path: '/' },
  );
  expect(await response!.text()).toBe('<p>');
  expect(sent).toHaveLength(1);
  const [{ url, headers, hits }] = sent as [Sent];
  expect([url, headers.get('x-api-key')]).toEqual(['https://vitrine.example/rest/hits/', 'vk']);
  for (const hit of hits) expect(readHit(hit)).toHaveProperty('hit');
  expect(hits.map((hit) => [hit['classification'], hit['botScore'], hit['verifiedBot']])).toEqual([
    ['search', 0.98, true],
    ['product_view', 0.01, false],
    ['product_click', null, null],
    ['page_view', null, null],
  ]);
  expect(hits[0]).toMatchObject({
    organization: 'acme',
    clientIp: '203.0.113.7',
    userAgent: 'GPTBot/1',
    cf: { country: 'DE' },
  });
  expect(JSON.stringify(hits)).not.toContain('canary');
});

test('hits that vitrine could not accept are sent again with the same Idempotency-Key, invalid ones are not', async () => {
  answers = [503, 'unreachable', 429];
  await visit({ path: '/' });
  expect(sent).toHaveLength(4);
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  const silent = console.error;
  console.error = () => undefined;
  answers = [400];
  await visit({ path: '/' });
  console.error = silent;
  expect(sent).toHaveLength(1);
});

test('images, scripts and styles are not reported', async () => {
  page = () => new Response('', { headers: { 'content-type': 'image/png' } });
  await visit({ path: '/a.png' });
  expect(sent).toEqual([]);
  page = () => new Response('<p>', { headers: { 'content-type': 'text/html' } });
});

test('more visits than a batch holds are all sent', async () => {
  await visit(...Array.from({ length: 250 }, () => ({ path: '/' })));
  expect(sent.reduce((sum, { hits }) => sum + hits.length, 0)).toBe(250);
  expect(Math.max(...sent.map(({ hits }) => hits.length))).toBe(100);
});

test('vitrine hits worker prints it', async () => {
  expect(await vitrine(['hits', 'worker'])).toMatchObject({ exitCode: 0, stdout: edgeWorker });
});
