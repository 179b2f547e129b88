import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { sampleFiles } from '../../src/assets/sample-files.ts';
import { translatorFor } from '../../src/messages/translator.ts';
import { openLocalEmbedder } from '../../src/models/local-embedder.ts';
import { modelFiles } from '../../src/models/model-files.ts';
import { type SearchAnswer, searchCatalog } from '../../src/operations/search/search-catalog.ts';
import { type LocalService, startService } from '../support/start-service.ts';

/*
 * Questions as customers ask them, with the results that must come first. `sample` is the sample
 * shop with its policies; `office` is a small shop in this folder that has none; `notebooks` is a smaller one.
 */

const OFFICE = readFileSync(new URL('office/offerings.jsonl', import.meta.url), 'utf8');

/** A shop that calls laptops notebooks, except where it names what fits them. */
const NOTEBOOKS = [
  {
    externalId: 'a4',
    name: 'Aldwin Note 14 Notebook',
    description: 'Light, with 16 GB of memory.',
  },
  { externalId: 'a5', name: 'Aldwin Note 15 Notebook', description: 'With 8 GB of memory.' },
  { externalId: 'bag', name: 'Canvas Laptop Bag', description: 'A bag that holds every laptop.' },
  { externalId: 'stand', name: 'Steel Laptop Stand', description: 'Holds a laptop at eye level.' },
]
  .map((offering) => JSON.stringify(offering))
  .join('\n');

const TIMEOUT_MS = 60_000;

const files = modelFiles();
if (files === null) console.warn('SKIPPED: first results: no model, run "bun run model"');

describe.skipIf(files === null)('customers’ questions', () => {
  let service: LocalService;
  let shops: Readonly<Record<'sample' | 'office' | 'notebooks', number>>;

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
    const notebooks = await service.operator.createOrganization('Notebooks');
    await service.importText(NOTEBOOKS, { organization: notebooks.slug });
    await service.embedAll();
    const keyOf = (id: string) => service.services.directory.findOrganization(id)!.key;
    shops = {
      ...{ sample: keyOf(service.organization.id), office: keyOf(office.id) },
      notebooks: keyOf(notebooks.id),
    };
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

  test.each<[string, string]>([
    ['labels for the label printer', 'labels'],
    ['toner for the M102 printer', 'toner-m102'],
    ['keep my tea hot', 'flask'],
    ['protect my phone', 'phone-case'],
    ['gift for a gamer', 'mouse-game'],
    ['replace my office chair', 'chair'],
  ])('what the customer has is not what is asked for: %s', async (question, first) => {
    expect(firstOf(await ask('office', question), 1)).toEqual([first]);
  });

  test.each<[string, string[]]>([
    ['laptop', ['a4', 'a5']],
    ['laptop bag', ['bag']],
  ])('the product comes first under another name too: %s', async (question, first) => {
    const answer = await ask('notebooks', question);
    expect(firstOf(answer, first.length).sort()).toEqual(first);
  });

  test('a product found under another name is not said to have the one asked for', async () => {
    const { results } = await ask('notebooks', 'laptop');
    expect(results[0]!.explanation(translatorFor('en'))).toStartWith('Another word for “laptop”');
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
