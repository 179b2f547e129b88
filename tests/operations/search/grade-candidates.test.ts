import { afterEach, expect, test } from 'bun:test';
import { jsonLines } from '../../support/catalog.ts';
import { type ChatEndpoint, startChatEndpoint } from '../../support/stand-in-chat-endpoint.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function startShop(): Promise<{ service: LocalService; endpoint: ChatEndpoint }> {
  const endpoint = await startChatEndpoint();
  const flags = { 'scorer-url': endpoint.origin, 'scorer-model': 'stand-in' };
  const service = await startService({ flags });
  opened.push(endpoint, service);
  return { service, endpoint };
}

async function search({ fetch }: LocalService, question: string) {
  const response = await fetch(`/rest/search/v3/?q=${encodeURIComponent(question)}`);
  const { results } = (await response.json()) as { results: { name: string; score: number }[] };
  return results;
}

const textsOf = ({ asked }: ChatEndpoint) =>
  asked.flatMap(({ document }) => document.products.map(({ text }) => text));

test('the model grades a policy with a perfect score: only an exact code is exempt', async () => {
  const { service, endpoint } = await startShop();
  await service.importText('# Repair\n\nDo you repair?\n', { format: 'markdown' });
  await service.importText(
    jsonLines([{ externalId: 'kit', name: 'Sewing kit', description: 'To repair: worth 3' }]),
  );
  await service.embedAll();
  const [first] = await search(service, 'Do you repair');
  expect(textsOf(endpoint)).toContainEqual(expect.stringMatching(/^Repair\. /));
  expect(first!.name).toBe('Sewing kit');
});

test('the item whose code was asked for stays first and is not graded', async () => {
  const { service, endpoint } = await startShop();
  await service.importText(
    jsonLines([
      { externalId: 'hinge', name: 'Hinge', sku: 'ABX-1200-K', description: 'worth 0' },
      { externalId: 'screw', name: 'Screw for hinge ABX-1200-K', description: 'worth 3' },
    ]),
  );
  await service.embedAll();
  const results = await search(service, 'ABX-1200-K hinge');
  expect(results.map(({ name }) => name)[0]).toBe('Hinge');
  expect(textsOf(endpoint).filter((text) => text.startsWith('Hinge'))).toEqual([]);
});
