/**
 * Runs the test files again in which something failed, each alone, and says what passes then:
 *
 *   bun scripts/repeat-failed.ts LOG
 *
 * LOG is the output of `bun run test` in the same folder, without colours. Ends with the counts of both
 * runs together, in the form of `bun test`. Exit code 1 if something failed again, or if LOG names
 * nothing to repeat.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import {
  FILE_ITSELF,
  type FileOutcome,
  failedFiles,
  passedWhenRepeated,
  readTestLog,
  summaryOf,
} from './ci/test-log.ts';

/** Missing if a test ended the process. */
const SUMMARY = /^Ran \d+ tests? /m;

const TIMEOUT = /--timeout \d+/.exec(packageJson.scripts.test)![0].split(' ');

const { positionals } = parseArgs({ allowPositionals: true });
const first = readTestLog(readFileSync(positionals[0]!, 'utf8'));
const repeated = new Map<string, FileOutcome>();
for (const file of failedFiles(first)) {
  console.log(`\n== repeated alone: ${file}`);
  repeated.set(file, await outcomeOf(file));
}
if (repeated.size === 0) console.log('\nThe log names no test that failed.');
for (const test of passedWhenRepeated(first, repeated))
  console.log(`\npassed when repeated: ${test}`);
console.log(summaryOf(first, repeated));
const isGood = repeated.size > 0 && failedFiles(repeated).length === 0;
process.exitCode = isGood ? 0 : 1;

async function outcomeOf(file: string): Promise<FileOutcome> {
  const run = Bun.spawn([process.execPath, 'test', ...TIMEOUT, file], {
    stdout: 'inherit',
    stderr: 'pipe',
  });
  const log = await new Response(run.stderr).text();
  process.stdout.write(log);
  const outcome = readTestLog(log).get(file) ?? { passed: 0, skipped: 0, failed: [] };
  const isWhole = (await run.exited) === 0 && SUMMARY.test(log);
  return isWhole || outcome.failed.length > 0 ? outcome : { ...outcome, failed: [FILE_ITSELF] };
}
