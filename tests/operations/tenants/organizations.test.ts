import { afterEach, describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/domain/errors.ts';
import type { ApiKeyView } from '../../../src/operations/tenants/api-keys.ts';
import { flushKeyUses } from '../../../src/operations/tenants/api-keys.ts';
import type { OrganizationView, ShopView } from '../../../src/operations/tenants/organizations.ts';
import { findApiKeys } from '../../../src/storage/api-keys.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const services: LocalService[] = [];

async function open(options?: Parameters<typeof startService>[0]): Promise<LocalService> {
  const service = await startService(options);
  services.push(service);
  return service;
}

afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error.code;
  throw error ?? new Error('It was not refused.');
}

interface Entry {
  readonly event: string;
  readonly details: Record<string, unknown>;
}

describe('organizations', () => {
  test('concurrent creations all succeed, each with its own shop', async () => {
    const { perform } = await open();
    const names = Array.from({ length: 8 }, (_, index) => `Twin ${index}`);
    await Promise.all(names.map((name) => perform('org.create', { name, currency: 'EUR' })));
    const all = await perform<OrganizationView[]>('org.list', {});
    expect(all.map(({ name }) => name)).toEqual(['Acme', ...names]);
    expect(
      new Set(all.flatMap(({ id, shops }) => [id, ...shops.map((shop) => shop.id)])).size,
    ).toBe(18);
  });

  test('of two concurrent creations with the same slug, one is refused', async () => {
    const { perform } = await open();
    const twin = () => perform('org.create', { name: 'Twin', currency: 'EUR' });
    const outcomes = await Promise.allSettled([twin(), twin()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(twin())).toBe('conflict');
  });

  test('shops created concurrently get different handles', async () => {
    const { perform } = await open();
    const shop = () => perform('shop.create', { name: 'Twin', currency: 'EUR' });
    await Promise.all([shop(), shop(), shop()]);
    const shops = await perform<ShopView[]>('shop.list', {});
    expect(shops.map(({ handle }) => handle)).toEqual(['shop-1', 'shop-2', 'shop-3', 'shop-4']);
  });

  test.each([
    ['org.create', { name: '  ', currency: 'EUR' }],
    ['org.create', { name: '株式会社', currency: 'EUR' }],
    ['org.create', { name: 'X', currency: 'EURO' }],
    ['org.create', { name: 'X', currency: 'EUR', slug: 'Not a slug' }],
    ['org.create', { name: 'X', currency: 'EUR', locale: 'not a locale' }],
    ['org.create', { name: 'X', currency: 'EUR', domain: 'ftp://x' }],
    ['org.create', { currency: 'EUR' }],
    ['org.set', {}],
    ['org.set', { unlimited: true, burst: 5 }],
    ['org.set', { ratePerMinute: 0 }],
    ['shop.set', { shop: 'shop-1' }],
    ['shop.set', { shop: 'shop-1', name: '' }],
  ])('%s refuses %j and changes nothing', async (operation, input) => {
    const { perform } = await open();
    const before = await perform<OrganizationView[]>('org.list', {});
    expect(await refusal(perform(operation, input))).toBe('invalid_input');
    expect(await perform<OrganizationView[]>('org.list', {})).toEqual(before);
  });

  test('a slug or id is accepted in any case; with several organizations, one must be named', async () => {
    const { perform, operator, organization } = await open();
    await operator.createOrganization('Other');
    expect(await refusal(perform('shop.list', {}))).toBe('invalid_input');
    for (const name of ['ACME', organization.id.toUpperCase()]) {
      expect(await perform<ShopView[]>('shop.list', { organization: name })).toEqual([
        ...organization.shops,
      ]);
    }
    expect(await refusal(perform('shop.list', { organization: 'nobody' }))).toBe('not_found');
  });

  test('a shop’s domain is kept as a host name', async () => {
    const { perform } = await open();
    const changed = await perform<ShopView>('shop.set', {
      shop: 'shop-1',
      domain: 'https://Shop.Example/x',
    });
    expect(changed.domain).toBe('shop.example');
  });
});

describe('keys', () => {
  test('a key is shown once, kept as a hash, and never listed or logged', async () => {
    const { operator, perform, services: opened, platform } = await open();
    const { apiKey, id } = await operator.createKey();
    const listed = await perform('key.list', {});
    const audited = await perform('audit.list', { limit: 100 });
    expect(JSON.stringify([listed, audited, platform.logged])).not.toContain(apiKey.slice(16));
    const kept = (await findApiKeys(opened.db)).find((key) => key.id === id)!;
    expect(Buffer.from(kept.hash).toString('latin1')).not.toContain(apiKey);
    expect(kept.hash).toHaveLength(32);
  });

  test('a new key has every scope unless they are narrowed', async () => {
    const { operator } = await open();
    expect((await operator.createKey()).scopes).toEqual([
      'search',
      'mcp',
      'hits',
      'landing',
      'regenerate',
    ]);
    expect((await operator.createKey({ scopes: ['search'] })).scopes).toEqual(['search']);
  });

  test('a key ends at its expiry', async () => {
    const { operator, as, platform } = await open();
    const expiresAt = new Date(platform.now() + 60_000).toISOString();
    const { apiKey } = await operator.createKey({ expiresAt });
    const ask = async () => (await as(apiKey)('/rest/search/v2/?q=a')).status;
    platform.advance(59_999);
    expect(await ask()).toBe(200);
    platform.advance(1);
    expect(await ask()).toBe(401);
  });

  test('an overlap never outlives the expiry that the old key had', async () => {
    const { operator, as, platform } = await open();
    const expiresAt = new Date(platform.now() + 60_000).toISOString();
    const { id, apiKey } = await operator.createKey({ expiresAt });
    const successor = await operator.rotateKey(id, 3600);
    expect(successor.expiresAt).toBeNull();
    platform.advance(60_000);
    expect((await as(apiKey)('/rest/search/v2/?q=a')).status).toBe(401);
  });

  test('an inactive key cannot be rotated, a past expiry is refused, another organization’s key is not found', async () => {
    const { operator, perform, platform } = await open();
    const { id } = await operator.createKey();
    await operator.revokeKey(id);
    await operator.revokeKey(id);
    expect(await refusal(operator.rotateKey(id, 1))).toBe('conflict');
    const expiresAt = new Date(platform.now()).toISOString();
    expect(await refusal(operator.createKey({ expiresAt }))).toBe('invalid_input');
    expect(await refusal(operator.createKey({ expiresAt: 'soon' }))).toBe('invalid_input');
    await operator.createOrganization('Other');
    expect(await refusal(perform('key.revoke', { organization: 'other', id }))).toBe('not_found');
  });

  test('states: active, rotated, expired, revoked', async () => {
    const { operator, perform, platform } = await open();
    const rotated = await operator.createKey();
    await operator.rotateKey(rotated.id, 3600);
    const ended = await operator.createKey();
    await operator.rotateKey(ended.id, 0);
    const revoked = await operator.createKey();
    await operator.revokeKey(revoked.id);
    platform.advance(1);
    const states = Object.fromEntries(
      (await perform<ApiKeyView[]>('key.list', {})).map(({ id, state }) => [id, state]),
    );
    expect([states[rotated.id], states[ended.id], states[revoked.id]]).toEqual([
      'rotated',
      'expired',
      'revoked',
    ]);
  });

  test('the last use is visible immediately and written later, never by the request', async () => {
    const { operator, as, perform, services: opened, platform } = await open();
    const { id, apiKey } = await operator.createKey();
    const lastUse = async () =>
      (await perform<ApiKeyView[]>('key.list', {})).find((key) => key.id === id)!.lastUsedAt;
    expect(await lastUse()).toBeNull();
    await as(apiKey)('/rest/search/v2/?q=a');
    const used = new Date(platform.now()).toISOString();
    expect(await lastUse()).toBe(used);
    const written = async () =>
      (await findApiKeys(opened.db)).find((key) => key.id === id)!.lastUsedAt;
    expect(await written()).toBeNull();
    await flushKeyUses(opened);
    expect(await written()).toBe(platform.now());
    // What is listed does not fall back to what was read at the start.
    expect(await lastUse()).toBe(used);
  });

  test('a request without a valid key never reaches the database', async () => {
    const { asStranger, as, services: opened } = await open();
    opened.db.all = () => Promise.reject(new Error('reached'));
    expect((await asStranger('/rest/search/v2/?q=a')).status).toBe(401);
    expect((await as('vk_nonsense')('/rest/search/v2/?q=a')).status).toBe(401);
  });
});

test('the audit log lists only what operators did, newest first', async () => {
  const { operator, perform, importText } = await open();
  const { id } = await operator.createKey();
  await operator.rotateKey(id, 60);
  await operator.revokeKey(id);
  await operator.setLimit({ perMinute: 5, burst: 5 });
  await perform('shop.set', { shop: 'shop-1', name: 'New' });
  await importText('{"externalId":"1","name":"Lamp"}\n');
  await operator.createOrganization('Other');
  const entries = await perform<Entry[]>('audit.list', { organization: 'acme', limit: 7 });
  expect(entries.map(({ event }) => event)).toEqual([
    'import.committed',
    'shop.changed',
    'org.changed',
    'key.revoked',
    'key.rotated',
    'key.created',
    'key.created',
  ]);
  expect(entries[0]!.details).toMatchObject({ new: 1, rejected: 0 });
  const others = await perform<Entry[]>('audit.list', { organization: 'other', limit: 10 });
  expect(others.map(({ event }) => event)).toEqual(['org.changed', 'key.created', 'org.created']);
});

describe('bootstrap', () => {
  const apiKey = 'vk_7kUIJLFOmihu_OoBO9Aue93CXR1mP2xFYfKVcLLKFwJIfmZTfKZW2dUa4169cL';
  const environment = { VITRINE_BOOTSTRAP_ORG: 'Container', VITRINE_BOOTSTRAP_API_KEY: apiKey };

  test('the environment creates an organization and its key at the first start, and nothing twice', async () => {
    const service = await startService({ environment });
    expect(service.organization.name).toBe('Container');
    expect((await service.as(apiKey)('/rest/search/v2/?q=a')).status).toBe(200);
    await service.services.close();
    const again = await startService({
      environment,
      folder: service.folder,
      platform: service.platform,
    });
    expect(await again.perform<OrganizationView[]>('org.list', {})).toHaveLength(1);
    expect((await again.as(apiKey)('/rest/search/v2/?q=a')).status).toBe(200);
    const keys = await again.perform<ApiKeyView[]>('key.list', {});
    expect(keys.filter(({ name }) => name === 'bootstrap')).toHaveLength(1);
    await again.close();
    service.discard();
  });

  test('a malformed key stops the start', async () => {
    const wrong = { ...environment, VITRINE_BOOTSTRAP_API_KEY: 'secret' };
    expect(await refusal(startService({ environment: wrong }))).toBe('invalid_input');
  });
});
