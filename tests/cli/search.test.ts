import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import {
  type CommandLineOptions,
  initializeFolder,
  vitrine,
  vitrineJson,
} from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

describe('search', () => {
  const folder = join(temporary.path, 'data');
  beforeAll(async () => {
    const file = join(temporary.path, 'catalog.jsonl');
    writeFileSync(file, jsonLines(CATALOG));
    await initializeFolder(folder, '--org', 'Acme', '--currency', 'EUR');
    await vitrineJson('catalog', 'import', file, '--data', folder);
  });
  const search = (args: string[], options: CommandLineOptions = {}) =>
    vitrine(['search', ...args, '--data', folder], {
      environment: { VITRINE_EMBEDDER: 'off' },
      ...options,
    });

  test('a table with bars, best first, no line longer than the terminal', async () => {
    const { exitCode, stdout } = await search(['yellow', 'anorak'], { columns: 80 });
    expect(exitCode).toBe(0);
    const lines = Bun.stripANSI(stdout).split('\n');
    expect(lines[0]).toMatch(/^\d+ of \d+ for “yellow anorak” in [\d.]+ ms, scoring: unavailable$/);
    expect(stdout).toContain('No embedding model is available');
    expect(stdout).toMatch(/ 1 {2}█{9}[▏▎▍▌▋▊▉]?·? 0\.9\d .*Yellow anorak.* 80\.00 EUR\n/);
    expect(stdout).toMatch(/ 2 {2}█+[▏▎▍▌▋▊▉]?·+ 0\.\d\d .*Yellow anorak.* 80\.00 EUR, sold out/);
    for (const line of lines.slice(2)) expect(line.length).toBeLessThanOrEqual(80);
    // The next search reads the index that this one has built.
    const files = readdirSync(join(folder, 'index'));
    expect(files).toEqual([expect.stringMatching(/\.index$/)]);
    const { ino } = statSync(join(folder, 'index', files[0]!));
    await search(['yellow', 'anorak']);
    expect(statSync(join(folder, 'index', files[0]!)).ino).toBe(ino);
  });

  test('--explain adds the reasons below each result', async () => {
    const { stdout } = await search(['lighthouse lamp', '--explain']);
    expect(Bun.stripANSI(stdout)).toMatch(
      /Lighthouse lamp <small>.*49\.90 EUR \(was 59\.90\)\n {5}“lighthouse” and “lamp” in the name\. \[name, /,
    );
  });

  test('--json gives what a program needs', async () => {
    const { stdout } = await search([
      'lighthouse',
      '--json',
      '--limit',
      '1',
      '--products-only',
      '--no-scoring',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      query: 'lighthouse',
      count: 1,
      scoring: 'skipped',
      results: [{ externalId: 'lighthouse-lamp', price: '49.90', currency: 'EUR', shop: 'shop-1' }],
    });
  });

  test('without a service it waits for a model that loads longer than the budget of a search', async () => {
    let isLoaded = false;
    let answer = '';
    const endpoint = Bun.serve({
      port: 0,
      async fetch(request) {
        const { input } = (await request.json()) as { input: string[] };
        if (!isLoaded) await Bun.sleep(900);
        isLoaded = true;
        return Response.json({
          data: input.map((_, index) => ({ index, embedding: [1, 0, 0, 0] })),
        });
      },
    });
    // A busy machine may use up the budget of the search itself, but not each time.
    for (let tries = 0; tries < 5 && !answer.includes('scoring: local'); tries++) {
      isLoaded = false;
      const environment = {
        VITRINE_EMBEDDER: 'endpoint',
        VITRINE_EMBEDDER_URL: `http://127.0.0.1:${endpoint.port}/v1`,
        VITRINE_EMBEDDER_MODEL: 'slow-to-load',
        VITRINE_EMBEDDER_BUDGET_MS: '500',
      };
      answer = (await search(['lighthouse'], { environment })).stdout;
      expect(isLoaded).toBe(true);
    }
    await endpoint.stop(true);
    expect(answer).toContain('scoring: local');
    expect(answer).not.toContain('match by words alone');
  });

  test('an empty result is reported in words and is not a failure', async () => {
    const { exitCode, stdout } = await search(['xylophone']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('No results.')]);
  });

  test.each([[['x', '--limit', '0']], [['x', '--limit', '101']], [[]]])(
    '64 for %j',
    async (args) => {
      expect((await search(args)).exitCode).toBe(64);
    },
  );
});
