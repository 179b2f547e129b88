import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { BAD_CONFIGURATION, EXIT_CODES } from '../src/cli/failure.ts';
import { fileName, SETTINGS } from '../src/config.ts';
import { SILENT } from './support/command-line.ts';

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
  const names = createProgram(SILENT, '0').commands.map((command) => `vitrine ${command.name()}`);
  expect(names.filter((name) => !README.includes(name))).toEqual([]);
});

test('the README says when each exit code comes', () => {
  const codes = new Set([0, 1, 2, BAD_CONFIGURATION, ...Object.values(EXIT_CODES)]);
  const rows = README.split('\n').flatMap((line) => /^\| (\d+) \| [a-z]/.exec(line)?.[1] ?? []);
  // Statuses of HTTP stand in a table of their own.
  const shown = rows.map(Number).filter((code) => code < 256);
  expect(shown).toEqual([...codes].sort((a, b) => a - b));
});
