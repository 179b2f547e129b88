import { post } from './mcp.ts';
import type { Service } from './service.ts';

const MESSAGES = '/mcp/messages';

export type Fetch = Service['fetch'];
type Send = (fetch: Fetch, name: string) => Promise<Response>;

export const escaped = (name: string) => encodeURIComponent(name);

export const hitOf = (organization: string) => ({
  organization,
  eventDate: '2026-01-01T00:00:00Z',
  classification: 'search',
});

const sendHits =
  (type: string, bodyOf: (name: string) => string): Send =>
  (fetch, name) =>
    fetch('/rest/hits/', {
      method: 'POST',
      headers: { 'content-type': type },
      body: bodyOf(name),
    });

const rpc =
  (method: string, paramsOf: (name: string) => object): Send =>
  (fetch, name) =>
    post(fetch, { jsonrpc: '2.0', id: 7, method, params: paramsOf(name) });

const callTool = (tool: string, argument: string): Send =>
  rpc('tools/call', (name) => ({ name: tool, arguments: { [argument]: name } }));

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const LIST = { jsonrpc: '2.0', id: 8, method: 'resources/list' };

/** Every way in which a request can name something. */
export const WAYS: Readonly<Record<string, Send>> = {
  'v2, shop in the path': (fetch, name) => fetch(`/rest/search/v2/${escaped(name)}/?q=kettle`),
  'v2, shop in the query': (fetch, name) =>
    fetch(`/rest/search/v2/?q=kettle&shop_id=${escaped(name)}`),
  'v2, question': (fetch, name) => fetch(`/rest/search/v2/?q=${escaped(name)}`),
  'v3, shop in the path': (fetch, name) => fetch(`/rest/search/v3/${escaped(name)}/?q=kettle`),
  'v3, shop in the query': (fetch, name) =>
    fetch(`/rest/search/v3/?q=kettle&shop_id=${escaped(name)}`),
  'v3, shops in the query': (fetch, name) =>
    fetch(`/rest/search/v3/?q=kettle&shop_id=shop-1&shop_id=${escaped(name)}&limit=100`),
  'v3, question': (fetch, name) => fetch(`/rest/search/v3/?q=${escaped(name)}`),
  'v3, question without scoring': (fetch, name) =>
    fetch(`/rest/search/v3/?q=${escaped(name)}&skip_scoring=true&products_only=true`),
  'v3, cursor': (fetch, name) => fetch(`/rest/search/v3/?q=kettle&cursor=${escaped(name)}`),
  'landing page': (fetch, name) => fetch(`/rest/org/ai/${escaped(name)}/`),
  'landing page, regenerated': (fetch, name) =>
    fetch(`/rest/org/ai/${escaped(name)}/?regenerate=true`),
  'landing page, HEAD': (fetch, name) => fetch(`/rest/org/ai/${escaped(name)}`, { method: 'HEAD' }),
  hit: sendHits('application/json', (name) => JSON.stringify(hitOf(name))),
  'batch of hits': sendHits('application/json', (name) => JSON.stringify([hitOf(name)])),
  'lines of hits': sendHits('application/x-ndjson', (name) => JSON.stringify(hitOf(name))),
  'MCP at an address': (fetch, name) => post(fetch, LIST, { path: `/mcp/org/${escaped(name)}/` }),
  'MCP stream at an address': (fetch, name) => fetch(`/mcp/org/${escaped(name)}/`),
  'search_offerings, question': callTool('search_offerings', 'question'),
  get_booking_link: callTool('get_booking_link', 'offering_id'),
  get_product_link: callTool('get_product_link', 'product_id'),
  single_product_express_checkout: callTool('single_product_express_checkout', 'product_id'),
  'unknown tool': rpc('tools/call', (name) => ({ name })),
  'context://': rpc('resources/read', (name) => ({ uri: `context://${name}` })),
  'landing://': rpc('resources/read', (name) => ({ uri: `landing://${name}` })),
  'any resource': rpc('resources/read', (uri) => ({ uri })),
  'cursor of resources': rpc('resources/list', (cursor) => ({ cursor })),
  'batch of messages': (fetch, name) =>
    post(fetch, [
      PING,
      { ...LIST, method: 'resources/read', params: { uri: `context://${name}` } },
      { ...PING, id: 9, method: name },
    ]),
  'session, POST': (fetch, name) =>
    post(fetch, LIST, { path: MESSAGES, headers: { 'mcp-session-id': name } }),
  'session, POST by address': (fetch, name) =>
    post(fetch, LIST, { path: `${MESSAGES}?sessionId=${escaped(name)}` }),
  'session, GET': (fetch, name) => fetch(MESSAGES, { headers: { 'mcp-session-id': name } }),
  'session, DELETE': (fetch, name) =>
    fetch(MESSAGES, { method: 'DELETE', headers: { 'mcp-session-id': name } }),
};

/** The other ways distinguish a name from a stream without a session by its form. */
export const UUID_WAYS: Readonly<Record<string, Send>> = {
  'last event': (fetch, name) => fetch('/mcp', { headers: { 'last-event-id': `${name}.0` } }),
};
