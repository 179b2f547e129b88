import { describe, expect, spyOn, test } from 'bun:test';
import type { LandingPageView } from '../../../src/operations/landing/operate-landing-pages.ts';
import { countLandingPages } from '../../../src/operations/landing/operate-landing-pages.ts';
import { regenerateNextPage } from '../../../src/operations/landing/regenerate-next-page.ts';
import { CATALOG } from '../../support/catalog.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const PAGE = '/rest/org/ai/acme/';
const MUG = { externalId: 'new', name: 'Brand-new beaker', productType: 'Beakers', price: '5.00' };

async function withService(run: (service: LocalService) => Promise<void>): Promise<void> {
  const service = await startService();
  await service.operator.importRows(CATALOG);
  await run(service);
  await service.close();
}

async function read(service: LocalService, path = PAGE): Promise<[string | null, string]> {
  const response = await service.fetch(path);
  expect(response.status).toBe(200);
  return [response.headers.get('x-cache'), await response.text()];
}

async function view({ perform }: LocalService, organization = 'acme'): Promise<LandingPageView> {
  const { pages } = await perform<{ pages: LandingPageView[] }>('landing.show', {
    organization,
    withPage: false,
  });
  return pages[0]!;
}

/** Breaks rebuilds of that organization until the returned function is called. */
async function poison({ services }: LocalService, slug: string): Promise<() => Promise<void>> {
  const { key } = services.directory.findOrganization(slug)!;
  const update = async (body: string) =>
    void (await services.db.write([
      { sql: `UPDATE items SET body = ${body} WHERE organization_key = ?`, args: [key] },
    ]));
  await update("json_set(body, '$.name', 5, '$.formerName', body->>'$.name')");
  return () => update("json_set(body, '$.name', body->>'$.formerName')");
}

describe('staleness', () => {
  test('an import makes the page stale; it is served until the worker has rebuilt it', () =>
    withService(async (service) => {
      expect((await read(service))[0]).toBe('miss');
      await service.operator.importRows([MUG]);
      const [cache, stale] = await read(service);
      expect([cache, stale.includes('beaker')]).toEqual(['stale', false]);
      expect((await view(service)).state).toBe('stale');
      expect(await regenerateNextPage(service.services)).toBe(true);
      const [after, rebuilt] = await read(service);
      expect([after, rebuilt.includes('Brand-new beaker')]).toEqual(['hit', true]);
      expect(await regenerateNextPage(service.services)).toBe(false);
      // Also when nobody has asked for it since.
      await service.operator.importRows([{ ...MUG, productType: 'Tumblers' }]);
      expect(await regenerateNextPage(service.services)).toBe(true);
    }));

  test.each([
    ['name', 'org.set', { name: 'Acme & Sons' }, '# Acme & Sons'],
    ['description', 'org.set', { description: 'Pots, *by hand*.' }, '> Pots, \\*by hand\\*.'],
    ['e-mail', 'org.set', { contactEmail: 'hello@acme.example' }, 'E-mail: hello@acme.example'],
    ['telephone', 'org.set', { contactPhone: '+49 1' }, '- Telephone: +49 1'],
    ['address', 'org.set', { address: 'Pier 4' }, '- Address: Pier 4'],
    ['hours', 'org.set', { openingHours: 'daily' }, '- Opening hours: daily'],
    ['domain', 'shop.set', { shop: 'shop-1', domain: 'a.example' }, '](https://a.example/)'],
    ['language', 'shop.set', { shop: 'shop-1', locale: 'de-AT' }, 'Österreichisches Deutsch'],
  ])(
    'a change of the %s makes the page stale, and stands in the next one',
    (_, operation, input, line) =>
      withService(async (service) => {
        expect((await read(service))[1]).not.toContain(line);
        await service.perform(operation, input);
        expect((await read(service))[0]).toBe('stale');
        expect(await regenerateNextPage(service.services)).toBe(true);
        const [cache, page] = await read(service);
        expect(cache).toBe('hit');
        expect(page).toContain(line);
      }),
  );

  test('a change that the page does not show leaves it as it is', () =>
    withService(async (service) => {
      await read(service);
      await service.operator.createKey();
      await service.operator.setLimit({ perMinute: 600, burst: 100 });
      await service.operator.importRows(CATALOG.slice(0, 3));
      expect(await regenerateNextPage(service.services)).toBe(false);
      expect((await read(service))[0]).toBe('hit');
    }));

  test('a new public address makes existing pages stale, also after a restart', async () => {
    const { fetch, services, folder, platform, discard } = await startService();
    expect(await (await fetch(PAGE)).text()).toContain('http://127.0.0.1:8787/mcp/org/');
    await services.close();
    const flags = { 'public-url': 'https://ai.acme.example/' };
    const again = await startService({ folder, platform, flags });
    expect((await read(again))[0]).toBe('stale');
    expect(await regenerateNextPage(again.services)).toBe(true);
    const [cache, page] = await read(again);
    expect(cache).toBe('hit');
    expect(page).toContain('`https://ai.acme.example/mcp/org/');
    expect(page).not.toContain('No public address');
    await again.services.close();
    discard();
  });
});

describe('the page', () => {
  test('is identical, byte for byte, for the same catalogue in another order', async () => {
    const pages: string[] = [];
    for (const rows of [CATALOG, CATALOG.toReversed()]) {
      await withService(async (service) => {
        await service.operator.importRows(rows);
        pages.push((await read(service))[1].replace(/[0-9a-f-]{36}/g, 'ID'));
      });
    }
    expect(pages[0]).toBe(pages[1]!);
  });

  test('has its sections in order, and at most 25,000 bytes', () =>
    withService(async (service) => {
      const [, page] = await read(service);
      expect(page.match(/^#.*$/gm)).toEqual([
        '# Acme',
        '## How to use this shop',
        '## Categories',
        '## Featured offerings',
        '## Services and booking',
        '## Policies',
        '## Optional',
      ]);
      expect(Buffer.byteLength(page)).toBeLessThanOrEqual(25_000);
      expect(page).toContain('- Mugs (57): 10.50 to 66.50 EUR');
      expect(page).toContain('[Pottery workshop](https://book.example/workshop): 65.00 EUR');
      expect(page).toContain('- Returns: Return any mug or anorak within thirty days.');
      expect(page).not.toContain(service.apiKey.slice(0, 15));
    }));

  test('links only to the organization, once its domain is known', () =>
    withService(async (service) => {
      const publicUrl = 'https://acme.example.evil.example/x';
      const shown = { externalId: 'pot', name: 'Teapot', price: '5.00', publicUrl };
      await service.operator.importRows([
        shown,
        { ...shown, externalId: 'class', kind: 'service', bookingUrl: publicUrl },
        { type: 'context', externalId: 'returns', name: 'Returns', description: 'Yes.', publicUrl },
      ]);
      expect((await read(service))[1].split(publicUrl)).toHaveLength(4);
      await service.perform('shop.set', { shop: 'shop-1', domain: 'acme.example' });
      const [, page] = await read(service, `${PAGE}?regenerate=true`);
      expect(page).toContain('- Teapot: 5.00 EUR; id pot');
      expect(page).not.toContain('evil');
      await service.perform('shop.set', {
        shop: 'shop-1',
        furtherDomains: ['acme.example.evil.example'],
      });
      expect((await read(service, `${PAGE}?regenerate=true`))[1]).toContain(publicUrl);
    }));

  test('stays within 25,000 bytes for any catalogue', () =>
    withService(async (service) => {
      const long = '漢*_'.repeat(60);
      const rows = Array.from({ length: 300 }, (_, index) => ({
        externalId: `long-${index}`,
        name: `${index} ${long}`,
        description: `${long}. ${long}`,
        productType: `${index} ${long}`,
        vendor: `${long} ${index}`,
        publicUrl: `https://shop.example/${'x'.repeat(1900)}/${index}`,
        image: 'https://shop.example/x.png',
        price: `${index}.00`,
      }));
      await service.operator.importRows(rows);
      const [, page] = await read(service);
      expect(Buffer.byteLength(page)).toBeLessThanOrEqual(25_000);
      expect(page).toContain('## How to use this shop');
    }));

  test('says that a shop is empty, and how to ask', async () => {
    const service = await startService();
    const [, page] = await read(service);
    expect(page).toStartWith('# Acme\n\n> Acme offers 0 products.\n');
    expect(page.match(/^## .*$/gm)).toEqual(['## How to use this shop']);
    await service.close();
  });
});

describe('rebuilding', () => {
  test('200 concurrent callers share one rebuild, with or without an existing page', () =>
    withService(async (service) => {
      const { landing } = service.services;
      for (const path of [PAGE, `${PAGE}?regenerate=true`]) {
        const before = landing.counts.rebuilt;
        const answers = await Promise.all(
          Array.from({ length: 200 }, async () => (await read(service, path))[1]),
        );
        expect(new Set(answers).size).toBe(1);
        expect(landing.counts.rebuilt - before).toBe(1);
      }
    }));

  test('a caller that arrives after a change gets a page built after it, not the build in progress', () =>
    withService(async (service) => {
      const early = read(service, `${PAGE}?regenerate=true`);
      await service.operator.importRows([MUG]);
      const [, late] = await read(service, `${PAGE}?regenerate=true`);
      expect(late).toContain('Brand-new beaker');
      await early;
      expect((await view(service)).state).toBe('fresh');
    }));

  test('a page that cannot be rebuilt is still served, backs off longer each time, and does not delay other pages', () =>
    withService(async (service) => {
      const other = await service.operator.createOrganization('Other');
      await service.operator.importRows(CATALOG.slice(0, 3), { organization: 'other' });
      const readOther = async () =>
        (await service.as(other.apiKey)('/rest/org/ai/other/')).headers.get('x-cache');
      await read(service);
      await readOther();
      await service.operator.importRows([MUG]);
      const heal = await poison(service, 'acme');
      expect(await regenerateNextPage(service.services)).toBe(true);
      const failing = await view(service);
      expect([failing.state, failing.attempts, failing.leasedUntil]).toEqual(['failing', 1, null]);
      expect(failing.lastError).toContain('TypeError');
      // The old page is still served, and the next organization has its turn.
      expect((await read(service))[0]).toBe('stale');
      await service.perform('org.set', { organization: 'other', description: 'Changed.' });
      expect(await regenerateNextPage(service.services)).toBe(true);
      expect(await readOther()).toBe('hit');
      expect(await regenerateNextPage(service.services)).toBe(false);
      const waits: number[] = [];
      for (let attempt = 0; attempt < 12; attempt++) {
        const { retryAt } = await view(service);
        const waitMs = Date.parse(retryAt!) - service.platform.now();
        waits.push(waitMs / 1000);
        await service.elapse(waitMs - 1);
        expect(await regenerateNextPage(service.services)).toBe(false);
        await service.elapse(1);
        expect(await regenerateNextPage(service.services)).toBe(true);
      }
      expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
      const refused = await service.fetch(`${PAGE}?regenerate=true`);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await countLandingPages(service.services)).toMatchObject({ pages: 2, failing: 1 });
      await heal();
      expect((await read(service, `${PAGE}?regenerate=true`))[0]).toBe('regenerated');
      expect(await view(service)).toMatchObject({ state: 'fresh', attempts: 0, lastError: null });
    }));

  test('503: a first page that cannot be built is not retried before its back-off ends', () =>
    withService(async (service) => {
      const heal = await poison(service, 'acme');
      expect((await service.fetch(PAGE)).status).toBe(503);
      const { failed } = service.services.landing.counts;
      expect((await service.fetch(PAGE)).status).toBe(503);
      expect(service.services.landing.counts.failed).toBe(failed);
      await heal();
      await service.elapse(2000);
      expect((await read(service))[0]).toBe('miss');
    }));

  test('a lease left by a killed process blocks nothing', async () => {
    const service = await startService();
    await service.operator.importRows(CATALOG);
    await read(service);
    const { now } = service.platform;
    const sql = 'UPDATE landing_pages SET leased_until = ?, stale_since = ?, attempts = 1';
    await service.services.db.write([{ sql, args: [now() + 1e9, now()] }]);
    await service.services.close();
    const { folder, platform } = service;
    const again = await startService({ folder, platform });
    expect((await read(again))[0]).toBe('stale');
    expect(await regenerateNextPage(again.services)).toBe(true);
    expect((await read(again))[0]).toBe('hit');
    await again.services.close();
    service.discard();
  });
});

test('a view is recorded as a hit', async () => {
  await withService(async (service) => {
    const { ownTraffic } = service.services;
    const noted = spyOn(ownTraffic, 'note');
    expect((await service.fetch(PAGE)).status).toBe(200);
    expect(noted.mock.calls.map(([{ ownHit }]) => ownHit)).toEqual([
      { classification: 'landing_view' },
    ]);
    noted.mockRestore();
  });
});
