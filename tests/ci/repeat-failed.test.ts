import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failedFiles, readTestLog } from '../../scripts/ci/test-log.ts';
import { run } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCRIPT = new URL('../../scripts/repeat-failed.ts', import.meta.url).pathname;

const temporary = temporaryFolder();
afterAll(temporary.remove);

const LOG = `bun test v1.4.5 3x PARALLEL

tests/fails-once.test.ts:
(pass) stays good [0.02ms]
error: expect(received).toBe(expected)
(fail) once > told (twice) [0.55ms]

tests/fails-always.test.ts:
(fail) every time [1.2s]
(skip) on another system

tests/crashes.test.ts:
✗ tests/crashes.test.ts (worker crashed: exit code 3)

tests/fails-once.test.ts:
(pass) also good

tests/cannot-load.test.ts:

# Unhandled error between tests
-------------------------------

tests/good.test.ts:
(pass) good [1.00ms]

2 tests failed:
(fail) every time [1.2s]

 3 pass
 1 skip
 4 fail
`;

test('a file counts as failed by a test, by itself or by its process, wherever its lines are in the log', () => {
  const outcomes = readTestLog(LOG);
  expect(failedFiles(outcomes)).toEqual([
    'tests/fails-once.test.ts',
    'tests/fails-always.test.ts',
    'tests/crashes.test.ts',
    'tests/cannot-load.test.ts',
  ]);
  expect(outcomes.get('tests/fails-once.test.ts')).toEqual({
    ...{ passed: 2, skipped: 0 },
    failed: ['once > told (twice)'],
  });
  expect(outcomes.get('tests/good.test.ts')).toEqual({ passed: 1, skipped: 0, failed: [] });
});

let count = 0;

/** Runs the script on a log by which these files failed, and have the content that they have now. */
async function repeat(files: Readonly<Record<string, string>>) {
  const path = join(temporary.path, String(++count));
  mkdirSync(path);
  let log = 'tests/good.test.ts:\n(pass) good\n(skip) elsewhere\n';
  for (const [name, tests] of Object.entries(files)) {
    writeFileSync(join(path, name), `import { test } from 'bun:test';\n${tests}`);
    log += `${name}:\n(fail) chance\n`;
  }
  writeFileSync(join(path, 'log'), log);
  return run([process.execPath, SCRIPT], ['log'], { cwd: path });
}

const RECOVERS = `test('chance', () => {}); test('other', () => {});`;

test('a failure that does not repeat is named, and does not fail the run', async () => {
  const { exitCode, stdout } = await repeat({ 'recovers.test.ts': RECOVERS });
  expect(stdout).toContain('passed when repeated: recovers.test.ts: chance\n');
  expect(stdout).toEndWith(' 3 pass\n 1 skip\n 0 fail\n');
  expect(exitCode).toBe(0);
});

test('a failure that repeats fails the run, as a test, at loading or by a crash', async () => {
  const { exitCode, stdout } = await repeat({
    'recovers.test.ts': RECOVERS,
    'fails.test.ts': `test('chance', () => { throw new Error('again'); });`,
    'loads.test.ts': `throw new Error('again');`,
    'crashes.test.ts': `test('chance', () => process.exit(0));`,
  });
  expect(stdout.match(/passed when repeated: .*/g)).toEqual([
    'passed when repeated: recovers.test.ts: chance',
  ]);
  expect(stdout).toEndWith(' 3 pass\n 1 skip\n 3 fail\n');
  expect(exitCode).toBe(1);
});

test('a run that failed without naming a test fails', async () => {
  expect((await repeat({})).exitCode).toBe(1);
});
