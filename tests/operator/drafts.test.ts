import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { DraftPreview } from '../../src/operations/drafts/preview-draft.ts';
import type { ImportView } from '../../src/operations/imports/list-imports.ts';
import { importNextUpload } from '../../src/operations/pushes/import-next-upload.ts';
import { type Ask, callApi, operatorAsk, signIn } from '../support/operator-page.ts';
import { type LocalService, startService } from '../support/start-service.ts';

const TABLE = [
  'Art.-Nr.;Bezeichnung;EK;VK',
  '1;Tasse;4,10;9,90',
  '2;Kanne;8,00;umsonst',
  ...Array.from({ length: 10 }, (_, index) => `${index + 3};Becher ${index};4,10;9,90`),
].join('\r\n');
const MAPPING = [
  ['art.-nr.', 'id'],
  ['bezeichnung', 'title'],
  ['ek', '-'],
  ['vk', 'price'],
];

describe('a file from the admin page', () => {
  let service: LocalService;
  let ask: Ask;
  let cookie: string;

  beforeAll(async () => {
    service = await startService({ embedder: null });
    ask = operatorAsk(service);
    cookie = await signIn(service, ask);
  });
  afterAll(() => service.close());

  const send = (path: string, body: string, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body, headers: { cookie, 'x-vitrine-admin': '1', ...headers } });

  async function call<Result>(operation: string, input: object): Promise<Result> {
    const response = await callApi(ask, cookie, { operation, input });
    const { result, error } = (await response.json()) as { result: Result; error?: object };
    expect([response.status, error]).toEqual([200, undefined]);
    return result;
  }

  async function uploaded(text = TABLE, name = 'preise.csv'): Promise<string> {
    const response = await send(`/admin/api/draft.upload?name=${name}`, text);
    const { result } = (await response.json()) as { result: { draft: string } };
    return result.draft;
  }

  const preview = (draft: string, hints: object = {}) =>
    call<DraftPreview>('draft.preview', { draft, hints });

  async function imported(draft: string, input: object): Promise<ImportView> {
    const { id } = await call<ImportView>('draft.import', {
      draft,
      hints: {},
      dryRun: false,
      ...input,
    });
    while (await importNextUpload(service.services));
    return call<ImportView>('catalog.import.show', { id });
  }

  test('is shown as it would look, with what to check', async () => {
    const found = await preview(await uploaded());
    expect(found).toMatchObject({
      ...{ format: 'table', currency: 'EUR' },
      columns: [
        { name: 'id' },
        { name: 'title' },
        { name: null },
        { name: 'price', samples: ['9,90', 'umsonst', '9,90'] },
      ],
      faults: [{ line: 3, code: 'invalid_price' }],
    });
    expect(found.items).toHaveLength(10);
    expect(found.items[0]).toMatchObject({ externalId: '1', name: 'Tasse', price: '9.90' });
    expect(found.doubts).toEqual([expect.stringContaining('"EK" is what the shop')]);
  });

  test('is read by the columns that a person chose, without doubts', async () => {
    const draft = await uploaded();
    const swapped = [...MAPPING.slice(0, 2), ['ek', 'price'], ['vk', '-']];
    const found = await preview(draft, { mapping: swapped });
    expect([found.doubts, found.items[0]?.price]).toEqual([[], '4.10']);
  });

  test('is checked without effect, imported, and taken back', async () => {
    const draft = await uploaded();
    const hints = { mapping: MAPPING };
    expect(await imported(draft, { hints, dryRun: true })).toMatchObject({
      ...{ state: 'checked', counts: { new: 11, rejected: 1 } },
    });
    const done = await imported(draft, { hints });
    expect(done).toMatchObject({ state: 'committed', source: 'preise.csv', counts: { new: 11 } });
    const errors = await ask(`/admin/errors?id=${done.id}`, { headers: { cookie } });
    expect([errors.status, await errors.text()]).toEqual([200, expect.stringContaining('Kanne')]);
    await call('catalog.rollback', {});
    expect(await call('catalog.stats', {})).toMatchObject({ offerings: 0 });
  });

  test('is not imported by a guess that nobody confirmed', async () => {
    const failed = await imported(await uploaded(), {});
    expect(failed).toMatchObject({ state: 'failed', message: expect.stringContaining('not sure') });
  });

  test('makes way for newer ones, and is then no longer there', async () => {
    const draft = await uploaded();
    for (let count = 0; count < 4; count++) await uploaded();
    const response = await callApi(ask, cookie, {
      ...{ operation: 'draft.preview', input: { draft, hints: {} } },
    });
    expect(response.status).toBe(404);
  });

  test('is refused without a session, from another page, and beyond the limit', async () => {
    const path = '/admin/api/draft.upload?name=x';
    expect((await send(path, 'x', { cookie: '' })).status).toBe(401);
    expect((await send(path, 'x', { 'x-vitrine-admin': '' })).status).toBe(403);
    expect((await send(path, 'x', { origin: 'https://evil.example' })).status).toBe(403);
    const length = String(201 * 1024 * 1024);
    expect((await send(path, 'x', { 'content-length': length })).status).toBe(413);
    expect((await ask('/admin/errors?id=1')).status).toBe(401);
  });

  test('an address must be public and https', async () => {
    const { draft } = await call<{ draft: string }>('draft.open', { url: 'https://127.0.0.1/x' });
    const response = await callApi(ask, cookie, {
      ...{ operation: 'draft.preview', input: { draft, hints: {} } },
    });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('not on the public Internet'),
    ]);
  });
});
