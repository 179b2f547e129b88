import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LONG = 'Donaudampfschifffahrtsgesellschaft and Daughters, Purveyors of Kettles';

const temporary = temporaryFolder();
const data = join(temporary.path, 'data');
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response(`id,title,price\na,${LONG},5\nb,B,wrong\n`),
});

beforeAll(async () => {
  await initializeFolder(data, '--org', LONG, '--currency', 'EUR');
  await vitrineJson(
    'shop',
    'set',
    '--name',
    LONG,
    '--domain',
    'kettles.shop.example',
    '--data',
    data,
  );
  await vitrineJson('key', 'create', '--name', LONG, '--data', data);
  const url = `http://127.0.0.1:${server.port}/${'feed-of-kettles/'.repeat(6)}products.csv`;
  await vitrine(['catalog', 'import', url, '--allow-private', '--every', '6h', '--data', data]);
});
afterAll(() => {
  server.stop(true);
  temporary.remove();
});

const file = (text: string) => {
  const path = join(temporary.path, 'table.csv');
  writeFileSync(path, text);
  return path;
};

test.each([
  'org list',
  'shop list',
  'key list',
  'audit',
  'catalog stats',
  'catalog sources',
  'hits report',
  'landing show',
  'search kettles --explain',
  'config',
  'doctor',
])('%s fits 80 columns, whatever it lists', async (words) => {
  const args = [...words.split(' '), '--data', data];
  const { exitCode, stdout } = await vitrine(args, { columns: 80 });
  const lines = stripVTControlCharacters(stdout).split('\n');
  expect([exitCode, lines.filter((line) => line.length > 80)]).toEqual([0, []]);
});

test('nothing of a list is lost in 80 columns, and a pipe gets one line for each', async () => {
  const narrow = await vitrine(['key', 'list', '--data', data], { columns: 80 });
  const keys = await vitrineJson<{ id: string; scopes: string[] }[]>('key', 'list', '--data', data);
  for (const { id, scopes } of keys)
    for (const part of [id, ...scopes]) expect(narrow.stdout).toContain(part);
  const piped = await vitrine(['key', 'list', '--data', data]);
  expect(piped.stdout.trim().split('\n')).toHaveLength(keys.length + 1);
});

test('the summary of a dry run and the guess of a table fit 80 columns', async () => {
  const heading = 'Eine sehr lange Spaltenüberschrift, die niemand lesen will';
  const path = file(`Art.-Nr.;Name;Preis;${heading}\n1;${LONG};9,90;${LONG}${LONG}\n`);
  const args = ['catalog', 'import', path, '--dry-run', '--data', data];
  const { stdout, stderr } = await vitrine(args, { columns: 80 });
  const guess = stderr.split('\n').slice(1, 6);
  expect(guess.join('\n')).toContain('first values');
  expect([...stdout.split('\n'), ...guess].filter((line) => line.length > 80)).toEqual([]);
});
