import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { embedNextDocuments } from '../../../src/operations/search/embed-next-documents.ts';
import { followInstances } from '../../../src/operations/upkeep/follow-instances.ts';
import { jsonLines } from '../../support/catalog.ts';
import {
  A,
  B,
  CONCEPTS,
  type ConceptModel,
  conceptEmbedder,
  formerModels,
  newModelLog,
  RIDDLE,
} from '../../support/concept-models.ts';
import { instancePlatform } from '../../support/instances.ts';
import { startLibsqlServer } from '../../support/libsql-server.ts';
import { startService } from '../../support/start-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;

test('of several instances one makes the new vectors; the others answer by the former ones where they have that model, else by words', async () => {
  const folder = temporaryFolder();
  const server = await startLibsqlServer({ path: join(folder.path, 'server.db') });
  const start = async (model: ConceptModel, formers: readonly ConceptModel[]) => {
    const log = newModelLog();
    const service = await startService({
      flags: { 'database-url': server.url, 'public-url': 'https://shop.example' },
      platform: instancePlatform(),
      embedder: conceptEmbedder(model, log),
      openFormer: formerModels(formers, log),
    });
    await service.services.embeddings.load();
    const { indexes } = service.services;
    return {
      ...service,
      follow: followInstances(service.services),
      async load() {
        indexes.find(1);
        while (await indexes.loadNext(never));
      },
      async answer() {
        const response = await service.fetch(`/rest/search/v3/?q=${RIDDLE}&limit=1`);
        const { results } = (await response.json()) as { results: { name: string }[] };
        return results[0]?.name ?? null;
      },
    };
  };
  const before = await start(A, []);
  await before.importText(jsonLines(CONCEPTS.map((name) => ({ externalId: name, name }))));
  await before.embedAll();
  await before.close();
  const maker = await start(B, [A]);
  const able = await start(B, [A]);
  const unable = await start(B, []);
  const others = [able, unable];
  for (const other of others) await other.load();
  await embedNextDocuments(maker.services, never);
  const answers = () => Promise.all([maker, ...others].map((instance) => instance.answer()));
  expect(await answers()).toEqual([A.riddle, A.riddle, null]);
  await maker.embedAll();
  await maker.load();
  for (const other of others) {
    await other.follow();
    await other.load();
  }
  expect(await answers()).toEqual([B.riddle, B.riddle, B.riddle]);
  for (const instance of [maker, ...others]) await instance.close();
  await server.close();
  folder.remove();
});
