import { join } from 'node:path';
import { SILENT } from '../../src/operations/define-operation.ts';
import { callOperator } from '../../src/operator/operator-client.ts';
import { socketPath } from '../../src/operator/socket-path.ts';
import { feedLines } from './feed.ts';

/** Offerings for each organization have this vocabulary, as in `bench-scale.ts`. */
const VOCABULARY = 50_000;
const DESCRIPTION_WORDS = 18;

/** Uploads on their way at a time; a service takes sixteen. */
const UPLOADS_AT_ONCE = 8;
const REFUSED_MS = 20;
const LOOK_MS = 20;

/** An organization with one shop, and a key that may search and import. */
export interface Tenant {
  readonly slug: string;
  readonly apiKey: string;
}

/** Asks the service that owns a data folder as an operator does. */
export function operatorOf(data: string) {
  return async <Result>(operation: string, input: object) =>
    (await callOperator(socketPath(data), operation, input, SILENT)) as Result;
}

/** Creates organizations without a rate limit in a running service, one after the other. */
export async function createTenants(data: string, count: number): Promise<Tenant[]> {
  const call = operatorOf(data);
  const tenants: Tenant[] = [];
  for (let number = 0; number < count; number += 1) {
    const slug = `tenant-${number}`;
    await call('org.create', {
      ...{ name: `Tenant ${number}`, slug, currency: 'EUR' },
      domain: `tenant-${number}.example`,
    });
    await call('org.set', { organization: slug, unlimited: true });
    const { apiKey } = await call<Tenant>('key.create', {
      ...{ organization: slug, name: 'bench', scopes: ['search', 'catalog'] },
    });
    tenants.push({ slug, apiKey });
  }
  return tenants;
}

/** The catalogue of one organization; each has other texts. */
export function tenantFeed(rows: number, number: number): Blob {
  const feed = {
    ...{ rows, bytes: Number.POSITIVE_INFINITY },
    ...{ words: DESCRIPTION_WORDS, vocabulary: VOCABULARY, seed: number },
  };
  return new Blob([...feedLines(feed)]);
}

/** Sends each organization its catalogue over REST, and waits until all are imported. */
export async function importTenants(
  port: number,
  tenants: readonly Tenant[],
  rows: number,
): Promise<void> {
  const waiting = tenants.map((tenant, number) => ({ tenant, number }));
  const send = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await importOne(port, next.tenant, tenantFeed(rows, next.number));
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, send));
}

/** Throws unless the import is committed. */
export async function importOne(port: number, { apiKey }: Tenant, feed: Blob): Promise<void> {
  const address = `http://127.0.0.1:${port}`;
  const headers = { 'X-API-Key': apiKey };
  const path = '/rest/catalog/shop-1/imports/?mode=full&format=json-lines&name=feed.jsonl';
  let sent = await fetch(address + path, { method: 'POST', headers, body: feed });
  while (sent.status === 503) {
    await Bun.sleep(REFUSED_MS);
    sent = await fetch(address + path, { method: 'POST', headers, body: feed });
  }
  if (sent.status !== 202) throw new Error(`An upload was refused: ${await sent.text()}`);
  const place = address + sent.headers.get('location')!;
  for (;;) {
    const { state } = (await fetch(place, { headers }).then((answer) => answer.json())) as {
      state: string;
    };
    if (state === 'committed') return;
    if (!['waiting', 'running'].includes(state)) throw new Error(`An import is ${state}.`);
    await Bun.sleep(LOOK_MS);
  }
}

export const TRAFFIC = ['zipf', 'uniform'] as const;

/**
 * Which organization each of `count` searches is for: equally often, or the n-th 1/n as often as the
 * first. Deterministic.
 */
export function chooseTenants(
  traffic: (typeof TRAFFIC)[number],
  { tenants, count }: { tenants: number; count: number },
): number[] {
  const shares = Array.from({ length: tenants }, (_, n) => (traffic === 'zipf' ? 1 / (n + 1) : 1));
  const ends: number[] = [];
  for (const share of shares) ends.push((ends.at(-1) ?? 0) + share);
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = (state / 2 ** 32) * ends.at(-1)!;
    return ends.findIndex((end) => at < end);
  });
}

/** Where a data folder's tenants are kept between two runs. */
export function tenantsFile(data: string): string {
  return join(data, 'bench-tenants.json');
}
