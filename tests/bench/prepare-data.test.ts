import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { prepareData } from '../../scripts/bench/vitrine.ts';
import { initializeFolder, vitrineJson } from '../support/command-line.ts';
import { PROGRAM_COMMAND } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

test('a benchmark uses its own data again, copies data of others, and changes none of them', async () => {
  const program = { label: '', command: PROGRAM_COMMAND };
  const [others, own] = ['others', 'own'].map((name) => join(temporary.path, name)) as [
    string,
    string,
  ];
  await initializeFolder(others, '--org', 'Others');
  const keysOf = async (data: string) =>
    (await vitrineJson<unknown[]>('key', 'list', '--data', data)).length;
  const keys = await keysOf(others);
  const refused = 'holds data that this benchmark did not make';
  const prepare = (data: string, copyOf?: string) => prepareData(program, { data, copyOf });
  const failureOf = (preparing: Promise<unknown>) => preparing.then(() => '', String);
  expect(await failureOf(prepare(others))).toContain(refused);
  await prepare(own);
  await prepare(own);
  expect(await failureOf(prepare(own, others))).toContain(refused);
  expect((await prepare(join(temporary.path, 'copy'), others)).apiKey).toStartWith('vk_');
  expect(await keysOf(others)).toBe(keys);
}, 60_000);
