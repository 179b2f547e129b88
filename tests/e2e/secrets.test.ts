import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeApiKey } from '../../src/domain/api-key.ts';
import type { CreatedApiKey } from '../../src/operations/tenants/api-keys.ts';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { vitrine, vitrineJson } from '../support/command-line.ts';
import { figure } from '../support/figure.ts';
import { hitOf, posted } from '../support/hits.ts';
import { callTool } from '../support/mcp.ts';
import { PROGRAM_COMMAND, serve } from '../support/processes.ts';
import { withKey } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

/** Of the endpoints that the service asks. */
const SETTINGS = {
  VITRINE_SCORER_API_KEY: 'sk-scorer-4711-abcdefghijkl',
  VITRINE_WRITER_API_KEY: 'sk-writer-4712-abcdefghijkl',
  VITRINE_EMBEDDER_API_KEY: 'sk-embedder-4713-abcdefghijkl',
};

/** What nobody but its owner can know of a key. */
const secretOf = (apiKey: string) => apiKey.split('_')[2]!;

/** Every text that was written or said, by where. */
type Said = Map<string, string>;

/** Puts a key wherever a confused client might. */
async function confuse(
  fetch: (path: string, init?: RequestInit) => Promise<Response>,
  key: string,
) {
  const answers = [
    fetch(`/rest/search/v3/?q=${key}`),
    fetch(`/rest/search/v2/?q=tea&api_key=${key}&shop_id=${key}`),
    fetch(`/rest/search/v3/${key}/?q=tea`),
    fetch(`/rest/search/v3/?q=tea&cursor=${key}`),
    fetch(`/rest/org/ai/${key}/`),
    fetch(`/${key}`),
    fetch('/rest/search/v3/?q=tea', {
      headers: { 'user-agent': `curl ${key}`, 'x-request-id': key },
    }),
    fetch('/mcp', { method: 'POST', body: key }),
    fetch('/mcp/messages', { headers: { 'mcp-session-id': key } }),
    fetch(
      '/rest/hits/',
      posted(
        hitOf('acme', {
          path: `/p/${key}`,
          url: `https://shop.example/?token=${key}&q=${key}`,
          userAgent: `bot ${key}`,
          headers: { 'x-api-key': key, authorization: `Bearer ${key}`, referer: `/${key}` },
          cf: { note: { deep: [key] } },
        }),
        { 'idempotency-key': 'once' },
      ),
    ),
    fetch('/rest/hits/', posted(hitOf(key))),
    fetch('/rest/hits/', posted(`{"organization":"${key}`)),
  ];
  for (const answer of answers) await (await answer).text();
  await callTool(fetch, 'search_offerings', { question: `where is ${key}` });
  await callTool(fetch, 'get_product_link', { product_id: key });
}

function readFolder(folder: string, said: Said): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isFile()) said.set(path, readFileSync(path, 'latin1'));
  }
}

test('no secret of a key, a setting or a link stands in a log, a file, a report, a backup or what a command says', async () => {
  const folder = join(temporary.path, 'data');
  const place = ['--data', folder] as const;
  // A model endpoint that repeats in its refusal what it was sent.
  const asked: string[] = [];
  const endpoint = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ headers }) {
      asked.push(headers.get('authorization') ?? '');
      return new Response(asked.at(-1)!, { status: 401 });
    },
  });
  const url = endpoint.url.origin;
  const said: Said = new Map();
  const { apiKey } = await vitrineJson<{ apiKey: string }>('init', '--org', 'Acme', ...place);
  await vitrine(['org', 'set', '--unlimited', ...place]);
  const catalog = join(temporary.path, 'catalog.jsonl');
  writeFileSync(catalog, jsonLines(CATALOG));
  await vitrine(['catalog', 'import', catalog, ...place]);
  const flags = [
    ...['--scorer-url', url, '--scorer-model', 'm', '--log-level', 'debug'],
    ...['--writer-url', url, '--writer-model', 'm'],
    ...['--embedder', 'endpoint', '--embedder-url', url, '--embedder-model', 'm'],
  ];
  const command = PROGRAM_COMMAND;
  const serving = await serve(command, [...place, ...flags], { environment: SETTINGS });
  const asStranger = (path: string, init?: RequestInit) => fetch(serving.url + path, init);
  const made = await vitrineJson<CreatedApiKey>('key', 'create', ...place);
  const rotated = await vitrineJson<CreatedApiKey>('key', 'rotate', made.id, ...place);
  const revoked = await vitrineJson<CreatedApiKey>('key', 'create', ...place);
  await vitrine(['key', 'revoke', revoked.id, ...place]);
  const unknown = makeApiKey((count) => new Uint8Array(count).fill(5));
  const link = await vitrineJson<{ url: string }>('admin', 'link', ...place);
  const keys = [apiKey, made.apiKey, rotated.apiKey, revoked.apiKey, unknown];
  for (const key of keys) await confuse(withKey(asStranger, key), key);
  const opened = await fetch(link.url, { redirect: 'manual' });
  const cookie = /=([^;]+)/.exec(opened.headers.get('set-cookie') ?? '')![1]!;
  await withKey(asStranger, apiKey)('/rest/org/ai/acme/?regenerate=true');
  // What the service was asked is recorded and counted beside its answers.
  const report = ['hits', 'report', '--csv', '--by', 'query', ...place];
  while (!(await vitrine(report)).stdout.includes('where is')) await Bun.sleep(50);
  for (const args of [
    ['key', 'list'],
    ['audit'],
    ['org', 'list'],
    ['hits', 'report', '--json'],
    ['hits', 'report', '--csv', '--by', 'query'],
    ['hits', 'report', '--html', join(temporary.path, 'report.html')],
    ['landing', 'show'],
    ['catalog', 'export', join(temporary.path, 'export.jsonl')],
    ['mcp', 'config', 'cursor'],
    ['backup', join(temporary.path, 'backup.db')],
    ['doctor', '--embedder', 'off'],
    ['config'],
    ['key', 'revoke', 'nobody'],
  ]) {
    const { stdout, stderr } = await vitrine([...args, ...place], { environment: SETTINGS });
    said.set(args.join(' '), stdout + stderr);
  }
  said.set('metrics', await (await fetch(`${serving.operatorUrl}/metrics`)).text());
  readFolder(folder, said);
  expect(await serving.stop()).toBe(0);
  await endpoint.stop(true);
  said.set('log', serving.stderr() + serving.stdout());
  readFolder(folder, said);
  readFolder(temporary.path, said);
  // What is looked through does hold what it should: hits, answers of the endpoints, ids of keys.
  expect(new Set(asked)).toEqual(new Set(Object.values(SETTINGS).map((key) => `Bearer ${key}`)));
  expect(said.get('log')).toContain(made.id);
  expect(said.get('hits report --csv --by query')).toContain('where is vk_');
  expect(said.get(join(folder, 'vitrine.db'))).toContain('[redacted]');
  const token = link.url.split(/[=/#]/).at(-1)!;
  const secrets = [...keys.map(secretOf), ...Object.values(SETTINGS), token, cookie];
  const leaks = [...said].flatMap(([where, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${where}`),
  );
  expect(leaks).toEqual([]);
  figure(`${secrets.length} secrets, ${said.size} files, reports and logs: 0 found`);
}, 120_000);
