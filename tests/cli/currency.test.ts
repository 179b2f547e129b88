import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShopView } from '../../src/operations/tenants/organizations.ts';
import { jsonLines } from '../support/catalog.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

let count = 0;

async function initialized() {
  const folder = join(temporary.path, `data-${++count}`);
  await initializeFolder(folder, '--org', 'Acme', '--currency', 'EUR');
  return {
    run: (...args: string[]) => vitrine([...args, '--data', folder]),
    json: <Result>(...args: string[]) => vitrineJson<Result>(...args, '--data', folder),
  };
}

describe('init', () => {
  test('names the currency it took, and how to change it', async () => {
    const folder = join(temporary.path, 'default-currency');
    const { stdout } = await vitrine(['init', '--org', 'A', '--data', folder]);
    expect(stdout).toContain(
      '\nPrices that name no currency are USD: "vitrine shop set --currency CODE" changes that.\n',
    );
  });
});

describe('shop set --currency', () => {
  test('counts from the next import on, and leaves stored prices and named currencies as they are', async () => {
    const { run: command, json } = await initialized();
    const path = join(temporary.path, 'prices.jsonl');
    writeFileSync(
      path,
      jsonLines([
        { externalId: 'bare', name: 'Lamp', price: '5.00' },
        { externalId: 'named', name: 'Vase', price: '7.00', currency: 'EUR' },
      ]),
    );
    const prices = async () => {
      const exported = join(temporary.path, `prices-${++count}.jsonl`);
      await command('catalog', 'export', exported);
      return readFileSync(exported, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ externalId, price, currency }) => `${externalId} ${price} ${currency}`)
        .sort();
    };
    await command('catalog', 'import', path);
    const set = await command('shop', 'set', '--currency', 'chf');
    expect([set.exitCode, set.stdout, set.stderr]).toEqual([
      0,
      expect.stringContaining('CHF'),
      'Prices imported so far keep their currency: import files whose prices name none again.\n',
    ]);
    expect((await json<ShopView[]>('shop', 'list'))[0]?.currency).toBe('CHF');
    expect(await prices()).toEqual(['bare 5.00 EUR', 'named 7.00 EUR']);
    expect((await command('catalog', 'import', path)).stdout).toMatch(/^0 new, 1 changed, 1 same/);
    expect(await prices()).toEqual(['bare 5.00 CHF', 'named 7.00 EUR']);
  });

  test('an unknown code is refused (64), and nothing changes', async () => {
    const { run: command, json } = await initialized();
    expect((await command('shop', 'set', '--currency', 'EURO')).exitCode).toBe(64);
    expect((await json<ShopView[]>('shop', 'list'))[0]?.currency).toBe('EUR');
  });
});
