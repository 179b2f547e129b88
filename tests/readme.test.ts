import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Glob } from 'bun';
import { BAD_CONFIGURATION, EXIT_CODES } from '../src/cli/command/failure.ts';
import { fileName, SETTINGS } from '../src/config.ts';
import { SILENT } from './support/command-line.ts';
import { PROMISES } from './support/promises.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const READMES = [...new Glob('**/README.md').scanSync({ cwd: ROOT })].filter(
  (path) => !path.includes('node_modules') && !path.startsWith('build/'),
);
const README = read('README.md');
const COMMANDS = read('src/cli/README.md');
const TESTS = read('tests/README.md');

/** Longest README that a newcomer reads to its end. */
const README_LINES_MAX = 300;

test('the README is short, and every file that a README links to is there', () => {
  expect(README.split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
  const broken = READMES.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|#)([^)\s]+)\)|src="([^"]+)"/g)]
      .map(([, link, image]) => join(dirname(path), (link ?? image)!.replace(/#.*$/, '')))
      .filter((target) => !existsSync(join(ROOT, target)))
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every source file that a README names is there', () => {
  const sources = [...new Glob('{src,tests,scripts}/**/*.ts').scanSync({ cwd: ROOT })];
  const isThere = (name: string, folder: string) =>
    existsSync(join(ROOT, folder, name)) || sources.some((path) => `/${path}`.endsWith(`/${name}`));
  const gone = READMES.flatMap((readme) =>
    [...read(readme).matchAll(/`([\w./-]+\.ts)`/g)]
      .map(([, name]) => name!)
      .filter((name) => !name.includes('NNNN') && !isThere(name, dirname(readme)))
      .map((name) => `${readme}: ${name}`),
  );
  expect(gone).toEqual([]);
});

test('the commands’ README lists every setting with its default and its meaning', () => {
  const rows = Object.entries(SETTINGS).map(([name, { fallback, description }]) => {
    const shown = fallback === '' ? '–' : `\`${fallback}\``;
    return `| \`${fileName(name)}\` | ${shown} | ${description} |`;
  });
  const table = COMMANDS.split('\n').filter((line) => /^\| `[a-z_]+` \|.*\|.*\|$/.test(line));
  expect(table).toEqual(rows);
});

test('the commands’ README names every command for people', async () => {
  const { createProgram } = await import('../src/cli/program.ts');
  const program = createProgram(SILENT, '0');
  const visible = program.createHelp().visibleCommands(program);
  const names = visible
    .filter((command) => command.name() !== 'help')
    .map((command) => `vitrine ${command.name()}`);
  expect(names.filter((name) => !COMMANDS.includes(name))).toEqual([]);
});

test('the commands’ README says when each exit code comes', () => {
  const codes = new Set([0, 1, 2, BAD_CONFIGURATION, ...Object.values(EXIT_CODES)]);
  const rows = COMMANDS.split('\n').flatMap((line) => /^\| (\d+) \| [a-z]/.exec(line)?.[1] ?? []);
  expect(rows.map(Number)).toEqual([...codes].sort((a, b) => a - b));
});

test('the tests’ README lists every promise with what shows it, how large that is, and what was measured', () => {
  const shown = TESTS.split('\n').filter((line) => /^\| .* \| `(?:tests|scripts)\//.test(line));
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
