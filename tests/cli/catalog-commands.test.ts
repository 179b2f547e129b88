import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CatalogStats } from '../../src/operations/imports/catalog-stats.ts';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { PROGRAM_COMMAND, type Serving, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);
const servings: Serving[] = [];
afterEach(async () => {
  for (const serving of servings.splice(0)) await serving.stop();
});

let count = 0;
const pathOf = (name: string) => join(temporary.path, `${++count}-${name}`);

function file(rows: readonly object[]): string {
  const path = pathOf('catalog.jsonl');
  writeFileSync(path, jsonLines(rows));
  return path;
}

async function initialized() {
  const folder = pathOf('data');
  await initializeFolder(folder, '--org', 'Acme', '--currency', 'EUR');
  return { folder, run: (...args: string[]) => vitrine([...args, '--data', folder]) };
}

const lamps = (amount: number) =>
  Array.from({ length: amount }, (_, at) => ({ externalId: `${at}`, name: `Lamp ${at}` }));

test('an import that leaves offerings without an address prints the command that gives them one', async () => {
  const { run } = await initialized();
  const { stderr, exitCode } = await run('catalog', 'import', file(lamps(2)));
  expect(exitCode).toBe(0);
  expect(stderr).toEndWith(
    '2 offerings have no address to link to, such as Lamp 0 (0). To mend it:\n' +
      '  vitrine shop set shop-1 --domain YOUR-DOMAIN --product-url-template "https://{domain}/YOUR-PATH/{external_id}"\n',
  );
  const template = 'https://{domain}/lamp/{external_id}';
  const args = ['--domain', 'shop.example', '--product-url-template', template];
  await run('shop', 'set', 'shop-1', ...args);
  expect((await run('catalog', 'import', file(lamps(2)))).stderr).not.toContain('no address');
});

describe.each(['on its own', 'with a service running'])('%s', (how) => {
  const open = async () => {
    const opened = await initialized();
    if (how === 'with a service running') {
      const args = ['--data', opened.folder, '--embedder', 'off'];
      servings.push(await serve(PROGRAM_COMMAND, args));
    }
    return opened;
  };

  test('export, import and export again: nothing changes, the bytes are the same', async () => {
    const { run } = await open();
    await run('catalog', 'import', file([...CATALOG, ...lamps(2500)]));
    const plain = pathOf('export.jsonl');
    const packed = pathOf('export.jsonl.gz');
    const items = CATALOG.length + 2500;
    const contexts = CATALOG.filter((row) => row['type'] === 'context').length;
    const exported = await run('catalog', 'export', plain);
    expect([exported.exitCode, exported.stdout]).toEqual([
      0,
      `${plain}: ${items - contexts} offerings, ${contexts} contexts\n`,
    ]);
    await run('catalog', 'export', packed);
    expect(gunzipSync(readFileSync(packed)).equals(readFileSync(plain))).toBe(true);
    expect((await run('catalog', 'export', '-')).stdout).toBe(readFileSync(plain, 'utf8'));
    const again = await run('catalog', 'import', packed, '--full');
    expect([again.exitCode, again.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^0 new, 0 changed, ${items} same, 0 archived, 0 rejected`)),
    ]);
    await run('catalog', 'export', packed);
    expect(gunzipSync(readFileSync(packed)).equals(readFileSync(plain))).toBe(true);
    expect(readdirSync(temporary.path).filter((name) => name.endsWith('.part'))).toEqual([]);
    const waited = await run('catalog', 'stats', '--wait');
    expect([waited.exitCode, waited.stdout, waited.stderr]).toEqual([
      69,
      '',
      how === 'on its own'
        ? 'vitrine: No service is running on this data folder: start it with "vitrine serve".\n'
        : 'vitrine: The running service searches by words alone.\n',
    ]);
  }, 60_000);

  test('--full refuses to shrink a shop by much, does it when told, and rollback undoes it', async () => {
    const { run, folder } = await open();
    const offerings = async () =>
      (await vitrineJson<CatalogStats>('catalog', 'stats', '--data', folder)).offerings;
    await run('catalog', 'import', file(lamps(100)));
    const few = file(lamps(10));
    const refused = await run('catalog', 'import', few, '--full');
    expect([refused.exitCode, refused.stderr]).toEqual([
      73,
      expect.stringContaining('lacks 90 of 100 items, more than a quarter: nothing was changed'),
    ]);
    expect(await offerings()).toBe(100);
    const shrunk = await run('catalog', 'import', few, '--full', '--allow-shrink');
    expect([shrunk.exitCode, shrunk.stdout]).toEqual([
      0,
      expect.stringMatching(/^0 new, 0 changed, 10 same, 90 archived, 0 rejected/),
    ]);
    expect(await offerings()).toBe(10);
    const back = await run('catalog', 'rollback');
    expect([back.exitCode, back.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^shop-1: rolled back the import of .*catalog.jsonl \(.*see 100 offering/,
      ),
    ]);
    expect(await offerings()).toBe(100);
    const twice = await run('catalog', 'rollback');
    expect([twice.exitCode, twice.stderr]).toEqual([
      73,
      'vitrine: There is nothing to roll back in shop-1: nothing was imported since the last rollback.\n',
    ]);
  });
});

test('an import that fails leaves no bar on the line of its message', async () => {
  const { folder, run } = await initialized();
  await run('catalog', 'import', file(lamps(100)));
  const { stderr } = await vitrine(
    ['catalog', 'import', file(lamps(10)), '--full', '--data', folder],
    { isTerminal: true },
  );
  expect(stderr).toContain('reading');
  expect(stderr).toContain('\r\u001b[Kvitrine: The file lacks 90 of 100 items');
});

describe('export', () => {
  test('a folder that is missing: one line and exit code 73', async () => {
    const { run } = await initialized();
    const folder = pathOf('missing');
    const { exitCode, stderr } = await run('catalog', 'export', join(folder, 'x.jsonl'));
    expect([exitCode, stderr]).toEqual([
      73,
      `vitrine: There is no folder ${folder}: create it first.\n`,
    ]);
  });
});

describe('stats --wait', () => {
  test('does not wait where there is nothing to embed', async () => {
    const { run } = await initialized();
    expect((await run('catalog', 'stats', '--wait')).exitCode).toBe(0);
  });
});

describe('import and validate', () => {
  const products = (amount: number, status: string) =>
    Array.from({ length: amount }, (_, at) => `lamp-${at},Lamp ${at},5,FALSE,${status}\n`).join('');
  const shopify = (rows: string) => {
    const path = pathOf('products.csv');
    writeFileSync(path, `Handle,Title,Variant Price,Gift Card,Status\n${rows}`);
    return path;
  };
  const linesOf = (text: string) => text.split('\n').filter((line) => /:\d+: /.test(line));

  test('the same warnings, in the same words, and no file of what need not be corrected', async () => {
    const { run } = await initialized();
    const path = shopify(`${products(1, 'draft')}vase,Vase,7,FALSE,active\n`);
    const { stdout } = await vitrine(['catalog', 'validate', path]);
    const { stderr, exitCode } = await run('catalog', 'import', path);
    expect(linesOf(stdout)).toEqual([expect.stringMatching(/:2: warning: .+ \(not_published\)$/)]);
    expect(linesOf(stderr)).toEqual(linesOf(stdout));
    expect([exitCode, existsSync(`${path}.errors.csv`)]).toEqual([0, false]);
    expect(stdout).toContain('1 warning\n');
  });

  test('the same ten lines of a file with more faults, and how many are left', async () => {
    const { run } = await initialized();
    const path = shopify(products(12, 'draft'));
    const { stdout } = await vitrine(['catalog', 'validate', path]);
    const { stderr } = await run('catalog', 'import', path);
    expect(linesOf(stdout)).toHaveLength(10);
    expect(linesOf(stderr)).toEqual(linesOf(stdout));
    expect(stdout).toContain('\n… and 2 more: --json lists the first 1000\n');
    expect(stderr).toContain('\n… and 2 more\n');
  });
});

describe('validate', () => {
  test('checks everything, without a data folder and without writing anything', async () => {
    const path = file([...lamps(2), { externalId: '0', name: 'Twice' }, { externalId: 'x' }]);
    const before = readdirSync(temporary.path).sort();
    const { exitCode, stdout } = await vitrine(['catalog', 'validate', path, '--data', 'nowhere']);
    expect(exitCode).toBe(2);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/:3: error: An earlier record has the same external id\./),
      expect.stringMatching(/:4: error: name is required/),
      `${path}: json-lines, 2 good, 2 rejected, 0 warnings`,
      '',
    ]);
    expect(readdirSync(temporary.path).sort()).toEqual(before);
    expect(existsSync('nowhere')).toBe(false);
  });

  test.each([
    ['a script', 'deploy.sh', '# Deploy\nTOKEN=s3cr3t\n', 'has an unknown format'],
    [
      'an older workbook',
      'shop.xls',
      Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
      'is a workbook of Excel before 2007',
    ],
    ['bytes', 'shop.bin', '\u0001\0\u0002\0', 'is not text'],
    ['an empty file', 'empty.csv', '\n', 'is empty'],
  ])(
    '65: %s is named as what it is, and nothing of it is taken',
    async (_, name, content, said) => {
      const path = pathOf(name);
      writeFileSync(path, content);
      const { exitCode, stdout, stderr } = await vitrine(['catalog', 'validate', path]);
      expect([exitCode, stdout]).toEqual([65, '']);
      expect(stderr).toContain(`${name} ${said}`);
      expect(stderr).not.toContain('s3cr3t');
    },
  );

  test('a text is Markdown when one says so', async () => {
    const path = pathOf('returns.txt');
    writeFileSync(path, '# Returns\n\n30 days.\n');
    const { exitCode, stdout } = await vitrine([
      'catalog',
      'validate',
      path,
      '--format',
      'markdown',
    ]);
    expect([exitCode, stdout]).toEqual([0, `${path}: markdown, 1 good, 0 rejected, 0 warnings\n`]);
  });

  test('0 for a good file, 1 for one with nothing good, prices by the currency', async () => {
    const priced = file([{ externalId: 'a', name: 'Lamp', price: '1.50' }]);
    expect((await vitrine(['catalog', 'validate', priced])).exitCode).toBe(0);
    const yen = await vitrine(['catalog', 'validate', priced, '--currency', 'JPY', '--json']);
    expect([yen.exitCode, JSON.parse(yen.stdout)]).toMatchObject([
      1,
      { good: 0, rejected: 1, faults: [{ line: 1, code: 'invalid_price' }] },
    ]);
    expect((await vitrine(['catalog', 'validate', priced, '--currency', 'yen'])).exitCode).toBe(64);
  });
});
