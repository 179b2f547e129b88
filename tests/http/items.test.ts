import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { jsonLines } from '../support/catalog.ts';
import { type LocalService, startService } from '../support/start-service.ts';

interface Found {
  readonly externalId: string;
  readonly price: string | null;
  readonly compareAtPrice: string | null;
  readonly availability: string;
  readonly variants: readonly { id: string; price: string; available: boolean }[];
}

const NEVER = new AbortController().signal;
const LAMPS = 30;

const lamps = (price: string) =>
  Array.from({ length: LAMPS }, (_, index) => ({
    externalId: `lamp/${index}`,
    name: `Harbour lamp ${index}`,
    price,
    availability: 'in_stock',
  }));

const BUOY = {
  externalId: 'buoy',
  name: 'Orange buoy',
  variants: ['S', 'M', 'L'].map((size, index) => ({
    id: `buoy-${size}`,
    price: `${10 + index}.00`,
    availability: 'in_stock',
    options: { Size: size },
  })),
};

describe('single items', () => {
  let service: LocalService;
  let push: (path: string, init?: RequestInit) => Promise<Response>;

  beforeAll(async () => {
    service = await startService();
    await service.operator.importRows([...lamps('40.00'), BUOY]);
    await service.embedAll();
    const { apiKey } = await service.operator.createKey({ scopes: ['catalog', 'search'] });
    push = service.as(apiKey);
    await inMemory();
  });
  afterAll(() => service.close());

  const inMemory = async () => {
    await find('lamp');
    while (await service.services.indexes.loadNext(NEVER));
    expect(service.services.indexes.find(1)).not.toBeNull();
  };

  const at = (externalId?: string) =>
    `/rest/catalog/${service.shop.handle}/items${externalId === undefined ? '' : `/${encodeURIComponent(externalId)}`}`;

  async function find(question: string): Promise<Map<string, Found>> {
    const url = `/rest/search/v3/?q=${encodeURIComponent(question)}&limit=100&products_only=true`;
    const { results } = (await (await push(url)).json()) as { results: Found[] };
    return new Map(results.map((result) => [result.externalId, result]));
  }

  const patch = (externalId: string, body: object, headers = {}) =>
    push(at(externalId), {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  const put = (externalId: string, body: object, headers = {}) =>
    push(at(externalId), {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  const patchAll = (lines: readonly (object | string)[], headers = {}) =>
    push(at(), {
      method: 'PATCH',
      body: lines
        .map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
        .join(''),
      headers: { 'content-type': 'application/x-ndjson', ...headers },
    });

  test('a change of price and stock is what the next search finds and filters by, without a new vector', async () => {
    await find('harbour lamp');
    const asked = service.model.asked.length;
    const changed = await patchAll([
      { externalId: 'lamp/3', price: '7.50', compareAtPrice: '9.00' },
      { externalId: 'lamp/4', availability: 'out_of_stock' },
      { externalId: 'lamp/5', price: 40, available: true },
    ]);
    expect([changed.status, await changed.json()]).toEqual([
      200,
      { added: 0, changed: 2, removed: 0, same: 1 },
    ]);
    expect(service.services.indexes.find(1)).not.toBeNull();
    const found = await find('harbour lamp');
    expect(found.get('lamp/3')).toMatchObject({ price: '7.50', compareAtPrice: '9.00' });
    expect(found.get('lamp/4')).toMatchObject({ availability: 'out_of_stock' });
    expect([...found.keys()].at(-1)).toBe('lamp/4');
    expect([...(await find('harbour lamp under 8 euros')).keys()]).toEqual(['lamp/3']);
    const texts = service.model.asked.slice(asked).filter((text) => !text.includes('harbour'));
    expect(texts).toEqual([]);
    await service.embedAll();
    const [row] = await service.services.db.all<{ count: number }>({
      sql: 'SELECT count(*) AS count FROM documents WHERE vector IS NULL',
      args: [],
    });
    expect(row!.count).toBe(0);
  });

  test('a variant’s price and stock make those of its offering', async () => {
    const body = {
      variants: [
        { id: 'buoy-S', available: false },
        { id: 'buoy-M', price: '8.00' },
      ],
    };
    expect(await (await patch('buoy', body)).json()).toMatchObject({ changed: 1, same: 0 });
    const buoy = (await find('buoy')).get('buoy')!;
    expect(buoy).toMatchObject({ price: '8.00', availability: 'in_stock' });
    expect(buoy.variants.map(({ available }) => available)).toEqual([false, true, true]);
    const all = ['S', 'M', 'L'].map((size) => ({ id: `buoy-${size}`, available: false }));
    await patch('buoy', { variants: all });
    expect((await find('buoy')).get('buoy')!.availability).toBe('out_of_stock');
    const refused = await patch('buoy', { price: '1.00', available: true });
    expect(await refused.json()).toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ path: 'price', externalId: 'buoy' }, { path: 'available' }] },
    });
  });

  test('of a refused request nothing is kept, and each fault names its record', async () => {
    const before = await service.exportText();
    const refused = await patchAll([
      { externalId: 'lamp/1', price: '1.00' },
      { externalId: 'lamp/2', price: '12 EUR' },
      { externalId: 'nobody', price: '1.00' },
      { externalId: 'buoy', variants: [{ id: 'buoy-XL', price: '1.00' }] },
    ]);
    const { status, details } = (await refused.json()) as {
      status: number;
      details: { issues: { line: number; externalId: string; path: string }[] };
    };
    expect(status).toBe(400);
    expect(details.issues.map(({ line, externalId, path }) => [line, externalId, path])).toEqual([
      [2, 'lamp/2', 'price'],
      [3, 'nobody', 'externalId'],
      [4, 'buoy', 'variants[0].id'],
    ]);
    const shapes = [
      await patchAll(['{"externalId":"lamp/1","price":"1.00"}', '{"externalId":']),
      await patchAll([{ externalId: 'lamp/1', prise: '1.00' }]),
      await patch('lamp/1', { name: '' }),
      await put('lamp/1', { price: '1.00' }),
      await put('lamp/1', []),
      await patch('lamp/1', { price: true }),
      await patchAll(Array(1001).fill({ externalId: 'lamp/1', price: '1.00' })),
      await patch('nobody', { price: '1.00' }),
      await push(at(), { method: 'PATCH', body: '{}' }),
    ];
    expect(shapes.map(({ status }) => status)).toEqual([
      400, 400, 400, 400, 400, 400, 413, 404, 415,
    ]);
    expect(await shapes[0]!.json()).toMatchObject({ details: { issues: [{ line: 2 }] } });
    expect(await service.exportText()).toBe(before);
  });

  test('an item put is found by its words at once, as it reads back, and no longer once deleted', async () => {
    const siren = {
      name: 'Fog siren',
      description: 'Heard for miles.',
      price: '300.00',
      sku: 'FS-1',
    };
    const made = await put('siren', siren, { 'idempotency-key': 'siren-1' });
    expect([made.status, await made.json()]).toEqual([
      201,
      { added: 1, changed: 0, removed: 0, same: 0 },
    ]);
    const again = await put('siren', siren, { 'idempotency-key': 'siren-1' });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect([...(await find('fog siren')).keys()]).toContain('siren');
    const stored = await (await push(at('siren'))).json();
    expect(stored).toMatchObject({ ...siren, externalId: 'siren', currency: 'EUR' });
    expect((await put('siren', siren)).status).toBe(200);
    expect(await (await patch('siren', { tags: ['whistle'], sku: null })).json()).toMatchObject({
      changed: 1,
    });
    expect([...(await find('whistle')).keys()]).toEqual(['siren']);
    expect(await (await push(at('siren'))).json()).not.toHaveProperty('sku');
    await service.embedAll();
    await inMemory();
    const before = service.model.asked.length;
    await put('siren', { ...siren, sku: undefined, tags: ['whistle'], price: '250.00' });
    await service.embedAll();
    expect(service.model.asked.length).toBe(before);
    expect((await find('whistle')).get('siren')!.price).toBe('250.00');
    expect((await push(at('siren'), { method: 'DELETE' })).status).toBe(204);
    expect([...(await find('whistle')).keys()]).toEqual([]);
    const gone = [await push(at('siren')), await push(at('siren'), { method: 'DELETE' })];
    expect(gone.map(({ status }) => status)).toEqual([404, 404]);
  });

  test('a rollback after pushes brings back what was there before the last import', async () => {
    await service.operator.importRows([{ externalId: 'raft', name: 'Cork raft', price: '9.00' }]);
    await put('raft', { name: 'Cork raft with a sail', price: '9.00' });
    await put('raft', { name: 'Cork raft with two sails', price: '9.00' });
    await put('canoe', { name: 'Birch canoe', price: '99.00' });
    await patch('lamp/11', { price: '11.11' });
    const undone = await service.perform('catalog.rollback', { organization: 'acme' });
    expect(undone).toMatchObject({ takenBack: { source: 'catalog.jsonl' } });
    expect([...(await find('cork raft')).keys()]).not.toContain('raft');
    expect([...(await find('birch canoe')).keys()]).not.toContain('canoe');
    expect((await find('harbour lamp')).get('lamp/11')!.price).toBe('11.11');
    await put('raft', { name: 'Cork raft', price: '9.00' });
    expect([...(await find('cork raft')).keys()]).toContain('raft');
    const [row] = await service.services.db.all<{ count: number }>({
      sql: "SELECT count(*) AS count FROM items WHERE external_id = 'raft'",
      args: [],
    });
    expect(row!.count).toBe(1);
  });

  test('an Idempotency-Key makes a repeated change one change', async () => {
    const headers = { 'idempotency-key': 'sync-7' };
    const first = await patch('lamp/7', { price: '1.00' }, headers);
    await patch('lamp/7', { price: '2.00' });
    const again = await patch('lamp/7', { price: '1.00' }, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
    expect((await find('harbour lamp')).get('lamp/7')!.price).toBe('2.00');
    expect((await patch('lamp/7', { price: '3.00' }, headers)).status).toBe(422);
  });

  test('a change that arrives while an import runs outlives it', async () => {
    const rows = [...lamps('60.00'), BUOY].map((row) => ({ ...row, vendor: 'Quay' }));
    const half = Promise.withResolvers<void>();
    async function* slow() {
      yield jsonLines(rows.slice(0, 15));
      await half.promise;
      yield jsonLines(rows.slice(15));
    }
    const importing = service.importText(slow());
    expect((await patch('lamp/8', { price: '5.00' })).status).toBe(200);
    expect((await find('harbour lamp')).get('lamp/8')!.price).toBe('5.00');
    half.resolve();
    await patch('lamp/20', { availability: 'preorder' });
    expect((await importing).changed).toBe(LAMPS + 1);
    for (const _ of ['as published', 'as loaded anew']) {
      const found = await find('harbour lamp');
      expect(found.get('lamp/8')).toMatchObject({ price: '5.00', availability: 'in_stock' });
      expect(found.get('lamp/20')).toMatchObject({ price: '60.00', availability: 'preorder' });
      expect(found.get('lamp/9')!.price).toBe('60.00');
      await inMemory();
    }
  });

  test('ten writers at once: every answered change is kept, in memory as on disk', async () => {
    const writers = Array.from({ length: 10 }, async (_, writer) => {
      for (let round = 1; round <= 20; round++) {
        const own = { externalId: `lamp/${writer}`, price: `${round}.${10 + writer}` };
        const shared = { externalId: 'lamp/29', price: `${round}.00` };
        expect((await patchAll([own, shared])).status).toBe(200);
        if (round % 5 > 0) continue;
        const kept = await put(`oar-${writer}`, { name: `Oar of round ${round}`, price: '5.00' });
        expect(kept.status).toBe(round === 5 ? 201 : 200);
      }
    });
    await Promise.all(writers);
    const found = await find('harbour lamp');
    const exported = await service.exportText();
    for (let writer = 0; writer < 10; writer++) {
      expect(found.get(`lamp/${writer}`)!.price).toBe(`20.${10 + writer}`);
      expect(exported).toContain(`"price":"20.${10 + writer}"`);
    }
    expect(found.get('lamp/29')!.price).toBe('20.00');
    const oars = [...(await find('oar of round 20')).keys()];
    expect(oars.filter((externalId) => externalId.startsWith('oar-'))).toHaveLength(10);
    expect(exported.match(/Oar of round 20/g)).toHaveLength(10);
  });

  test('belong to the key’s organization, and to keys with the scope', async () => {
    await service.operator.createOrganization('Elsewhere');
    const foreign = await service.operator.createKey({
      scopes: ['catalog'],
      organization: 'elsewhere',
    });
    const init = {
      method: 'PATCH',
      body: '{"price":"1.00"}',
      headers: { 'content-type': 'application/json', 'x-request-id': 'same' },
    };
    const path = (shop: string) => `/rest/catalog/${shop}/items/buoy`;
    const other = await service.as(foreign.apiKey)(path(service.shop.id), init);
    const missing = await service.as(foreign.apiKey)(path('nowhere'), init);
    expect([other.status, await other.text()]).toEqual([404, await missing.text()]);
    expect((await service.fetch(path('shop-1'), init)).status).toBe(403);
  });

  test('an item put or deleted waits for an import of its own organization only', async () => {
    const { operator, services } = service;
    const { slug } = await operator.createOrganization('Second');
    for (const organization of [slug, 'acme']) {
      const { db } = services;
      const { stage } = db;
      const reached = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      // Holds the import up when it has given its rows their keys and written none of them.
      const staging = spyOn(db, 'stage').mockImplementation(async (statements) => {
        if (statements.some(({ sql }) => sql.startsWith('INSERT INTO items'))) {
          staging.mockRestore();
          reached.resolve();
          await release.promise;
        }
        return stage(statements);
      });
      const importing = operator.importRows([{ externalId: 'held', name: 'Held' }], {
        organization,
      });
      await reached.promise;
      if (organization === slug) {
        expect((await put('beside', { name: 'Orange beside' })).status).toBe(201);
        expect([...(await find('beside')).keys()]).toContain('beside');
        expect((await push(at('beside'), { method: 'DELETE' })).status).toBe(204);
      } else {
        let refused: Response | null = null;
        void put('beside', { name: 'Beside' }).then((response) => {
          refused = response;
        });
        while (refused === null) {
          service.platform.advance(20_000);
          await Bun.sleep(1);
        }
        expect(refused as Response).toMatchObject({ status: 503 });
      }
      release.resolve();
      expect((await importing).new).toBe(1);
    }
    expect([...(await find('held')).keys()]).toContain('held');
    expect((await push(at('held'), { method: 'DELETE' })).status).toBe(204);
  });
});
