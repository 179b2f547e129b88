import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { fileName, SETTINGS } from '../src/config.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the README lists every setting with its default and its meaning', () => {
  const rows = Object.entries(SETTINGS).map(([name, { fallback, description }]) => {
    const shown = fallback === '' ? '–' : `\`${fallback}\``;
    return `| \`${fileName(name)}\` | ${shown} | ${description} |`;
  });
  const table = README.split('\n').filter((line) => /^\| `[a-z_]+` \|.*\|.*\|$/.test(line));
  expect(table).toEqual(rows);
});

test('the README names every command', async () => {
  const { createProgram } = await import('../src/cli/program.ts');
  const silent = { print: () => undefined, note: () => undefined, setExitCode: () => undefined };
  const cli = {
    ...silent,
    environment: {},
    input: (async function* () {})(),
    stop: new AbortController().signal,
    isTerminal: false,
    columns: 80,
  };
  for (const command of createProgram(cli, '0').commands)
    expect(README).toContain(`vitrine ${command.name()}`);
});
