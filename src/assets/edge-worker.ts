/** A Cloudflare worker in front of a site, as it is printed for its owner: it needs no build. */
export const edgeWorker = `// Sends the visits of a site to vitrine, in batches, after the visitor has been answered.
//
//   wrangler.toml:  main = "src/index.js"
//                   routes = [{ pattern = "shop.example/*", zone_name = "shop.example" }]
//                   [vars]
//                   VITRINE_URL = "https://vitrine.example"
//                   VITRINE_ORGANIZATION = "id or slug"
//   the key:        wrangler secret put VITRINE_API_KEY      (scope "hits" is enough)

// A batch leaves when it is this large, or this old.
const BATCH_SIZE = 100;
const BATCH_AGE_MS = 2000;

// Hits that wait when vitrine cannot be reached; the oldest are given up first.
const WAITING_MAX = 1000;

const TRIES = 4;

// What helps to tell agents apart. Cookies, keys and addresses stay here.
const HEADERS = ['accept', 'accept-language', 'referer', 'sec-fetch-mode', 'signature-agent'];
const CF = ['asn', 'asOrganization', 'colo', 'country', 'httpProtocol', 'tlsVersion', 'verifiedBotCategory'];

let waiting = [];

export default {
  async fetch(request, env, ctx) {
    // The site goes on whatever becomes of this worker.
    ctx.passThroughOnException();
    const response = await fetch(request);
    if (isPage(request, response)) ctx.waitUntil(report(toHit(request, env), env));
    return response;
  },
};

// Pages and documents, not the pictures and scripts that come with them.
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
    classification: classify(url, bot),
    method: request.method,
    path: url.pathname,
    url: request.url,
    userAgent: request.headers.get('user-agent'),
    clientIp: request.headers.get('cf-connecting-ip'),
    // Cloudflare counts from 1, a program, to 99, a person; vitrine from 0, a person, to 1.
    botScore: typeof bot.score === 'number' && bot.score >= 1 ? (100 - bot.score) / 100 : null,
    verifiedBot: typeof bot.verifiedBot === 'boolean' ? bot.verifiedBot : null,
    headers: pick(HEADERS, (name) => request.headers.get(name)),
    cf: pick(CF, (name) => cf[name]),
  };
}

// Adapt the paths to your shop.
function classify(url, bot) {
  if (url.searchParams.has('q') && /search/.test(url.pathname)) return 'search';
  if (/^\\/checkouts?(\\/|$)/.test(url.pathname)) return 'checkout_start';
  if (/^\\/products?\\//.test(url.pathname)) return 'product_view';
  return bot.verifiedBot === true ? 'crawl' : 'page_view';
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
  // Each visit waits by itself, since timers may not be shared between requests.
  if (waiting.length < BATCH_SIZE) await sleep(BATCH_AGE_MS);
  // Whoever wakes first takes all; the others find nothing left.
  const batch = waiting.splice(0, BATCH_SIZE);
  if (batch.length > 0) await send(batch, env);
}

// The same Idempotency-Key at every try: a hit that arrived is not recorded again.
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
    // A wrong key or body is wrong the next time too.
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
