import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { translatorFor } from '../../../src/messages/translator.ts';
import { maintainHits } from '../../../src/operations/hits/maintain-hits.ts';
import { recordOwnTraffic } from '../../../src/operations/hits/own-traffic.ts';
import { embedNextQuestions } from '../../../src/operations/learning/embed-next-questions.ts';
import { Learner } from '../../../src/operations/learning/learner.ts';
import type {
  LearningStatus,
  ShownChoice,
} from '../../../src/operations/learning/operate-learning.ts';
import { type SearchAnswer, searchCatalog } from '../../../src/operations/search/search-catalog.ts';
import { jsonLines } from '../../support/catalog.ts';
import { hitOf, posted } from '../../support/hits.ts';
import { startInstance } from '../../support/instances.ts';
import { startLibsqlServer } from '../../support/libsql-server.ts';
import { callTool } from '../../support/mcp.ts';
import { type LocalService, startService } from '../../support/start-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;

const PERSON = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15';
const ASSISTANT = 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)';
const CRAWLER = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';

const SITE = 'https://shop.example';

const ROWS = [
  ...['red', 'blue', 'green', 'white'].map((externalId) => ({
    externalId,
    name: `Enamel mug ${externalId}`,
    price: '12.00',
    publicUrl: `${SITE}/products/${externalId}`,
  })),
  { externalId: 'lamp', name: 'Desk lamp', price: '49.00', publicUrl: `${SITE}/products/lamp` },
];

const open = async (flags: Readonly<Record<string, string>> = {}) => {
  const service = await startService({ flags: { 'trusted-proxies': '127.0.0.1', ...flags } });
  await service.importText(jsonLines(ROWS));
  await service.embedAll();
  await service.operator.setPublic(true);
  return service;
};

/** The first answers in SQL, the second in memory. */
const services = await Promise.all([open(), open()]);
const [service, inMemory] = services;
const isOff = await open({ learn: 'off' });
while (await inMemory.services.indexes.loadNext(never));
afterAll(() => Promise.all([...services, isOff].map((each) => each.close())));

beforeEach(async () => {
  for (const each of services) {
    await each.perform('hits.purge', { all: true });
    await each.perform('learning.reset', {});
  }
});

/** Reads everything that visitors have done so far. */
async function learn({ services }: LocalService = service): Promise<void> {
  while (await recordOwnTraffic(services));
  const learner = new Learner(services);
  while (await learner.learnNext());
  await services.learned.follow();
  while (await embedNextQuestions(services, never));
  await services.learned.follow();
}

/** An address of a network of its own. */
const addressOf = (visitor: number) => `203.0.${visitor}.7`;

interface Page {
  readonly visitor: number;
  readonly classification: string;
  readonly path: string;
  readonly [member: string]: unknown;
}

/** Hits as a site reports them. Each happens a second after the one before. */
async function report(pages: readonly Page[], at: LocalService = service): Promise<void> {
  const hits = pages.map(({ visitor, path, ...further }) => {
    at.platform.advance(1000);
    return hitOf(at.organization.slug, {
      eventDate: new Date(at.platform.now()).toISOString(),
      url: SITE + path,
      userAgent: PERSON,
      clientIp: addressOf(visitor),
      ...further,
    });
  });
  expect((await at.fetch('/rest/hits/', posted(hits))).status).toBe(200);
}

const search = (visitor: number, question: string): Page => ({
  ...{ visitor, classification: 'search' },
  path: `/search?q=${encodeURIComponent(question)}`,
});

const click = (visitor: number, item: string, further: object = {}): Page => ({
  ...{ visitor, classification: 'product_click', path: `/products/${item}` },
  ...further,
});

/** Visitors of as many networks who ask a question and choose an item. */
const chosen = (question: string, item: string, visitors: number) =>
  Array.from({ length: visitors }, (_, visitor) => [
    search(visitor, question),
    click(visitor, item),
  ]).flat();

function ask(question: string, { services, organization }: LocalService): Promise<SearchAnswer> {
  const { key } = services.directory.findOrganization(organization.id)!;
  const page = { productsOnly: false, skipScoring: false, offset: 0, limit: 20 };
  return searchCatalog(services, { organizationKey: key, shops: null, question, ...page });
}

const answerOf = async (question: string, at = service) =>
  (await ask(question, at)).results.map((result) => ({
    ...{ item: result.stored.item.externalId, score: result.score },
    explanation: result.explanation(translatorFor('en')),
  }));

const orderOf = async (question: string, at = service) =>
  (await answerOf(question, at)).map(({ item }) => item);

const last = async (question: string) => (await orderOf(question, isOff)).at(-1)!;

describe('a choice is attributed to the question before it', () => {
  test('pages that the edge worker reports, with tracking parameters', async () => {
    const item = await last('mug');
    await report(
      [0, 1, 2].flatMap((visitor) => [
        search(visitor, 'Mugs'),
        click(visitor, item, { path: `/products/${item}?utm_source=mail&gclid=1` }),
      ]),
    );
    await learn();
    const [first] = await answerOf('a mug');
    expect(first).toMatchObject({ item });
    expect(first!.explanation).toContain('chosen by 3 of 3 who asked this');
  });

  test('a product that was opened from a search page, without a hit of the search', async () => {
    const item = await last('mug');
    const headers = { referer: `${SITE}/search?q=mug` };
    await report([0, 1, 2].map((visitor) => click(visitor, item, { headers })));
    await learn();
    expect((await orderOf('mug'))[0]).toBe(item);
  });

  test('tools that follow a search, by the offering of which they ask', async () => {
    const item = await last('mug');
    for (const visitor of [0, 1, 2]) {
      const headers = { 'user-agent': ASSISTANT, 'x-forwarded-for': addressOf(visitor) };
      const fetch: typeof service.fetch = (path, init) =>
        service.asStranger(path, { ...init, headers: { ...init?.headers, ...headers } });
      await callTool(fetch, 'search_offerings', { question: 'mug' });
      await callTool(fetch, 'search_offerings', { question: 'lamp' });
      await callTool(fetch, 'get_product_link', { product_id: item });
    }
    await learn();
    expect(await service.perform<ShownChoice[]>('learning.show', { limit: 5 })).toMatchObject([
      { question: 'mug', externalId: item, chosenBy: 3, of: 3, counts: true },
      { question: null, externalId: item, chosenBy: 3 },
    ]);
    expect((await orderOf('mug'))[0]).toBe(item);
  });

  test('clients that name the offering', async () => {
    const item = await last('mug');
    await report(
      [0, 1, 2].flatMap((visitor) => [
        search(visitor, 'mug'),
        { visitor, classification: 'purchase', path: '/thanks', offeringId: item },
      ]),
    );
    await learn();
    expect((await orderOf('mug'))[0]).toBe(item);
  });

  test('not to a question of another visitor, nor of more than half an hour before', async () => {
    const item = await last('mug');
    await report([0, 1, 2].map((visitor) => search(visitor, 'mug')));
    service.platform.advance(31 * 60_000);
    await report([0, 1, 2].map((visitor) => click(visitor, item)));
    await report(
      [4, 5, 6].flatMap((visitor) => [search(visitor, 'mug'), click(visitor + 9, item)]),
    );
    await learn();
    const choices = await service.perform<ShownChoice[]>('learning.show', { limit: 5 });
    expect(choices).toMatchObject([{ question: null, externalId: item, chosenBy: 6 }]);
  });
});

describe('nobody moves an order alone', () => {
  const items = async () => [await last('mug'), (await orderOf('mug', isOff)).at(-2)!] as const;

  test.each([
    ['an address with many agents', (n: number) => ({ visitor: 1, userAgent: `${PERSON} ${n}` })],
    ['a network of many addresses', (n: number) => ({ visitor: 1, clientIp: `203.0.1.${n}` })],
    ['two networks', (n: number) => ({ visitor: n % 2 })],
    ['crawlers', (n: number) => ({ visitor: n, userAgent: CRAWLER })],
    ['tools', (n: number) => ({ visitor: n, userAgent: 'curl/8.5.0' })],
    ['visitors who look like programs', (n: number) => ({ visitor: n, botScore: 0.9 })],
    ['visitors of whom nothing is known', (n: number) => ({ visitor: n, clientIp: null })],
  ])('%s', async (_, of) => {
    const [item] = await items();
    const pages = Array.from({ length: 60 }, (_, n) => [
      { ...search(n, 'mug'), ...of(n) },
      { ...click(n, item), ...of(n) },
    ]);
    await report(pages.flat());
    await learn();
    expect(await answerOf('mug')).toEqual(await answerOf('mug', isOff));
  });

  test('a key, from however many addresses', async () => {
    const [item] = await items();
    for (let n = 0; n < 10; n++) {
      const headers = { 'user-agent': ASSISTANT, 'x-forwarded-for': addressOf(n) };
      const fetch: typeof service.fetch = (path, init) =>
        service.fetch(path, { ...init, headers: { ...init?.headers, ...headers } });
      await callTool(fetch, 'search_offerings', { question: 'mug' });
      await callTool(fetch, 'get_product_link', { product_id: item });
    }
    await learn();
    expect(await service.perform<LearningStatus>('learning.status', {})).toMatchObject({
      ...{ pairs: 1, movingPairs: 0, clients: 1 },
    });
    expect(await answerOf('mug')).toEqual(await answerOf('mug', isOff));
  });

  test('however often a client chooses, it outweighs no other', async () => {
    const [item, other] = await items();
    await report([
      ...Array.from({ length: 50 }, () => [search(9, 'mug'), click(9, item)]).flat(),
      ...chosen('mug', item, 3),
      ...chosen('mug', other, 5),
    ]);
    await learn();
    expect((await orderOf('mug')).slice(0, 2)).toEqual([other, item]);
  });

  test('and the most that choices add is bounded, so that no lamp becomes a mug', async () => {
    await report(chosen('mug', 'lamp', 200));
    await learn();
    const found = await answerOf('mug');
    expect(found.map(({ item }) => item)).not.toContain('lamp');
    expect(found).toEqual(await answerOf('mug', isOff));
  });
});

describe('what was learned', () => {
  test('counts for questions near in meaning, and in memory as in SQL', async () => {
    const item = await last('mug');
    for (const each of services) {
      await report(chosen('enamel mug for camping', item, 6), each);
      await learn(each);
    }
    const near = 'enamel mug camping trip';
    for (const question of ['camping mug for enamel', near, 'mug', 'lamp'])
      expect(await answerOf(question)).toEqual(await answerOf(question, inMemory));
    const [first] = await answerOf(near);
    expect(first).toMatchObject({ item });
    expect(first!.explanation).toContain('chosen by 6 of 6 who asked nearly this');
    expect((await answerOf('enamel mug camping 12cm'))[0]!.explanation).not.toContain('nearly');
  });

  test('leaves a customer’s answers when the hits are purged, expire, or it is reset', async () => {
    const item = await last('mug');
    const before = await answerOf('mug');
    const fill = async () => {
      await report(chosen('mug', item, 3));
      await learn();
      expect((await orderOf('mug'))[0]).toBe(item);
    };
    await fill();
    await service.perform('hits.purge', { client: addressOf(1) });
    await learn();
    expect(await service.perform<ShownChoice[]>('learning.show', { limit: 1 })).toMatchObject([
      { chosenBy: 2, of: 2, counts: false },
    ]);
    expect(await answerOf('mug')).toEqual(before);
    await fill();
    await service.perform('hits.purge', { before: '2027-01-01' });
    await learn();
    expect(await answerOf('mug')).toEqual(before);
    await fill();
    expect(await service.perform('learning.reset', {})).toEqual({ forgotten: 1 });
    await learn();
    expect(await answerOf('mug')).toEqual(before);
    await fill();
    service.platform.advance(92 * 86_400_000);
    const maintain = maintainHits(service.services);
    while (await maintain());
    await learn();
    expect(await service.perform('learning.show', { limit: 1 })).toEqual([]);
    const counts = await Promise.all(
      ['voices', 'pairs', 'questions'].map((table) =>
        service.services.db.all({ sql: `SELECT * FROM learned_${table}`, args: [] }),
      ),
    );
    expect(counts).toEqual([[], [], []]);
  });

  test('fades: later choices weigh more', async () => {
    const [item, other] = [await last('mug'), (await orderOf('mug', isOff)).at(-2)!];
    await report(chosen('mug', item, 6));
    service.platform.advance(80 * 86_400_000);
    await report(chosen('mug', other, 4));
    await learn();
    expect((await orderOf('mug')).slice(0, 2)).toEqual([other, item]);
  });

  test('reaches every instance on one server, also when it is forgotten', async () => {
    const folder = temporaryFolder();
    const server = await startLibsqlServer({ path: join(folder.path, 'server.db') });
    const [one, other] = [await startInstance(server), await startInstance(server)];
    await one.importText(jsonLines(ROWS));
    await one.embedAll();
    await other.follow();
    const reached = async () => {
      await other.services.learned.follow();
      return (await answerOf('mug', other)).some(({ explanation }) => explanation.includes('of 3'));
    };
    await report(chosen('mug', 'red', 3), one);
    await learn(one);
    expect(await reached()).toBe(true);
    expect(await answerOf('mug', other)).toEqual(await answerOf('mug', one));
    await one.perform('hits.purge', { client: addressOf(1) });
    expect(await reached()).toBe(false);
    await one.close();
    await other.close();
    await server.close();
    folder.remove();
  });

  test('knows what was asked before a restart', async () => {
    await report([0, 1, 2].map((visitor) => search(visitor, 'mug')));
    await learn();
    await report([0, 1, 2].map((visitor) => click(visitor, 'red')));
    await learn();
    expect(await service.perform<ShownChoice[]>('learning.show', { limit: 1 })).toMatchObject([
      { question: 'mug', chosenBy: 3, of: 3 },
    ]);
  });

  test('stays within 10,000 pairs, of which the least useful go first', async () => {
    const { db } = service.services;
    await report(chosen('mug', 'red', 3));
    await learn();
    await db.write([
      {
        sql: `INSERT INTO learned_pairs SELECT 1, 'q' || value, 'item', 1, 0.1, 1
              FROM generate_series(1, 10000)`,
        args: [],
      },
    ]);
    await report(chosen('mug', 'blue', 3));
    await learn();
    const status = await service.perform<LearningStatus>('learning.status', {});
    expect(status.pairs).toBeLessThanOrEqual(10_000);
    expect(await service.perform<ShownChoice[]>('learning.show', { limit: 2 })).toMatchObject([
      { externalId: 'blue' },
      { externalId: 'red' },
    ]);
    // Nobody gave these, so that no reset finds them.
    await db.write([{ sql: "DELETE FROM learned_pairs WHERE item_id = 'item'", args: [] }]);
  });

  test('is nothing where learning is off', async () => {
    await report(chosen('mug', await last('mug'), 6), isOff);
    await learn(isOff);
    expect(await isOff.perform<LearningStatus>('learning.status', {})).toMatchObject({
      ...{ isOn: false, pairs: 0 },
    });
  });
});
