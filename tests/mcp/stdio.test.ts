import { expect, test } from 'bun:test';
import { converse } from '../../src/mcp/converse.ts';
import { recordOwnTraffic } from '../../src/operations/hits/own-traffic.ts';
import { runOperation } from '../../src/operations/run-operation.ts';
import { CATALOG } from '../support/catalog.ts';
import type { RpcAnswer } from '../support/mcp.ts';
import { startService } from '../support/start-service.ts';

const request = (id: number, method: string, params: object = {}) => ({
  payload: { jsonrpc: '2.0', id, method, params },
});

async function* linesOf(...messages: object[]): AsyncGenerator<string> {
  for (const message of messages) yield `${JSON.stringify(message)}\n`;
}

test('what an assistant on this machine does is recorded as own hits, like what comes over HTTP', async () => {
  const service = await startService({ embedder: null });
  await service.operator.importRows(CATALOG);
  const call = (id: number, name: string, args: object) =>
    request(id, 'tools/call', { name, arguments: args });
  const answers: RpcAnswer[] = [];
  await runOperation(
    service.services,
    converse,
    {},
    {
      lines: linesOf(
        request(1, 'initialize', { clientInfo: { name: 'claude-ai', version: '0.1.0' } }),
        request(2, 'tools/list'),
        call(3, 'search_offerings', { question: 'lighthouse' }),
        call(4, 'get_product_link', { product_id: 'lighthouse-lamp' }),
        call(5, 'get_product_link', { product_id: 'nothing' }),
        call(6, 'search_offerings', {}),
      ),
      emit: (event) => void answers.push(JSON.parse(String(event)) as RpcAnswer),
    },
  );
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  while (await recordOwnTraffic(service.services));
  const hits = await service.perform<{ classification: string }[]>('hits.list', { limit: 10 });
  hits.sort((one, other) => one.classification.localeCompare(other.classification));
  const own = { source: 'service', userAgent: 'claude-ai/0.1.0', method: null, path: null };
  expect(hits).toMatchObject([
    { ...own, classification: 'link_click', tool: 'get_product_link' },
    { ...own, classification: 'mcp_call', tool: 'get_product_link' },
    { ...own, classification: 'search', tool: 'search_offerings', question: 'lighthouse' },
  ]);
  await service.close();
});

test.each([
  ['2025-06-18', -32602],
  ['2025-11-25', undefined],
])(
  'a conversation that agreed on %s hears of a wrong argument as that revision says',
  async (protocolVersion, code) => {
    const service = await startService({ embedder: null });
    const answers = new Map<unknown, RpcAnswer>();
    let heard = Promise.withResolvers<void>();
    async function* lines(): AsyncGenerator<string> {
      for (const [id, method, params] of [
        [1, 'initialize', { protocolVersion }],
        [2, 'tools/call', { name: 'search_offerings', arguments: {} }],
      ] as const) {
        heard = Promise.withResolvers();
        yield `${JSON.stringify(request(id, method, params))}\n`;
        await heard.promise;
      }
    }
    await runOperation(
      service.services,
      converse,
      {},
      {
        lines: lines(),
        emit: (event) => {
          const answer = JSON.parse(String(event)) as RpcAnswer;
          answers.set(answer.id, answer);
          heard.resolve();
        },
      },
    );
    const { error, result } = answers.get(2)!;
    expect([error?.code, result?.['isError']]).toEqual([
      code,
      code === undefined ? true : undefined,
    ]);
    await service.close();
  },
);
