import { Compile } from 'typebox/schema';
import { Problem } from '../../src/http/exchange/errors.ts';

/** A request with arbitrary, possibly invalid, contents. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** Numbers from 0 to below 1. */
export type Random = () => number;

/** The same numbers for the same seed (xorshift32). */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!;

const HITS = '/rest/hits/';
const MESSAGES = '/mcp/messages';

/** A placeholder for a session in a target; the sender replaces it with a real one. */
export const SESSION = '0199e5a0-7c1e-7a3b-9d52-3f1c8b2e4d60';

const HIT = {
  organization: 'acme',
  eventDate: '2026-11-21T14:30:00Z',
  classification: 'search',
  url: 'https://shop.example/?q=mug',
  clientIp: '203.0.113.7',
  botScore: 0.5,
  verifiedBot: false,
  headers: { accept: 'text/html' },
  cf: { country: 'US' },
};

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });

const call = (name: string, args: object) => rpc('tools/call', { name, arguments: args });

const MESSAGE_SEEDS: readonly object[] = [
  rpc('initialize', {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  }),
  rpc('ping'),
  rpc('tools/list', { cursor: 'a' }),
  rpc('resources/list'),
  rpc('resources/templates/list'),
  rpc('resources/read', { uri: 'landing://acme' }),
  rpc('resources/read', { uri: `context://${SESSION}` }),
  rpc('resources/read', { uri: 'ui://vitrine/offerings.html' }),
  rpc('server/discover'),
  rpc('logging/setLevel', { level: 'debug' }),
  call('search_offerings', { question: 'a mug under 20' }),
  call('list_all_offerings', {}),
  call('get_booking_link', { offering_id: 'SKU-1' }),
  call('get_product_link', { product_id: SESSION }),
  call('single_product_express_checkout', { product_id: 'https://shop.example/mug' }),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 7, result: {} },
  [rpc('ping'), rpc('tools/list'), 7],
];

const get = (target: string): Omit<RawRequest, 'headers' | 'body'> & { json: null } => ({
  method: 'GET',
  target,
  json: null,
});
const post = (target: string, json: unknown) => ({ method: 'POST', target, json });

/** Valid requests to every route. */
const SEEDS: readonly { method: string; target: string; json: unknown }[] = [
  ...['v2', 'v3'].flatMap((version) => [
    get(`/rest/search/${version}/?q=mug&products_only=true&skip_scoring=0&shop_id=shop-1`),
    get(`/rest/search/${version}/shop-1?q=a+mug+under+20&limit=5&cursor=MS4x`),
  ]),
  get('/rest/org/ai/acme/'),
  get('/rest/org/ai/acme?regenerate=false'),
  get('/healthz'),
  get('/readyz'),
  get('/openapi.json'),
  get('/mcp'),
  get(`${MESSAGES}?sessionId=${SESSION}`),
  { method: 'DELETE', target: MESSAGES, json: null },
  post(HITS, HIT),
  post(HITS, [HIT, HIT]),
  post(HITS, HIT),
  ...MESSAGE_SEEDS.flatMap((message) => [
    post('/mcp', message),
    post('/mcp/org/acme/', message),
    post(MESSAGES, message),
    post(`${MESSAGES}?sessionId=${SESSION}`, message),
  ]),
];

const METHODS = ['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'TRACE', 'PROPFIND'];

/** Text with a special meaning to some layer between the client and the disk. */
const TOKENS: readonly string[] = [
  ...['', '0', '-1', '1e999', '99999999999999999999', 'NaN', 'true', 'null', '[]', '{}', '""'],
  ...['%', '%00', '%ff', '%ED%A0%80', '%F0%9F%98%80', '&', '&&', '=', ';', '+', '?', '/', '//'],
  ...['..', '../', '%2e%2e%2f', ',', '#', '\\', '*', '"', "'", '(', ')', '{', '<script>', '--'],
  ...[
    ' OR ',
    ' NEAR(',
    'name:',
    '^',
    '__proto__',
    'constructor',
    'toString',
    'ſ',
    '中文',
    '\u0000',
  ],
  ...['\ud800', '\u202e', '\u200b', '\r\n', '\n', '\t', ' ', 'é', 'x'.repeat(300), '9'.repeat(40)],
  ...['[['.repeat(40), '{"a":'.repeat(40), 'mug', 'shop-1', 'acme', SESSION, 'file:///etc/passwd'],
  ...['q=', 'limit=', 'cursor=', 'shop_id=', 'sessionId=', 'regenerate=1', 'products_only=2'],
];

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-type': ['application/json', 'APPLICATION/JSON', 'text/plain', 'application/x-ndjson'],
  accept: ['*/*', 'text/event-stream', 'application/json, text/event-stream', 'image/png'],
  'mcp-session-id': [SESSION, 'x'],
  'mcp-protocol-version': ['2025-03-26', '2026-07-28', '1999-01-01'],
  'mcp-method': ['tools/call'],
  'last-event-id': [`${SESSION}.1`, `${SESSION}.-1`],
  'idempotency-key': ['a', 'b'],
  'x-request-id': ['abc'],
  'x-api-key': ['vk_000000000000_'],
  authorization: ['Bearer x', 'Basic eDp5'],
  'x-forwarded-for': ['1.2.3.4', 'unknown'],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  'if-none-match': ['*', 'W/"a"'],
  'if-modified-since': ['Sat, 21 Nov 2026 00:00:00 GMT'],
  'content-encoding': ['gzip'],
  origin: ['null', 'https://evil.example'],
  cookie: ['a=b'],
  range: ['bytes=0-1'],
  expect: ['100-continue'],
};

/** A valid request with a random number of faults. */
export function makeGarbage(random: Random): RawRequest {
  const seed = pick(random, SEEDS);
  const headers: Record<string, string> = {};
  if (seed.json !== null && random() < 0.9) headers['content-type'] = 'application/json';
  while (random() < 0.3) {
    const name = pick(random, Object.keys(HEADERS));
    headers[name] = random() < 0.6 ? pick(random, HEADERS[name]!) : headerText(random);
  }
  const method = random() < 0.9 ? seed.method : pick(random, METHODS);
  const hasBody = seed.json !== null || random() < 0.05;
  return {
    method,
    target: random() < 0.7 ? seed.target : `/${spliced(random, seed.target.slice(1))}`,
    headers,
    body: hasBody && method !== 'GET' && method !== 'HEAD' ? makeBody(random, seed.json) : null,
  };
}

/** Printable Latin-1 without leading or trailing blanks: the text that a header can hold. */
function headerText(random: Random): string {
  const codes = Array.from({ length: Math.floor(random() * 60) }, () => 0x21 + random() * 0xde);
  return String.fromCharCode(...codes.filter((code) => code < 0x7f || code >= 0xa0));
}

function makeBody(random: Random, json: unknown): Uint8Array<ArrayBuffer> {
  const kind = random();
  if (kind < 0.1) return randomBytes(random, Math.floor(random() * 200));
  const value = kind < 0.8 ? mutated(random, json) : json;
  const text = JSON.stringify(value) ?? '';
  if (kind < 0.6) return Buffer.from(text);
  if (kind < 0.7) return Buffer.from(spliced(random, text));
  const bytes = Buffer.from(text);
  for (let flips = 0; flips < 3 && bytes.length > 0; flips++)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  return random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
}

function randomBytes(random: Random, count: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: count }, () => random() * 256);
}

function spliced(random: Random, text: string): string {
  const at = Math.floor(random() * (text.length + 1));
  const cut = random() < 0.5 ? 0 : Math.floor(random() * 8);
  const result = text.slice(0, at) + pick(random, TOKENS) + text.slice(at + cut);
  return random() < 0.4 ? spliced(random, result) : result;
}

/** The value with one member, at any depth, replaced, removed or added. */
function mutated(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.2) return anyValue(random);
  if (Array.isArray(value)) {
    const at = Math.floor(random() * value.length);
    return value.map((item, index) => (index === at ? mutated(random, item) : item));
  }
  const entries = Object.entries(value);
  const at = Math.floor(random() * entries.length);
  const what = random();
  if (what < 0.2) return Object.fromEntries(entries.filter((_, index) => index !== at));
  if (what < 0.3) return { ...value, [pick(random, TOKENS)]: anyValue(random) };
  return Object.fromEntries(
    entries.map(([name, member], index) => [name, index === at ? mutated(random, member) : member]),
  );
}

function anyValue(random: Random): unknown {
  switch (Math.floor(random() * 8)) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return pick(random, [0, -1, 1.5, 1e21, -0, 2 ** 53, Number.MAX_VALUE]);
    case 3:
      return [];
    case 4:
      return [anyValue(random)];
    case 5:
      return { [pick(random, TOKENS)]: anyValue(random) };
    default:
      return spliced(random, pick(random, TOKENS));
  }
}

/** The declared length of a body, correct or not. */
const FRAMINGS: readonly ((body: Uint8Array) => readonly [head: string, body: Uint8Array])[] = [
  (body) => [`Content-Length: ${body.length}\r\n`, body],
  (body) => [`Content-Length: ${body.length}\r\n`, body],
  (body) => [CHUNKED, Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, END])],
  (body) => [`Content-Length: ${Math.floor(body.length / 2)}\r\n`, body],
  (body) => [`Content-Length: ${body.length + 9}\r\n`, body],
  (body) => [`Content-Length: ${body.length}\r\nContent-Length: 1\r\n`, body],
  (body) => [`Content-Length: ${body.length}\r\n${CHUNKED}`, body],
  (body) => [CHUNKED, body],
  (body) => [`Content-Length: -1\r\n`, body],
  (body) => [`Content-Length: 99999999999\r\n`, body],
  (body) => ['Transfer-Encoding: gzip\r\n', body],
  (body) => ['', body],
];

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const END = Buffer.from('\r\n0\r\n\r\n');

const HOSTS: readonly string[] = [
  ...Array<string>(6).fill('Host: localhost\r\n'),
  ...[
    '',
    'Host: a\r\nHost: b\r\n',
    'Host: \xff\r\n',
    'Host: [::1\r\n',
    'Host:\r\n',
    'Host: a b\r\n',
  ],
  ...['Host: a:99999\r\n', 'Host: a@b\r\n', 'Host: 999.9.9.9\r\n', 'Host: /\r\n', 'Host: api\r\n'],
];

const VERSIONS = [...Array<string>(8).fill('HTTP/1.1'), 'HTTP/1.0', 'HTTP/2.0', 'HTP/1.1', ''];

/** The bytes of a request, with valid or invalid framing, sometimes with changed bytes. */
export function bytesOf(random: Random, request: RawRequest, apiKey: string): Buffer {
  const { method, target, headers, body } = request;
  const fields = Object.entries({ 'X-API-Key': apiKey, ...headers, Connection: 'close' });
  const [framing, content] = body === null ? ['', []] : pick(random, FRAMINGS)(body);
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  // Addresses are sent without encoding: as UTF-8, including blanks.
  const address = Buffer.from(target).toString('latin1');
  const head = `${method} ${address} ${pick(random, VERSIONS)}\r\n${pick(random, HOSTS)}${lines}${framing}\r\n`;
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), Uint8Array.from(content)]);
  if (random() < 0.2)
    for (let changes = 0; changes < 4; changes++)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  return random() < 0.05 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
}

/** The runtime's answer to bytes that are not an HTTP request. It then hangs up, and they never reach vitrine. */
const REFUSAL = /^HTTP\/1\.1 (?:400|413|431|505) [\w ]+\r\nConnection: close\r\n\r\n$/;

/** The fault in the bytes of an answer, or null. */
export function faultOfBytes(request: RawRequest, answer: string): string | null {
  // A client that sends Expect waits for 100 Continue.
  const whole = answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  if (whole === '' || REFUSAL.test(whole)) return null;
  if (/^HTTP\/1\.1 5/m.test(whole)) return 'a 5xx';
  const end = whole.indexOf('\r\n\r\n');
  const [first = '', ...lines] = whole.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (end < 0 || Number.isNaN(status)) return `begins with ${first}`;
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(': ', 1)[0]!, line.split(': ')[1] ?? '']),
  );
  const length = Number(headers.get('content-length') ?? Number.NaN);
  const text = Buffer.from(whole.slice(end + 4, end + 4 + length), 'latin1').toString();
  const isCut = request.method !== 'HEAD' && whole.length < end + 4 + length;
  return isCut ? 'is cut' : faultOf(request, { status, headers }, text);
}

const isProblem = Compile(JSON.parse(JSON.stringify(Problem)));

/** Words from a stack trace, a query or a library. vitrine's own messages contain none of them. */
const INSIDES = /node_modules|\bat \S+:\d+|(?:Type|Syntax|Range|Reference)Error|SQLITE|libsql/i;

/** The fault in an answer to an arbitrary request, or null. `text` is its body. */
export function faultOf(
  { method, target }: RawRequest,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
): string | null {
  if (status >= 500) return `${status}`;
  if (headers.get('x-content-type-options') !== 'nosniff') return 'no nosniff';
  if (!/^[\w.-]{1,64}$/.test(headers.get('x-request-id') ?? '')) return 'no request id';
  if (status < 400) return null;
  if (method === 'HEAD') return null;
  if (INSIDES.test(text)) return 'tells its insides';
  const type = headers.get('content-type');
  const path = URL.parse(`http://localhost${target}`)?.pathname ?? target;
  const isRpc = path.startsWith('/mcp') && type === 'application/json; charset=utf-8';
  if (!isRpc && type !== 'application/problem+json; charset=utf-8') return `is ${type}`;
  const body: unknown = JSON.parse(text);
  if (isRpc) return isRpcError(body) ? null : 'is no JSON-RPC error';
  if (!isProblem.Check(body)) return 'is no problem';
  return (body as { status: number }).status === status ? null : 'says another status';
}

function isRpcError(body: unknown): boolean {
  const { jsonrpc, id, error } = body as {
    jsonrpc?: unknown;
    id?: unknown;
    error?: { code?: unknown; message?: unknown; data?: { requestId?: unknown } };
  };
  return (
    jsonrpc === '2.0' &&
    (id === null || typeof id === 'string' || typeof id === 'number') &&
    Number.isInteger(error?.code) &&
    typeof error?.message === 'string' &&
    typeof error.data?.requestId === 'string'
  );
}
