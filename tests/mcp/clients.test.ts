import { describe, expect, test } from 'bun:test';
import { TOOLS } from '../../src/mcp/tools/tools.ts';
import { connectMcp, connectNewer, connectOverEvents } from '../support/mcp.ts';
import { TARGETS, useService } from '../support/targets.ts';

const MESSAGES = '/mcp/messages';

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  test('the SDK’s client works over Streamable HTTP, with and without sessions, and over events', async () => {
    const { fetch, organization } = service();
    for (const connect of [
      () => connectMcp(fetch),
      () => connectMcp(fetch, MESSAGES),
      () => connectMcp(fetch, `/mcp/org/${organization.id}/`),
      () => connectOverEvents(fetch),
      () => connectOverEvents(fetch, MESSAGES),
      () => connectOverEvents(fetch, `/mcp/org/${organization.slug}`),
    ]) {
      const client = await connect();
      await client.ping();
      expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
      const { contents } = await client.readResource({ uri: `landing://${organization.id}` });
      expect(contents[0]).toMatchObject({ mimeType: 'text/markdown' });
      const { resources } = await client.listResources();
      expect(resources.length).toBeGreaterThan(2);
      const answer = await client.callTool({
        name: 'search_offerings',
        arguments: { question: 'lighthouse' },
      });
      expect(answer.structuredContent).toMatchObject({ count: 1 });
      await client.close();
    }
  });

  test.each([
    { path: '/mcp', transport: 'http', revision: '2026-07-28' },
    { path: '/mcp', transport: 'events', revision: '2025-11-25' },
    { path: MESSAGES, transport: 'http', revision: '2025-11-25' },
    { path: MESSAGES, transport: 'events', revision: '2025-11-25' },
  ] as const)(
    'a client that asks server/discover first gets in: $transport at $path',
    async (way) => {
      const client = await connectNewer(service().fetch, way);
      expect(client.getNegotiatedProtocolVersion()).toBe(way.revision);
      expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
      const call = { name: 'search_offerings', arguments: { question: 'lighthouse' } };
      expect((await client.callTool(call)).structuredContent).toMatchObject({ count: 1 });
      await client.close();
    },
  );
});
