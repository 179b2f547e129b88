import { describe, expect, test } from 'bun:test';
import { fittingCandidates, orderFitting } from '../../../src/search/ranking/order-fitting.ts';
import type { RankedCandidate } from '../../../src/search/ranking/ranked-list.ts';

const NAME = {
  density: 1,
  adjacency: 1,
  head: 0,
  hasNoun: false,
  isAccessory: false,
  isHost: false,
};
const FACTS = { prices: [], currency: 'EUR', measures: [], isService: false };

function ranked(id: string, overrides: Partial<RankedCandidate> = {}): RankedCandidate {
  return {
    ...{
      document: 0,
      itemKey: 0,
      documentKey: 0,
      bm25: 1,
      text: 1,
      cosine: 0.5,
      matched: [1],
      held: [0],
      typed: [0],
    },
    ...{ isContext: false, available: true, presences: [], isExactCode: false, lift: 0 },
    ...{ id, score: 0.5, name: NAME, facts: FACTS, ...overrides },
  };
}

describe('what “cheapest” orders', () => {
  const noun = { name: { ...NAME, head: 1 } };
  const accessory = { name: { ...NAME, head: 1, isAccessory: true } };
  const service = { ...noun, facts: { ...FACTS, isService: true } };

  test.each<[string, RankedCandidate[], string[]]>([
    ['nothing without results', [], []],
    [
      'what has the noun of the question',
      [
        ranked('a', { typed: [1] }),
        ranked('b', noun),
        ranked('c', accessory),
        ranked('d', service),
      ],
      ['b'],
    ],
    ['else what has its type', [ranked('a'), ranked('b', { typed: [1] })], ['b']],
    [
      'else what scores nearly as well as the best',
      [ranked('a'), ranked('b', { score: 0.4 })],
      ['a'],
    ],
    ['no policy', [ranked('a', { isContext: true }), ranked('b')], ['b']],
  ])('%s', (_, list, expected) => {
    expect(fittingCandidates(list, 0).map(({ id }) => id)).toEqual(expected);
  });

  test('what fits comes first by its value, and each place keeps its score', () => {
    const list = [0.9, 0.8, 0.7, 0.6].map((score, at) => ranked('abcd'[at]!, { score }));
    const values = new Map([
      ['b', 20],
      ['d', 10],
    ]);
    const fitting = [list[0]!, list[1]!, list[3]!];
    const ordered = orderFitting(list, fitting, ({ id }) => values.get(id) ?? null);
    expect(ordered.map(({ id, score }) => [id, score])).toEqual([
      ['d', 0.9],
      ['b', 0.8],
      ['a', 0.7],
      ['c', 0.6],
    ]);
  });
});
