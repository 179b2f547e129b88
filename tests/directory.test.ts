import { expect, test } from 'bun:test';
import { Directory } from '../src/directory.ts';
import type { ApiKey } from '../src/domain/api-key.ts';
import { insertApiKey, updateApiKey } from '../src/storage/api-keys.ts';
import { saveWebhookSecret } from '../src/storage/catalog/webhooks.ts';
import {
  findShops,
  insertShop,
  updateOrganization,
  updateShop,
} from '../src/storage/organizations.ts';
import { openWithShops, publish } from './storage/open.ts';

const SHOP = { name: '', domain: null, currency: 'EUR', locale: 'en' };
const SHOP_ID = '0190A000-0000-7000-8000-00000000001A';

test('finds an organization by id or slug, ignoring case, and by nothing else', async () => {
  const db = await openWithShops();
  const directory = await Directory.open(db);
  const [first] = directory.organizations();
  expect(directory.findOrganization(first!.id.toUpperCase())).toBe(first!);
  expect(directory.findOrganization('ORG-1')).toBe(first!);
  expect([directory.findOrganization('org-3'), directory.findOrganization('')]).toEqual([
    null,
    null,
  ]);
  await db.close();
});

test('finds a shop by id or handle, in its own organization only', async () => {
  const db = await openWithShops();
  await db.write([
    insertShop(db, {
      ...SHOP,
      key: 12,
      id: SHOP_ID.toLowerCase(),
      organizationKey: 1,
      handle: 'own',
    }),
  ]);
  const directory = await Directory.open(db);
  expect(directory.findShop(1, SHOP_ID)?.key).toBe(12);
  expect(directory.findShop(1, 'OWN')?.key).toBe(12);
  expect(directory.findShop(2, SHOP_ID)).toBeNull();
  expect(directory.findShop(2, 'own')).toBeNull();
  expect(directory.findShop(3, 'own')).toBeNull();
  expect(directory.shopsOf(1).map(({ key }) => key)).toEqual([10, 11, 12]);
  await db.close();
});

test('shows a change after a reload; the index version changes with the catalogue', async () => {
  const db = await openWithShops();
  const directory = await Directory.open(db);
  const before = [directory.indexVersion(1), directory.indexVersion(2)];
  await db.write([updateOrganization(db, 1, { rateLimit: null })]);
  await publish(db, 11, 1);
  await directory.reload();
  expect(directory.organization(1).rateLimit).toBeNull();
  expect(directory.indexVersion(1)).toBeGreaterThan(before[0]!);
  expect(directory.indexVersion(2)).toBe(before[1]!);
  await db.close();
});

test('a reload of one catalogue shows its shops as they are and not those of others, and outlasts a slower reload of all', async () => {
  const db = await openWithShops();
  let held: Promise<void> | null = null;
  const find: typeof db.find = async (query) => {
    const hold = held;
    const rows = await db.find(query);
    await hold;
    return rows;
  };
  const directory = await Directory.open({ ...db, find });
  const generations = () =>
    [1, 2].map((key) => directory.shopsOf(key).map(({ generation }) => generation));
  await publish(db, 20, 1);
  await publish(db, 11, 1);
  await directory.reloadCatalogue(1);
  expect(generations()).toEqual([
    [0, 1],
    [0, 0],
  ]);
  expect([directory.shop(11).generation, directory.shop(20).generation]).toEqual([1, 0]);

  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const reads = async () => {
    for (let count = 0; count < 10; count++) await findShops(db);
  };
  const all = directory.reload();
  await reads();
  await publish(db, 11, 2);
  held = null;
  const one = directory.reloadCatalogue(1);
  // Time to overtake the reload of all, if it could.
  await reads();
  resolve();
  await Promise.all([all, one]);
  expect(generations()).toEqual([
    [0, 2],
    [1, 0],
  ]);
  await db.close();
});

test('a reload of one organization’s keys shows what was added and changed, and leaves those of others', async () => {
  const db = await openWithShops();
  const key = (id: string, organizationKey: number, createdAt: number): ApiKey => ({
    ...{ id, organizationKey, name: '', hash: new Uint8Array(32), scopes: ['search'], createdAt },
    ...{ expiresAt: null, revokedAt: null, rotatedAt: null, lastUsedAt: null },
  });
  await db.write([insertApiKey(db, key('one', 1, 1)), insertApiKey(db, key('other', 2, 2))]);
  const directory = await Directory.open(db);
  await db.write([
    insertApiKey(db, key('new', 1, 3)),
    updateApiKey(db, 'one', { revokedAt: 4 }),
    updateApiKey(db, 'other', { revokedAt: 4 }),
  ]);
  const { reads } = db.activity;
  await directory.reloadAccess(1);
  expect(db.activity.reads - reads).toBe(2);
  const keys = directory.apiKeys().map(({ id, revokedAt }) => [id, revokedAt]);
  expect(keys.sort()).toEqual([
    ['new', null],
    ['one', 4],
    ['other', null],
  ]);
  await directory.reloadAccess(2);
  expect(directory.findApiKey('other')?.revokedAt).toBe(4);
  expect(directory.findApiKey('one')?.revokedAt).toBe(4);

  await directory.noteUses([
    ['new', 5],
    ['new', 4],
  ]);
  expect(db.activity.reads - reads).toBe(4);
  expect(directory.findApiKey('new')?.lastUsedAt).toBe(5);
  await db.close();
});

test('a reload of one organization shows its settings, hosts and secrets as they are, and not those of others', async () => {
  const db = await openWithShops();
  await db.write([
    updateShop(db, 10, { domain: 'former.example' }),
    saveWebhookSecret(10, 'removed', 0),
  ]);
  const directory = await Directory.open(db);
  await db.write([
    updateOrganization(db, 1, { name: 'One' }),
    updateOrganization(db, 2, { name: 'Two' }),
    updateShop(db, 10, { domain: 'www.one.example', furtherDomains: ['shared.example'] }),
    updateShop(db, 20, { domain: 'two.example' }),
    saveWebhookSecret(10, null, 0),
    saveWebhookSecret(11, 'added', 0),
    saveWebhookSecret(20, 'other', 0),
  ]);
  const { version } = directory;
  const { reads } = db.activity;
  await directory.reloadOrganization(1);
  expect(db.activity.reads - reads).toBe(3);
  expect(directory.reloadedSince(version)).toEqual([1]);
  expect(directory.organizations().map(({ name }) => name)).toEqual(['One', '']);
  expect(directory.findOrganization('org-1')?.name).toBe('One');
  const hosts = ['one.example:443', 'shared.example', 'former.example', 'two.example'];
  expect(hosts.map((host) => directory.findOrganizationAt(host)?.key)).toEqual([
    1,
    1,
    undefined,
    undefined,
  ]);
  expect([10, 11, 20].map((key) => directory.webhookSecret(key))).toEqual([null, 'added', null]);

  await directory.reload();
  expect(directory.organizations().map(({ name }) => name)).toEqual(['One', 'Two']);
  expect(directory.findOrganizationAt('two.example')?.name).toBe('Two');
  expect(directory.webhookSecret(20)).toBe('other');
  await db.close();
});
