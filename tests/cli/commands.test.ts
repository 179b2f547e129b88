import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogStats } from '../../src/operations/imports/catalog-stats.ts';
import type { CreatedApiKey } from '../../src/operations/tenants/api-keys.ts';
import type { OrganizationView, ShopView } from '../../src/operations/tenants/organizations.ts';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { PROGRAM_COMMAND, run } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

let folderCount = 0;

/** A data folder of its own for a test, initialised, and its command line. */
async function initialized() {
  const folder = join(temporary.path, `data-${++folderCount}`);
  await initializeFolder(folder, '--org', 'Acme', '--currency', 'EUR');
  return {
    folder,
    run: (...args: string[]) => vitrine([...args, '--data', folder]),
    json: <Result>(...args: string[]) => vitrineJson<Result>(...args, '--data', folder),
  };
}

let fileCount = 0;

function file(content: string): string {
  const path = join(temporary.path, `file-${++fileCount}.jsonl`);
  writeFileSync(path, content);
  return path;
}

describe('init', () => {
  test('creates folder, organization, shop and key, and shows the key once', async () => {
    const folder = join(temporary.path, 'new', 'deep');
    const { exitCode, stdout } = await vitrine([
      'init',
      '--org',
      'Acme & Söhne',
      '--currency',
      'eur',
      '--data',
      folder,
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('vitrine catalog import FILE');
    expect(stdout.match(/vk_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/g)).toHaveLength(1);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const [organization] = await vitrineJson<OrganizationView[]>('org', 'list', '--data', folder);
    expect(organization).toMatchObject({
      name: 'Acme & Söhne',
      slug: 'acme-sohne',
      shops: [{ handle: 'shop-1', currency: 'EUR' }],
    });
  });

  test('a second time it refuses (73) and changes nothing', async () => {
    const { folder, json } = await initialized();
    const { exitCode, stderr, stdout } = await vitrine([
      'init',
      '--org',
      'Other',
      '--data',
      folder,
    ]);
    expect([exitCode, stdout]).toEqual([73, '']);
    expect(stderr).toBe(
      `vitrine: ${folder} is already initialised. To add an organization, run "vitrine org create".\n`,
    );
    expect(await json<OrganizationView[]>('org', 'list')).toHaveLength(1);
  });

  test('what can never be created is refused (64) and leaves no folder; then it works', async () => {
    const folder = join(temporary.path, 'typo');
    const init = (...further: string[]) => vitrine(['init', ...further, '--data', folder]);
    const currency = await init('--org', 'A', '--currency', 'EURO');
    expect([currency.exitCode, existsSync(folder)]).toEqual([64, false]);
    const name = await init('--org', '');
    expect([name.stderr, name.exitCode, existsSync(folder)]).toEqual([
      'vitrine: Wrong input: name must not be empty.\n',
      64,
      false,
    ]);
    expect(
      (await vitrine(['init', '--org', 'A', '--currency', 'EUR', '--data', folder])).exitCode,
    ).toBe(0);
  });
});

describe('catalog', () => {
  test('import: 0 for everything, 2 for a part, 1 for nothing; a file lists all faults for correction', async () => {
    const { run: command, json } = await initialized();
    const good = file(jsonLines(CATALOG));
    const whole = await command('catalog', 'import', good);
    expect([whole.exitCode, whole.stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^${CATALOG.length} new, 0 changed, 0 same, 0 archived, 0 rejected`),
      ),
    ]);
    expect(existsSync(`${good}.errors.csv`)).toBe(false);
    const mixed = file(
      '{"externalId":"a","name":"Lamp"}\n{"externalId":"b"}\nnonsense\n{"externalId":"c","name":"Lamp","price":"ten"}\n',
    );
    const partly = await command('catalog', 'import', mixed);
    expect(partly.exitCode).toBe(2);
    expect(partly.stderr).toMatch(/:2: error: name /);
    expect(partly.stderr).toMatch(/:3: error:/);
    expect(partly.stderr).toMatch(/:4: error: price /);
    expect(partly.stdout).toMatch(/^1 new, 0 changed, 0 same, 0 archived, 3 rejected/);
    const mended = readFileSync(`${mixed}.errors.csv`, 'utf8');
    expect(mended.split('\n').length).toBeGreaterThan(3);
    const again = await command('catalog', 'import', `${mixed}.errors.csv`);
    expect(again.exitCode).toBe(1);
    expect(
      (await command('catalog', 'import', file('nonsense\n'), '--format', 'json-lines')).exitCode,
    ).toBe(1);
    expect(await json<CatalogStats>('catalog', 'stats')).toMatchObject({
      offerings: CATALOG.length - 1,
      contexts: 2,
      embedded: 0,
    });
  });

  test('import --dry-run and --strict change nothing where there is a fault', async () => {
    const { run: command, json } = await initialized();
    const path = file('{"externalId":"a","name":"Lamp"}\n{"externalId":"b"}\n');
    const dry = await command('catalog', 'import', path, '--dry-run');
    expect([dry.exitCode, dry.stdout]).toEqual([
      2,
      expect.stringMatching(/^dry run, nothing changed:\n1 new, .* 1 rejected/),
    ]);
    const strict = await command('catalog', 'import', path, '--strict');
    expect(strict.exitCode).toBe(64);
    expect(strict.stderr).toEndWith(
      'vitrine: There are faults and --strict is set: nothing was changed.\n',
    );
    expect(await json<CatalogStats>('catalog', 'stats')).toMatchObject({ offerings: 0 });
    const good = file('{"externalId":"a","name":"Lamp"}\n');
    expect((await command('catalog', 'import', good, '--strict')).exitCode).toBe(0);
    expect(await json<CatalogStats>('catalog', 'stats')).toMatchObject({ offerings: 1 });
  });

  test('import reads a folder of Markdown as contexts', async () => {
    const { run: command, json } = await initialized();
    const folder = join(temporary.path, 'policies');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'returns.md'), '---\ntitle: Returns\n---\nWithin thirty days.\n');
    expect((await command('catalog', 'import', folder)).exitCode).toBe(0);
    expect(await json<CatalogStats>('catalog', 'stats')).toMatchObject({
      offerings: 0,
      contexts: 1,
    });
  });

  test.each([
    [66, ['catalog', 'import', '/nowhere/at/all.jsonl']],
    [66, ['catalog', 'import', import.meta.path, '--shop', 'nobody']],
    [64, ['catalog', 'import']],
    [64, ['catalog', 'import', import.meta.path, '--format', 'xml']],
  ])('import: %i for %j', async (exitCode, args) => {
    const { run: command } = await initialized();
    expect((await command(...args)).exitCode).toBe(exitCode);
  });

  test('stats on a terminal name the shop and its last import', async () => {
    const { run: command } = await initialized();
    const path = file('{"externalId":"a","name":"Lamp"}\n');
    await command('catalog', 'import', path);
    const { stdout } = await command('catalog', 'stats');
    expect(stdout).toMatch(/shop-1 +1 +0 +0 of 1 +\S+ .*file-\d+\.jsonl \(committed\)/);
  });
});

describe('organizations, shops and keys', () => {
  test('are created, listed and changed', async () => {
    const { json, run: command } = await initialized();
    const other = await json<OrganizationView>(
      'org',
      'create',
      'Harbour',
      '--currency',
      'GBP',
      '--slug',
      'port',
    );
    expect(other).toMatchObject({ slug: 'port', rateLimit: { perMinute: 600, burst: 100 } });
    expect(
      await json(
        'org',
        'set',
        '--org',
        'port',
        '--rate-per-minute',
        '30',
        '--burst',
        '5',
        '--name',
        'Port',
      ),
    ).toMatchObject({
      name: 'Port',
      rateLimit: { perMinute: 30, burst: 5 },
    });
    expect(await json('org', 'set', '--org', 'port', '--unlimited')).toMatchObject({
      rateLimit: 'unlimited',
    });
    const shop = await json<ShopView>(
      'shop',
      'create',
      'Port UK',
      '--org',
      'port',
      '--currency',
      'GBP',
      '--domain',
      'uk.port.example',
    );
    expect(shop).toMatchObject({ handle: 'shop-2', domain: 'uk.port.example' });
    expect(await json('shop', 'set', 'shop-2', '--org', 'port', '--locale', 'en-gb')).toMatchObject(
      { locale: 'en-GB' },
    );
    const key = await json<CreatedApiKey>(
      'key',
      'create',
      '--org',
      'port',
      '--scopes',
      'search,hits',
      '--name',
      'site',
    );
    expect(key).toMatchObject({ name: 'site', scopes: ['search', 'hits'], state: 'active' });
    const next = await json<CreatedApiKey>(
      'key',
      'rotate',
      key.id,
      '--org',
      'port',
      '--overlap',
      '30m',
    );
    expect(await json('key', 'revoke', next.id, '--org', 'port')).toMatchObject({
      state: 'revoked',
    });
    const listed = await command('key', 'list', '--org', 'port');
    expect(listed.stdout).toMatch(new RegExp(`${key.id} +site +rotated`));
    expect(listed.stdout).not.toContain(key.apiKey.slice(16));
    const audit = await json<{ event: string }[]>('audit', '--org', 'port', '--limit', '3');
    expect(audit.map(({ event }) => event)).toEqual(['key.revoked', 'key.rotated', 'key.created']);
    const missing = await command('key', 'list');
    expect([missing.exitCode, missing.stderr]).toEqual([
      64,
      'vitrine: Several organizations: name one with --org.\n',
    ]);
  });

  test.each([
    [64, ['key', 'create', '--scopes', 'search,admin']],
    [64, ['key', 'rotate', 'x', '--overlap', 'soon']],
    [66, ['key', 'revoke', 'x']],
    [64, ['org', 'set']],
    [64, ['org', 'set', '--burst', '-1']],
    [64, ['shop', 'create', 'X']],
    [66, ['shop', 'list', '--org', 'nobody']],
    [64, ['audit', '--limit', 'many']],
    [64, ['nonsense']],
  ])('%i for %j, with one clear line', async (exitCode, args) => {
    const { run: command } = await initialized();
    const finished = await command(...args);
    expect(finished.exitCode).toBe(exitCode);
    expect(finished.stdout).toBe('');
    expect(finished.stderr).toMatch(/^(?:vitrine|error): .+/);
    expect(finished.stderr).not.toContain('    at ');
  });
});

describe('config', () => {
  test('every value says where it came from; secrets are masked', async () => {
    const { folder } = await initialized();
    writeFileSync(join(folder, 'vitrine.toml'), 'embedder_budget_ms = 250\nlog_level = "warn"\n');
    const environment = { VITRINE_LOG_LEVEL: 'error', VITRINE_EMBEDDER_API_KEY: 'sk-very-secret' };
    const { stdout } = await vitrine(
      ['config', '--json', '--data', folder, '--listen', '127.0.0.1:9999'],
      { environment },
    );
    expect(stdout).not.toContain('sk-very-secret');
    const { settings } = JSON.parse(stdout) as {
      settings: { name: string; value: string; origin: string }[];
    };
    const shown = Object.fromEntries(
      settings.map(({ name, value, origin }) => [name, `${value} (${origin})`]),
    );
    expect(shown).toMatchObject({
      listen: '127.0.0.1:9999 (flag)',
      log_level: 'error (environment)',
      embedder_budget_ms: '250 (vitrine.toml)',
      embedder: 'local (default)',
      embedder_api_key: '•••••• (environment)',
      bootstrap_api_key: ' (default)',
    });
  });

  test('reports every fault at once (78)', async () => {
    const { folder } = await initialized();
    writeFileSync(join(folder, 'vitrine.toml'), 'embeder = "off"\n');
    const environment = { VITRINE_EMBEDDER_BUDGET_MS: 'soon' };
    const { exitCode, stderr } = await vitrine(['config', '--data', folder, '--listen', 'here'], {
      environment,
    });
    expect(exitCode).toBe(78);
    expect(stderr.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(3);
  });
});

describe('as a program', () => {
  test('results go to stdout, remarks to stderr, and the exit code is the outcome', async () => {
    const { folder } = await initialized();
    const path = file('{"externalId":"a","name":"Lamp"}\nnonsense\n');
    const finished = await run(PROGRAM_COMMAND, [
      'catalog',
      'import',
      path,
      '--json',
      '--data',
      folder,
    ]);
    expect(finished.exitCode).toBe(2);
    expect(JSON.parse(finished.stdout)).toMatchObject({ new: 1, rejected: 1 });
    expect(finished.stderr).toContain(':2: error:');
  });

  test('--help of every command has an example and is no failure', async () => {
    const { exitCode, stdout } = await vitrine(['--help']);
    expect(exitCode).toBe(0);
    const names = [...stdout.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name]) => name!);
    expect(names).toContain('serve');
    const leaves = [
      'init',
      'serve',
      'search',
      'config',
      'audit',
      'catalog import',
      'catalog stats',
      'org create',
      'org list',
      'org set',
      'shop create',
      'shop list',
      'shop set',
      'key create',
      'key list',
      'key rotate',
      'key revoke',
    ];
    for (const leaf of leaves) {
      const help = await vitrine([...leaf.split(' '), '--help']);
      expect([leaf, help.exitCode, help.stdout]).toEqual([
        leaf,
        0,
        expect.stringContaining(`Example:\n  vitrine ${leaf}`),
      ]);
    }
  });
});
