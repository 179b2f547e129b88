import { expect, test } from 'bun:test';
import { ask, post } from '../support/mcp.ts';
import { startService } from '../support/start-service.ts';

/** Bytes of the tool listing: every conversation pays for it. */
const LISTING_BYTES_MAX = 8700;
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

test('the shop introduces itself: by name, description, website and icon', async () => {
  const service = await startService();
  const { slug } = service.organization;
  const description = 'Lamps for desks. Made in Acme.';
  await service.perform('org.set', { organization: slug, description });
  await service.perform('shop.set', { shop: 'shop-1', domain: 'shop.example' });
  const { result } = await ask(service.fetch, 'initialize', {});
  expect(result['serverInfo']).toMatchObject({
    name: 'vitrine',
    title: 'Acme',
    description,
    websiteUrl: 'https://shop.example',
    icons: [{ src: 'https://shop.example/favicon.ico' }],
  });
  expect(result['instructions']).toStartWith('The catalogue of Acme (shop.example): ');
  expect(result['instructions']).toContain(` ${description} `);
  const long = { organization: slug, description: 'Lamps and more lamps. '.repeat(13).trim() };
  await service.perform('org.set', long);
  const again = await ask(service.fetch, 'initialize', {});
  expect(String(again.result['instructions']).length).toBeLessThanOrEqual(INSTRUCTIONS_MAX);
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
