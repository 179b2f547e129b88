import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSecret, SETTINGS } from '../../src/config.ts';
import { vitrine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const path = join(temporary.path, 'key');
writeFileSync(path, 'sk-4711\n');

const config = (args: readonly string[], environment: Record<string, string> = {}) =>
  vitrine(['config', '--json', '--data', temporary.path, ...args], { environment });

async function originOf(args: readonly string[], environment: Record<string, string> = {}) {
  const { exitCode, stdout } = await config(args, environment);
  const { settings } = JSON.parse(stdout) as { settings: Record<string, string>[] };
  expect([exitCode, stdout.includes('4711')]).toEqual([0, false]);
  const { value, origin } = settings.find(({ name }) => name === 'scorer_api_key')!;
  return [value, origin];
}

test('no secret can be an argument, which other users see in the list of processes', async () => {
  const { stdout } = await vitrine(['serve', '--help']);
  const secrets = Object.keys(SETTINGS).filter(isSecret);
  expect(secrets.length).toBeGreaterThan(4);
  expect(stdout.match(/--[a-z-]*(?:key|token)\b(?!-file)/g)).toBeNull();
  const { exitCode } = await config(['--scorer-api-key', 'sk-4711']);
  expect(exitCode).toBe(64);
});

test('a secret is read from a file that a flag or the environment names', async () => {
  expect(await originOf(['--scorer-api-key-file', path])).toEqual(['••••••', 'flag']);
  const environment = { VITRINE_SCORER_API_KEY_FILE: path };
  expect(await originOf([], environment)).toEqual(['••••••', 'environment']);
  expect(await originOf([])).toEqual(['', 'default']);
  // The value itself wins, so its file need not be there.
  const both = { VITRINE_SCORER_API_KEY: 'x', VITRINE_SCORER_API_KEY_FILE: '/nowhere' };
  expect(await originOf([], both)).toEqual(['••••••', 'environment']);
});

test('78: a missing or empty file is named together with the flag or variable that named it', async () => {
  const missing = await config(['--scorer-api-key-file', '/nowhere']);
  expect([missing.exitCode, missing.stderr]).toEqual([
    78,
    'vitrine: Bad configuration:\n  --scorer-api-key-file: /nowhere cannot be read\n',
  ]);
  const empty = join(temporary.path, 'empty');
  writeFileSync(empty, '\n');
  const { exitCode, stderr } = await config([], { VITRINE_WRITER_API_KEY_FILE: empty });
  expect([exitCode, stderr]).toEqual([
    78,
    `vitrine: Bad configuration:\n  VITRINE_WRITER_API_KEY_FILE: ${empty} is empty\n`,
  ]);
});
