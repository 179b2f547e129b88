import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LandingPageView } from '../../src/operations/landing/operate-landing-pages.ts';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const folder = join(temporary.path, 'data');
const here = ['--data', folder];
let apiKey = '';

async function initialize(data: string): Promise<string> {
  const init = ['--org', 'Acme', '--domain', 'shop.acme.example'];
  const made = await initializeFolder<{ apiKey: string }>(data, ...init);
  const file = join(temporary.path, 'catalog.jsonl');
  writeFileSync(file, jsonLines(CATALOG));
  await vitrine(['catalog', 'import', file, '--data', data]);
  return made.apiKey;
}

beforeAll(async () => {
  apiKey = await initialize(folder);
});
afterAll(() => temporary.remove());

test('show tells the state of every page, regenerate builds one, show --page prints it', async () => {
  const fresh = join(temporary.path, 'fresh');
  await initialize(fresh);
  const here = ['--data', fresh];
  const before = await vitrineJson<{ pages: LandingPageView[] }>('landing', 'show', ...here);
  expect(before.pages).toMatchObject([{ organization: 'acme', state: 'never built', bytes: 0 }]);
  const built = await vitrine(['landing', 'regenerate', ...here]);
  expect([built.exitCode, built.stdout]).toEqual([
    0,
    expect.stringMatching(/acme +fresh .* tokens/),
  ]);
  await vitrine(['org', 'set', '--description', 'Pots since 1902.', ...here]);
  expect((await vitrine(['landing', 'show', ...here])).stdout).toMatch(/acme +stale/);
  await vitrine(['landing', 'regenerate', ...here]);
  const { stdout } = await vitrine(['landing', 'show', '--page', ...here]);
  expect(stdout).toStartWith('# Acme\n\n> Pots since 1902.\n');
});

test('export writes both files, or the one that is named, up to date and without a key', async () => {
  const out = join(temporary.path, 'web');
  mkdirSync(out);
  const exported = await vitrine(['landing', 'export', '--llms-txt', '--out', out, ...here]);
  expect(exported).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('public_url') });
  expect(existsSync(join(out, 'AGENTS.md'))).toBe(false);
  await vitrine(['org', 'set', '--description', 'Newer.', ...here]);
  const environment = { VITRINE_PUBLIC_URL: 'https://ai.acme.example' };
  const both = await vitrine(['landing', 'export', '--out', out, ...here], { environment });
  expect([both.exitCode, both.stderr]).toEqual([0, '']);
  const page = readFileSync(join(out, 'llms.txt'), 'utf8');
  expect(page).toContain('> Newer.');
  const agents = readFileSync(join(out, 'AGENTS.md'), 'utf8');
  expect(agents).toStartWith('# Agents at Acme\n\nNewer.\n');
  expect(agents).toContain('`https://shop.acme.example/llms.txt`');
  for (const text of [page, agents]) {
    expect(text).toContain('`https://ai.acme.example/mcp/org/');
    expect(text).not.toContain(apiKey.slice(0, 15));
  }
});

test('an empty value removes a fact of the profile; an invalid value is refused (64)', async () => {
  const set = ['org', 'set', ...here];
  await vitrine([...set, '--contact-email', 'hello@acme.example', '--opening-hours', 'daily']);
  const page = async () => {
    await vitrine(['landing', 'export', '--out', temporary.path, ...here]);
    return readFileSync(join(temporary.path, 'llms.txt'), 'utf8');
  };
  expect(await page()).toContain(
    '## Contact\n\n- E-mail: hello@acme.example\n- Opening hours: daily\n',
  );
  await vitrine([...set, '--opening-hours', '']);
  expect(await page()).not.toContain('Opening hours');
  const refused = async (...args: string[]) => (await vitrine([...set, ...args])).exitCode;
  expect(await refused('--contact-email', 'nobody')).toBe(64);
  expect(await refused('--description', 'x'.repeat(301))).toBe(64);
  expect(await refused('--description', 'x'.repeat(300))).toBe(0);
});
