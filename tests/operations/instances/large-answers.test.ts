import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { CATALOG } from '../../support/catalog.ts';
import { type LibsqlServer, startLibsqlServer } from '../../support/libsql-server.ts';
import { type LocalService, startService } from '../../support/start-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/* A catalogue whose texts, all together, are more than a server puts into one answer. */

const CHARACTERS = 9_900;

/** A twentieth of a server’s limit, so that a twentieth of the text exceeds it. */
const ANSWER_BYTES_MAX = 500_000;
const TEXTS = 20;

const folder = temporaryFolder();
let server: LibsqlServer;
let service: LocalService;

beforeAll(async () => {
  server = await startLibsqlServer({
    path: join(folder.path, 'server.db'),
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  service = await startService({
    flags: { 'database-url': server.url, 'public-url': 'https://shop.example' },
    embedder: null,
  });
  const texts = Array.from({ length: TEXTS }, (_, at) => ({
    type: 'context',
    externalId: `guide-${at}`,
    name: `Guide ${at}`,
    description: `${'選び方'.repeat(CHARACTERS / 3 - 2)} ${at}.`,
  }));
  await service.operator.importRows([...CATALOG, ...texts] as never);
}, 60_000);

afterAll(async () => {
  await service.close();
  await server.close();
  folder.remove();
});

test('searches, the landing page and the export read a large catalogue in parts', async () => {
  const found = await service.fetch(`/rest/search/v3/?q=${encodeURIComponent('選び方')}&limit=50`);
  expect([found.status, ((await found.json()) as { total: number }).total > 0]).toEqual([
    200,
    true,
  ]);
  expect((await service.fetch('/rest/org/ai/acme/?regenerate=true')).status).toBe(200);
  expect(await service.perform('catalog.export', {})).toMatchObject({
    contexts: TEXTS + CATALOG.filter(({ type }) => type === 'context').length,
  });
});

test('a large catalogue loads into memory, and each text is read once', async () => {
  const { signal } = new AbortController();
  service.services.indexes.find(1);
  while (await service.services.indexes.loadNext(signal));
  expect(service.services.indexes.find(1)).not.toBeNull();
});

test('spelling lookup never splits a character, whatever the question', async () => {
  for (const question of ['😀😀😀😀', '𐐷𐐨𐐪𐐬𐐯𐐲', '𝒜𝓁𝓅𝒽𝒶𝓫𝓮𝓽', '🏳️‍🌈🏳️‍🌈']) {
    const { status } = await service.fetch(`/rest/search/v3/?q=${encodeURIComponent(question)}`);
    expect([question, status]).toEqual([question, 200]);
  }
});
