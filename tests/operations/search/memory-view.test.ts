import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { sampleFiles } from '../../../src/assets/sample-files.ts';
import { type SearchAnswer, searchCatalog } from '../../../src/operations/search/search-catalog.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const QUESTIONS = readFileSync(new URL('../../relevance/questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { question: string }).question);

/** Scores are rounded to four digits: in memory and in SQL they may differ in the last one. */
const SCORE_TOLERANCE = 0.0002;

const never = new AbortController().signal;

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await service.importText(sampleFiles().offerings.replaceAll('"pictures/', '"https://x.example/'));
  for (const { text } of sampleFiles().contexts) {
    await service.importText(text, { format: 'markdown' });
  }
  await service.embedAll();
});

afterAll(() => service.close());

function ask(
  question: string,
  { services, organization }: LocalService = service,
): Promise<SearchAnswer> {
  const { key } = services.directory.findOrganization(organization.id)!;
  const everything = { shops: null, productsOnly: false, skipScoring: false, offset: 0, limit: 30 };
  return searchCatalog(services, { organizationKey: key, question, ...everything });
}

function keyOf({ services, organization }: LocalService = service): number {
  return services.directory.findOrganization(organization.id)!.key;
}

/** What an answer says, without what only the clock decides. */
function substance({ results, timings: _, facets, ...answer }: SearchAnswer) {
  return {
    ...answer,
    facets,
    results: results.map(({ stored, matchedOn, explanation, highlights }) => ({
      id: stored.id,
      matchedOn,
      explanation,
      highlights,
    })),
  };
}

/** A hundred questions, each asked twice, on a machine that does something else besides. */
const LONG_MS = 60_000;

test(
  'a catalogue in memory answers every question as libSQL does',
  async () => {
    const { indexes } = service.services;
    const onDisk: SearchAnswer[] = [];
    for (const question of QUESTIONS) onDisk.push(await ask(question));
    expect(await indexes.loadNext(never)).toBe(true);
    expect(indexes.find(keyOf())).not.toBeNull();
    for (const [index, question] of QUESTIONS.entries()) {
      const inMemory = await ask(question);
      expect([question, substance(inMemory)]).toEqual([question, substance(onDisk[index]!)]);
      for (const [place, { score }] of inMemory.results.entries()) {
        expect(Math.abs(score - onDisk[index]!.results[place]!.score)).toBeLessThan(
          SCORE_TOLERANCE,
        );
      }
    }
  },
  LONG_MS,
);

test('an index of an earlier catalogue is never asked', async () => {
  const { indexes } = service.services;
  while (await indexes.loadNext(never));
  await service.importText('{"externalId":"zeppelin","name":"Zeppelin pendant lamp"}\n');
  expect(indexes.find(keyOf())).toBeNull();
  expect((await ask('zeppelin')).results[0]!.stored.item.externalId).toBe('zeppelin');
  while (await indexes.loadNext(never));
  expect(indexes.find(keyOf())).not.toBeNull();
  expect((await ask('zeppelin')).results[0]!.stored.item.externalId).toBe('zeppelin');
});

test('while a catalogue is loaded, searches in libSQL take turns with the loading, and else do not wait', async () => {
  const platform = fakePlatform();
  let yields = 0;
  const counting = {
    ...platform,
    yield: () => {
      yields += 1;
      return platform.yield();
    },
  };
  const turning = await startService({ platform: counting, embedder: null });
  const { services } = turning;
  await turning.importText('{"externalId":"a","name":"lamp"}\n');
  const turn = async () => {
    yields = 0;
    await services.indexes.turn();
    return yields;
  };
  expect(await turn()).toBe(0);
  services.indexes.find(keyOf(turning));
  let isLoading = true;
  const loading = services.indexes.loadNext(never).finally(() => {
    isLoading = false;
  });
  const waited: number[] = [];
  while (isLoading) {
    waited.push(await turn());
    await Promise.resolve();
  }
  expect(await loading).toBe(true);
  expect(Math.max(...waited)).toBe(3);
  expect(await turn()).toBe(0);
});

test('a vector that is made later is found in memory', async () => {
  const later = await startService();
  await later.importText('{"externalId":"a","name":"lamp"}\n{"externalId":"b","name":"rug"}\n');
  await later.services.meaning.questionVector('lamp');
  later.services.indexes.find(keyOf(later));
  while (await later.services.indexes.loadNext(never));
  expect((await ask('lamp', later)).results[0]!.matchedOn).not.toContain('meaning');
  await later.embedAll();
  expect(later.services.indexes.find(keyOf(later))).not.toBeNull();
  expect((await ask('lamp', later)).results[0]!.matchedOn).toContain('meaning');
  await later.close();
});

test('beyond the memory budget a catalogue stays on disk, and answers', async () => {
  const small = await startService({ flags: { 'index-memory-mb': '0' } });
  await small.importText('{"externalId":"a","name":"lamp"}\n');
  expect((await ask('lamp', small)).results).toHaveLength(1);
  expect(await small.services.indexes.loadNext(never)).toBe(true);
  expect(await small.services.indexes.loadNext(never)).toBe(false);
  expect(small.services.indexes.find(keyOf(small))).toBeNull();
  expect(await small.services.indexes.loadNext(never)).toBe(false);
  await small.close();
});
