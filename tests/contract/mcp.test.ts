import { expect, test } from 'bun:test';
import { ask, post } from '../support/mcp.ts';
import { startService } from '../support/start-service.ts';

/** Bytes of the tool listing: every conversation pays for it. */
const LISTING_BYTES_MAX = 8000;
const INSTRUCTIONS_MAX = 600;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('the tool listing is the committed one, and cheap', async () => {
  const service = await startService();
  const { result } = await ask(service.fetch, 'tools/list');
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(LISTING_BYTES_MAX);
  expect(result).toMatchSnapshot();
  await service.close();
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'initialize of %s is the committed one',
  async (protocolVersion) => {
    const service = await startService();
    const { result } = await ask(service.fetch, 'initialize', { protocolVersion });
    expect(String(result['instructions']).length).toBeLessThanOrEqual(INSTRUCTIONS_MAX);
    expect({
      ...result,
      serverInfo: { ...(result['serverInfo'] as object), version: '' },
    }).toMatchSnapshot();
    await service.close();
  },
);

test('instructions stay within 600 characters, whatever the organization is called', async () => {
  const service = await startService();
  const { apiKey } = await service.operator.createOrganization('Long name '.repeat(20).trim());
  const { result } = await ask(service.as(apiKey), 'initialize', {});
  expect(String(result['instructions']).length).toBeLessThanOrEqual(INSTRUCTIONS_MAX);
  await service.close();
});

test('server/discover of 2026-07-28 is the committed one', async () => {
  const service = await startService();
  const message = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' };
  const response = await post(service.fetch, message, { headers });
  const { result } = (await response.json()) as { result: Record<string, unknown> };
  const { _meta: meta, ...rest } = result;
  expect(Object.keys(meta as object)).toEqual(['io.modelcontextprotocol/serverInfo']);
  expect(rest).toMatchSnapshot();
  await service.close();
});
