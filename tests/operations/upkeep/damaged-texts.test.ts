import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AppError } from '../../../src/domain/errors.ts';
import { DATA_CHECKS } from '../../../src/operations/upkeep/examine-data.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const OFFERINGS = [
  { type: 'product', externalId: 'lamp', name: 'Oak lamp', price: '20.00', vendor: 'Oakly' },
  { type: 'product', externalId: 'sofa', name: 'Red sofa', price: '90.00', vendor: 'Oakly' },
];
const CONTEXT = { type: 'context', externalId: 'returns', name: 'Returns', text: 'Thirty days.' };
const SOURCE = 'https://feeds.example/feed.csv';

let service: LocalService;

/** Something in every table that holds texts. */
beforeAll(async () => {
  service = await startService();
  const { perform, fetch } = service;
  await service.operator.importRows([...OFFERINGS, CONTEXT]);
  await service.embedAll();
  await perform('shop.set', { shop: 'shop-1', furtherDomains: ['shop.example'] });

  await perform('catalog.source.save', {
    ...{ url: SOURCE, allowPrivate: false, hints: { format: 'csv', mapping: [['a', 'b']] } },
    ...{ everyMs: 3_600_000, validators: null, result: { state: 'unchanged' } },
  });
  await fetch('/rest/search/v3/?q=lamp');
  await fetch(`/rest/org/ai/${service.organization.id}/?regenerate=true`);

  await perform('judgement.save', { question: 'lamp', externalId: 'lamp', grade: 3 });
  const hit = { organization: service.organization.id, eventDate: '2026-01-01T10:00:00Z' };
  await fetch('/rest/hits/', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ ...hit, classification: 'search' }),
  });
  await perform('hits.report', {});
  const { db } = service.services;
  await db.write([{ sql: 'DROP TRIGGER audit_log_is_append_only_update', args: [] }]);
  await db.all({ sql: 'PRAGMA ignore_check_constraints = ON', args: [] });
});
afterAll(() => service.close());

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function called(method: string, params: object): RequestInit {
  return {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  };
}

function tool(name: string, args: object): RequestInit {
  return called('tools/call', { name, arguments: args });
}

const REQUESTS: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/rest/search/v2/?q=oak%20lamp'],
  ['/rest/search/v3/?q=returns'],
  ['/rest/org/ai/acme/'],
  ['/rest/org/ai/acme/?regenerate=true'],
  ['/mcp', called('resources/list', {})],
  ['/mcp', tool('search_offerings', { question: 'red sofa' })],
  ['/mcp', tool('list_all_offerings', {})],
  ['/mcp', tool('get_product_link', { product_id: 'lamp' })],
  ['/mcp', tool('single_product_express_checkout', { product_id: 'sofa' })],
  ['/readyz'],
];

const OPERATIONS: readonly (readonly [name: string, input?: Record<string, unknown>])[] = [
  ['org.list'],
  ['shop.list'],
  ['key.list'],
  ['audit.list', { limit: 100 }],
  ['search', { question: 'oak lamp', productsOnly: false, skipScoring: false, limit: 10 }],
  ['judgement.list'],
  ['hits.report'],
  ['hits.list', { limit: 10 }],
  ['catalog.stats'],
  ['catalog.imports', { limit: 10 }],
  ['catalog.gaps'],
  ['catalog.export'],
  ['catalog.source.list'],
  ['catalog.source.find', { url: SOURCE, hints: {} }],
  ['landing.show', { withPage: false }],
  ['landing.preview'],
  ['landing.export'],
  ['assistant.setup'],
];

/** Three ways in which bits flip: no UTF-8 any more, no JSON any more, and another letter. */
const DAMAGES: Readonly<Record<string, (bytes: Buffer) => void>> = {
  'no longer UTF-8': (bytes) => (bytes[bytes.length >> 1]! |= 0x80),
  'no longer JSON': (bytes) => (bytes[0]! ^= 0x08),
  'of another letter': (bytes) => (bytes[bytes.length >> 1]! ^= 0x02),
};

const all = <Row>(sql: string) => service.services.db.all<Row>({ sql, args: [] });

interface StoredText {
  readonly table: string;
  readonly column: string;
  readonly bytes: Buffer;
}

/** Every text that is stored, by table. */
async function storedTexts(): Promise<Map<string, StoredText[]>> {
  const columns = await all<{ table: string; column: string }>(
    `SELECT t.name AS "table", c.name AS "column"
     FROM pragma_table_list t JOIN pragma_table_info(t.name) c
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND c.type = 'TEXT'
     ORDER BY 1, 2`,
  );
  const texts = new Map<string, StoredText[]>();
  for (const { table, column } of columns) {
    const rows = await all<{ content: ArrayBuffer }>(
      `SELECT DISTINCT CAST(${column} AS BLOB) AS content FROM ${table} WHERE ${column} <> ''`,
    );
    const found = rows.map(({ content }) => ({ table, column, bytes: Buffer.from(content) }));
    texts.set(table, [...(texts.get(table) ?? []), ...found]);
  }
  return new Map([...texts].filter(([, found]) => found.length > 0));
}

/** Replaces texts by other bytes, past the constraints that keep a program from doing so. */
async function replace(texts: readonly StoredText[], to: readonly Buffer[]): Promise<void> {
  const { db } = service.services;
  for (const [at, { table, column, bytes }] of texts.entries()) {
    const args = [to[at]!, bytes];
    const sql = `UPDATE OR IGNORE ${table} SET ${column} = CAST(? AS TEXT) WHERE CAST(${column} AS BLOB) = ?`;
    await db.write([{ sql, args }]);
  }
  await service.services.directory.reload();
}

/** What failed in another way than by an answer that a caller can understand. */
async function failures(): Promise<string[]> {
  const failed: string[] = [];
  for (const [path, init] of REQUESTS) {
    const { status } = await service.fetch(path, init);
    if (status >= 500) failed.push(`${path} ${init?.body ?? ''}: ${status}`);
  }
  const attempt = async (name: string, run: () => Promise<unknown>) => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'internal')
        failed.push(`${name}: ${error}`);
    }
  };
  for (const [name, input = {}] of OPERATIONS)
    await attempt(name, () => service.perform(name, input));
  for (const { name, look } of DATA_CHECKS)
    await attempt(`doctor ${name}`, async () => look(service.services));
  return failed;
}

test('whatever stored text is damaged, every route and command answers', async () => {
  expect(await failures()).toEqual([]);
  const texts = await storedTexts();
  expect(texts.size).toBeGreaterThan(12);
  const failed: string[] = [];
  for (const [table, stored] of texts) {
    for (const [damage, apply] of Object.entries(DAMAGES)) {
      const damaged = stored.map(({ bytes }) => {
        const copy = Buffer.from(bytes);
        apply(copy);
        return copy;
      });
      await replace(stored, damaged);
      for (const failure of await failures()) failed.push(`${table} ${damage}: ${failure}`);
      const back = stored.map((text, at) => ({ ...text, bytes: damaged[at]! }));
      await replace(
        back,
        stored.map(({ bytes }) => bytes),
      );
    }
  }
  expect(failed).toEqual([]);
}, 60_000);
