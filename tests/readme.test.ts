import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { BAD_CONFIGURATION, EXIT_CODES } from '../src/cli/command/failure.ts';
import { fileName, SETTINGS } from '../src/config.ts';
import { SILENT } from './support/command-line.ts';
import { PROMISES } from './support/promises.ts';

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

test('the README lists every promise with what shows it, how large that is, and what was measured', () => {
  const shown = README.split('\n').filter((line) => /^\| .* \| `(?:tests|scripts)\//.test(line));
  const rows = PROMISES.map(({ promise, shownBy, each, long }) => {
    const files = shownBy.map((path) => `\`${path}\``).join(', ');
    const sizes = long === undefined ? each.label : `${each.label}; long: ${long.label}`;
    return `| ${promise} | ${files} | ${sizes} | `;
  });
  expect(shown.map((line, index) => line.slice(0, rows[index]?.length))).toEqual(rows);
  expect(shown.filter((line) => /\| *\|$/.test(line))).toEqual([]);
  const files = PROMISES.flatMap(({ shownBy }) => shownBy);
  expect(files.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
});
