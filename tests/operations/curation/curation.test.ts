import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { CurationRule } from '../../../src/domain/curation.ts';
import { translatorFor } from '../../../src/messages/translator.ts';
import type { RuleChange, RuleList } from '../../../src/operations/curation/change-rules.ts';
import { type SearchAnswer, searchCatalog } from '../../../src/operations/search/search-catalog.ts';
import { jsonLines } from '../../support/catalog.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const never = new AbortController().signal;

const ROWS = [
  { externalId: 'mug', name: 'Stoneware mug', vendor: 'Tern', price: '12.00', tags: ['gift'] },
  { externalId: 'cup', name: 'Enamel mug', vendor: 'Lagom', price: '9.00' },
  { externalId: 'jug', name: 'Large mug with lid', vendor: 'Lagom', price: '19.00' },
  { externalId: 'lamp', name: 'Desk lamp', vendor: 'Tern', price: '49.00' },
  { externalId: 'sneaker', name: 'Canvas sneakers', vendor: 'Tern', price: '59.00' },
];

/** One searches in SQL, the other in memory. */
let service: LocalService;
let inMemory: LocalService;
beforeAll(async () => {
  [service, inMemory] = await Promise.all([startService(), startService()]);
  await fill(ROWS);
});
afterAll(() => Promise.all([service.close(), inMemory.close()]));

async function fill(rows: readonly object[]): Promise<void> {
  for (const { services, importText, embedAll } of [service, inMemory]) {
    await importText(jsonLines(rows), { full: true });
    await embedAll();
    while (services === inMemory.services && (await services.indexes.loadNext(never)));
  }
}

const change = (add: readonly CurationRule[], remove: readonly string[] = []) =>
  service.perform<RuleChange>('curation.change', { add, remove });

async function load(rules: readonly unknown[]): Promise<RuleChange> {
  await inMemory.perform('curation.import', { rules });
  return service.perform<RuleChange>('curation.import', { rules });
}

function ask(question: string, { services, organization } = service): Promise<SearchAnswer> {
  const { key } = services.directory.findOrganization(organization.id)!;
  const page = { productsOnly: false, skipScoring: false, offset: 0, limit: 20 };
  return searchCatalog(services, { organizationKey: key, shops: null, question, ...page });
}

const ENGLISH = translatorFor('en');

const idsOf = ({ results }: SearchAnswer) => results.map(({ stored }) => stored.item.externalId);

/**
 * The answer's external ids, from SQL and then from memory, which must be the same. Scores may differ by
 * .001, because FTS5 also counts the versions that a rollback would bring back.
 */
async function found(question: string): Promise<string[]> {
  const [inSql, fromMemory] = [await ask(question), await ask(question, inMemory)];
  const { key } = inMemory.services.directory.findOrganization(inMemory.organization.id)!;
  expect(inMemory.services.indexes.find(key)).not.toBeNull();
  const described = ({ results }: SearchAnswer) =>
    results.map((result) => [result.stored.item.externalId, result.explanation(ENGLISH)]);
  expect(described(fromMemory)).toEqual(described(inSql));
  for (const [at, { score }] of inSql.results.entries())
    expect(Math.abs(fromMemory.results[at]!.score - score)).toBeLessThanOrEqual(0.001);
  return idsOf(inSql);
}

describe('rules, in memory and from SQL alike', () => {
  test('a pin puts an item on its place, found or not, for the same words in any form', async () => {
    await load([{ kind: 'pin', question: 'mug', item: 'lamp', place: 2 }]);
    const asked = await found('Mugs');
    expect(asked[1]).toBe('lamp');
    expect(asked.toSorted()).toEqual(['cup', 'jug', 'lamp', 'mug']);
    const explanation = (await ask('mugs')).results[1]!.explanation(ENGLISH);
    expect(explanation).toStartWith('Placed here by the shop');
    expect(await found('large mug')).not.toContain('lamp');
  });

  test('a hidden item is in no answer, or in none to its question', async () => {
    await load([
      { kind: 'hide', item: 'cup' },
      { kind: 'hide', item: 'jug', question: 'mug' },
    ]);
    expect(await found('mug')).toEqual(['mug']);
    expect(await found('large mug')).toEqual(['jug', 'mug']);
    const { total, facets } = await ask('mug');
    expect([total, facets.vendor]).toEqual([1, [{ value: 'Tern', count: 1 }]]);
  });

  test('a boost ranks a vendor, a type or a tag higher or lower, on its days only', async () => {
    await load([]);
    const [first] = await found('mug');
    const vendor = first === 'mug' ? 'Lagom' : 'Tern';
    const boost = { kind: 'boost', by: 'vendor', value: vendor.toLowerCase(), factor: 10 };
    await load([boost]);
    const { results } = await ask('mug');
    expect(results[0]!.stored.item).toMatchObject({ vendor });
    expect(results[0]!.explanation(ENGLISH)).toContain('ranked higher by the shop');
    expect(results[0]!.score).toBeLessThanOrEqual(1);
    expect((await found('mug'))[0]).not.toBe(first);
    // The tests' clock stands at 1 January 2026.
    for (const days of [{ from: '2026-01-02' }, { until: '2025-12-31' }]) {
      await load([{ ...boost, ...days }]);
      expect((await found('mug'))[0]).toBe(first!);
    }
    await load([{ ...boost, from: '2026-01-01', until: '2026-01-01' }]);
    expect((await found('mug'))[0]).not.toBe(first);
  });

  test('a synonym finds both ways, or one way', async () => {
    await load([]);
    expect(await found('plimsolls')).not.toContain('sneaker');
    await load([{ kind: 'synonym', words: ['plimsolls', 'sneakers'] }]);
    expect((await found('plimsolls'))[0]).toBe('sneaker');
    await load([{ kind: 'synonym', words: ['sneakers', 'plimsolls'], oneWay: true }]);
    expect(await found('plimsolls')).not.toContain('sneaker');
    await load([{ kind: 'synonym', words: ['plimsolls', 'sneakers'], oneWay: true }]);
    expect((await found('plimsolls'))[0]).toBe('sneaker');
  });

  test('rules follow the catalogue: an item that comes back is pinned again', async () => {
    await load([{ kind: 'pin', question: 'mug', item: 'lamp', place: 1 }]);
    const without = ROWS.filter(({ externalId }) => externalId !== 'lamp');
    await fill(without);
    expect(await service.perform<RuleList>('curation.list', {})).toMatchObject({
      missing: ['lamp'],
    });
    expect(await found('mug')).not.toContain('lamp');
    await fill(ROWS);
    expect((await found('mug'))[0]).toBe('lamp');
  });
});

describe('changes', () => {
  test('each can be taken back, one after the other, to the state before the first', async () => {
    const fresh = await startService();
    await fresh.operator.importRows(ROWS);
    const perform = (name: string, input: Record<string, unknown> = {}) =>
      fresh.perform<RuleChange>(name, input);
    const words = (count: number) => ({ kind: 'synonym', words: ['mug', `word${count}`] });
    for (const count of [1, 2, 3]) await perform('curation.change', { add: [words(count)] });
    const { rules } = await perform('curation.list');
    await perform('curation.change', { remove: [rules[0]!.id] });
    expect(await perform('curation.undo')).toMatchObject({ added: 1, removed: 0 });
    expect(await perform('curation.undo')).toMatchObject({ added: 0, removed: 1 });
    await perform('curation.change', { add: [words(4)] });
    for (const left of [2, 1, 0]) expect((await perform('curation.undo')).rules).toHaveLength(left);
    await expect(perform('curation.undo')).rejects.toMatchObject({ code: 'not_found' });
    const entries = await fresh.perform<{ event: string }[]>('audit.list', { limit: 20 });
    expect(entries.filter(({ event }) => event === 'curation.changed')).toHaveLength(5);
    expect(entries.filter(({ event }) => event === 'curation.undone')).toHaveLength(5);
    await fresh.close();
  });

  test('two at once both count', async () => {
    await load([]);
    const pin = (place: number): CurationRule => ({
      kind: 'pin',
      question: `x${place}`,
      item: 'mug',
      place,
    });
    await Promise.all([1, 2, 3, 4].map((place) => change([pin(place)])));
    expect((await service.perform<RuleList>('curation.list', {})).rules).toHaveLength(4);
  });

  test('an item pinned again for the same question moves to its new place', async () => {
    await load([{ kind: 'pin', question: 'Mugs', item: 'lamp', place: 1 }]);
    const moved = await change([{ kind: 'pin', question: 'mug', item: 'lamp', place: 3 }]);
    expect(moved).toMatchObject({ added: 1, removed: 1, rules: [{ place: 3 }] });
    expect(idsOf(await ask('mug'))[2]).toBe('lamp');
  });

  test('the same rule has the same id everywhere and is stored once', async () => {
    await load([]);
    await change([{ kind: 'hide', item: 'mug', question: 'tea' }]);
    const again = await change([{ question: 'tea', item: 'mug', kind: 'hide' }]);
    expect(again).toMatchObject({ added: 0, removed: 0, rules: [{ id: '9e06292c' }] });
  });

  test.each([
    [{ kind: 'spell' }, 'kind must be one of synonym, pin, hide, boost'],
    [{ kind: 'pin', question: 'x', item: 'mug', place: 0 }, 'place must be >= 1'],
    [{ kind: 'pin', question: 'x', item: 'mug', place: 21 }, 'place must be <= 20'],
    [{ kind: 'hide', item: 'mug', extra: 1 }, 'a hide has no member extra'],
    [{ kind: 'synonym', words: ['one'] }, 'must not have fewer than 2 items'],
    [{ kind: 'synonym', words: ['one', 'two three four'] }, 'more than 2 words'],
    [{ kind: 'synonym', words: ['one', 'a\u0000b'] }, 'control characters'],
    [{ kind: 'boost', by: 'tag', value: 'x', factor: 1 }, 'factor of 1'],
    [{ kind: 'boost', by: 'tag', value: 'x', factor: 10.1 }, 'factor must be <= 10'],
    [{ kind: 'boost', by: 'tag', value: 'x', factor: 2, from: '2026-02-30' }, 'is not a day'],
    [
      { kind: 'boost', by: 'tag', value: 'x', factor: 2, from: '2026-02-02', until: '2026-02-01' },
      'ends before it begins',
    ],
    [null, 'kind must be'],
  ])('%p is refused with its reason, and the rules stay', async (rule, reason) => {
    await load([{ kind: 'hide', item: 'mug' }]);
    await expect(load([rule])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(reason),
    });
    expect((await service.perform<RuleList>('curation.list', {})).rules).toHaveLength(1);
  });

  test('a misspelt external id or rule id is refused', async () => {
    await expect(change([{ kind: 'hide', item: 'mugg' }])).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(change([], ['00000000'])).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a shop has at most a thousand rules', async () => {
    const rules = Array.from({ length: 1000 }, (_, at) => ({
      ...{ kind: 'synonym', words: ['mug', `word${at}`] },
    }));
    expect(await load(rules)).toMatchObject({ rules: { length: 1000 } });
    await expect(change([{ kind: 'hide', item: 'mug' }])).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await load([]);
  });

  test('one organization’s rules never touch another’s search', async () => {
    const shared = await startService();
    await shared.operator.importRows(ROWS);
    await shared.perform('curation.import', { rules: [{ kind: 'hide', item: 'mug' }] });
    const other = await shared.operator.createOrganization('Other');
    await shared.operator.importRows(ROWS, { organization: other.id });
    const answer = await shared.as(other.apiKey)('/rest/search/v3/?q=stoneware+mug');
    const { results } = (await answer.json()) as { results: { name: string }[] };
    expect(results[0]).toMatchObject({ name: 'Stoneware mug' });
    await shared.close();
  });
});
