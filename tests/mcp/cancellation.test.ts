import { afterAll, beforeAll, expect, test } from 'bun:test';
import { answerPayload } from '../../src/mcp/dispatch.ts';
import { InFlight } from '../../src/mcp/in-flight.ts';
import { CATALOG } from '../support/catalog.ts';
import { post, type RpcAnswer } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const SEARCH = {
  jsonrpc: '2.0',
  id: 'slow',
  method: 'tools/call',
  params: { name: 'search_offerings', arguments: { question: 'lighthouse' } },
};
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

let service: LocalService;
beforeAll(async () => {
  service = await startService({ embedder: null });
  await service.operator.importRows(CATALOG);
});
afterAll(() => service.close());

function conversation() {
  const { services } = service;
  const organization = services.directory.findOrganization(service.organization.id)!;
  const talk = { inFlight: new InFlight(), hasSession: false, revision: null };
  return { services, organization, requestId: 'test', ownHits: [], ...talk };
}

test('a cancelled request gets no answer, and the others of its client do', async () => {
  const talk = conversation();
  const asked = answerPayload(talk, SEARCH, null);
  const other = answerPayload(talk, { ...SEARCH, id: 8 }, null);
  expect(await answerPayload(talk, cancel('slow'), null)).toEqual({ status: 202, body: null });
  expect(await asked).toEqual({ status: 202, body: null });
  expect((await other).status).toBe(200);
  expect(talk.inFlight.isIdle).toBe(true);
});

test('a client cannot cancel another client’s request, an answered one, or one whose id has another type', async () => {
  const [talk, stranger] = [conversation(), conversation()];
  const asked = answerPayload(talk, { ...SEARCH, id: 7 }, null);
  for (const id of [7, 'slow']) await answerPayload(stranger, cancel(id), null);
  await answerPayload(talk, cancel('7'), null);
  expect((await asked).status).toBe(200);
  expect((await answerPayload(talk, cancel(7), null)).status).toBe(202);
  expect((await answerPayload(talk, PING, null)).status).toBe(200);
});

test('within a batch a request is cancelled too, and ids that come twice are answered twice', async () => {
  const response = await post(service.fetch, [SEARCH, PING, PING, cancel('slow')]);
  expect(((await response.json()) as RpcAnswer[]).map(({ id }) => id)).toEqual([7, 7]);
});
