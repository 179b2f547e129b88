import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { figure } from '../support/figure.ts';
import { post, StreamReader } from '../support/mcp.ts';
import { SEED } from '../support/seed.ts';
import type { Service } from '../support/service.ts';
import { type ChatEndpoint, say, startChatEndpoint } from '../support/stand-in-chat-endpoint.ts';
import { TARGETS } from '../support/targets.ts';
import { leaksOf, makeTenants, missingTwin, type Tenant } from '../support/tenants.ts';
import { escaped, type Fetch, hitOf, UUID_WAYS, WAYS } from '../support/ways-to-name.ts';

/** Random calls; `bun run promises` makes more. */
const CALLS = Number(process.env['VITRINE_TEST_ISOLATION_CALLS'] ?? 1000);
const AT_ONCE = 8;

/** A process of its own: the binary where one is named. */
const target = TARGETS.at(-1)!;

/** An answer as it is, except for what differs from one request to the next: times, and with them its length. */
async function wholeAnswer(response: Response): Promise<string> {
  const text = response.headers.get('content-type')?.startsWith('text/event-stream')
    ? await firstBlock(response)
    : await response.text();
  const changing = [
    'date',
    'age',
    'ratelimit',
    ...(text.includes('"timings"') ? ['content-length'] : []),
  ];
  const headers = [...response.headers].filter(([name]) => !changing.includes(name));
  return `${response.status}\n${headers.map((pair) => pair.join(': ')).join('\n')}\n\n${text}`
    .replace(/"timings":\{[^}]*\}|"tookMs":[\d.]+/g, '')
    .replace(/sessionId=[0-9a-f-]{36}/g, 'sessionId=');
}

async function firstBlock(response: Response): Promise<string> {
  const reader = new StreamReader(response);
  const block = await reader.next();
  await reader.cancel();
  return String(block);
}

const withRequestId =
  (fetch: Fetch): Fetch =>
  (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('x-request-id', 'same');
    return fetch(path, { ...init, headers });
  };

describe(`${target.name}: two organizations, seed ${SEED}`, () => {
  let service: Service;
  let model: ChatEndpoint;
  let tenants: readonly [Tenant, Tenant];
  const pairs = () => [tenants, [tenants[1], tenants[0]] as const] as const;

  beforeAll(async () => {
    model = await startChatEndpoint();
    // Scorer and writer: everything fits, and of a shop there is one thing to say.
    model.reply = ({ response, asked }) => {
      const { products } = asked.document as { products: readonly { number: number }[] | number };
      if (typeof products === 'number') return say(response, 'A shop that sells what it has.');
      say(
        response,
        JSON.stringify({ grades: products.map(({ number }) => ({ number, grade: 3 })) }),
      );
    };
    service = await target.start({
      flags: {
        'log-level': 'debug',
        'trusted-proxies': '127.0.0.1',
        'scorer-url': model.origin,
        'scorer-model': 'm',
        'writer-url': model.origin,
        'writer-model': 'm',
      },
    });
    tenants = await makeTenants(service);
    await service.embedAll();
  }, 60_000);

  afterAll(async () => {
    await service?.close();
    model?.close();
  });

  test('what another has and what nobody has is answered in the same bytes, whatever it is called', async () => {
    let cases = 0;
    for (const [caller, other] of pairs()) {
      const fetch = withRequestId(caller.fetch);
      for (const [kind, name] of Object.entries({ ...other.names, cursor: other.cursor })) {
        const isUuid = name.length === 36;
        for (const [way, send] of Object.entries(isUuid ? { ...WAYS, ...UUID_WAYS } : WAYS)) {
          await expectNoneTold({ kind, name, way, other }, (asked) => send(fetch, asked));
          cases += 1;
        }
      }
    }
    expect(cases).toBeGreaterThanOrEqual(400);
    figure(`${cases} names of the other's and of nobody's: the same bytes`);
  }, 120_000);

  test('nobody without a key reads what is another’s, at the address of one that answers everybody', async () => {
    const open = { perMinute: 1_000_000, burst: 1_000_000 };
    const setPublic = (isOn: boolean, { organization }: Tenant) =>
      service.operator.setPublic(isOn, open, organization.slug);
    let cases = 0;
    let answered = 0;
    for (const [owner, other] of pairs()) {
      await setPublic(true, owner);
      const fetch = withRequestId(strangerAt(service, owner));
      for (const isOtherOpen of [false, true]) {
        await setPublic(isOtherOpen, other);
        for (const [kind, name] of Object.entries({ ...other.names, cursor: other.cursor })) {
          for (const [way, send] of Object.entries(WAYS)) {
            // At its own address, the other answers everybody too.
            if (isOtherOpen && /landing page|at an address/.test(way)) continue;
            const foreign = await expectNoneTold({ kind, name, way, other }, (asked) =>
              send(fetch, asked),
            );
            if (foreign.startsWith('200')) answered += 1;
            cases += 1;
          }
        }
      }
      const { names } = owner;
      const product = await (await WAYS['get_product_link']!(fetch, names['product']!)).text();
      expect(leaksOf(owner, product, []).length).toBeGreaterThan(0);
      await setPublic(false, owner);
      await setPublic(false, other);
    }
    expect(answered).toBeGreaterThan(cases / 4);
    figure(`${cases} names of the other's without a key: the same bytes as nobody's`);
  }, 120_000);

  test('its owner finds each thing by the same name', async () => {
    for (const [owner, other] of pairs()) {
      const { names, fetch } = owner;
      for (const [way, kinds] of [
        ['v3, shop in the path', ['shop', 'second shop']],
        ['landing page', ['organization', 'organization slug']],
        ['hit', ['organization', 'organization slug']],
        ['MCP at an address', ['organization', 'organization slug']],
        ['landing://', ['organization', 'organization slug']],
        ['context://', ['context']],
        ['get_product_link', ['product', 'external id', 'variant', 'SKU', 'slug', 'URL']],
        ['get_booking_link', ['service']],
        ['session, POST', ['session']],
      ] as const) {
        for (const kind of kinds) {
          const response = await WAYS[way]!(fetch, (names as Record<string, string>)[kind]!);
          const text = await response.text();
          expect([way, kind, response.ok, /"isError":true|"error":/.test(text)]).toEqual([
            way,
            kind,
            true,
            false,
          ]);
          expect(leaksOf(other, text, [])).toEqual([]);
        }
      }
    }
  });

  test(`no byte of ${CALLS} answers to one is of the other, nor of a stream, a prompt or a line of the log`, async () => {
    const streams = await Promise.all(tenants.map(listenAs));
    const words = [...Object.keys(tenants[0].names), 'shared', 'kettle', 'about', 'shop-1'];
    const call = fc.record({
      asLeft: fc.boolean(),
      way: fc.constantFrom(...Object.keys(WAYS), 'own stream', 'own hit'),
      said: fc.array(fc.record({ isOwn: fc.boolean(), kind: fc.constantFrom(...words) }), {
        minLength: 1,
        maxLength: 2,
      }),
      idempotencyKey: fc.integer({ min: 0, max: 50 }),
    });
    const calls = fc.sample(call, { numRuns: CALLS, seed: SEED });
    const said = new Set<string>();
    let spoken = 0;
    const answer = async ({ asLeft, way, said: names, idempotencyKey }: (typeof calls)[number]) => {
      const at = asLeft ? 0 : 1;
      const [caller, other] = pairs()[at];
      const nameOf = ({ isOwn, kind }: { isOwn: boolean; kind: string }) =>
        (isOwn ? caller : other).names[kind] ?? kind;
      const own = names.map(({ kind }) => nameOf({ isOwn: true, kind }));
      if (way === 'own stream') return streams[at]!.search(own.join(' '));
      const told = way === 'own hit' ? own : names.map(nameOf);
      const text = told.join(' ');
      said.add(text);
      const response =
        way === 'own hit'
          ? await sendOwnHit(caller, text, `shared-${idempotencyKey}`)
          : await WAYS[way]!(caller.fetch, text);
      const bytes = await wholeAnswer(response);
      expect([way, text, leaksOf(other, bytes, told)]).toEqual([way, text, []]);
      expect([way, text, response.status < 500]).toEqual([way, text, true]);
      if (leaksOf(caller, bytes, told).length > 0) spoken += 1;
    };
    const queue = calls[Symbol.iterator]();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const next of queue) await answer(next);
      }),
    );
    // Answers do hold such words: those of the caller.
    expect(spoken).toBeGreaterThan(CALLS / 20);
    for (const [at, stream] of streams.entries()) {
      expect(leaksOf(tenants[1 - at]!, await stream.end(), [])).toEqual([]);
    }
    const isOfBoth = (text: string) => tenants.every(({ prefix }) => text.includes(prefix));
    const documents = model.asked.map(({ document }) =>
      JSON.stringify({ ...document, question: '' }),
    );
    expect(documents.some((text) => text.includes(tenants[0].prefix))).toBe(true);
    expect(documents.filter(isOfBoth)).toEqual([]);
    expect(service.model.asked.filter((text) => !said.has(text)).filter(isOfBoth)).toEqual([]);
    const lines = service.logged().split('\n');
    expect(lines.length).toBeGreaterThan(CALLS / 2);
    expect(lines.filter(isOfBoth)).toEqual([]);
    figure(`${CALLS} random calls: 0 leaks`);
  }, 7_200_000);

  test('the same external id is another item in another organization', async () => {
    const ids = await Promise.all(
      tenants.map(async ({ fetch }) => {
        const response = await fetch('/rest/search/v2/?q=shared&products_only=true');
        return ((await response.json()) as { results: { id: string }[] }).results[0]!.id;
      }),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('nobody’s ranking depends on what the other has', async () => {
    const scores = async () => {
      const response = await tenants[0].fetch('/rest/search/v3/?q=kettle+about&skip_scoring=true');
      const { results } = (await response.json()) as { results: { id: string; score: number }[] };
      return results.map(({ id, score }) => [id, score]);
    };
    const before = await scores();
    const rows = Array.from({ length: 30 }, (_, index) => ({
      externalId: `${index}`,
      name: 'Kettle',
    }));
    await service.operator.importRows(rows, {
      organization: tenants[1].organization.slug,
      shop: 'shop-1',
    });
    expect(await scores()).toEqual(before);
  });
});

/** A thing of the other's, and how somebody else asks for it. */
interface ForeignName {
  readonly kind: string;
  readonly name: string;
  readonly way: string;
  readonly other: Tenant;
}

/** The answer to a foreign name, which must hold nothing of the other's and be that to a name of nobody's. */
async function expectNoneTold(
  { kind, name, way, other }: ForeignName,
  send: (asked: string) => Promise<Response>,
): Promise<string> {
  const answerTo = async (asked: string) => {
    const answer = await wholeAnswer(await send(asked));
    return answer.replaceAll(asked, 'NAME').replaceAll(escaped(asked), 'NAME');
  };
  const foreign = await answerTo(name);
  expect({ way, kind, name, leaks: leaksOf(other, foreign, []) }).toEqual({
    way,
    kind,
    name,
    leaks: [],
  });
  // What the service made up at random may, as a question, be near anything: a number is a price, letters
  // share a dimension of the stand-in model with a word. Some 2 of 100 keys do.
  if (way.includes('question') && !name.includes(other.prefix)) return foreign;
  const twin = kind === 'cursor' ? signedByNobody(name) : missingTwin(name);
  const missing = await answerTo(twin);
  expect({ way, kind, name, twin, answer: foreign }).toEqual({
    ...{ way, kind, name, twin, answer: missing },
  });
  return foreign;
}

/** Somebody without a key at a tenant's public addresses, each time from elsewhere: failures are counted. */
function strangerAt({ asStranger }: Service, { organization }: Tenant): Fetch {
  let count = 0;
  return (path, init = {}) => {
    const headers = new Headers(init.headers);
    count += 1;
    headers.set('x-forwarded-for', `198.18.${count >> 8}.${count & 255}`);
    const own = path
      .replace(/^\/mcp$/, `/mcp/org/${organization.id}/`)
      .replace(/^(\/mcp\/messages)\??/, `$1?organization=${organization.id}&`);
    return asStranger(own, { ...init, headers });
  };
}

/** A cursor of which every character but those of its signature is right. */
function signedByNobody(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const at = text.lastIndexOf('.') + 1;
  return Buffer.from(text.slice(0, at) + '0'.repeat(text.length - at)).toString('base64url');
}

function sendOwnHit(
  { fetch, names, prefix }: Tenant,
  text: string,
  key: string,
): Promise<Response> {
  return fetch('/rest/hits/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ ...hitOf(names['organization']!), path: `/${prefix}path/${text}` }),
  });
}

/** A stream of a session of the tenant's: searches go in by the session, everything that comes out is kept. */
async function listenAs({ fetch }: Tenant) {
  const reader = new StreamReader(await fetch('/mcp'));
  const { data: path } = (await reader.nextEvent())!;
  let text = '';
  let isEnded = false;
  const reading = (async () => {
    for (
      let block = await reader.next();
      block !== null;
      block = isEnded ? null : await reader.next()
    )
      text += block;
  })();
  const search = async (question: string): Promise<void> => {
    const params = { name: 'search_offerings', arguments: { question } };
    const response = await post(
      fetch,
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
      { path },
    );
    expect(response.status).toBe(202);
  };
  return {
    search,
    async end() {
      isEnded = true;
      await search('kettle');
      await reading;
      await reader.cancel();
      expect(text).toContain('event: message');
      return text;
    },
  };
}
