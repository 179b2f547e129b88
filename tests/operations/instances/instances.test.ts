import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { AppError } from '../../../src/domain/errors.ts';
import { maintainHits } from '../../../src/operations/hits/maintain-hits.ts';
import type { CatalogStats } from '../../../src/operations/imports/catalog-stats.ts';
import { Lease } from '../../../src/operations/instances/lease.ts';
import { regenerateNextPage } from '../../../src/operations/landing/regenerate-next-page.ts';
import type { Tokens } from '../../../src/operations/sign-in/issue-tokens.ts';
import { takeLease } from '../../../src/storage/leases.ts';
import { CATALOG, jsonLines } from '../../support/catalog.ts';
import { hitOf, posted } from '../../support/hits.ts';
import {
  type Instance,
  instancePlatform,
  settled,
  startInstance,
} from '../../support/instances.ts';
import { type LibsqlServer, startLibsqlServer } from '../../support/libsql-server.ts';
import { post } from '../../support/mcp.ts';
import {
  allow,
  askForTokens,
  authorizePath,
  codeForm,
  refreshForm,
  register,
} from '../../support/sign-in.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/*
 * Two instances on one libSQL server. Tests trigger what the instances’ loops would do on a timer:
 * `follow` makes an instance check once for the other one’s changes.
 */

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const PAGE = '/rest/org/ai/acme/';
const BEAKER = {
  externalId: 'new',
  name: 'Brand-new beaker',
  productType: 'Beakers',
  price: '5.00',
};

let folder: ReturnType<typeof temporaryFolder>;
let server: LibsqlServer;
let a: Instance;
let b: Instance;

beforeEach(async () => {
  folder = temporaryFolder();
  server = await startLibsqlServer({ path: join(folder.path, 'server.db') });
  a = await startInstance(server);
  b = await startInstance(server);
});

afterEach(async () => {
  await a.close();
  await b.close();
  await server.close();
  folder.remove();
});

async function idsOf(service: Instance, question: string): Promise<string[]> {
  const response = await service.fetch(`/rest/search/v3/?q=${encodeURIComponent(question)}`);
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as { results: { externalId: string }[] };
  return results.map(({ externalId }) => externalId);
}

const load = async ({ services }: Instance) => {
  const { signal } = new AbortController();
  services.indexes.find(1);
  while (await services.indexes.loadNext(signal));
};

const read = async (service: Instance, path = PAGE) => {
  const response = await service.fetch(path);
  return [response.headers.get('x-cache'), await response.text()] as const;
};

describe('an instance picks up the other one’s changes when it checks', () => {
  test('a key works there once created, and no longer once revoked', async () => {
    const { apiKey, id } = await a.operator.createKey();
    const ask = () =>
      b
        .as(apiKey)('/rest/search/v2/?q=mug')
        .then(({ status }) => status);
    expect(await ask()).toBe(401);
    await b.follow();
    expect(await ask()).toBe(200);
    await a.operator.revokeKey(id);
    await b.follow();
    expect(await ask()).toBe(401);
  });

  test('limits of an organization, and a shop with its settings', async () => {
    await a.operator.setLimit({ perMinute: 60, burst: 1 });
    await a.perform('shop.set', { shop: 'shop-1', name: 'Harbour' });
    await a.operator.createShop({ name: 'Second', currency: 'CHF' });
    await b.follow();
    const statuses = [await b.fetch('/rest/search/v2/?q=a'), await b.fetch('/rest/search/v2/?q=a')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
    expect(b.services.directory.shopsOf(1).map(({ name }) => name)).toEqual(['Harbour', 'Second']);
  });

  test('a pushed price and availability, in its index in memory', async () => {
    await a.operator.importRows(CATALOG);
    await b.follow();
    for (const each of [a, b]) await load(each);
    const { apiKey } = await a.operator.createKey({ scopes: ['catalog'] });
    const push = (externalId: string, patch: object) =>
      a.as(apiKey)(`/rest/catalog/shop-1/items/${externalId}`, {
        method: 'PATCH',
        body: JSON.stringify(patch),
        headers: { 'content-type': 'application/json' },
      });
    expect((await push('mug-7', { price: '1.50' })).status).toBe(200);
    expect((await push('mug-8', { available: false })).status).toBe(200);
    await b.follow();
    await load(b);
    expect(b.services.indexes.find(1)).not.toBeNull();
    const cheap = await idsOf(b, 'mug under 2 euros');
    expect(cheap.filter((id) => id.startsWith('mug'))).toEqual(['mug-7']);
    const last = await b.fetch('/rest/search/v3/?q=stoneware+mug&limit=100&products_only=true');
    const { results } = (await last.json()) as { results: { externalId: string }[] };
    expect(results.at(-1)!.externalId).toBe('mug-8');
  });

  test('an import: its words, its index in memory, and its vectors', async () => {
    await a.operator.importRows(CATALOG);
    await b.follow();
    expect(await idsOf(b, 'lighthouse')).toContain('lighthouse-lamp');
    await b.services.embeddings.load();
    await load(b);
    const modelKey = b.services.embeddings.model!.key;
    const loaded = b.services.indexes.find(1)!;
    expect(b.services.indexes.waitingForVectors(modelKey, 500)).toHaveLength(loaded.index.size);
    await a.embedAll();
    while (await b.follow());
    expect(b.services.indexes.waitingForVectors(modelKey, 500)).toEqual([]);
    await load(a);
    for (const question of ['a lamp like a lighthouse', 'coffee mug', 'send it back'])
      expect(await idsOf(b, question)).toEqual(await idsOf(a, question));
    await a.operator.importRows([BEAKER]);
    await b.follow();
    expect(b.services.indexes.find(1)).toBeNull();
    expect(await idsOf(b, 'beaker')).toEqual(['new']);
  });

  test('a rollback', async () => {
    await a.operator.importRows([BEAKER]);
    await b.follow();
    expect(await idsOf(b, 'beaker')).toEqual(['new']);
    await b.perform('catalog.rollback', {});
    await a.follow();
    expect(await idsOf(a, 'beaker')).toEqual([]);
  });

  test('a landing page that one has rebuilt is served by the other one, also from memory', async () => {
    await a.operator.importRows(CATALOG);
    await b.follow();
    expect((await read(a))[0]).toBe('miss');
    expect((await read(b))[0]).toBe('hit');
    await a.operator.importRows([BEAKER]);
    await b.follow();
    expect((await read(b))[0]).toBe('stale');
    while (await regenerateNextPage(a.services));
    await b.follow();
    const [cache, page] = await read(b);
    expect([cache, page.includes('Beakers'), page]).toEqual(['hit', true, (await read(a))[1]]);
  });

  test('an idle check is one small read', async () => {
    await b.follow();
    const { requests } = server;
    await b.follow();
    expect(server.requests - requests).toBe(1);
  });
});

describe('work that only one instance may do at a time', () => {
  const imports = (service: Instance, rows: readonly object[]) =>
    service.importText(jsonLines(rows as never));

  test('concurrent imports at both instances run one after the other, and both succeed', async () => {
    const outcomes = await settled(
      [
        imports(a, CATALOG.slice(0, 40)),
        imports(b, CATALOG.slice(30)),
        imports(a, [BEAKER]),
        imports(b, [{ ...BEAKER, externalId: 'newer', name: 'Newer beaker' }]),
      ],
      [a.platform, b.platform],
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    await a.follow();
    await b.follow();
    const { offerings, contexts } = await a.perform<{ offerings: number; contexts: number }>(
      'catalog.stats',
      {},
    );
    expect(offerings + contexts).toBe(CATALOG.length + 2);
    expect(a.services.directory.shopsOf(1)[0]!.generation).toBe(4);
    expect(await idsOf(b, 'beaker')).toEqual(await idsOf(a, 'beaker'));
  });

  test('an import whose lease expired is refused, and none of it is visible', async () => {
    await a.operator.importRows([BEAKER]);
    let isAsleep = false;
    server.beforePipeline = async () => {
      const { rows } = await server.execute("SELECT 1 FROM leases WHERE name = 'import'");
      if (isAsleep || rows.length === 0) return;
      isAsleep = true;
      await server.execute("UPDATE leases SET owner = 'c', until = 9e15 WHERE name = 'import'");
    };
    const late = a.importText(jsonLines(CATALOG)).then(
      () => 'imported',
      (error: { code: string }) => error.code,
    );
    expect(await late).toBe('conflict');
    server.beforePipeline = null;
    await a.follow();
    const { offerings } = await a.perform<{ offerings: number }>('catalog.stats', {});
    expect([offerings, await idsOf(a, 'beaker')]).toEqual([1, ['new']]);
  });

  test('work that is interrupted after its lease expired is a conflict once another instance holds the lease', async () => {
    const { db, platform, stopping } = a.services;
    const lease = new Lease({ db, platform, stopping, name: 'work', durationMs: 10_000 });
    const cutOff = () =>
      Promise.reject(new AppError('unavailable', 'The database server does not answer.'));
    await expect(lease.hold(cutOff)).rejects.toMatchObject({ code: 'unavailable' });
    const sleepAndCutOff = async () => {
      await server.execute("UPDATE leases SET owner = 'c', until = 9e15 WHERE name = 'work'");
      a.platform.advance(60_000);
      return cutOff();
    };
    await expect(lease.hold(sleepAndCutOff)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a killed import is not recorded as running', async () => {
    await a.operator.importRows([BEAKER]);
    await server.execute("UPDATE imports SET state = 'running', finished_at = NULL");
    const state = async () => {
      const { shops } = await a.perform<CatalogStats>('catalog.stats', {});
      return shops[0]!.lastImport!.state;
    };
    expect(await state()).toBe('interrupted');
    await b.services.db.write([takeLease({ name: 'import', owner: 'c', durationMs: 60_000 })]);
    expect(await state()).toBe('running');
    await server.execute("DELETE FROM leases WHERE name = 'import'");
  });

  test('organizations and shops created at both instances concurrently get different keys', async () => {
    const outcomes = await settled(
      [
        a.perform('org.create', { name: 'North', currency: 'EUR' }),
        b.perform('org.create', { name: 'South', currency: 'EUR' }),
        a.operator.createShop({ name: 'West', currency: 'EUR' }),
        b.operator.createShop({ name: 'East', currency: 'EUR' }),
      ],
      [a.platform, b.platform],
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    await a.follow();
    const { directory } = a.services;
    expect(directory.organizations().map(({ key }) => key)).toEqual([1, 2, 3]);
    expect(directory.shopsOf(1).map(({ handle }) => handle)).toEqual([
      'shop-1',
      'shop-2',
      'shop-3',
    ]);
  });

  test('several instances that start for the first time create the environment’s organization once', async () => {
    const environment = { VITRINE_BOOTSTRAP_ORG: 'Harbour' };
    await server.close();
    server = await startLibsqlServer({ path: join(folder.path, 'fresh.db') });
    const platforms = [instancePlatform(), instancePlatform()];
    const instances = platforms.map((platform) => startInstance(server, environment, platform));
    const outcomes = await settled(instances, platforms);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const { rows } = await server.execute(
      "SELECT count(*) FROM organizations WHERE slug = 'harbour'",
    );
    expect(Number(rows[0]![0])).toBe(1);
    for (const instance of instances) await (await instance).close();
  });

  test('one instance does the background work until it stops or its lease expires', async () => {
    const { background: ofA } = a.services;
    const { background: ofB } = b.services;
    expect([await ofA.take(), await ofB.take(), ofA.isHeld, ofB.isHeld]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    await ofA.release();
    expect([await ofB.take(), await ofA.take()]).toEqual([true, false]);
    await server.execute("UPDATE leases SET until = 0 WHERE name = 'background'");
    b.platform.advance(15_000);
    expect([ofB.isHeld, await ofA.take(), await ofB.take()]).toEqual([false, true, false]);
  });

  test('an Idempotency-Key used at both instances concurrently leaves one hit, and other hits that arrive with it are kept', async () => {
    const organization = a.organization.id;
    const once = (service: Instance) =>
      service.fetch('/rest/hits/', posted(hitOf(organization), { 'idempotency-key': 'k' }));
    const plain = (service: Instance) => service.fetch('/rest/hits/', posted(hitOf(organization)));
    const statuses = (await Promise.all([once(a), plain(a), once(b), plain(b)])).map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([201, 201, 201, 201]);
    const again = [await once(a), await once(b)];
    expect(again.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([
      'true',
      'true',
    ]);
    const { rows } = await server.execute(
      "SELECT count(*) FROM hits WHERE body ->> 'source' = 'client'",
    );
    expect(Number(rows[0]![0])).toBe(3);
  });

  test('hits are counted once although both instances count', async () => {
    const batch = Array.from({ length: 900 }, () => hitOf(a.organization.id));
    expect((await a.fetch('/rest/hits/', posted(batch))).status).toBe(200);
    const count = async ({ services }: Instance) => {
      const maintain = maintainHits(services);
      while (await maintain());
    };
    await Promise.all([count(a), count(b)]);
    const { rows } = await server.execute("SELECT sum(hits) FROM hit_days WHERE source = 'client'");
    expect(Number(rows[0]![0])).toBe(900);
  });
});

test('a conversation continues at the other instance', async () => {
  const begun = await post(
    a.fetch,
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
    { path: '/mcp/messages' },
  );
  const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id')! };
  // The key is the same one: it was made at A.
  await b.follow();
  const answer = await post(
    b.as(a.apiKey),
    { jsonrpc: '2.0', id: 2, method: 'ping' },
    { path: '/mcp/messages', headers },
  );
  expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
});

test('a sign-in continues at any instance, and all of them accept and refuse its tokens alike', async () => {
  const clientId = await register(a);
  const returned = await allow(b, authorizePath(clientId), a.apiKey);
  const tokensOf = async (service: Instance, form: Parameters<typeof askForTokens>[1]) => {
    const [asked] = await settled([askForTokens(service, form)], [a.platform, b.platform]);
    const response = (asked as PromiseFulfilledResult<Response>).value;
    return (await response.json()) as Tokens;
  };
  const ping = async (service: Instance, { access_token }: Tokens) => {
    await service.follow();
    const headers = { authorization: `Bearer ${access_token}` };
    return (await post(service.asStranger, PING, { headers })).status;
  };
  const first = await tokensOf(a, codeForm(clientId, returned.searchParams.get('code')!));
  expect(await ping(b, first)).toBe(200);
  const second = await tokensOf(b, refreshForm(clientId, first.refresh_token));
  expect([await ping(a, second), await ping(a, first)]).toEqual([200, 401]);
  const repeated = await tokensOf(a, refreshForm(clientId, first.refresh_token));
  expect(repeated).toMatchObject({ access_token: second.access_token });
  a.platform.advance(120_000);
  await tokensOf(a, refreshForm(clientId, first.refresh_token));
  expect([await ping(a, second), await ping(b, second)]).toEqual([401, 401]);
});
