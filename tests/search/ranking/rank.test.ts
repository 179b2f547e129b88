import { describe, expect, test } from 'bun:test';
import type { Candidate } from '../../../src/search/ranking/candidates.ts';
import { type Asked, Ranker } from '../../../src/search/ranking/rank.ts';
import { candidatesOf } from '../../support/ranking-candidates.ts';

const GROUPS = ['night', 'lamp'].map((term) => ({ term, alternatives: [term], idf: 2 }));

function candidateOf(documentKey: number, overrides: Partial<Candidate> = {}): Candidate {
  return {
    document: documentKey,
    documentKey,
    itemKey: documentKey,
    id: `item-${documentKey}`,
    isContext: false,
    available: true,
    bm25: 1,
    text: 1,
    cosine: 0.3,
    matched: [0, 0],
    held: [0, 0],
    typed: [0, 0],
    name: { density: 0, adjacency: 0, head: 0, hasNoun: false, isAccessory: false, isHost: false },
    facts: { prices: [], currency: 'EUR', measures: [], isService: false },
    presences: [],
    ...overrides,
  };
}

function askedFor(overrides: Partial<Asked> = {}): Asked {
  return {
    groups: GROUPS,
    headGroup: 1,
    isSentence: false,
    asksShop: false,
    asksPolicy: false,
    isEnglish: true,
    measures: [],
    constraints: [],
    hasVector: true,
    ...overrides,
  };
}

/** `feedback`: by candidate; left out for a ranking without it. */
function rank(
  list: readonly Candidate[],
  asked: Asked,
  {
    skipScoring = false,
    feedback = null,
  }: { skipScoring?: boolean; feedback?: number[] | null } = {},
) {
  const ranking = new Ranker(candidatesOf(list), asked, { skipScoring }).rank(feedback);
  return { ...ranking, ranked: ranking.ranked.slice(0) };
}

function best(list: readonly Candidate[], asked: Asked, count: number): string[] {
  const places = new Ranker(candidatesOf(list), asked, { skipScoring: false }).best(count);
  return places.map((place) => list[place]!.id);
}

const BOTH = [1, 1];
const NAMED = {
  density: 0.2,
  adjacency: 0,
  head: 1,
  hasNoun: true,
  isAccessory: false,
  isHost: false,
};

function idsOf(candidates: readonly Candidate[], feedback: number[] | null = null): string[] {
  return rank(candidates, askedFor(), { feedback }).ranked.map(({ id }) => id);
}

describe('order', () => {
  test('of two equals, the one nearer to the best answers comes first', () => {
    const equal = [candidateOf(1), candidateOf(2)];
    expect(idsOf(equal)).toEqual(['item-1', 'item-2']);
    const feedback = [0.2, 0.8];
    expect(idsOf(equal, feedback)).toEqual(['item-2', 'item-1']);
    const skipped = { skipScoring: true, feedback };
    expect(rank(equal, askedFor(), skipped).ranked[0]!.id).toBe('item-1');
  });

  test.each([false, true])(
    'what cannot be ordered is demoted, not hidden (skipScoring %p)',
    (skipScoring) => {
      const list = [candidateOf(1, { available: false }), candidateOf(2)];
      const { ranked } = rank(list, askedFor(), { skipScoring });
      expect(ranked.map(({ id }) => id)).toEqual(['item-2', 'item-1']);
      expect(ranked[1]!.score).toBeCloseTo(0.8 * ranked[0]!.score, 10);
    },
  );

  test('a question about the shop is answered by a policy whose vector is near', () => {
    const list = [
      candidateOf(1, { cosine: 0.4 }),
      candidateOf(2, { cosine: 0.4, isContext: true }),
    ];
    const orderFor = (overrides: Partial<Asked>) =>
      rank(list, askedFor(overrides)).ranked.map(({ id }) => id);
    expect(orderFor({})).toEqual(['item-1', 'item-2']);
    expect(orderFor({ asksShop: true })).toEqual(['item-2', 'item-1']);
    list[1] = candidateOf(2, { cosine: 0.34, isContext: true });
    expect(orderFor({ asksShop: true })).toEqual(['item-1', 'item-2']);
  });

  test('an exact code is a flag: it comes before a policy of the same score, which has none', () => {
    const groups = [{ term: 'ab-12', alternatives: ['ab12'], idf: 5, isCode: true as const }];
    const perfect = {
      density: 1,
      adjacency: 1,
      head: 1,
      hasNoun: true,
      isAccessory: false,
      isHost: false,
    };
    const policy = { bm25: 2, cosine: 1, isContext: true, typed: [1], name: perfect };
    const list = [
      candidateOf(1, { ...policy, matched: [0.9] }),
      candidateOf(2, { matched: [1], typed: [0] }),
    ];
    const asked = askedFor({ groups, headGroup: 0, asksShop: true });
    const { ranked } = rank(list, asked);
    expect(ranked.map(({ id, score, isExactCode }) => [id, score, isExactCode])).toEqual([
      ['item-2', 1, true],
      ['item-1', 1, false],
    ]);
    expect(best(list, asked, 1)).toEqual(['item-2']);
  });

  test('a service ranks below the product it is about, unless the service was asked for', () => {
    const facts = { prices: [], currency: 'EUR', measures: [], isService: true };
    const service = (hasNoun: boolean) =>
      candidateOf(1, { facts, matched: BOTH, name: { ...NAMED, hasNoun } });
    const thing = candidateOf(2, { matched: BOTH, name: NAMED });
    expect(idsOf([service(false), thing])).toEqual(['item-2', 'item-1']);
    expect(idsOf([service(true), thing])).toEqual(['item-1', 'item-2']);
  });

  test('what the thing asked for is used with ranks below it, however well its name matches', () => {
    const host = (isHost: boolean) =>
      candidateOf(1, { matched: BOTH, name: { ...NAMED, head: 0.75, density: 0.7, isHost } });
    const thing = candidateOf(2, { matched: BOTH, name: NAMED });
    expect(idsOf([host(false), thing])).toEqual(['item-1', 'item-2']);
    expect(idsOf([host(true), thing])).toEqual(['item-2', 'item-1']);
  });

  test('what has only a word for anything ranks below what has another word of the question', () => {
    const card = candidateOf(1, { matched: [1, 0], bm25: 1.2 });
    const thing = candidateOf(2, { matched: [0, 1] });
    const [gift, purpose] = GROUPS;
    const idsFor = (groups: Asked['groups']) =>
      rank([card, thing], askedFor({ groups })).ranked.map(({ id }) => id);
    expect(idsFor(GROUPS)).toEqual(['item-1', 'item-2']);
    expect(idsFor([{ ...gift!, isVague: true }, purpose!])).toEqual(['item-2', 'item-1']);
  });

  test('an accessory ranks below the product it is made for, if that product is there', () => {
    const made = { ...NAMED, head: 0.75, isAccessory: true };
    const accessory = candidateOf(1, { matched: BOTH, name: made, cosine: 0.4 });
    const product = candidateOf(2, { matched: BOTH, name: NAMED });
    const scoreBeside = (other: Candidate) =>
      rank([accessory, other], askedFor()).ranked.find(({ id }) => id === accessory.id)!.score;
    expect(idsOf([accessory, product])).toEqual(['item-2', 'item-1']);
    const otherThing = candidateOf(2, { matched: BOTH });
    expect(scoreBeside(product)).toBeCloseTo(0.88 * scoreBeside(otherThing), 10);
  });

  test('a type that names what is asked for counts like the head noun of a name', () => {
    const words = { matched: BOTH };
    const list = [candidateOf(1, words), candidateOf(2, { ...words, typed: [0, 1] })];
    expect(idsOf(list)).toEqual(['item-2', 'item-1']);
    const plain = rank(list, askedFor()).ranked;
    expect(plain[0]!.score).toBeGreaterThan(plain[1]!.score);
  });
});

test('feedback comes from the first results of a ranking without feedback', () => {
  const candidates = Array.from({ length: 60 }, (_, at) =>
    candidateOf(at, { cosine: ((at * 37) % 60) / 60, available: at % 7 > 0 }),
  );
  for (const constraints of [[], [{ kind: 'availability' as const, text: 'in stock' }]]) {
    const asked = askedFor({ constraints });
    const { ranked } = rank(candidates, asked);
    expect(best(candidates, asked, 10)).toEqual(ranked.slice(0, 10).map(({ id }) => id));
  }
});

describe('confidence', () => {
  const PARTS = GROUPS.map((group) => ({ ...group, guess: 'parts' as const }));
  const POLICY = { isContext: true, cosine: 0.6, matched: [1, 0] };
  const LAMP = { matched: BOTH, name: NAMED, cosine: 0.6 };
  const isDoubted = (candidate: Partial<Candidate>, asked: Partial<Asked> = {}) =>
    rank([candidateOf(1, candidate)], askedFor(asked)).lowConfidence;

  test.each<[string, Partial<Candidate>, Partial<Asked>, boolean]>([
    ['nothing of it', {}, {}, true],
    ['half of it, as something else', { matched: [1, 0] }, {}, true],
    ['half of it, as a lamp', { matched: [0, 1], name: NAMED }, {}, true],
    ['all of it, as a lamp by name', { matched: BOTH, name: NAMED, cosine: 0.5 }, {}, false],
    ['all of it, as a lamp by type', { matched: BOTH, typed: [0, 1], cosine: 0.35 }, {}, false],
    ['all of it, as a lamp, not embedded yet', { matched: BOTH, cosine: null }, {}, false],
    [
      'all of it, by the parts of its words',
      { matched: BOTH, name: NAMED },
      { groups: PARTS },
      true,
    ],
    ['all of it, in passing, far in meaning', { matched: BOTH, cosine: 0.1 }, {}, true],
    ['all of it, in passing, near in meaning', { matched: BOTH, cosine: 0.7 }, {}, false],
    ['half of it, to a sentence', { matched: [1, 0], cosine: 0.5 }, { isSentence: true }, false],
    ['nothing of it, to a sentence', { bm25: 0, cosine: 0.3 }, { isSentence: true }, true],
    ['a policy near in meaning', { isContext: true, cosine: 0.75 }, {}, false],
    ['a policy near in meaning, asked for', POLICY, { asksShop: true, asksPolicy: true }, false],
    ['a lamp, to a question for a policy', LAMP, { asksShop: true, asksPolicy: true }, true],
    ['half of it, without meaning', { matched: [1, 0] }, { hasVector: false }, false],
    ['nothing of it, without meaning', {}, { hasVector: false }, true],
  ])('%s', (_, candidate, asked, expected) => {
    expect(isDoubted(candidate, asked)).toBe(expected);
  });

  test('an empty answer has low confidence, and a code that was found never has', () => {
    expect(rank([], askedFor()).lowConfidence).toBe(true);
    const code = [{ term: 'ab-12', alternatives: ['ab12'], idf: 5, isCode: true as const }];
    const asked = askedFor({ groups: code, headGroup: 0 });
    const found = [candidateOf(1, { matched: [1], typed: [0], cosine: 0 })];
    expect(rank(found, asked).lowConfidence).toBe(false);
  });
});
