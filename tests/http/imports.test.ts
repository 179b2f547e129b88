import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { importNextUpload } from '../../src/operations/pushes/import-next-upload.ts';
import { jsonLines } from '../support/catalog.ts';
import { fakePlatform } from '../support/fake-platform.ts';
import { type LocalService, startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TABLE = 'Nr;Artikel;Preis\n1;Brass lantern;12,50\n2;Tin lantern;free\n3;Glass lantern;9,00\n';
const HOW = '?map=Nr%3Did&map=Artikel%3Dtitle&map=Preis%3Dprice&name=lanterns.csv';

interface Import {
  readonly id: string;
  readonly state: string;
  readonly message: string | null;
  readonly counts: Record<string, number>;
  readonly faults: readonly object[];
}

describe('files that programs send', () => {
  let service: LocalService;
  let push: (path: string, init?: RequestInit) => Promise<Response>;
  const place = () => `/rest/catalog/${service.shop.handle}/imports`;

  beforeEach(async () => {
    service = await startService({ embedder: null });
    const { apiKey } = await service.operator.createKey({ scopes: ['catalog', 'search'] });
    push = service.as(apiKey);
  });
  afterEach(() => service.close());

  async function send(query: string, body: RequestInit['body'], headers = {}): Promise<Response> {
    return push(place() + query, { method: 'POST', body: body!, headers });
  }

  /** The import after it has run. */
  async function imported(query: string, body: RequestInit['body'], headers = {}): Promise<Import> {
    const accepted = await send(query, body, headers);
    expect(accepted.status).toBe(202);
    const { state } = (await accepted.json()) as Import;
    expect(state).toBe('waiting');
    while (await importNextUpload(service.services));
    return (await (await push(accepted.headers.get('location')!)).json()) as Import;
  }

  async function namesOf(question: string): Promise<string[]> {
    const { results } = (await (await push(`/rest/search/v3/?q=${question}`)).json()) as {
      results: { name: string }[];
    };
    return results.map(({ name }) => name).sort();
  }

  test('are imported like those of the command, compressed too, and faults come back as a file', async () => {
    const done = await imported(HOW, gzipSync(TABLE), { 'content-encoding': 'gzip' });
    expect(done).toMatchObject({
      ...{ state: 'committed', source: 'lanterns.csv', mode: 'upsert', dryRun: false },
      counts: { new: 2, rejected: 1 },
      faults: [{ line: 3, externalId: '2', code: expect.any(String), severity: 'error' }],
    });
    expect(await namesOf('lantern')).toEqual(['Brass lantern', 'Glass lantern']);
    const errors = await push(`${place()}/${done.id}/errors`);
    expect(errors.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const mended = (await errors.text()).replace('free', '11.00');
    expect(mended).toContain('Tin lantern');
    expect(await imported(HOW, mended)).toMatchObject({ counts: { new: 1, rejected: 0 } });
    expect(await namesOf('lantern')).toHaveLength(3);
  });

  test('can be tried without effect, and can be the whole catalogue', async () => {
    const rows = Array.from({ length: 90 }, (_, index) => ({
      externalId: `bell-${index}`,
      name: `Bell ${index}`,
      price: '1.00',
    }));
    const version = () => service.services.directory.indexVersion(1);
    const before = version();
    expect(await imported('?dry_run=true', jsonLines(rows))).toMatchObject({
      ...{ state: 'checked', dryRun: true },
      counts: { new: 90 },
    });
    expect(version()).toBe(before);
    await imported(HOW, TABLE);
    await imported('', jsonLines(rows));
    expect(await imported('?mode=full', jsonLines(rows.slice(0, 5)))).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('allow_shrink=true'),
    });
    expect(
      await imported('?mode=full&allow_shrink=true', jsonLines(rows.slice(0, 5))),
    ).toMatchObject({ state: 'committed', counts: { same: 5, archived: 87 } });
    expect(await namesOf('lantern')).toEqual([]);
  });

  test('that cannot be read fail with a reason, and change nothing', async () => {
    const version = service.services.directory.indexVersion(1);
    const states = [
      await imported('', 'nothing that anybody knows'),
      await imported('?strict=true', jsonLines([{ externalId: 'a', name: 'A', price: 'x' }])),
      await imported('', gzipSync(TABLE).subarray(0, 60)),
      await imported('?format=papyrus', TABLE),
    ].map(({ state, message }) => [state, message]);
    expect(states).toEqual(Array(4).fill(['failed', expect.any(String)]));
    expect(service.services.directory.indexVersion(1)).toBe(version);
  });

  test('come twice with one Idempotency-Key: one import; another file with it is refused', async () => {
    const headers = { 'idempotency-key': 'nightly-1' };
    const [first, again] = [await send('', TABLE, headers), await send('', TABLE, headers)];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(((await again.json()) as Import).id).toBe(((await first.json()) as Import).id);
    expect((await send('', `${TABLE}4;X;1\n`, headers)).status).toBe(422);
    expect((await send('?dry_run=true', TABLE, headers)).status).toBe(422);
    while (await importNextUpload(service.services));
  });

  test('are refused before they are stored', async () => {
    const { apiKey } = await service.operator.createOrganization('Elsewhere');
    const foreign = await service.operator.createKey({
      scopes: ['catalog'],
      organization: 'elsewhere',
    });
    const post = { method: 'POST', body: TABLE };
    const statuses = {
      'without the scope': (await service.as(apiKey)(place(), post)).status,
      'another organization': (
        await service.as(foreign.apiKey)(`/rest/catalog/${service.shop.id}/imports`, post)
      ).status,
      'an unknown shop': (await push('/rest/catalog/shop-9/imports', post)).status,
      'a form': (await send('', new FormData())).status,
      brotli: (await send('', TABLE, { 'content-encoding': 'br' })).status,
      nothing: (await send('', '', { 'content-length': '0' })).status,
      'too much': (await send('', TABLE, { 'content-length': '209715201' })).status,
      'a bad mapping': (await send('?map=Preis', TABLE)).status,
      'another method': (await push(place(), { method: 'PUT', body: TABLE })).status,
    };
    expect(statuses).toEqual({
      ...{ 'without the scope': 403, 'another organization': 404, 'an unknown shop': 404 },
      ...{ 'a form': 415, brotli: 415, nothing: 400, 'too much': 413, 'a bad mapping': 400 },
      'another method': 405,
    });
    const id = '0199e5a1-0c2d-7f10-8a64-5b7c9d0e1f23';
    expect((await push(`${place()}/${id}`)).status).toBe(404);
    const waiting = await Promise.all(Array.from({ length: 5 }, () => send('', TABLE)));
    expect(waiting.map(({ status }) => status).sort()).toEqual([202, 202, 202, 202, 503]);
    while (await importNextUpload(service.services));
  });
});

test('an import that its service did not live to run is interrupted, and says so', async () => {
  const { path: folder, remove } = temporaryFolder();
  const platform = fakePlatform();
  const first = await startService({ folder, platform, embedder: null });
  const { apiKey } = await first.operator.createKey({ scopes: ['catalog'] });
  const place = `/rest/catalog/${first.shop.handle}/imports`;
  const sent = await first.as(apiKey)(place, { method: 'POST', body: TABLE });
  const { id } = (await sent.json()) as Import;
  await first.services.close();
  // A file that is still open when it is collected would throw.
  expect(() => Bun.gc(true)).not.toThrow();
  const second = await startService({ folder, platform, embedder: null });
  const found = await second.as(apiKey)(`${place}/${id}`);
  expect(await found.json()).toMatchObject({ state: 'interrupted', counts: {} });
  await second.close();
  remove();
});
