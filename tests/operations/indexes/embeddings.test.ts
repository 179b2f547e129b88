import { expect, test } from 'bun:test';
import { CALIBRATION_PAIRS } from '../../../src/models/calibration/calibration-pairs.ts';
import { REFERENCE_SCALE } from '../../../src/models/cosine-scale.ts';
import type { Embedder } from '../../../src/models/embedder.ts';
import { Embeddings } from '../../../src/operations/indexes/embeddings.ts';
import { openFresh } from '../../storage/open.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { embedderOf, StandInModel } from '../../support/stand-in-embedder.ts';

const BUDGET_MS = 400;

/** Embeddings whose model has begun to load, and loads until `model` is well. */
async function startLoading() {
  const platform = fakePlatform();
  const model = new StandInModel();
  model.condition = 'slow';
  const db = await openFresh();
  const embeddings = new Embeddings({
    db,
    platform,
    embedder: embedderOf(model),
    budgetMs: BUDGET_MS,
  });
  const asked = model.nextAsked();
  const loaded = embeddings.warmUp(new AbortController().signal);
  platform.advance(100);
  await asked;
  return { platform, model, embeddings, loaded, close: () => db.close() };
}

test('a question asked while the model loads gets its vector if the model is ready within the budget', async () => {
  const { platform, model, embeddings, loaded, close } = await startLoading();
  const answer = embeddings.questionVector('mug');
  platform.advance(BUDGET_MS - 1);
  model.condition = 'well';
  await loaded;
  expect(await answer).toMatchObject({ state: 'ready' });
  expect(model.asked).toEqual(['warm-up', 'mug']);
  await close();
});

test('a question that waited for the model in vain is answered at its budget and never embedded', async () => {
  const { platform, model, embeddings, loaded, close } = await startLoading();
  const answer = embeddings.questionVector('mug');
  platform.advance(BUDGET_MS);
  expect(await answer).toEqual({ state: 'timeout' });
  model.condition = 'well';
  await loaded;
  expect(await embeddings.questionVector('cup')).toMatchObject({ state: 'ready' });
  expect(model.asked).toEqual(['warm-up', 'cup']);
  expect(embeddings.counts.timeouts).toBe(1);
  await close();
});

/** Relates what belongs together in English; every cosine is from 0.8 to 1. */
function narrowEmbedder(asked: string[]): Embedder {
  const subjects = new Map(
    CALIBRATION_PAIRS.get('en')!.flatMap(({ question, answer }, at) => [
      [question, at],
      [answer, at],
    ]),
  );
  return {
    tag: 'narrow',
    cosineScale: null,
    async embed(texts) {
      asked.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(8);
        vector[0] = Math.sqrt(0.8);
        vector[1 + (subjects.get(text) ?? 6)] = Math.sqrt(0.2);
        return vector;
      });
    },
    close: async () => undefined,
  };
}

test('the cosines of an unknown model are measured once, and its scale stays with the data', async () => {
  const [db, platform] = [await openFresh(), fakePlatform()];
  const asked: string[] = [];
  const open = () =>
    new Embeddings({ db, platform, embedder: narrowEmbedder(asked), budgetMs: BUDGET_MS });
  const first = open();
  await first.load();
  expect(first.model!.scale.unrelated).toBeCloseTo(0.8);
  expect(first.model!.scale.related).toBeCloseTo(1);
  expect(asked.length).toBeGreaterThan(CALIBRATION_PAIRS.size);
  asked.length = 0;
  const second = open();
  await second.load();
  expect(second.model).toEqual(first.model);
  expect(asked).toEqual(['warm-up']);
  await db.close();
});

test('a model that understands no language is used all the same, with a warning', async () => {
  const [db, platform] = [await openFresh(), fakePlatform()];
  const embedder = { ...embedderOf(new StandInModel()), cosineScale: null };
  const embeddings = new Embeddings({ db, platform, embedder, budgetMs: BUDGET_MS });
  expect(await embeddings.load()).toMatchObject({ state: 'ready' });
  expect(embeddings.model!.scale).toEqual(REFERENCE_SCALE);
  expect(platform.logged.map(({ event }) => event)).toEqual(['embedder_understands_nothing']);
  await db.close();
});

test('equal catalogue texts share a vector, in one batch and in the next', async () => {
  const [db, platform, model] = [await openFresh(), fakePlatform(), new StandInModel()];
  const embeddings = new Embeddings({
    ...{ db, platform, budgetMs: BUDGET_MS },
    embedder: embedderOf(model),
  });
  const { signal } = new AbortController();
  const first = await embeddings.offeringVectors(['mug', 'cup', 'mug'], signal);
  expect(first.vectors[2]).toBe(first.vectors[0]!);
  const second = await embeddings.offeringVectors(['cup', 'pot'], signal);
  expect(second.vectors[0]).toEqual(first.vectors[1]!);
  expect(await embeddings.offeringVectors(['pot'], signal)).toMatchObject({ model: first.model });
  expect(model.asked).toEqual(['mug', 'cup', 'pot']);
  await db.close();
});

test('a vector of a former model is never taken for one of its successor', async () => {
  const [db, platform, model] = [await openFresh(), fakePlatform(), new StandInModel()];
  let tag = 'one';
  const embedder: Embedder = {
    ...embedderOf(model),
    get tag() {
      return tag;
    },
  };
  const embeddings = new Embeddings({ db, platform, embedder, budgetMs: BUDGET_MS });
  const { signal } = new AbortController();
  await embeddings.offeringVectors(['mug'], signal);
  tag = 'two';
  const { model: successor } = await embeddings.offeringVectors(['mug', 'cup'], signal);
  expect(successor.tag).toBe('two');
  expect(model.asked).toEqual(['mug', 'cup', 'mug', 'cup']);
  await db.close();
});
