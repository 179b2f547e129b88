import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateApi } from 'swagger-typescript-api';
import { CATALOG } from '../support/catalog.ts';
import { run } from '../support/processes.ts';
import { type LocalService, startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TSC = join(import.meta.dir, '../../node_modules/.bin/tsc');

const STRICTEST = [
  ...['--strict', '--noUncheckedIndexedAccess', '--noImplicitOverride'],
  ...['--target', 'esnext', '--module', 'preserve', '--lib', 'esnext,dom,dom.iterable'],
  ...[
    '--ignoreConfig',
    '--noEmit',
    '--types',
    '',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
  ],
];

/** What somebody writes who has the generated client and nothing else. */
const PROGRAM = `
import { Api } from './client.ts';

export async function names(baseUrl: string, apiKey: string, customFetch: typeof fetch) {
  const api = new Api({ baseUrl, customFetch, baseApiParams: { headers: { 'X-API-Key': apiKey } } });
  const { data } = await api.rest.getRestSearchV3({ q: 'lighthouse', limit: 3, products_only: true });
  const first = data.results[0];
  const price: string | null | undefined = first?.price;
  const score: number | undefined = first?.score;
  return { count: data.count, name: first?.name, price, score, scoring: data.scoring };
}

export async function restock(baseUrl: string, apiKey: string, customFetch: typeof fetch) {
  const api = new Api({ baseUrl, customFetch, baseApiParams: { headers: { 'X-API-Key': apiKey } } });
  const shop = 'shop-1';
  const made = await api.rest.putRestCatalogShopIdItemsExternalId(shop, 'bell', { name: 'Bell', price: '5.00' });
  const patched = await api.rest.patchRestCatalogShopIdItemsExternalId(shop, 'bell', { price: '4.00', available: false });
  const { data: item } = await api.rest.getRestCatalogShopIdItemsExternalId(shop, 'bell');
  const many = await api.rest.patchRestCatalogShopIdItems(shop, [{ externalId: 'bell', price: '3.00' }]);
  const begun = await api.rest.postRestCatalogShopIdImports(shop, 'id,title', { dry_run: true });
  const { data: shown } = await api.rest.getRestCatalogShopIdImportsImportId(shop, begun.data.id);
  await api.rest.deleteRestCatalogShopIdItemsExternalId(shop, 'bell');
  return { added: made.data.added, changed: patched.data.changed, price: item.price, many: many.data.changed, state: shown.state };
}

export async function refusal(baseUrl: string, customFetch: typeof fetch) {
  const api = new Api({ baseUrl, customFetch });
  const refused = await api.rest.getRestSearchV2({ q: 'lighthouse' }).catch((answer) => answer);
  return (refused as Awaited<ReturnType<typeof api.rest.getRestSearchV2>>).error.code;
}
`;

const folder = temporaryFolder();
let service: LocalService;
beforeAll(async () => {
  service = await startService();
  await service.operator.importRows(CATALOG);
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

test('a client that a public generator makes of the description compiles, and finds something', async () => {
  const spec = await (await service.asStranger('/openapi.json')).json();
  const { files } = await generateApi({ spec: spec as never, output: false, silent: true });
  // The generator's own output is to hold, too.
  const client = files[0]!.fileContent.replace('// @ts-nocheck', '');
  expect(client).not.toContain('@ts-nocheck');
  writeFileSync(join(folder.path, 'client.ts'), client);
  const program = join(folder.path, 'program.ts');
  writeFileSync(program, PROGRAM);
  const compiled = await run([TSC], [...STRICTEST, program]);
  expect(compiled).toMatchObject({ stdout: '', exitCode: 0 });
  const { names, restock, refusal } = await import(program);
  const reach = (url: string, init?: RequestInit) =>
    service.asStranger(url.slice('http://shop.example'.length), init);
  expect(await names('http://shop.example', service.apiKey, reach)).toMatchObject({
    count: 1,
    name: 'Lighthouse lamp <small>',
    scoring: 'local',
  });
  const { apiKey } = await service.operator.createKey({ scopes: ['catalog'] });
  expect(await restock('http://shop.example', apiKey, reach)).toEqual({
    ...{ added: 1, changed: 1, price: '4.00', many: 1, state: 'waiting' },
  });
  expect(await refusal('http://shop.example', reach as never)).toBe('unauthorized');
}, 60_000);
