/**
 * Sends a day of a shop's traffic to a running service: people, assistants' fetchers, indexers and
 * trainers, search engines and tools, with their searches, views, links and checkouts.
 *
 * VITRINE_API_KEY=vk_… bun scripts/play-traffic.ts URL ORGANIZATION [--days 1] [--hits 5000]
 * [--seed 1]
 *
 * Hits are spread over the last days up to now. Every tenth search is also sent to the service
 * itself, so that it records own hits, too. The same seed gives the same day.
 */
import { parseArgs } from 'node:util';

const BATCH = 250;
const TRIES = 20;
const DAY_MS = 86_400_000;

/**
 * Visitors, with their share of all visits and the probability of each step after the previous one.
 */
const VISITORS = [
  {
    share: 46,
    agent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    score: 0.03,
    searches: 0.3,
    buys: true,
  },
  {
    share: 14,
    agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
    score: 0.02,
    searches: 0.25,
    buys: true,
  },
  {
    share: 9,
    agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
    score: 0.97,
    verified: true,
    searches: 0.8,
    buys: true,
  },
  {
    share: 5,
    agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
    score: 0.97,
    verified: true,
    searches: 0.8,
    buys: true,
  },
  {
    share: 3,
    agent: 'Mozilla/5.0 (compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)',
    score: 0.96,
    searches: 0.7,
    buys: true,
  },
  {
    share: 4,
    agent: 'Mozilla/5.0 (compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot)',
    score: 0.98,
    verified: true,
    searches: 0,
    buys: false,
  },
  {
    share: 2,
    agent: 'Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
    score: 0.98,
    searches: 0,
    buys: false,
  },
  {
    share: 5,
    agent: 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    score: 0.99,
    verified: true,
    searches: 0,
    buys: false,
  },
  {
    share: 3,
    agent: 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    score: 0.99,
    searches: 0,
    buys: false,
  },
  {
    share: 1,
    agent: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
    score: 0.99,
    searches: 0,
    buys: false,
  },
  {
    share: 4,
    agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    score: 0.99,
    verified: true,
    searches: 0,
    buys: false,
  },
  {
    share: 2,
    agent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    score: 0.99,
    verified: true,
    searches: 0,
    buys: false,
  },
  { share: 1.5, agent: 'python-requests/2.32.5', score: 0.99, searches: 0.1, buys: false },
  { share: 0.5, agent: '', score: 0.6, searches: 0, buys: false },
] as const;

const QUESTIONS = [
  'waterproof jacket under 150',
  'espresso grinder for beginners',
  'gift for a coffee lover',
  'filter paper size 4',
  'decaf beans without additives',
  'travel mug that does not leak',
  'return policy',
  'shipping to austria',
  'hand grinder',
  'cold brew maker',
  'milk frother',
  'oat milk barista edition',
  'vegan chocolate',
  'replacement portafilter 58 mm',
  'nespresso compatible capsules',
  'zirconium kettle',
  'coffee subscription for offices',
  'bike repair stand',
  'kaffeemühle manuell',
  '=HYPERLINK("https://evil.example")',
];

const PRODUCTS = [
  'hand-grinder',
  'espresso-cup',
  'filter-papers',
  'kettle',
  'milk-jug',
  'dripper',
  'scale',
  'beans-ethiopia',
  'beans-decaf',
  'travel-mug',
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    days: { type: 'string', default: '1' },
    hits: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
  },
});
const [url, organization] = positionals;
const apiKey = process.env['VITRINE_API_KEY'];
if (url === undefined || organization === undefined || apiKey === undefined)
  throw new Error('URL and ORGANIZATION, and the key in VITRINE_API_KEY.');

const random = randomNumbers(Number(values.seed));
const pick = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(random() ** 1.6 * items.length)]!;

let sent = 0;
let asked = 0;
let batch: object[] = [];
while (sent + batch.length < Number(values.hits)) {
  batch.push(...(await visit()));
  if (batch.length >= BATCH) await flush();
}
await flush();
console.log(`${sent} hits of ${values.days} days, ${asked} questions put to the service itself.`);

/** The steps of one visitor, in order. */
async function visit(): Promise<object[]> {
  const visitor = visitorOf(random());
  const atMs = momentOf(Number(values.days));
  const clientIp = `203.0.113.${Math.floor(random() * 250)}`;
  const steps: { classification: string; path: string }[] = [];
  if (random() < visitor.searches) {
    const question = pick(QUESTIONS);
    steps.push({ classification: 'search', path: `/search?q=${encodeURIComponent(question)}` });
    if (random() < 0.1) await ask(question, visitor.agent);
  } else {
    const isBrowser = visitor.buys;
    steps.push({
      classification: isBrowser ? 'page_view' : 'crawl',
      path: pick([
        '/',
        '/collections/coffee',
        '/pages/about',
        ...PRODUCTS.map((name) => `/products/${name}`),
      ]),
    });
  }
  if (visitor.buys && random() < 0.45)
    steps.push({ classification: 'link_click', path: `/products/${pick(PRODUCTS)}` });
  if (steps.length > 1 && random() < 0.22)
    steps.push({ classification: 'checkout_start', path: '/checkout' });
  if (steps.length > 2 && random() < 0.6)
    steps.push({ classification: 'purchase', path: '/checkout/done' });
  return steps.map(({ classification, path }, index) => ({
    organization,
    eventDate: new Date(atMs + index * 20_000).toISOString(),
    classification,
    method: 'GET',
    path: path.replace(/\?.*/, ''),
    url: `https://shop.example${path}`,
    userAgent: visitor.agent,
    clientIp,
    botScore: visitor.score,
    verifiedBot: 'verified' in visitor,
    cf: { country: pick(['DE', 'US', 'AT', 'FR', 'GB']), asn: 3320 },
  }));
}

/** A time of day, more often in the afternoon than at night. */
function momentOf(days: number): number {
  for (;;) {
    const atMs = Date.now() - random() * days * DAY_MS;
    const hour = (atMs % DAY_MS) / 3_600_000;
    if (random() < 0.25 + 0.75 * Math.sin((Math.PI * hour) / 24) ** 2) return atMs;
  }
}

function visitorOf(part: number): (typeof VISITORS)[number] {
  const total = VISITORS.reduce((sum, { share }) => sum + share, 0);
  let left = part * total;
  for (const visitor of VISITORS) {
    left -= visitor.share;
    if (left < 0) return visitor;
  }
  return VISITORS[0];
}

async function ask(question: string, userAgent: string): Promise<void> {
  const headers = { 'x-api-key': apiKey!, 'user-agent': userAgent };
  const response = await fetch(`${url}/rest/search/v3/?q=${encodeURIComponent(question)}`, {
    headers,
  });
  await response.arrayBuffer();
  asked += 1;
}

async function flush(): Promise<void> {
  const body = JSON.stringify(batch);
  const headers = {
    'x-api-key': apiKey!,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  };
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${url}/rest/hits/`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status === 200) break;
    if (response.status !== 429 || tries === TRIES) throw new Error(`${response.status}: ${text}`);
    await Bun.sleep(Number(response.headers.get('retry-after')) * 1000);
  }
  sent += batch.length;
  batch = [];
}

/** Pseudo-random numbers from 0 to 1, deterministic for a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
