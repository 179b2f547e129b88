import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/domain/errors.ts';
import type { Grade } from '../../../src/domain/grade.ts';
import { openRemoteScorer } from '../../../src/models/remote-scorer.ts';
import type { Scorer, ScorerCandidate } from '../../../src/models/scorer.ts';
import { Scoring } from '../../../src/operations/search/score-candidates.ts';
import { type Platform, systemPlatform } from '../../../src/platform.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { FAULTS, startChatEndpoint } from '../../support/stand-in-chat-endpoint.ts';

const BUDGET_MS = 2500;
/** Calls at a time. */
const CALLS_MAX = 4;

/** A scorer whose answers wait until the test gives them. */
interface StandInScorer extends Scorer {
  readonly asked: { readonly question: string; readonly keys: readonly string[] }[];
  /** Answers the oldest open call: each candidate gets `grade`. */
  answer(grade: Grade | null): void;
  fail(): void;
  readonly signals: readonly AbortSignal[];
}

function standInScorer(): StandInScorer {
  const open: { answer(grade: Grade | null): void; fail(): void }[] = [];
  const signals: AbortSignal[] = [];
  const asked: StandInScorer['asked'] = [];
  return {
    tag: 'stand-in',
    asked,
    signals,
    answer: (grade) => open.shift()!.answer(grade),
    fail: () => open.shift()!.fail(),
    grade(question, candidates, signal) {
      asked.push({ question, keys: candidates.map(({ key }) => key) });
      signals.push(signal);
      return new Promise((resolve, reject) => {
        const cause = 'no reason';
        open.push({
          answer: (grade) => resolve(candidates.map(() => grade)),
          fail: () => reject(new AppError('unavailable', 'The stand-in fails.', { cause })),
        });
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  };
}

function start() {
  const platform = fakePlatform();
  const scorer = standInScorer();
  const scoring = new Scoring({ platform, scorer, budgetMs: BUDGET_MS });
  /** One search from question to answer. */
  const scoreAnswered = (
    question: string,
    list: readonly ScorerCandidate[],
    grade: Grade | null,
  ) => {
    const outcome = scoring.score(question, list);
    scorer.answer(grade);
    return outcome;
  };
  const scoreFailed = (question: string) => {
    const outcome = scoring.score(question, candidates('a'));
    scorer.fail();
    return outcome;
  };
  return { platform, scorer, scoring, scoreAnswered, scoreFailed };
}

/** A candidate for each letter. */
function candidates(letters: string): ScorerCandidate[] {
  return [...letters].map((letter) => ({ key: letter, text: `text of ${letter}` }));
}

/** Lets all pending tasks run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('verdicts', () => {
  test('are cached: the same question costs no second call, whatever its case and spacing', async () => {
    const { scorer, scoring, scoreAnswered } = start();
    const graded = { state: 'language_model', grades: [3, 3] } as const;
    expect(await scoreAnswered('Warm  Jacket', candidates('ab'), 3)).toEqual(graded);
    expect(await scoring.score(' warm jacket\n', candidates('ba'))).toEqual(graded);
    expect(scorer.asked).toEqual([{ question: 'warm jacket', keys: ['a', 'b'] }]);
  });

  test('are asked for only where they are missing', async () => {
    const { scorer, scoreAnswered } = start();
    await scoreAnswered('q', candidates('ab'), 3);
    expect(await scoreAnswered('q', candidates('cadb'), 1)).toEqual({
      state: 'language_model',
      grades: [1, 3, 1, 3],
    });
    expect(scorer.asked[1]!.keys).toEqual(['c', 'd']);
  });

  test('belong to one question and one text', async () => {
    const { scorer, scoreAnswered } = start();
    await scoreAnswered('q', candidates('a'), 3);
    await scoreAnswered('p', candidates('a'), 2);
    await scoreAnswered('q', [{ key: 'a2', text: 'text of a, changed' }], 1);
    expect(scorer.asked).toHaveLength(3);
  });

  test('are cached as missing where the model gave none', async () => {
    const { scorer, scoring, scoreAnswered } = start();
    const passedOver = { state: 'language_model', grades: [null] } as const;
    expect(await scoreAnswered('q', candidates('a'), null)).toEqual(passedOver);
    expect(await scoring.score('q', candidates('a'))).toEqual(passedOver);
    expect(scorer.asked).toHaveLength(1);
  });

  test('are about the first 25, and the same text is asked about once', async () => {
    const { scorer, scoreAnswered } = start();
    const list = candidates('aab'.repeat(20));
    const outcome = await scoreAnswered('q', list, 2);
    expect(outcome).toEqual({ state: 'language_model', grades: new Array(25).fill(2) });
    expect(scorer.asked).toEqual([{ question: 'q', keys: ['a', 'b'] }]);
  });

  test('for no candidates need no model', async () => {
    const { scorer, scoring } = start();
    expect(await scoring.score('q', [])).toEqual({ state: 'language_model', grades: [] });
    expect(scorer.asked).toHaveLength(0);
  });

  test('are evicted, the least recently used first, once there are 50,000', async () => {
    const { scorer, scoring, scoreAnswered } = start();
    const list = candidates('abcdefghijklmnopqrstuvwxy');
    await scoreAnswered('first', list, 1);
    for (let index = 1; index < 2000; index++) await scoreAnswered(`q ${index}`, list, 1);
    await scoring.score('first', list);
    expect(scorer.asked).toHaveLength(2000);
    await scoreAnswered('one more', list, 1);
    await scoring.score('first', list);
    expect(scorer.asked).toHaveLength(2001);
    const again = scoring.score('q 1', list);
    expect(scorer.asked).toHaveLength(2002);
    scorer.answer(1);
    await again;
  });
});

describe('a model that is late', () => {
  test('costs a search its budget and no more, and its answer serves the next search', async () => {
    const { platform, scorer, scoring } = start();
    const outcome = scoring.score('q', candidates('ab'));
    platform.advance(BUDGET_MS - 1);
    await settle();
    expect(await Promise.race([outcome, 'waiting'])).toBe('waiting');
    platform.advance(1);
    expect(await outcome).toEqual({ state: 'timeout' });
    platform.advance(500);
    scorer.answer(2);
    await settle();
    expect(await scoring.score('q', candidates('ab'))).toEqual({
      state: 'language_model',
      grades: [2, 2],
    });
    expect(scorer.asked).toHaveLength(1);
    expect(platform.logged).toMatchObject([{ event: 'scorer_late', fields: { tookMs: 3000 } }]);
  });

  test('gets four calls at a time: a fifth search does not wait, the same question shares a call', async () => {
    const { scorer, scoring } = start();
    const four = ['a', 'b', 'c', 'd'].map((question) => scoring.score(question, candidates('x')));
    expect(await scoring.score('e', candidates('x'))).toEqual({ state: 'timeout' });
    const joined = scoring.score('A', candidates('x'));
    expect(scorer.asked).toHaveLength(4);
    for (const _ of four) scorer.answer(3);
    for (const outcome of [...four, joined]) expect((await outcome).state).toBe('language_model');
    const fifth = scoring.score('e', candidates('x'));
    scorer.answer(3);
    expect((await fifth).state).toBe('language_model');
  });

  test('opens the breaker after five late answers, though they come', async () => {
    const { platform, scorer, scoring } = start();
    for (let index = 0; index < 5; index++) {
      const outcome = scoring.score(`q ${index}`, candidates('a'));
      platform.advance(BUDGET_MS);
      expect(await outcome).toEqual({ state: 'timeout' });
      scorer.answer(3);
      await settle();
    }
    expect(await scoring.score('q', candidates('a'))).toEqual({ state: 'unavailable' });
    expect((await scoring.score('q 0', candidates('a'))).state).toBe('language_model');
    expect(scorer.asked).toHaveLength(5);
  });
});

describe('a model that fails', () => {
  test('is left alone for 30 seconds after five failures in a row, then tried with one question', async () => {
    const { platform, scorer, scoring, scoreFailed, scoreAnswered } = start();
    for (let index = 0; index < 5; index++) {
      expect(await scoreFailed(`q ${index}`)).toEqual({ state: 'unavailable' });
    }
    platform.advance(29_999);
    expect(await scoring.score('q', candidates('a'))).toEqual({ state: 'unavailable' });
    expect(scorer.asked).toHaveLength(5);
    platform.advance(1);
    const probe = scoring.score('probe', candidates('a'));
    expect(await scoring.score('q', candidates('a'))).toEqual({ state: 'unavailable' });
    scorer.fail();
    expect(await probe).toEqual({ state: 'unavailable' });
    expect(await scoring.score('q', candidates('a'))).toEqual({ state: 'unavailable' });
    expect(scorer.asked).toHaveLength(6);
    platform.advance(30_000);
    expect((await scoreAnswered('probe', candidates('a'), 3)).state).toBe('language_model');
    expect((await scoreAnswered('q', candidates('a'), 3)).state).toBe('language_model');
    expect(platform.logged.map(({ event }) => event)).toEqual(new Array(6).fill('scorer_failed'));
  });

  test('is not tried while four calls hang, but is once there is room', async () => {
    const { platform, scorer, scoring, scoreAnswered } = start();
    const scoreLate = async (question: string) => {
      const outcome = scoring.score(question, candidates('x'));
      platform.advance(BUDGET_MS);
      expect(await outcome).toEqual({ state: 'timeout' });
    };
    for (const question of ['a', 'b', 'c', 'd']) await scoreLate(question);
    scorer.fail();
    await settle();
    await scoreLate('e');
    platform.advance(30_000);
    expect(await scoring.score('f', candidates('x'))).toEqual({ state: 'timeout' });
    for (const _ of ['b', 'c', 'd', 'e']) scorer.fail();
    await settle();
    expect((await scoreAnswered('g', candidates('x'), 3)).state).toBe('language_model');
    expect(scorer.asked.map(({ question }) => question).join('')).toBe('abcdeg');
  });

  test('only now and then keeps being asked', async () => {
    const { scoreFailed, scoreAnswered } = start();
    for (let index = 0; index < 20; index++) {
      if (index % 5 === 4) await scoreAnswered(`q ${index}`, candidates('a'), 3);
      else await scoreFailed(`q ${index}`);
    }
    expect((await scoreAnswered('q', candidates('a'), 3)).state).toBe('language_model');
  });
});

test('closing aborts the calls in flight, and nothing is asked or logged afterwards', async () => {
  const { platform, scorer, scoring } = start();
  const outcome = scoring.score('q', candidates('a'));
  scoring.close();
  expect(await outcome).toEqual({ state: 'unavailable' });
  expect(scorer.signals[0]!.aborted).toBe(true);
  expect(await scoring.score('q', candidates('a'))).toEqual({ state: 'unavailable' });
  expect(scorer.asked).toHaveLength(1);
  expect(platform.logged).toEqual([]);
});

describe("an endpoint's fault never fails a search: 200 of them", async () => {
  const KEY = 'sk-very-secret';
  const budgetMs = 60;
  const endpoint = await startChatEndpoint();
  afterAll(() => endpoint.close());
  beforeEach(() => {
    endpoint.asked.length = 0;
  });

  /** Resolves to the number of calls that the model got. */
  async function search200(url: string): Promise<number> {
    const logged: unknown[] = [];
    const system = systemPlatform('error');
    let budget = Promise.withResolvers<void>();
    const budgets: number[] = [];
    const platform: Platform = {
      ...system,
      log: (...line) => void logged.push(line),
      // The breaker rests to the end of the test, however long the machine takes for it.
      monotonicMs: () => 0,
      async sleep(ms, signal) {
        budgets.push(ms);
        await system.sleep(ms, signal);
        budget.resolve();
      },
    };
    const scorer = openRemoteScorer({ url, model: 'm', apiKey: KEY, timeoutMs: budgetMs + 20 });
    let callCount = 0;
    const counted: Scorer = {
      tag: scorer.tag,
      grade(...asked) {
        callCount += 1;
        return scorer.grade(...asked);
      },
    };
    const scoring = new Scoring({ platform, scorer: counted, budgetMs });
    const states: string[] = [];
    for (let index = 0; index < 200; index++) {
      while (scoring.callCount >= CALLS_MAX) await settle();
      budget = Promise.withResolvers();
      const overdue = budget.promise.then(settle).then(() => 'overdue');
      const outcome = scoring.score(`question ${index}`, candidates('abc'));
      states.push(await Promise.race([outcome.then(({ state }) => state), overdue]));
    }
    expect(new Set(states).difference(new Set(['timeout', 'unavailable']))).toBeEmpty();
    expect(states.slice(callCount).every((state) => state === 'unavailable')).toBe(true);
    expect(budgets).toEqual(new Array(callCount).fill(budgetMs));
    expect(JSON.stringify(logged)).not.toContain(KEY);
    scoring.close();
    return callCount;
  }

  test.each(Object.entries(FAULTS))('%s', async (name, misbehave) => {
    endpoint.reply = misbehave;
    expect([await search200(endpoint.origin), name]).toEqual([5, name]);
  });

  test('nobody listening', async () => {
    expect(await search200('http://127.0.0.1:1')).toBe(5);
  });
});
