import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { SCHEMA_VERSION } from '../../src/services.ts';
import { initializeFolder, vitrine } from '../support/command-line.ts';
import { PROGRAM_COMMAND, run, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

test('ready exits with 0 while the service takes requests, and with 69 and one line when nobody answers', async () => {
  const folder = join(temporary.path, 'data');
  await initializeFolder(folder, '--org', 'Acme');
  const serving = await serve(PROGRAM_COMMAND, ['--data', folder, '--embedder', 'off']);
  const ready = ['ready', '--listen', new URL(serving.url).host, '--data', folder];
  expect((await vitrine(ready)).exitCode).toBe(0);
  await serving.stop();
  const { exitCode, stderr } = await vitrine(ready);
  expect([exitCode, stderr.trim().split('\n').length]).toEqual([69, 1]);
});

test('version --json names the version, the schema and the runtime', async () => {
  const { stdout } = await run(PROGRAM_COMMAND, ['version', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    version: packageJson.version,
    schema: SCHEMA_VERSION,
    runtime: `Bun ${Bun.version}`,
    system: `${process.platform}-${process.arch}`,
  });
});
