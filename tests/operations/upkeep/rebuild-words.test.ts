import { afterAll, beforeAll, expect, test } from 'bun:test';
import { translatorFor } from '../../../src/messages/translator.ts';
import { analysisOf } from '../../../src/operations/indexes/analysis-fingerprint.ts';
import { searchCatalog } from '../../../src/operations/search/search-catalog.ts';
import { rebuildWords } from '../../../src/operations/upkeep/rebuild-words.ts';
import { countDocuments, unindexDocuments } from '../../../src/storage/catalog/word-index.ts';
import { setWordsAnalysis } from '../../../src/storage/organizations.ts';
import { jsonLines } from '../../support/catalog.ts';
import { termOf } from '../../support/english.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

let service: LocalService;

beforeAll(async () => {
  service = await startService({ embedder: null });
});

afterAll(() => service.close());

function shopOf({ services, organization }: LocalService) {
  const { key } = services.directory.findOrganization(organization.id)!;
  return services.directory.shopsOf(key)[0]!;
}

async function rebuild(): Promise<void> {
  const rebuildNext = rebuildWords(service.services);
  while (await rebuildNext());
}

test('words that another analysis made are made anew, all of them, and only once', async () => {
  const { db, directory } = service.services;
  const names = Array.from({ length: 70 }, (_, at) => `Kettle number ${at}`);
  await service.importText(jsonLines(names.map((name) => ({ externalId: name, name }))));
  const { key, organizationKey } = shopOf(service);
  const count = async () =>
    (await countDocuments(db, organizationKey, [termOf('kettle')])).get(termOf('kettle')) ?? 0;
  const keys = await db.all<{ key: number }>({ sql: 'SELECT key FROM documents', args: [] });
  await db.write([
    unindexDocuments(
      organizationKey,
      keys.map((row) => row.key),
    ),
    setWordsAnalysis(db, key, 'en:other'),
  ]);
  await directory.reload();
  expect(await count()).toBe(0);
  await rebuild();
  expect(await count()).toBe(70);
  expect(shopOf(service).wordsAnalysis).toBe(analysisOf('en'));
  expect(await rebuildWords(service.services)()).toBe(false);
});

test('a shop that changes its language has its words made anew, in SQL and in memory alike', async () => {
  const { db } = service.services;
  await service.importText(
    jsonLines([
      { externalId: 'pot', name: 'Kochtöpfe aus Edelstahl' },
      { externalId: 'glove', name: 'Gartenhandschuhe' },
    ]),
    { full: true, allowShrink: true },
  );
  const { organizationKey } = shopOf(service);
  const holders = async (term: string) =>
    (await countDocuments(db, organizationKey, [term])).get(term) ?? 0;
  await service.perform('shop.set', { organization: service.organization.slug, locale: 'de-DE' });
  expect([await holders('kochtopfe'), await holders('kochtopf')]).toEqual([1, 0]);
  await rebuild();
  expect([await holders('kochtopfe'), await holders('kochtopf')]).toEqual([0, 1]);
  const ask = async (question: string) => {
    const page = { shops: null, productsOnly: false, skipScoring: false, offset: 0, limit: 5 };
    const { results } = await searchCatalog(service.services, {
      ...{ organizationKey, question, ...page },
    });
    return results.map((result) => [
      result.stored.item.externalId,
      result.score.toFixed(2),
      result.explanation(translatorFor('de')),
    ]);
  };
  const questions = ['Topf', 'Handschuhe', 'edelstahltopf', 'Handschuhe nicht für Garten'];
  const fromSql = await Promise.all(questions.map(ask));
  expect(fromSql[0]?.[0]?.[0]).toBe('pot');
  expect(fromSql[1]?.[0]?.[0]).toBe('glove');
  // A reason names the word of the question and not its stem.
  expect(fromSql[1]?.[0]?.[2]).toContain('Handschuhe');
  const { indexes } = service.services;
  while (await indexes.loadNext(new AbortController().signal));
  expect(indexes.find(organizationKey)).not.toBeNull();
  expect(await Promise.all(questions.map(ask))).toEqual(fromSql);
});
