import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { vitrine, vitrineJson } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const data = ['--data', join(temporary.path, 'data')];
const file = join(temporary.path, 'rules.json');

beforeAll(async () => {
  const catalog = join(temporary.path, 'catalog.jsonl');
  writeFileSync(catalog, jsonLines(CATALOG));
  await vitrineJson('init', '--org', 'Acme', ...data);
  await vitrineJson('catalog', 'import', catalog, ...data);
});
afterAll(temporary.remove);

const tune = (...args: string[]) => vitrine(['tune', ...args, ...data]);

test('rules are added, listed, exported, removed, taken back and imported', async () => {
  await tune('pin', 'something yellow', 'lighthouse-lamp', '--place', '2');
  await tune('hide', 'lighthouse-lamp', '--question', 'lamp');
  await tune('boost', '--tag', 'sale', '--factor', '1.5', '--until', '2026-12-24');
  const added = await tune('synonym', 'trainers', 'running shoes', '--one-way');
  expect(added.stdout).toBe('shop-1: 1 added, 0 removed, 4 rules now.\n');
  const { stdout: list } = await tune('list');
  expect(Bun.stripANSI(list).replace(/^\w{8} /gm, '')).toBe(`id        rule     shop-1
 pin      “something yellow” → lighthouse-lamp on place 2
 hide     lighthouse-lamp for “lamp”
 boost    tag sale × 1.5 until 2026-12-24
 synonym  trainers → running shoes
`);
  expect((await tune('export', file)).stdout).toBe(`4 rules of shop-1 in ${file}.\n`);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(7);
  const [first] = list.split('\n').slice(1);
  expect((await tune('remove', first!.slice(0, 8))).stdout).toContain('1 removed, 3 rules now');
  expect((await tune('undo')).stdout).toContain('1 added, 0 removed, 4 rules now');
  writeFileSync(file, '[{"kind":"hide","item":"no-longer-there"}]');
  const dry = await tune('import', file, '--dry-run');
  expect(dry.stdout).toBe(
    'shop-1: 1 added, 4 removed, 1 rule now.\nNot in the catalogue now, so without effect: no-longer-there.\n',
  );
  expect((await tune('list', '--json')).stdout).toContain('running shoes');
});

test('a mistake is one line with its exit code', async () => {
  const outcome = async (...args: string[]) => {
    const { exitCode, stderr } = await tune(...args);
    return [exitCode, stderr];
  };
  expect(await outcome('pin', 'x', 'lighthouse-lampe')).toEqual([
    66,
    'vitrine: The catalogue of shop-1 has no item with the external id "lighthouse-lampe".\n',
  ]);
  expect(await outcome('boost', '--factor', '2')).toEqual([
    64,
    'vitrine: Name a --vendor, a --type or a --tag.\n',
  ]);
  writeFileSync(file, '[{"kind":"hide","item":"x"},{"kind":"pin","item":"x","place":1}]');
  expect(await outcome('import', file)).toEqual([
    64,
    'vitrine: Rule 2: it must have required properties question.\n',
  ]);
  writeFileSync(file, '{}');
  expect(await outcome('import', file)).toEqual([
    64,
    `vitrine: ${file} must contain a JSON array of rules.\n`,
  ]);
  expect((await outcome('import', join(temporary.path, 'none.json')))[0]).toBe(66);
});
