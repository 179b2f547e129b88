/** The source of a Cloudflare Worker that runs in front of a site. It needs no build step. */
export const edgeWorker = `// Reports the visits of a site to vitrine in batches, after each visitor has been answered.
//
//   wrangler.toml:  main = "src/index.js"
//                   routes = [{ pattern = "shop.example/*", zone_name = "shop.example" }]
//                   [vars]
//                   VITRINE_URL = "https://vitrine.example"
//                   VITRINE_ORGANIZATION = "id or slug"
//   API key:        wrangler secret put VITRINE_API_KEY      (with the scope "hits")

// Sends a batch when it reaches this size or age.
const BATCH_SIZE = 100;
const BATCH_AGE_MS = 2000;

// Maximum number of queued hits while vitrine is unreachable; the oldest are dropped first.
const WAITING_MAX = 1000;

const TRIES = 4;

// Headers that help to identify agents. Cookies, keys and addresses are never sent.
const HEADERS = ['accept', 'accept-language', 'referer', 'sec-fetch-mode', 'signature-agent'];
const CF = ['asn', 'asOrganization', 'colo', 'country', 'httpProtocol', 'tlsVersion', 'verifiedBotCategory'];

let waiting = [];

export default {
  async fetch(request, env, ctx) {
    // If this worker fails, requests go straight to the site.
    ctx.passThroughOnException();
    const response = await fetch(request);
    if (isPage(request, response)) ctx.waitUntil(report(toHit(request, env), env));
    return response;
  },
};

// Reports pages and documents, not their images and scripts.
function isPage(request, response) {
  const type = response.headers.get('content-type') || '';
  return /^(text\\/(html|markdown|plain)|application\\/(json|xml|.*\\+json))/i.test(type)
    && !/\\.(js|css|map|json|ico)$/i.test(new URL(request.url).pathname);
}

function toHit(request, env) {
  const url = new URL(request.url);
  const cf = request.cf || {};
  const bot = cf.botManagement || {};
  return {
    organization: env.VITRINE_ORGANIZATION,
    eventDate: new Date().toISOString(),
    classification: classify(url, bot, request.headers.get('referer')),
    method: request.method,
    path: url.pathname,
    url: request.url,
    userAgent: request.headers.get('user-agent'),
    clientIp: request.headers.get('cf-connecting-ip'),
    // Cloudflare scores from 1 (program) to 99 (person), vitrine from 0 (person) to 1 (program).
    botScore: typeof bot.score === 'number' && bot.score >= 1 ? (100 - bot.score) / 100 : null,
    verifiedBot: typeof bot.verifiedBot === 'boolean' ? bot.verifiedBot : null,
    headers: pick(HEADERS, (name) => request.headers.get(name)),
    cf: pick(CF, (name) => cf[name]),
  };
}

// Adapt these paths to your shop.
function classify(url, bot, referer) {
  if (isSearch(url)) return 'search';
  if (/^\\/checkouts?(\\/|$)/.test(url.pathname)) return 'checkout_start';
  // A product that a visitor opened from the search page was chosen for its question.
  if (/^\\/products?\\//.test(url.pathname)) return isSearch(parse(referer)) ? 'product_click' : 'product_view';
  return bot.verifiedBot === true ? 'crawl' : 'page_view';
}

function isSearch(url) {
  return url !== null && url.searchParams.has('q') && /search/.test(url.pathname);
}

function parse(address) {
  return address !== null && URL.canParse(address) ? new URL(address) : null;
}

function pick(names, read) {
  const found = {};
  for (const name of names) {
    const value = read(name);
    if (value !== null && value !== undefined) found[name] = value;
  }
  return found;
}

async function report(hit, env) {
  waiting.push(hit);
  if (waiting.length > WAITING_MAX) waiting = waiting.slice(-WAITING_MAX);
  // Each visit waits separately, because requests must not share timers.
  if (waiting.length < BATCH_SIZE) await sleep(BATCH_AGE_MS);
  // The first visit to wake sends all queued hits; the others find an empty queue.
  const batch = waiting.splice(0, BATCH_SIZE);
  if (batch.length > 0) await send(batch, env);
}

// Every attempt uses the same Idempotency-Key, so that no hit is recorded twice.
async function send(batch, env) {
  const key = crypto.randomUUID();
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const response = await fetch(new URL('/rest/hits/', env.VITRINE_URL), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': env.VITRINE_API_KEY,
        'idempotency-key': key,
      },
      body: JSON.stringify(batch),
    }).catch(() => null);
    const status = response === null ? 503 : response.status;
    if (status < 400) return;
    // Retrying a wrong key or body would not help.
    if (status < 500 && status !== 429 && status !== 409) {
      console.error('vitrine refused hits: ' + status + ' ' + (await response.text()));
      return;
    }
    const seconds = Number(response && response.headers.get('retry-after')) || 2 ** tries / 2;
    if (tries < TRIES) await sleep(Math.min(seconds, 10) * 1000);
  }
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
`;
