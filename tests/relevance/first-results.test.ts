import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { sampleFiles } from '../../src/assets/sample-files.ts';
import { openLocalEmbedder } from '../../src/models/local-embedder.ts';
import { modelFiles } from '../../src/models/model-files.ts';
import { type SearchAnswer, searchCatalog } from '../../src/operations/search/search-catalog.ts';
import { type LocalService, startService } from '../support/start-service.ts';

/*
 * Questions as customers ask them, with the results that must come first. `sample` is the sample
 * shop with its policies; `office` is a small shop in this folder that has none.
 */

const OFFICE = readFileSync(new URL('office/offerings.jsonl', import.meta.url), 'utf8');

const TIMEOUT_MS = 60_000;

const files = modelFiles();
if (files === null) console.warn('SKIPPED: first results: no model, run "bun run model"');

describe.skipIf(files === null)('customers’ questions', () => {
  let service: LocalService;
  let shops: Readonly<Record<'sample' | 'office', number>>;

  beforeAll(async () => {
    const embedder = openLocalEmbedder({
      ...{ files: files!, folder: null, threads: 1 },
      now: () => 0,
    });
    service = await startService({ embedder });
    const { offerings, contexts } = sampleFiles();
    await service.importText(offerings.replaceAll('"pictures/', '"https://x.example/'));
    for (const { text } of contexts) await service.importText(text, { format: 'markdown' });
    const office = await service.operator.createOrganization('Office');
    await service.importText(OFFICE, { organization: office.slug });
    await service.embedAll();
    const keyOf = (id: string) => service.services.directory.findOrganization(id)!.key;
    shops = { sample: keyOf(service.organization.id), office: keyOf(office.id) };
  }, TIMEOUT_MS);

  afterAll(() => service?.close());

  function ask(shop: keyof typeof shops, question: string): Promise<SearchAnswer> {
    return searchCatalog(service.services, {
      ...{ organizationKey: shops[shop], shops: null, question, offset: 0, limit: 10 },
      ...{ productsOnly: false, skipScoring: false },
    });
  }

  const firstOf = ({ results }: SearchAnswer, count: number) =>
    results.slice(0, count).map(({ stored }) => stored.item.externalId);

  test.each<[keyof typeof shops, string]>([
    ['office', 'nb-14'],
    ['office', 'stick-16'],
    ['sample', 'beans-sidamo'],
    ['sample', 'tea-earl'],
  ])('%s: the id of a record is its code: %s', async (shop, question) => {
    const answer = await ask(shop, question);
    expect(firstOf(answer, 1)).toEqual([question]);
    expect(answer.constraints.map(({ kind }) => kind)).toEqual(['code']);
    expect(answer.lowConfidence).toBe(false);
  });

  test.each<[keyof typeof shops, string, string[]]>([
    ['office', 'wallet -leather', ['wallet-cork']],
    ['office', 'jumper no wool', ['jumper-cotton']],
    ['office', 'jumper not made of wool', ['jumper-cotton']],
    ['office', 'a jumper that isn’t wool', ['jumper-cotton']],
    ['office', 'laptop at least 16gb', ['nb-14', 'nb-17']],
    ['sample', 'jacket, not leather, under 80', ['jacket-drizzle', 'jacket-wind']],
  ])('%s: conditions in words: %s', async (shop, question, first) => {
    const answer = await ask(shop, question);
    expect(firstOf(answer, first.length).sort()).toEqual(first);
  });

  test.each<[keyof typeof shops, string, string]>([
    ['sample', 'return policy', 'returns'],
    ['sample', 'privacy policy', 'privacy'],
    ['sample', 'how do I return a sofa', 'returns'],
    ['sample', 'shipping costs', 'shipping'],
  ])('%s: a question for a policy finds it: %s', async (shop, question, first) => {
    const answer = await ask(shop, question);
    expect(firstOf(answer, 1)).toEqual([first]);
    expect(answer.lowConfidence).toBe(false);
  });

  test('an answer to what the shop has not is doubted', async () => {
    for (const question of ['return policy', 'can I return a sofa', 'fishing rod', 'snow board'])
      expect(`${question}: ${(await ask('office', question)).lowConfidence}`).toBe(
        `${question}: true`,
      );
    for (const question of ['car tyres', 'lawn mower', 'red nail polish'])
      expect(`${question}: ${(await ask('sample', question)).lowConfidence}`).toBe(
        `${question}: true`,
      );
    for (const question of ['sofa', 'laptop', 'office chair', 'toner M102'])
      expect(`${question}: ${(await ask('office', question)).lowConfidence}`).toBe(
        `${question}: false`,
      );
  });

  test.each<[keyof typeof shops, string, string[]]>([
    ['office', 'cheapest laptop', ['nb-15', 'nb-14', 'nb-17']],
    ['office', 'newest laptop', ['nb-17', 'nb-15', 'nb-14']],
    ['office', 'cheapest laptop over 700', ['nb-14', 'nb-17']],
    ['sample', 'cheapest tent', ['tent-2', 'tent-4']],
    ['sample', 'most expensive sofa', ['sofa-leather', 'sofa-corner']],
    ['sample', 'headphones at the best price', ['headphones-kids', 'headphones-studio']],
  ])('%s: what fits is ordered as demanded: %s', async (shop, question, first) => {
    const answer = await ask(shop, question);
    expect(firstOf(answer, first.length)).toEqual(first);
    const orders = answer.constraints.filter(({ kind }) => kind === 'order');
    expect(orders.map(({ relaxed }) => relaxed)).toEqual([false]);
    const scores = answer.results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
  });

  test('only one order is followed, and the answer says so', async () => {
    const { constraints } = await ask('office', 'cheapest newest laptop');
    expect(constraints.map(({ text, relaxed }) => [text, relaxed])).toEqual([
      ['cheapest', false],
      ['newest', true],
    ]);
  });

  test('a question that is spelt right gets no suggestion', async () => {
    for (const question of ['knife', 'wireless mouse', 'gift for a gamer', 'bike repair'])
      expect((await ask('sample', question)).suggestion).toBeNull();
    expect((await ask('sample', 'hedphones')).suggestion).toBe('headphone');
  });

  describe('the product comes before what is made for it', () => {
    test.each<[keyof typeof shops, string, string[]]>([
      ['office', 'laptop 16gb', ['nb-14']],
      ['office', 'toner M102', ['toner-m102']],
      ['office', 'label printer', ['printer-label']],
      ['office', 'phone', ['phone']],
      ['office', 'mouse', ['mouse', 'mouse-game']],
      ['office', 'laptop sleeve', ['nb-sleeve']],
      ['sample', 'laptop', ['laptop-13', 'laptop-14', 'laptop-16']],
      ['sample', 'tablet', ['tablet-11', 'tablet-8']],
      ['sample', 'sofa', ['sofa-bed', 'sofa-corner', 'sofa-maren', 'sofa-maren-2']],
      ['sample', 'watch strap', ['watch-strap']],
      ['sample', 'case for slate 11 tablet', ['case-slate11']],
    ])('%s: %s', async (shop, question, first) => {
      const answer = await ask(shop, question);
      expect(firstOf(answer, first.length).sort()).toEqual(first);
    });
  });
});
