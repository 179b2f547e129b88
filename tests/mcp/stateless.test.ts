import { describe, expect, test } from 'bun:test';
import { post, type RpcAnswer } from '../support/mcp.ts';
import { TARGETS, useService } from '../support/targets.ts';

const VERSION = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const META = { [VERSION_KEY]: VERSION, 'io.modelcontextprotocol/clientCapabilities': {} };

interface Sent {
  readonly method?: string;
  readonly params?: object;
  readonly headers?: Record<string, string | undefined>;
}

describe.each(TARGETS)('$name, revision 2026-07-28', (target) => {
  const service = useService(target);

  async function send({ method = 'tools/list', params = {}, headers = {} }: Sent) {
    const name =
      (params as { name?: string; uri?: string }).name ?? (params as { uri?: string }).uri;
    const all = {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      'mcp-name': name,
      ...headers,
    };
    const given = Object.entries(all).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const response = await post(
      service().fetch,
      { jsonrpc: '2.0', id: 7, method, params: { _meta: META, ...params } },
      { headers: Object.fromEntries(given) },
    );
    return { status: response.status, answer: (await response.json()) as RpcAnswer };
  }

  test.each<[string, object, boolean]>([
    ['server/discover', {}, true],
    ['tools/list', {}, true],
    ['tools/call', { name: 'search_offerings', arguments: { question: 'mug' } }, false],
    ['resources/list', {}, true],
    ['resources/templates/list', {}, true],
    ['resources/read', { uri: 'ui://vitrine/offerings.html' }, true],
  ])(
    '200: %s is whole, says by whom, and how long it holds',
    async (method, params, isCacheable) => {
      const { status, answer } = await send({ method, params });
      expect(status).toBe(200);
      expect(answer.result).toMatchObject({
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'vitrine' } },
        ...(isCacheable ? { ttlMs: expect.any(Number), cacheScope: expect.any(String) } : {}),
      });
    },
  );

  test.each(['initialize', 'ping', 'logging/setLevel', 'prompts/list'])(
    '404: %s is no method of it',
    async (method) => {
      expect(await send({ method })).toMatchObject({
        status: 404,
        answer: { id: 7, error: { code: -32601 } },
      });
    },
  );

  test.each<[string, number, Sent]>([
    ['no _meta', -32602, { params: { _meta: undefined } }],
    ['no version in _meta', -32602, { params: { _meta: { ...META, [VERSION_KEY]: undefined } } }],
    ['no capabilities', -32602, { params: { _meta: { [VERSION_KEY]: VERSION } } }],
    ['no version header', -32020, { headers: { 'mcp-protocol-version': undefined } }],
    ['another version header', -32020, { headers: { 'mcp-protocol-version': '2025-11-25' } }],
    [
      'another version in both',
      -32022,
      {
        headers: { 'mcp-protocol-version': '2027-01-01' },
        params: { _meta: { ...META, [VERSION_KEY]: '2027-01-01' } },
      },
    ],
    ['no method header', -32020, { headers: { 'mcp-method': undefined } }],
    ['another method header', -32020, { headers: { 'mcp-method': 'TOOLS/LIST' } }],
    [
      'another name header',
      -32020,
      {
        method: 'tools/call',
        params: { name: 'list_all_offerings' },
        headers: { 'mcp-name': 'x' },
      },
    ],
    [
      'no name header',
      -32020,
      { method: 'resources/read', params: { uri: 'x:é' }, headers: { 'mcp-name': undefined } },
    ],
  ])('400: %s', async (_, code, sent) => {
    expect(await send(sent)).toMatchObject({ status: 400, answer: { id: 7, error: { code } } });
  });

  test('200: a name outside ASCII is Base64; a missing resource is -32602', async () => {
    const uri = 'context://é';
    const encoded = `=?base64?${Buffer.from(uri).toString('base64')}?=`;
    const { status, answer } = await send({
      method: 'resources/read',
      params: { uri },
      headers: { 'mcp-name': encoded },
    });
    expect([status, answer.error]).toMatchObject([200, { code: -32602, data: { uri } }]);
  });

  test('400: it has no batches', async () => {
    const headers = { 'mcp-protocol-version': VERSION };
    expect(
      (await post(service().fetch, [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], { headers }))
        .status,
    ).toBe(400);
  });
});
