import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CreatedApiKey } from '../../src/operations/tenants/api-keys.ts';
import { openDatabase } from '../../src/storage/engine/database.ts';
import { jsonLines } from './catalog.ts';
import { initializeFolder, vitrine, vitrineJson } from './command-line.ts';
import { serve } from './processes.ts';

/** Maximum time under load before a kill. */
const LOADED_MS = 500;

/** How long the first push of each kind may take. */
const FIRST_PUSHES_MS = 60_000;

/** How long what was acknowledged may take to be applied after a restart. */
const APPLIED_WITHIN_MS = 60_000;

const SECRET = 'a webhook secret for killing';

/** Offerings that change together. */
const STOCKED = 50;
const IMPORTED = 200;

export interface PushKillOutcome {
  /** Pushes of each kind that were acknowledged. */
  readonly acknowledged: Readonly<Record<'patch' | 'put' | 'import' | 'webhook', number>>;
  /** What was acknowledged and is missing, or is there in part. */
  readonly faults: readonly string[];
  /** Imports by the state that the next start found them in. */
  readonly imports: Readonly<Record<string, number>>;
}

/** A running service, and the newest version that it acknowledged of each kind. */
interface Load {
  readonly url: string;
  readonly apiKey: string;
  readonly shopId: string;
  readonly newest: { patch: number; put: number; webhook: number };
  readonly counts: { patch: number; put: number; import: number; webhook: number };
  /** Ids of imports that were answered 202. */
  readonly imports: Map<string, number>;
}

/**
 * Lets four clients push stock, items, files and webhooks, kills the service at a random moment, starts
 * it again and checks what it says. Repeats this on the same data folder.
 */
export async function killPushes(
  command: readonly string[],
  { folder, cycles }: { folder: string; cycles: number },
): Promise<PushKillOutcome> {
  const load = await prepare(folder);
  const faults: string[] = [];
  const imports: Record<string, number> = {};
  for (let cycle = 0; cycle <= cycles; cycle++) {
    const serving = await serve(command, ['--data', folder, '--embedder', 'off']);
    const here = { ...load, url: serving.url };
    for (const fault of await check(here, imports)) faults.push(`cycle ${cycle}: ${fault}`);
    const killed = once(serving.process, 'close');
    const clients = [pushStock, pushItem, pushFile, pushWebhook].map((push) => push(here));
    // On a busy machine, the first push of each kind may take longer than a cycle.
    const giveUpAt = performance.now() + FIRST_PUSHES_MS;
    while (cycle === 0 && Object.values(load.counts).includes(0) && performance.now() < giveUpAt)
      await delay(10);
    if (cycle < cycles) await delay(LOADED_MS * (0.1 + 0.9 * Math.random()));
    serving.process.kill('SIGKILL');
    await Promise.all([killed, ...clients]);
    const db = await openDatabase(join(folder, 'vitrine.db'), { create: false });
    const [row] = await db.all<{ integrity_check: string }>({
      sql: 'PRAGMA integrity_check',
      args: [],
    });
    await db.close();
    if (row!.integrity_check !== 'ok') faults.push(`cycle ${cycle}: ${row!.integrity_check}`);
  }
  return { acknowledged: load.counts, faults, imports };
}

async function prepare(folder: string): Promise<Load> {
  const data = ['--data', folder];
  await initializeFolder(folder, '--org', 'Acme');
  await vitrineJson('org', 'set', '--unlimited', ...data);
  const set = await vitrine(['shop', 'set', '--webhook-secret', '--json', ...data], {
    environment: { VITRINE_WEBHOOK_SECRET: SECRET },
  });
  const { id: shopId } = JSON.parse(set.stdout) as { id: string };
  const scopes = ['--scopes', 'catalog,search'];
  const { apiKey } = await vitrineJson<CreatedApiKey>('key', 'create', ...scopes, ...data);
  const path = `${folder}.jsonl`;
  writeFileSync(path, jsonLines([...stocked(0), ...imported(0)]));
  await vitrineJson('catalog', 'import', path, ...data);
  const newest = { patch: 0, put: 0, webhook: 0 };
  const counts = { patch: 0, put: 0, import: 0, webhook: 0 };
  return { url: '', apiKey, shopId, newest, counts, imports: new Map() };
}

const stocked = (version: number) =>
  Array.from({ length: STOCKED }, (_, index) => ({
    externalId: `stock-${index}`,
    name: `Barrel ${index}`,
    price: `${version}.00`,
  }));

const imported = (version: number) =>
  Array.from({ length: IMPORTED }, (_, index) => ({
    externalId: `file-${index}`,
    name: `Rope ${index} of edition ${version}`,
    price: `${version}.00`,
  }));

async function ask(load: Load, path: string, init: RequestInit = {}): Promise<Response | null> {
  const headers = { 'x-api-key': load.apiKey, ...(init.headers as object) };
  return fetch(`${load.url}${path}`, { ...init, headers }).catch(() => null);
}

const itemsOf = ({ shopId }: Load) => `/rest/catalog/${shopId}/items`;

async function pushStock(load: Load): Promise<void> {
  for (let version = load.newest.patch + 1; ; version++) {
    const body = stocked(version).map(({ externalId, price }) => ({ externalId, price }));
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'PATCH', body: JSON.stringify(body), headers };
    if ((await ask(load, itemsOf(load), init))?.status !== 200) return;
    load.newest.patch = version;
    load.counts.patch += 1;
  }
}

async function pushItem(load: Load): Promise<void> {
  for (let version = load.newest.put + 1; ; version++) {
    const body = JSON.stringify({ name: `Anchor ${version}`, price: '9.00' });
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(load, `${itemsOf(load)}/anchor`, { method: 'PUT', body, headers });
    if (answer === null || answer.status > 201) return;
    load.newest.put = version;
    load.counts.put += 1;
  }
}

async function pushFile(load: Load): Promise<void> {
  for (let version = load.imports.size + 1; ; version++) {
    const body = jsonLines(imported(version));
    const path = `/rest/catalog/${load.shopId}/imports`;
    const answer = await ask(load, path, { method: 'POST', body });
    const told = await answer?.json().catch(() => null);
    if (answer?.status === 503) await delay(20);
    else if (answer?.status !== 202 || told == null) return;
    else {
      load.imports.set((told as { id: string }).id, version);
      load.counts.import += 1;
    }
  }
}

async function pushWebhook(load: Load): Promise<void> {
  for (let version = load.newest.webhook + 1; ; version++) {
    const body = JSON.stringify({
      ...{ id: 4711, title: `Capstan ${version}`, handle: 'capstan', product_type: '' },
      updated_at: new Date(Date.UTC(2026, 0, 1) + version * 1000).toISOString(),
      variants: [{ id: 1, price: '5.00', available: true }],
    });
    const headers = {
      'x-shopify-topic': 'products/update',
      'x-shopify-webhook-id': `delivery-${version}`,
      'x-shopify-hmac-sha256': createHmac('sha256', SECRET).update(body).digest('base64'),
    };
    const path = `/rest/webhooks/shopify/${load.shopId}`;
    const answer = await ask(load, path, { method: 'POST', body, headers });
    if (answer?.status !== 200) return;
    load.newest.webhook = version;
    load.counts.webhook += 1;
  }
}

/** What the service lacks of what was acknowledged, and what it holds in part. */
async function check(load: Load, imports: Record<string, number>): Promise<string[]> {
  const faults: string[] = [];
  const read = async (externalId: string) =>
    (await (await ask(load, `${itemsOf(load)}/${externalId}`))!.json()) as {
      name: string;
      price: string;
    };
  const versions = async (prefix: string, count: number) =>
    new Set(
      await Promise.all(
        Array.from({ length: count }, async (_, index) => (await read(`${prefix}-${index}`)).price),
      ),
    );
  const stock = await versions('stock', STOCKED);
  if (stock.size > 1) faults.push(`stock in part: ${[...stock]}`);
  if (Number([...stock][0]) < load.newest.patch) faults.push(`stock lost: ${[...stock]}`);
  for (const [id] of load.imports) {
    const path = `/rest/catalog/${load.shopId}/imports/${id}`;
    const { state } = (await (await ask(load, path))!.json()) as { state: string };
    imports[state] = (imports[state] ?? 0) + 1;
    if (state === 'waiting' || state === 'running') faults.push(`an import is ${state}`);
  }
  load.imports.clear();
  const file = await versions('file', IMPORTED);
  if (file.size > 1) faults.push(`file in part: ${[...file]}`);
  const versionOf = ({ name = '' }) => Number(/\d+$/.exec(name)?.[0] ?? 0);
  const anchor = versionOf(await read('anchor'));
  if (anchor < load.newest.put) faults.push(`item lost: ${anchor} of ${load.newest.put}`);
  const giveUpMs = performance.now() + APPLIED_WITHIN_MS;
  while (versionOf(await read('4711')) < load.newest.webhook) {
    if (performance.now() > giveUpMs) return [...faults, 'a webhook was not applied'];
    await delay(50);
  }
  return faults;
}
