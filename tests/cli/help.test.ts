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

test('help describes every command, argument and option', () => {
  const undescribed = (command: Command): string[] => {
    const help = command.createHelp();
    const options = help
      .visibleOptions(command)
      .map(({ flags, description }) => ({ flags, description }));
    const parts = [
      { flags: '', description: command.description() },
      ...options,
      ...command.registeredArguments.map((argument) => ({
        flags: argument.name(),
        description: argument.description + (argument.argChoices ?? []).join(),
      })),
    ];
    const missing = parts.filter(({ description }) => description === '');
    const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
    return [
      ...missing.map(({ flags }) => `${command.name()} ${flags}`),
      ...children.flatMap(undescribed),
    ];
  };
  expect(undescribed(createProgram(SILENT, '0'))).toEqual([]);
});
