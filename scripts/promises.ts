/**
 * Verifies vitrine's promises, and prints how each was verified and what was measured:
 *
 *   bun run promises [--long] [--only WORD] [--binary FILE]
 *
 * Takes about half an hour, or a day with --long. --only selects promises with that word in their
 * text or in a test's name. --binary uses a compiled binary where it matters. Exit code 1 if a
 * promise fails.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FIGURE_MARK } from '../tests/support/figure.ts';
import { PROMISES, type Promised } from '../tests/support/promises.ts';
import { ROOT } from './binary/folders.ts';

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    binary: { type: 'string' },
  },
});

const chosen = PROMISES.filter(({ promise, shownBy }) =>
  [promise, ...shownBy].some((text) => text.toLowerCase().includes(values.only.toLowerCase())),
);
for (const promised of chosen) {
  const startedMs = performance.now();
  const { isKept, lines } = await show(promised);
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`${isKept ? 'kept  ' : 'BROKEN'} ${promised.promise} (${seconds.toFixed(0)} s)`);
  for (const line of lines) console.log(`         ${line}`);
  if (!isKept) process.exitCode = 1;
}

async function show({ shownBy, each, long }: Promised) {
  const size = values.long && long !== undefined ? long : each;
  const isScript = shownBy[0]!.startsWith('scripts/');
  const command = isScript
    ? [
        process.execPath,
        join(ROOT, shownBy[0]!),
        ...(size.options ?? []),
        ...binaryOption(shownBy[0]!),
      ]
    : [process.execPath, 'test', '--timeout', '86400000', ...shownBy];
  const binary = values.binary === undefined ? {} : { VITRINE_TEST_BINARY: values.binary };
  const { stdout, stderr, exited } = Bun.spawn(command, {
    cwd: ROOT,
    env: { ...process.env, ...size.environment, ...(isScript ? {} : binary), NO_COLOR: '1' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [printed, complaints] = await Promise.all([
    new Response(stdout).text(),
    new Response(stderr).text(),
  ]);
  const isKept = (await exited) === 0;
  const all = `${printed}${complaints}`.split('\n').filter((line) => line.trim() !== '');
  const figures = all.filter(
    (line) =>
      isScript ||
      line.startsWith(FIGURE_MARK) ||
      /^(?:skipped|\s+\d+ (?:pass|fail|skip)$)/.test(line),
  );
  return {
    isKept,
    lines: isKept ? figures.map((line) => line.replace(FIGURE_MARK, '').trim()) : all,
  };
}

function binaryOption(script: string): string[] {
  if (values.binary === undefined) return [];
  return /kill-(?:hits|pushes)\.ts$/.test(script) ? [values.binary] : ['--binary', values.binary];
}
