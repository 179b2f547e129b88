import { describe, expect, test } from 'bun:test';
import { type AskedQuestion, LearnedModel } from '../../../src/search/learning/learned-model.ts';
import { limitsOf, questionKey } from '../../../src/search/learning/question-key.ts';
import { parseQuestion } from '../../../src/search/query/parse-question.ts';
import { languageOf } from '../../../src/search/text/language.ts';
import { LEARNED_MAX } from '../../../src/search/tuning/learning-weights.ts';
import { quantiseVector8 } from '../../../src/search/vectors/vector8.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

/** Questions whose cosine to each other is what their angles say. */
const vectorAt = (angle: number) =>
  Float32Array.of(Math.cos(angle), Math.sin(angle), 0.01, -0.01, 0, 0, 0, 0);

const parse = (text: string) => parseQuestion(text, languageOf('en'));

function asked(text: string, angle: number | null): AskedQuestion {
  const question = parse(text);
  return {
    ...{ key: questionKey(question), terms: question.terms, limits: limitsOf(question) },
    vector: angle === null ? null : vectorAt(angle),
    nearness: (cosine) => cosine,
  };
}

/** What clients chose: for each question its angle, who asked it, and who chose each item. */
function learned(
  questions: Readonly<
    Record<string, { angle: number; of: number; chosen: Record<string, number> }>
  >,
): LearnedModel {
  const model = new LearnedModel();
  for (const [text, { angle, of, chosen }] of Object.entries(questions)) {
    const question = parse(text);
    const key = questionKey(question);
    model.putPair(key, '', { voices: of, weight: of });
    for (const [item, voices] of Object.entries(chosen))
      model.putPair(key, item, { voices, weight: voices });
    model.putQuestion(key, {
      ...{ terms: new Set(question.terms), limits: limitsOf(question) },
      vector: quantiseVector8(vectorAt(angle)),
    });
  }
  model.seal();
  return model;
}

const PROJECTOR = { angle: 0, of: 40, chosen: { beamer: 12 } };

describe('an item is lifted', () => {
  const lift = (model: LearnedModel, question: AskedQuestion, item = 'beamer', fit = 1) =>
    model.answersTo(question, NOW_MS)?.liftOf(item, fit) ?? 0;

  test('the more, the more of those who asked chose it, and never beyond the limit', () => {
    const few = learned({ projector: { ...PROJECTOR, chosen: { beamer: 3 } } });
    const some = learned({ projector: PROJECTOR });
    const all = learned({ projector: { ...PROJECTOR, chosen: { beamer: 4000 } } });
    const lifts = [few, some, all].map((model) => lift(model, asked('Projectors', null)));
    expect(lifts[0]).toBeGreaterThan(0);
    expect(lifts).toEqual(lifts.toSorted((left, right) => left - right));
    expect(lifts[2]).toBeLessThanOrEqual(LEARNED_MAX);
  });

  test('by three clients, not by two', () => {
    for (const [voices, isLifted] of [
      [2, false],
      [3, true],
    ] as const) {
      const model = learned({ projector: { ...PROJECTOR, chosen: { beamer: voices } } });
      expect(lift(model, asked('projector', null)) > 0).toBe(isLifted);
    }
  });

  test.each([
    ['a question with more words', 'projector for my living room', 0.5, true],
    ['the same words far off', 'projector for my living room', 1.4, false],
    ['a wider question', 'projector screen', 0.1, false],
    ['another question that is very near', 'beamer', 0.2, true],
    ['another question that is rather near', 'camera', 0.8, false],
    ['a question for a size', 'projector 120cm', 0.1, false],
    ['a question that excludes something', 'projector -hdmi', 0.1, false],
  ])('for a near question: %s', (_, text, angle, isLifted) => {
    const isWider = text === 'projector screen';
    const model = learned({ [isWider ? 'projector screen' : 'projector']: PROJECTOR });
    const question = asked(isWider ? 'projector' : text, angle);
    expect(lift(model, question) > 0).toBe(isLifted);
    expect(lift(model, question)).toBeLessThan(
      lift(model, asked('projector', null)) || LEARNED_MAX,
    );
  });

  test('for a near question the less, the less of its words the item covers', () => {
    const model = learned({ tablet: { angle: 0, of: 20, chosen: { slate: 10 } } });
    const question = asked('android tablet', 0.3);
    const lifts = [1, 0.5, 0].map((fit) => lift(model, question, 'slate', fit));
    expect(lifts).toEqual(lifts.toSorted((left, right) => right - left));
    expect([lifts[0]! > 0, lifts[2]]).toEqual([true, 0]);
  });
});

test('the reason for a lift names those who asked this, nearly this, or anything', () => {
  const model = learned({ projector: PROJECTOR });
  model.putPair('', '', { voices: 50, weight: 50 });
  model.putPair('', 'lamp', { voices: 5, weight: 5 });
  const reason = (question: AskedQuestion, item: string, fit = 1) => {
    const answers = model.answersTo(question, NOW_MS)!;
    return answers.reasonOf(item, answers.liftOf(item, fit));
  };
  const near = asked('projector for my living room', 0.5);
  expect(reason(asked('projector', null), 'beamer')).toMatchObject({
    ...{ asked: 'same', chosenBy: 12, of: 40 },
  });
  expect(reason(near, 'beamer')).toMatchObject({ asked: 'near', chosenBy: 12, of: 40 });
  expect(reason(near, 'beamer', 0)).toBeNull();
  expect(reason(near, 'lamp')).toMatchObject({ asked: 'any', chosenBy: 5, of: 50 });
  expect(reason(near, 'mug')).toBeNull();
});
