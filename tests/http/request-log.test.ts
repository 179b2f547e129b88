import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { jsonLines } from '../support/catalog.ts';
import { initializeFolder, vitrine } from '../support/command-line.ts';
import { PROGRAM_COMMAND, type Serving, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const folder = join(temporary.path, 'data');
let apiKey = '';
afterAll(temporary.remove);

beforeAll(async () => {
  ({ apiKey } = await initializeFolder<{ apiKey: string }>(folder, '--org', 'Acme'));
  const file = join(temporary.path, 'catalog.jsonl');
  writeFileSync(file, jsonLines([{ externalId: 'a', name: 'Brass lamp' }]));
  await vitrine(['catalog', 'import', file, '--data', folder]);
});

let serving: Serving | null = null;
afterEach(async () => {
  await serving?.stop();
});

async function start(...flags: readonly string[]): Promise<Serving> {
  serving = await serve(PROGRAM_COMMAND, ['--data', folder, ...flags]);
  return serving;
}

function linesOf({ stderr }: Serving): Record<string, unknown>[] {
  const lines = stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('the log', () => {
  test('has a line for each request with its id, route and key id, and no secrets', async () => {
    const service = await start('--embedder', 'off', '--access-log', 'all');
    const secrets = ['top-secret-cookie', 'top-secret-token', 'top-secret-question'];
    const headers = {
      'x-api-key': apiKey,
      'x-request-id': 'asked-1',
      authorization: `Bearer ${secrets[1]}`,
      cookie: `session=${secrets[0]}`,
      traceparent: TRACEPARENT,
    };
    await fetch(`${service.url}/rest/search/v2/?q=${secrets[2]}&key=${apiKey}`, { headers });
    await fetch(`${service.url}/rest/search/v2/?q=x`, { headers: { 'x-api-key': `${apiKey}x` } });
    const lines = () => linesOf(service).filter(({ route }) => route === '/rest/search/v2');
    while (lines().length < 2) await Bun.sleep(5);
    const [line, refused] = lines();
    expect(line).toMatchObject({
      requestId: 'asked-1',
      method: 'GET',
      route: '/rest/search/v2',
      status: 200,
      organization: 'acme',
      key: apiKey.slice(3, 15),
      traceId: TRACEPARENT.slice(3, 35),
    });
    expect(refused).toMatchObject({ status: 401 });
    for (const secret of [...secrets, apiKey.slice(16)])
      expect(service.stderr()).not.toContain(secret);
  });

  test('holds none by default', async () => {
    const service = await start('--embedder', 'off');
    await fetch(`${service.url}/healthz`);
    await service.stop();
    serving = null;
    expect(linesOf(service).map(({ event }) => event)).not.toContain('request');
  });
});

test('a valid traceparent reaches the model endpoint, a wrong one does not', async () => {
  const seen: (string | undefined)[] = [];
  const endpoint = createServer(async (request, response) => {
    seen.push(request.headers['traceparent'] as string | undefined);
    const { input } = (await json(request)) as { input: string[] };
    const data = input.map((_, index) => ({ index, embedding: [1, 0] }));
    response.end(JSON.stringify({ data }));
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const service = await start(
    '--embedder',
    'endpoint',
    '--embedder-url',
    url,
    '--embedder-model',
    'm',
  );
  const search = async (question: string, traceparent: string) => {
    const headers = { 'x-api-key': apiKey, traceparent };
    const response = await fetch(`${service.url}/rest/search/v3/?q=${question}`, { headers });
    return ((await response.json()) as { scoring: string }).scoring;
  };
  // Until the model has read something no search asks it.
  while ((await search('warm', 'none')) !== 'local') await Bun.sleep(10);
  seen.length = 0;
  await search('one', TRACEPARENT);
  await search('two', `${TRACEPARENT}-wrong`);
  expect(seen).toEqual([TRACEPARENT, undefined]);
  endpoint.close();
});
