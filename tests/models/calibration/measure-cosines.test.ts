import { expect, test } from 'bun:test';
import { CALIBRATION_PAIRS } from '../../../src/models/calibration/calibration-pairs.ts';
import { measureCosines } from '../../../src/models/calibration/measure-cosines.ts';
import type { Embedder } from '../../../src/models/embedder.ts';

/** Understands English: both texts of a subject have its vector. All other texts have one vector. */
function embedderOf(vectorOf: (subject: number) => readonly number[]): Embedder {
  const subjects = new Map(
    CALIBRATION_PAIRS.get('en')!.flatMap(({ question, answer }, at) => [
      [question, at],
      [answer, at],
    ]),
  );
  return {
    tag: 'test',
    cosineScale: null,
    embed: async (texts) =>
      texts.map((text) => Float32Array.from(vectorOf(subjects.get(text) ?? 0))),
    close: async () => undefined,
  };
}

async function measure(vectorOf: (subject: number) => readonly number[]) {
  const { languages, scale } = await measureCosines(
    embedderOf(vectorOf),
    new AbortController().signal,
  );
  return {
    english: languages[0]!,
    understood: languages.filter((each) => each.rightCount > 4),
    scale,
  };
}

test('the scale is that of the languages that a model understands', async () => {
  const { english, understood, scale } = await measure((subject) =>
    Array.from({ length: 6 }, (_, at) => (at === subject ? 1 : 0)),
  );
  expect(english).toMatchObject({ language: 'en', questionCount: 6, rightCount: 6, deviation: 0 });
  expect(understood).toEqual([english]);
  expect(scale).toEqual({ unrelated: 0, related: 1 });
});

test('the less clearly a model separates texts, the less its cosines are stretched', async () => {
  const { english, scale } = await measure((subject) => [
    Math.cos((subject * Math.PI) / 3),
    Math.sin((subject * Math.PI) / 3),
  ]);
  expect(english.deviation).toBeGreaterThan(0.5);
  expect(scale!.unrelated).toBeLessThan(english.unrelated);
  expect(scale!.related).toBeCloseTo(1);
});
