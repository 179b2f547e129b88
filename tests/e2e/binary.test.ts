import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BINARY, NO_BINARY } from './built-binary.ts';
import { askUntilLocal, CATALOG_FILE, finished, started, stopAll } from './program.ts';

if (BINARY === null)
  process.stderr.write(`skipped: the binary from an empty folder (${NO_BINARY})\n`);

/** Nothing of the test's own environment: what a service manager gives a program, if that. */
const NOTHING = {};

describe.skipIf(BINARY === null)('binary', () => {
  const binary = [BINARY ?? ''];
  const temporary = temporaryFolder();
  const data = join(temporary.path, 'data');
  let apiKey = '';
  afterEach(stopAll);
  afterAll(temporary.remove);

  /** A folder with nothing in it. */
  function emptyFolder(name: string): string {
    const folder = join(temporary.path, name);
    mkdirSync(folder);
    return folder;
  }

  beforeAll(async () => {
    const place = { cwd: emptyFolder('start'), environment: NOTHING };
    const init = ['init', '--org', 'Acme', '--currency', 'EUR', '--data', data, '--json'];
    const made = await finished(binary, init, place);
    apiKey = (JSON.parse(made.stdout) as { apiKey: string }).apiKey;
    const file = join(temporary.path, 'catalog.jsonl');
    writeFileSync(file, CATALOG_FILE);
    const imported = await finished(binary, ['catalog', 'import', file, '--data', data], place);
    expect(imported).toMatchObject({ exitCode: 0 });
  });

  test('writes nothing to stdout while it answers every kind of route', async () => {
    const serving = await serve(binary, ['--data', data, '--embedder', 'off']);
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    for (const path of ['/rest/search/v2/?q=a', '/rest/search/v3/?q=a', '/rest/org/ai/acme/'])
      expect((await fetch(serving.url + path, { headers })).status).toBe(200);
    for (const path of ['/mcp', '/mcp/org/acme/', '/mcp/messages', '/rest/hits/', '/none'])
      await fetch(serving.url + path, { method: 'POST', headers, body: ping });
    await serving.stop();
    expect(serving.stdout()).toBe('');
  });

  test('serves and searches by meaning with an empty environment, and neither runs, reads nor writes anything in the folder in which it starts', async () => {
    const cwd = emptyFolder('hostile');
    const worker = join(cwd, 'src', 'models');
    mkdirSync(worker, { recursive: true });
    const trap = `await Bun.write(${JSON.stringify(join(cwd, 'trapped'))}, '');\n`;
    for (const file of ['trap.ts', 'src/main.ts', 'src/models/local-embedder-worker.ts']) {
      writeFileSync(join(cwd, file), trap);
    }
    writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./trap.ts"]\n');
    writeFileSync(join(cwd, 'package.json'), '{ "imports": { "#any": "./trap.ts" } }\n');
    writeFileSync(
      join(cwd, 'tsconfig.json'),
      '{ "compilerOptions": { "paths": { "*": ["./trap.ts"] } } }\n',
    );
    for (const file of ['.env', '.env.local', '.env.production']) {
      writeFileSync(join(cwd, file), 'VITRINE_EMBEDDER=off\nVITRINE_BOOTSTRAP_ORG=Trapped\n');
    }
    const present = readdirSync(cwd, { recursive: true });
    const config = await finished(binary, ['config', '--json', '--data', data], {
      cwd,
      environment: NOTHING,
    });
    const { settings } = JSON.parse(config.stdout) as {
      settings: { name: string; origin: string }[];
    };
    expect(settings.filter(({ origin }) => origin !== 'default')).toEqual([]);
    const service = await started(binary, ['--data', data], { cwd, environment: NOTHING });
    const answer = await askUntilLocal(service.url, { apiKey, question: 'somewhere soft to sit' });
    expect(answer.results[0]).toMatchObject({
      externalId: 'couch',
      matchedOn: expect.arrayContaining(['meaning']),
    });
    expect(await service.stop()).toBe(0);
    expect(readdirSync(cwd, { recursive: true })).toEqual(present);
  });

  test.each([
    ['is missing', 'no-such-folder'],
    ['is a file', 'catalog.jsonl'],
  ])('unpacks elsewhere when the temp folder %s', async (_, name) => {
    const environment = { TMPDIR: join(temporary.path, name), HOME: emptyFolder(`home-${name}`) };
    const service = await started(binary, ['--data', data], { cwd: temporary.path, environment });
    const answer = await askUntilLocal(service.url, { apiKey, question: 'somewhere soft to sit' });
    expect(await service.stop()).toBe(0);
    expect(answer.results[0]).toMatchObject({ externalId: 'couch' });
  });

  test('demo loads the sample catalogue, asks it and says what to do next', async () => {
    const { exitCode, stdout } = await finished(
      binary,
      ['demo', '--once', '--listen', '127.0.0.1:0'],
      {
        cwd: emptyFolder('demo'),
        environment: NOTHING,
      },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('scoring: local');
    expect(stdout).toContain('curl -G http://127.0.0.1:');
  }, 120_000);

  test.each<[string, readonly string[], number]>([
    ['what it is asked for', ['--version'], 0],
    ['an unknown command', ['sell'], 64],
    ['a folder that was never initialised', ['serve', '--data', 'nowhere'], 78],
    ['a wrong setting', ['serve', '--data', 'nowhere', '--listen', 'here'], 78],
    ['a file that is not there', ['catalog', 'import', 'nothing.jsonl'], 66],
  ])('exit code for %s', async (_, args, exitCode) => {
    const environment = { VITRINE_DATA: data };
    const outcome = await finished(binary, args, { cwd: temporary.path, environment });
    expect(outcome).toMatchObject({ exitCode });
    if (exitCode !== 0) expect(outcome.stderr).not.toContain('    at ');
  });

  test('exit codes for a second process and for a file that is not a database', async () => {
    const place = { cwd: temporary.path, environment: NOTHING };
    const service = await started(binary, ['--data', data], place);
    const second = await finished(
      binary,
      ['serve', '--listen', '127.0.0.1:0', '--data', data],
      place,
    );
    await service.stop();
    expect(second).toMatchObject({ exitCode: 75 });
    const damaged = emptyFolder('damaged');
    writeFileSync(join(damaged, 'vitrine.db'), '');
    expect(await finished(binary, ['serve', '--data', damaged], place)).toMatchObject({
      exitCode: 74,
    });
    rmSync(damaged, { recursive: true });
  });
});
