import { describe, expect, test } from 'bun:test';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { SILENT, vitrine } from '../support/command-line.ts';

/** Every command that help lists and that does something, by its words. */
function commandsBelow(command: Command, words: readonly string[] = []): string[][] {
  const children = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
  if (children.length === 0) return [[...words]];
  return children.flatMap((child) => commandsBelow(child, [...words, child.name()]));
}

const COMMANDS = commandsBelow(createProgram(SILENT, '0'));

describe.each(COMMANDS.map((words) => [words.join(' '), words] as const))('%s', (name, words) => {
  test('--help shows an example of the command, --json and --data, in 80 columns', async () => {
    const { exitCode, stdout } = await vitrine([...words, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\nExamples?:\n/);
    expect(stdout.slice(stdout.search(/\nExamples?:/))).toContain(`  vitrine ${name}`);
    expect(stdout).toContain('--json');
    expect(stdout).toContain('--data');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('an unknown option is refused (64)', async () => {
    expect((await vitrine([...words, '--no-such-option'])).exitCode).toBe(64);
  });
});
