import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenVector, WIDTH, writeModel } from '../models/folder/small-model.ts';
import { PROGRAM_COMMAND } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  type Answer,
  askUntilLocal,
  CATALOG_FILE,
  finished,
  type Place,
  started,
  stopAll,
} from './program.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const MAIN = join(ROOT, 'src', 'main.ts');
const QUESTIONS = [
  'somewhere soft to sit',
  'rain anorak',
  'something for hot tea',
  'drill under 150',
];

/** The vector of the small model for "red": the sum of its tokens. */
const RED = [2, 4, 3].map(tokenVector).reduce((one, row) => one.map((v, at) => v + row[at]!));

const DENO = findDeno();
if (DENO === null)
  process.stderr.write(
    'skipped: the same under Deno (its package has no program for this machine)\n',
  );

describe.skipIf(DENO === null)('deno', () => {
  const temporary = temporaryFolder();
  const place: Place = {
    cwd: temporary.path,
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(temporary.path, 'home'),
      NO_COLOR: '1',
    },
  };
  afterAll(() => {
    stopAll();
    temporary.remove();
  });

  test('initialises, imports, serves and answers as Bun does, meaning and assistants included', async () => {
    writeFileSync(join(temporary.path, 'catalog.jsonl'), CATALOG_FILE);
    const bun = await answers(PROGRAM_COMMAND, 'bun');
    const deno = await answers([DENO ?? '', 'run', '-A', MAIN], 'deno');
    expect(bun[0]?.[0]).toMatchObject({
      externalId: 'couch',
      matchedOn: expect.arrayContaining(['meaning']),
    });
    expect(deno).toEqual(bun);
  }, 120_000);

  test('runs a model of one’s own, from a folder that cannot be written, with the vectors that Bun makes', async () => {
    const model = writeModel(join(temporary.path, 'small'), {
      'reference-vectors.json': [{ text: 'red', purpose: 'query', vector: RED }],
    });
    const names = ['', ...readdirSync(model, { recursive: true }).map(String)];
    const permit = (writing: number) => {
      for (const name of names) {
        const path = join(model, name);
        chmodSync(path, (statSync(path).mode & ~0o222) | writing);
      }
    };
    permit(0);
    const args = ['model', 'check', model, '--json', '--data', join(temporary.path, 'none')];
    const { stdout, stderr } = await finished([DENO ?? '', 'run', '-A', MAIN], args, place);
    permit(0o200);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ tag: expect.stringMatching(/^small@/), dimensions: WIDTH },
      reference: { count: 1, cosineMin: expect.closeTo(1, 5) },
    });
  }, 60_000);

  /** A catalogue's whole way, in a data folder of its own. */
  async function answers(command: readonly string[], folder: string): Promise<Answer['results'][]> {
    const data = ['--data', join(temporary.path, folder)];
    const made = await finished(
      command,
      ['init', '--org', 'Acme', '--currency', 'EUR', '--json', ...data],
      place,
    );
    const { apiKey } = JSON.parse(made.stdout) as { apiKey: string };
    const imported = await finished(
      command,
      ['catalog', 'import', 'catalog.jsonl', ...data],
      place,
    );
    expect(imported).toMatchObject({ exitCode: 0 });
    const service = await started(command, data, place);
    const found: Answer['results'][] = [];
    for (const question of QUESTIONS) {
      const { results } = await askUntilLocal(service.url, { apiKey, question });
      found.push(
        results.map(({ externalId, score, matchedOn }) => ({ externalId, score, matchedOn })),
      );
    }
    const checked = await finished(
      command,
      ['mcp', 'check', service.url, '--api-key', apiKey, '--json'],
      place,
    );
    const steps = JSON.parse(checked.stdout) as { name: string; ok: boolean }[];
    expect(steps.filter(({ ok }) => !ok)).toEqual([]);
    expect(steps).toHaveLength(14);
    expect(await service.stop()).toBe(0);
    return found;
  }
});

/** The program inside the optional package for this machine: the launcher beside it wants Node. */
function findDeno(): string | null {
  const packages = join(ROOT, 'node_modules', '@deno');
  if (!existsSync(packages)) return null;
  const programs = readdirSync(packages).flatMap((name) =>
    ['deno', 'deno.exe'].map((program) => join(packages, name, program)),
  );
  return programs.find((program) => existsSync(program)) ?? null;
}
