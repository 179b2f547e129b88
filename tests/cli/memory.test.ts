import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Line } from '../../src/cli/machine/doctor.ts';
import { indexMemoryMb, readConfig } from '../../src/config.ts';
import { shortageOf } from '../../src/operations/indexes/loaded-index.ts';
import { controlGroupBytes } from '../../src/platform.ts';
import { jsonLines } from '../support/catalog.ts';
import { initializeFolder, vitrine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

let count = 0;
/** A folder with these files, as the root of a machine. */
function machine(files: Readonly<Record<string, string>>): string {
  const root = join(temporary.path, String(++count));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const UNIT = '0::/system.slice/vitrine.service\n';
const IN_UNIT = 'sys/fs/cgroup/system.slice/vitrine.service/memory.max';
const V1 = '5:cpu,cpuacct:/docker/a\n4:hugetlb,memory:/docker/a\n0::/\n';

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['none without control groups', {}, Number.POSITIVE_INFINITY],
  ['a unit’s own', { 'proc/self/cgroup': UNIT, [IN_UNIT]: '1000\n' }, 1000],
  [
    'the least of the groups around it',
    {
      'proc/self/cgroup': UNIT,
      [IN_UNIT]: 'max\n',
      'sys/fs/cgroup/system.slice/memory.max': '2000\n',
      'sys/fs/cgroup/memory.max': '3000\n',
    },
    2000,
  ],
  [
    'a container’s, whose group is the root',
    { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': '4000\n' },
    4000,
  ],
  [
    'version 1, where the path lies outside of the container',
    { 'proc/self/cgroup': V1, 'sys/fs/cgroup/memory/memory.limit_in_bytes': '5000\n' },
    5000,
  ],
])('the memory limit of a control group: %s', (_, files, bytes) => {
  expect(controlGroupBytes(machine(files))).toBe(bytes);
});

test.each([
  ['auto', 4 * 1024 ** 3, 1024],
  ['auto', 1024 ** 3, 256],
  ['auto', 1024 ** 4, 65_536],
  ['300', 1024 ** 3, 300],
  ['0', 1024 ** 3, 0],
])('index_memory_mb %s with %d bytes is %d MB', (indexMemory, bytes, megabytes) => {
  const flags = { indexMemoryMb: indexMemory };
  const config = readConfig({ dataFolder: 'data', flags, environment: {}, file: {} });
  expect(indexMemoryMb(config, bytes)).toBe(megabytes);
});

test('auto holds a million offerings by words alone on a machine with 8 GB, and while they are replaced', () => {
  const config = readConfig({ dataFolder: 'data', flags: {}, environment: {}, file: {} });
  const budgetBytes = indexMemoryMb(config, 8e9) * 1024 * 1024;
  const twice = { documentCount: 2_000_000, dimensions: 0 };
  expect(shortageOf(twice, { budgetBytes, machineBytes: 8e9 })).toBeNull();
});

test('a catalogue is not built where the machine lacks the memory for it, however much indexes may take', () => {
  const million = { documentCount: 1_000_000, dimensions: 0 };
  const budgetBytes = 4 * 1024 ** 3;
  expect(shortageOf(million, { budgetBytes, machineBytes: 2 * 1024 ** 3 })).toBeNull();
  const lack = { of: 'build', neededMb: 1018, allowedMb: 874 } as const;
  expect(shortageOf(million, { budgetBytes, machineBytes: 1024 ** 3 })).toEqual(lack);
  const none = { budgetBytes: 0, machineBytes: 2 * 1024 ** 3 };
  expect(shortageOf(million, none)).toMatchObject({ of: 'index', allowedMb: 0 });
});

test('a catalogue beyond index_memory_mb: its import and doctor say what it needs and what that costs', async () => {
  const data = join(temporary.path, 'data');
  await initializeFolder(data, '--org', 'Acme', '--currency', 'EUR');
  const rows = Array.from({ length: 1600 }, (_, at) => ({
    externalId: `${at}`,
    name: `Mug ${at}`,
  }));
  const file = join(temporary.path, 'mugs.jsonl');
  writeFileSync(file, jsonLines(rows));
  const environment = { VITRINE_INDEX_MEMORY_MB: '1' };
  const imported = await vitrine(['catalog', 'import', file, '--data', data], { environment });
  expect(imported.stderr).toContain('takes about 2 MB, and index_memory_mb allows 1.');
  const memory = async (indexMemoryMb: string) => {
    const flags = ['--index-memory-mb', indexMemoryMb, '--embedder', 'off', '--data', data];
    const { stdout } = await vitrine(['doctor', ...flags, '--json']);
    const { checks } = JSON.parse(stdout) as { checks: Line[] };
    return checks.find(({ name }) => name === 'memory')!;
  };
  expect(await memory('1')).toMatchObject({ state: 'warn' });
  expect((await memory('1')).message).toContain(
    'takes about 2 MB, of which index_memory_mb allows 1',
  );
  expect((await memory('auto')).state).toBe('ok');
});
