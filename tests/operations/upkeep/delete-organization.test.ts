import { afterEach, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFiles } from '../../../src/config.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { rollUpAll } from '../../../src/operations/hits/maintain-hits.ts';
import { recordOwnTraffic } from '../../../src/operations/hits/own-traffic.ts';
import type { OrganizationView } from '../../../src/operations/tenants/organizations.ts';
import { completeErasures } from '../../../src/operations/upkeep/delete-organization.ts';
import { writeBackup } from '../../../src/storage/engine/backups.ts';
import { beginErasure, eraseRows, findErasures } from '../../../src/storage/erasures.ts';
import { post } from '../../support/mcp.ts';
import { type LocalService, startService } from '../../support/start-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { makeTenants, type Tenant } from '../../support/tenants.ts';

/** How long after a deletion late rows are looked for. */
const LATE_MS = 60_000;

const folders: ReturnType<typeof temporaryFolder>[] = [];
const services: LocalService[] = [];

afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  for (const folder of folders.splice(0)) folder.remove();
});

async function open(): Promise<LocalService> {
  const folder = temporaryFolder();
  folders.push(folder);
  return keep(await startService({ folder: folder.path }));
}

function keep(service: LocalService): LocalService {
  services.push(service);
  return service;
}

interface Deleted {
  readonly slug: string;
  readonly items: number;
  readonly hits: number;
  readonly keys: number;
}

function remove({ perform }: LocalService, slug: string, confirm = slug): Promise<Deleted> {
  return perform('org.delete', { organization: slug, confirm });
}

/** Each table with the number of its rows that belong to the organization, but for those that stay. */
async function rowsOf({ services: { db } }: LocalService, organizationKey: number) {
  const tables = await db.all<{ name: string }>({
    sql: "SELECT name FROM sqlite_master WHERE type = 'table'",
    args: [],
  });
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const columns = await db.all<{ name: string }>({
      sql: 'SELECT name FROM pragma_table_info(?)',
      args: [name],
    });
    const owner = columns.find((column) =>
      ['organization_key', 'shop_key'].includes(column.name),
    )?.name;
    if (owner === undefined || name === 'shops') continue;
    const where =
      owner === 'shop_key'
        ? 'shop_key IN (SELECT key FROM shops WHERE organization_key = ?)'
        : 'organization_key = ?';
    const [row] = await db.all<{ count: number }>({
      sql: `SELECT count(*) AS count FROM "${name}" WHERE ${where}`,
      args: [organizationKey],
    });
    found[name] = row!.count;
  }
  return found;
}

/** Rows in the tables that neither traffic nor an import of `makeTenants` fills. */
async function fillTheRest(service: LocalService, { organization }: Tenant): Promise<void> {
  const { db, directory } = service.services;
  const key = directory.findOrganization(organization.slug)!.key;
  const shop = directory.shopsOf(key)[0]!.key;
  const [grantor] = await db.all<{ id: string }>({
    sql: 'SELECT id FROM api_keys WHERE organization_key = ?',
    args: [key],
  });
  const word = 'quokkarest';
  const rows: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
    catalog_requests: { idempotency_key: word, request_hash: word, status: 200, answer: word },
    catalog_sources: { url: word, hints: '{}', allow_private: 0 },
    chosen_searches: {
      ...{ search_hit_key: 999, choice_hit_key: 999, day: '2026-01-01', question: word },
      ...{ agent_kind: word, access: 'key', is_purchase: 0 },
    },
    curations: { version: 1, rules: '[]', changed_at: 0 },
    former_hit_day_values: {
      ...{ day: '2026-01-01', dimension: 'question', value: word },
      ...{ hits: 1, from_assistants: 0, unanswered: 0 },
    },
    hit_requests: { idempotency_key: word, body_hash: word, ids: word },
    ignored_questions: { question: word },
    item_identities: { external_id: word, id: word },
    judgements: { question: word, external_id: word, grade: 1, judged_at: 0 },
    landing_pages: { last_error: word },
    learned_pairs: { question_key: word, item_id: word, voices: 1, weight: 1, revision: 1 },
    learned_questions: { question_key: word, question: word, revision: 1 },
    learned_voices: {
      ...{ question_key: word, item_id: word, client: word, day: '2026-01-01' },
      ...{ weight: 1, hit_key: 1 },
    },
    learning: { revision: 1 },
    oauth_grants: {
      ...{ id: word, api_key_id: grantor!.id, client_id: word, client_name: word },
      ...{ redirect_uri: word, resource: word, code_hash: word, code_challenge: word },
      expires_at: 0,
    },
    quarantine: { found_at: 0, kind: 'item', record: word, reason: word, content: word },
    stock_items: { stock_item: word, external_id: word, variant_id: word, is_backordered: 0 },
    stock_levels: { stock_item: word, location: word, changed_at: 0 },
    webhook_deliveries: {
      ...{ platform: 'shopify', delivery_id: word, topic: word, received_at: 0 },
    },
    webhook_secrets: { secret: word, set_at: 0 },
    webhook_states: { resource: word, changed_at: 0, is_deleted: 0 },
  };
  for (const [table, given] of Object.entries(rows)) {
    const columns = await db.all<{ name: string }>({
      sql: 'SELECT name FROM pragma_table_info(?)',
      args: [table],
    });
    const owned = { organization_key: key, shop_key: shop, created_at: 0 };
    const known = Object.entries({ ...owned, ...given }).filter(([name]) =>
      columns.some((column) => column.name === name),
    );
    await db.write([
      {
        sql: `INSERT INTO ${table} (${known.map(([name]) => name)}) VALUES (${known.map(() => '?')})`,
        args: known.map(([, value]) => value),
      },
    ]);
  }
  await db.write([
    {
      sql: `INSERT INTO oauth_spent_tokens (token_hash, grant_id, spent_at) VALUES (?, ?, 0)`,
      args: [word, word],
    },
    {
      sql: `INSERT INTO import_errors (import_id, part, text)
            SELECT id, 0, ? FROM imports WHERE shop_key = ?`,
      args: [word, shop],
    },
  ]);
}

/** What a neighbour's caller gets, without what differs from answer to answer. */
async function answersTo({ fetch, organization, prefix }: Tenant): Promise<unknown[]> {
  const found = await fetch(`/rest/search/v2/?q=${prefix}name`);
  const listed = await post(
    fetch,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_all_offerings' } },
    { path: '/mcp' },
  );
  const page = await fetch(`/rest/org/ai/${organization.slug}/`);
  return [await found.json(), await listed.json(), await page.text()];
}

/** The details of the audit log, which nothing removes. */
async function auditOf({ services: { db } }: LocalService): Promise<string> {
  const rows = await db.all<{ details: string }>({
    sql: 'SELECT details FROM audit_log',
    args: [],
  });
  return rows.map(({ details }) => details).join('\n');
}

const keyOf = ({ services: { directory } }: LocalService, { organization }: Tenant) =>
  directory.findOrganization(organization.slug)!.key;

test('a deleted organization leaves no row, word or index file, and its neighbour stays whole', async () => {
  const service = await open();
  const [gone, neighbour] = await makeTenants(service);
  await fillTheRest(service, gone);
  const key = keyOf(service, gone);
  await recordOwnTraffic(service.services);
  await rollUpAll(service.services);
  while (await service.services.indexes.keepNext());
  const before = await rowsOf(service, key);
  expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
  const neighbours = keyOf(service, neighbour);
  const [rows, answers] = [await rowsOf(service, neighbours), await answersTo(neighbour)];

  expect(await remove(service, gone.organization.slug)).toMatchObject({ items: 4, keys: 1 });

  const after = await rowsOf(service, key);
  expect(Object.entries(after).filter(([, count]) => count > 0)).toEqual([]);
  expect((await gone.fetch(`/rest/search/v2/?q=kettle`)).status).toBe(401);
  expect(await answersTo(neighbour)).toEqual(answers);
  expect(await rowsOf(service, neighbours)).toMatchObject({ items: rows['items'] });
  const audited = await auditOf(service);
  await service.close();
  services.length = 0;
  expect(
    readdirSync(service.folder, { recursive: true }).filter((name) =>
      String(name).includes(gone.organization.id),
    ),
  ).toEqual([]);
  // A compact copy holds each row that is left, and nothing else.
  const target = join(service.folder, 'copy.db');
  const made = { target, workFolder: service.folder, version: '0', nowMs: 0 };
  await writeBackup(dataFiles(service.folder).database, made);
  const text = readFileSync(target).toString('latin1');
  const words = text.match(new RegExp(`${gone.prefix}\\w*`, 'g')) ?? [];
  expect(words.filter((word) => !audited.includes(word))).toEqual([]);
});

test('its slug is free at once, and its row keys are never used again', async () => {
  const service = await open();
  const [, last] = await makeTenants(service);
  const key = keyOf(service, last);
  await remove(service, last.organization.slug);
  const again = await service.operator.createOrganization(`Tenant ${last.prefix}org`);
  expect(again.slug).toBe(last.organization.slug);
  const { directory } = service.services;
  const next = directory.findOrganization(again.id)!;
  expect(next.key).toBeGreaterThan(key);
  expect((await service.as(again.apiKey)('/rest/search/v2/?q=kettle')).status).toBe(200);
  const found = (await (await service.as(again.apiKey)('/rest/search/v2/?q=kettle')).json()) as {
    count: number;
  };
  expect(found.count).toBe(0);
  const all = await service.perform<OrganizationView[]>('org.list', {});
  expect(all.filter(({ slug }) => slug === again.slug).map(({ id }) => id)).toEqual([again.id]);
});

test('it is refused without the slug, and while an import of it waits', async () => {
  const service = await open();
  const [tenant] = await makeTenants(service);
  const { slug, shops } = tenant.organization;
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );
  expect(await refusal(remove(service, slug, 'acme'))).toBe('invalid_input');
  const sent = await service.as(
    (await service.operator.createKey({ organization: slug, scopes: ['catalog'] })).apiKey,
  )(`/rest/catalog/${shops[0]!.id}/imports/?format=json-lines`, {
    method: 'POST',
    body: '{"name":"Late kettle","externalId":"late"}\n',
  });
  expect(sent.status).toBe(202);
  expect(await refusal(remove(service, slug))).toBe('conflict');
  expect((await tenant.fetch('/rest/search/v2/?q=kettle')).status).toBe(200);
});

test('an erasure that was killed half way is completed by the next process', async () => {
  const service = await open();
  const [gone] = await makeTenants(service);
  const key = keyOf(service, gone);
  const { db, directory } = service.services;
  await db.write(beginErasure(db, directory.organization(key), service.platform.now()));
  for await (const { others } of eraseRows(db, key)) if (others > 0) break;
  await service.close();
  services.length = 0;

  const { folder, platform } = service;
  const next = keep(await startService({ folder, platform }));
  expect((await next.as(gone.apiKey)('/rest/search/v2/?q=kettle')).status).toBe(401);
  expect(Object.values(await rowsOf(next, key)).some((count) => count > 0)).toBe(true);
  const complete = completeErasures(next.services);
  await complete();
  expect(Object.entries(await rowsOf(next, key)).filter(([, count]) => count > 0)).toEqual([]);
  expect(await findErasures(next.services.db)).toHaveLength(1);
  await next.elapse(LATE_MS);
  await complete();
  expect(await findErasures(next.services.db)).toEqual([]);
});
