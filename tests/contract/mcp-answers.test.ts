import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TOOLS } from '../../src/mcp/tools/tools.ts';
import { CATALOG } from '../support/catalog.ts';
import { post } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';

/*
 * What each kind of message is answered with, whole: status and body. Whoever changes what stands behind
 * the dispatch sees here what callers would notice.
 */

const VERSION = '2026-07-28';

const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const CLIENT = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const request = (method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  ...(params !== undefined && { params }),
});
const call = (name: unknown, args?: unknown) => request('tools/call', { name, arguments: args });

const MESSAGES: readonly (readonly [string, unknown])[] = [
  ['initialize as clients send it', request('initialize', CLIENT)],
  ['initialize with nothing', request('initialize')],
  ['initialize with empty clientInfo', request('initialize', { ...CLIENT, clientInfo: {} })],
  [
    'initialize with wrong members',
    request('initialize', { protocolVersion: 1, capabilities: 2, clientInfo: [] }),
  ],
  ['initialize with unknown members', request('initialize', { ...CLIENT, further: { a: 1 } })],
  ['ping', ping('a')],
  ['ping with an id of 0', ping(0)],
  ['ping with a fraction for an id', ping(1.5)],
  ['ping with an empty id', ping('')],
  ['ping with params', request('ping', { _meta: { progressToken: 'x' } })],
  ['tools/list', request('tools/list')],
  ['tools/list with a cursor', request('tools/list', { cursor: 'x' })],
  ['resources/templates/list', request('resources/templates/list')],
  ['resources/list', request('resources/list')],
  ['resources/list with a wrong cursor', request('resources/list', { cursor: 'x' })],
  ['resources/list with a cursor that is no text', request('resources/list', { cursor: 5 })],
  ['resources/read of nothing', request('resources/read')],
  ['resources/read of a number', request('resources/read', { uri: 5 })],
  ['resources/read of what is not there', request('resources/read', { uri: 'context://x' })],
  ['resources/read with parameters of a tool', request('resources/read', { name: 'x' })],
  ['a tool without a name', request('tools/call', {})],
  ['a tool whose name is a number', call(5)],
  ['an unknown tool', call('no_such_tool')],
  ['a tool with a list of arguments', call('search_offerings', [])],
  ['a tool with arguments of text', call('search_offerings', 'x')],
  ['a tool without its argument', call('search_offerings')],
  ['a tool with a wrong argument', call('get_product_link', { product_id: 5 })],
  ['a tool with a blank argument', call('get_product_link', { product_id: ' \n' })],
  ['a tool with a forbidden character', call('get_product_link', { product_id: 'a\0' })],
  ['a tool with a long argument', call('search_offerings', { question: 'x'.repeat(1025) })],
  ['a search', call('search_offerings', { question: 'lighthouse' })],
  ['a search without an answer', call('search_offerings', { question: 'qwzx' })],
  ['a product link', call('get_product_link', { product_id: 'lighthouse-lamp' })],
  ['a product link that there is none of', call('get_product_link', { product_id: 'nothing' })],
  ['a checkout', call('single_product_express_checkout', { product_id: 'LIGHT-R' })],
  [
    'a checkout of which a variant has to be chosen',
    call('single_product_express_checkout', { product_id: 'lighthouse-lamp' }),
  ],
  [
    'a checkout of what is out of stock',
    call('single_product_express_checkout', { product_id: 'anorak-1' }),
  ],
  ['a booking', call('get_booking_link', { offering_id: 'workshop' })],
  [
    'a tool called as a task',
    request('tools/call', { name: 'get_product_link', arguments: { product_id: 'x' }, task: {} }),
  ],
  ['an invalid progress token', request('ping', { _meta: { progressToken: 1.5 } })],
  ['an unknown method', request('prompts/list')],
  ['a method of the prototype', request('constructor')],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/x', params: { a: 1 } }],
  ['a cancellation of nothing', { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }],
  ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
  ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }],
  ['params that are a list', request('ping', [])],
  ['a request with further members', { ...ping(7), further: true, result: {} }],
  [
    'a batch',
    [
      ping(1),
      ping(1),
      3,
      call('no_such_tool'),
      request('initialize', CLIENT),
      { jsonrpc: '2.0', method: 'x' },
    ],
  ],
  ['a batch of notifications', [{ jsonrpc: '2.0', method: 'notifications/initialized' }]],
  ['an empty batch', []],
];

const STATELESS: readonly (readonly [string, string, object])[] = [
  ['server/discover', 'server/discover', {}],
  ['tools/list', 'tools/list', {}],
  [
    'a product link',
    'tools/call',
    { name: 'get_product_link', arguments: { product_id: 'lighthouse-lamp' } },
  ],
  ['a wrong argument', 'tools/call', { name: 'get_product_link', arguments: {} }],
  ['a resource that is not there', 'resources/read', { uri: 'context://x' }],
  ['ping', 'ping', {}],
];

let service: LocalService;
beforeAll(async () => {
  service = await startService({ embedder: null });
  await service.operator.importRows(CATALOG);
});
afterAll(() => service.close());

async function answerTo(message: unknown, headers: Record<string, string> = {}): Promise<object> {
  const response = await post(service.fetch, message, {
    headers: { ...headers, 'x-request-id': 'same' },
  });
  const text = (await response.text())
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, '<id>')
    .replaceAll(/"version":"\d[^"]*"/g, '"version":""')
    // Ranking may change; `tests/relevance` judges it.
    .replaceAll(/"score":0\.\d+/g, '"score":0.5');
  // The tools themselves have a snapshot of their own.
  const body = JSON.parse(
    text.replaceAll(TOOLS.map(({ name }) => name).join(', '), '<tools>') || 'null',
    (name, value: unknown) => (name === 'tools' && Array.isArray(value) ? '<tools>' : value),
  ) as unknown;
  return { status: response.status, body };
}

test.each(MESSAGES)('%s is answered as committed', async (_, message) => {
  expect(await answerTo(message)).toMatchSnapshot();
});

test.each(STATELESS)('%s of 2026-07-28 is answered as committed', async (_, method, params) => {
  const { name, uri } = params as { name?: string; uri?: string };
  const named = name ?? uri;
  const headers = {
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(named !== undefined && { 'mcp-name': named }),
  };
  const message = { jsonrpc: '2.0', id: 7, method, params: { _meta: META, ...params } };
  expect(await answerTo(message, headers)).toMatchSnapshot();
});
