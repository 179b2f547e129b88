import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { vitrine } from '../support/command-line.ts';
import { PROGRAM_COMMAND } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

const PATH = `${temporary.path}${delimiter}${process.env['PATH']}`;

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await vitrine(['completion', shell]);
    writeFileSync(join(temporary.path, `vitrine.${shell}`), stdout);
  }
  const program = join(temporary.path, 'vitrine');
  writeFileSync(program, `#!/bin/sh\nexec ${PROGRAM_COMMAND.join(' ')} "$@"\n`);
  chmodSync(program, 0o755);
});

/** How each shell is asked what it offers for a line: a word each, without descriptions. */
const SHELLS: Readonly<Record<string, (line: string) => string[]>> = {
  bash(line) {
    const words = line.split(' ');
    const script = `source ${temporary.path}/vitrine.bash
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      _vitrine 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', ['--norc', '-c', script]);
  },
  zsh(line) {
    // Completion needs a terminal: what would be offered is taken from where it is handed over.
    const words = line.split(' ');
    const script = `_describe() { local list="\${@[-1]}"; print -l -- "\${(@P)list%%:*}"; }
      _files() { }; compdef() { }
      source ${temporary.path}/vitrine.zsh
      words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}
      _vitrine`;
    const current = words.at(-1)!;
    return run('zsh', ['-f', '-c', script]).filter((word) => word.startsWith(current));
  },
  fish(line) {
    const script = `source ${temporary.path}/vitrine.fish; complete -C '${line}'`;
    return run('fish', ['--no-config', '-c', script]).map((text) => text.split('\t')[0]!);
  },
};

function run(shell: string, args: readonly string[]): string[] {
  const output = execFileSync(shell, [...args], {
    env: { ...process.env, PATH },
    encoding: 'utf8',
  });
  return output.split('\n').filter((word) => word !== '');
}

function has(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'true']);
    return true;
  } catch {
    process.stderr.write(`skipped: completion in ${shell} (there is none)\n`);
    return false;
  }
}

describe.each(Object.keys(SHELLS).filter(has))('%s', (shell) => {
  const offers = (line: string) => SHELLS[shell]!(line).toSorted();

  test('offers commands, and those below a command', () => {
    expect(offers('vitrine ')).toEqual(expect.arrayContaining(['backup', 'catalog', 'serve']));
    expect(offers('vitrine back')).toEqual(['backup']);
    expect(offers('vitrine catalog ')).toEqual(expect.arrayContaining(['import', 'stats']));
    expect(offers('vitrine completion ')).toEqual(['bash', 'fish', 'zsh']);
  });

  test('offers the options of the command, and skips options before it', () => {
    expect(offers('vitrine catalog import --dry')).toEqual(['--dry-run']);
    expect(offers('vitrine --json key rotate --over')).toEqual(['--overlap']);
    expect(offers('vitrine key list --over')).toEqual([]);
    expect(offers('vitrine serve --ops')).toEqual(['--ops-listen']);
  });
});

test('another shell is refused (64)', async () => {
  expect((await vitrine(['completion', 'tcsh'])).exitCode).toBe(64);
});
