import { afterAll, beforeEach, expect, test } from 'bun:test';
import { recordOwnTraffic } from '../../../src/operations/hits/own-traffic.ts';
import type { HitReport } from '../../../src/operations/hits/report-hits.ts';
import { Learner } from '../../../src/operations/learning/learner.ts';
import { jsonLines } from '../../support/catalog.ts';
import { hitOf, posted } from '../../support/hits.ts';
import { startService } from '../../support/start-service.ts';

const PERSON = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15';
const ASSISTANT = 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)';
const CRAWLER = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';

const [service, off] = await Promise.all([
  startService(),
  startService({ flags: { learn: 'off' } }),
]);
await service.importText(
  jsonLines(['red', 'blue', 'lamp'].map((externalId) => ({ externalId, name: externalId }))),
);
afterAll(() => Promise.all([service.close(), off.close()]));
beforeEach(() => service.perform('hits.purge', { all: true }));

/** Attributes everything that visitors have done so far. */
async function learn(): Promise<void> {
  while (await recordOwnTraffic(service.services));
  const learner = new Learner(service.services);
  while (await learner.learnNext());
}

const addressOf = (visitor: number) => `203.0.${visitor}.7`;

/** Hits as a site reports them, a second apart. */
async function report(hits: readonly Record<string, unknown>[]): Promise<void> {
  const dated = hits.map(({ visitor, ...hit }) => {
    service.platform.advance(1000);
    const eventDate = new Date(service.platform.now()).toISOString();
    const clientIp = addressOf(Number(visitor));
    return hitOf(service.organization.slug, { eventDate, userAgent: PERSON, clientIp, ...hit });
  });
  expect((await service.fetch('/rest/hits/', posted(dated))).status).toBe(200);
}

const search = (visitor: number, question: string) => ({
  ...{ visitor, classification: 'search' },
  url: `https://shop.example/search?q=${question}`,
});

const click = (visitor: number, offeringId: string, further: object = {}) => ({
  ...{ visitor, classification: 'product_click', offeringId },
  ...further,
});

const asked = (input: object = {}) =>
  service.perform<HitReport>('hits.report', { since: '1d', ...input });

test('counts a search once however much was chosen after it, also of a client that is not heard', async () => {
  await report([
    ...[search(1, 'mug'), click(1, 'red'), click(1, 'blue')],
    click(1, 'blue', { classification: 'purchase' }),
    ...[search(2, 'mug'), search(3, 'lamp')],
    ...Array.from({ length: 31 }, () => [search(4, 'lamp'), click(4, 'lamp')]).flat(),
  ]);
  await learn();
  const { questions, asked: total } = await asked();
  expect(questions).toMatchObject([
    { question: 'lamp', fromCustomers: 32, chosen: 31, bought: 0 },
    { question: 'mug', fromCustomers: 2, chosen: 1, bought: 1 },
  ]);
  expect(total).toMatchObject({ hits: 34, chosen: 32, bought: 1 });
});

test('tells agents and access apart, and forgets what is purged', async () => {
  await report([search(1, 'mug'), click(1, 'red')]);
  await report([
    { ...search(2, 'mug'), userAgent: ASSISTANT },
    { ...click(2, 'red'), userAgent: ASSISTANT },
    { ...search(3, 'mug'), userAgent: CRAWLER },
  ]);
  await learn();
  const counts = async (input: object) => (await asked(input)).asked;
  expect(await counts({})).toMatchObject({ hits: 3, fromCustomers: 2, chosen: 2 });
  expect(await counts({ kinds: ['human'] })).toMatchObject({ hits: 1, chosen: 1 });
  expect(await counts({ kinds: ['ai_training'] })).toMatchObject({ hits: 1, chosen: 0 });
  expect(await counts({ access: 'public' })).toMatchObject({ hits: 0, chosen: 0 });
  await service.perform('hits.purge', { client: addressOf(1) });
  expect(await counts({})).toMatchObject({ hits: 2, chosen: 1 });
  await service.perform('hits.purge', { before: '2999-01-01' });
  expect(await counts({})).toMatchObject({ hits: 0, chosen: 0 });
});

test('compares with the span of the same length before, and says where nothing is attributed', async () => {
  await report([search(1, 'mug'), search(2, 'mug'), click(2, 'red')]);
  service.platform.advance(24 * 3_600_000);
  await report([search(1, 'mug')]);
  await learn();
  const { before, asked: now, attributesChoices } = await asked();
  expect(now).toMatchObject({ hits: 1, chosen: 0 });
  expect(before.asked).toMatchObject({ hits: 2, chosen: 1 });
  expect(before.lastDay < (await asked()).firstDay).toBe(true);
  expect(attributesChoices).toBe(true);
  const other = await off.perform<HitReport>('hits.report', {});
  expect(other.attributesChoices).toBe(false);
});

test('an ignored question leaves the list of those without a good answer, but no count, until it is taken in again', async () => {
  for (const question of ['Zzz', 'zzz', 'qqq'])
    await service.fetch(`/rest/search/v3/?q=${question}`);
  while (await recordOwnTraffic(service.services));
  const unanswered = async () => {
    const found = await asked();
    expect(found.asked.unanswered).toBe(3);
    return [found.unanswered.map(({ question }) => question), found.ignored];
  };
  expect(await unanswered()).toEqual([['zzz', 'qqq'], []]);
  await service.perform('hits.ignore', { question: ' ZZZ ' });
  expect(await unanswered()).toEqual([['qqq'], ['zzz']]);
  await service.perform('hits.ignore', { question: 'zzz', isIgnored: false });
  expect(await unanswered()).toEqual([['zzz', 'qqq'], []]);
});
