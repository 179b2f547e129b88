import type { Command } from 'commander';
import { durationText } from './duration.ts';

/** A command line that repeats `command` with its arguments and options, and adds `further` options. */
export function commandAgain(command: Command, further: readonly string[]): string {
  const names: string[] = [];
  const options: string[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent) {
    names.unshift(each.name());
    for (const option of each.options) {
      const attribute = option.attributeName();
      const value: unknown = each.getOptionValue(attribute);
      if (each.getOptionValueSource(attribute) !== 'cli' || option.long === null) continue;
      if (value === true) options.push(option.long!);
      if (typeof value === 'string') options.push(option.long!, value);
      if (typeof value === 'number') options.push(option.long!, durationText(value));
    }
  }
  return [...names, ...command.args, ...options, ...further].map(forShell).join(' ');
}

/** In double quotes, which every shell understands, unless the word is plain. */
function forShell(word: string): string {
  if (/^[\w./:@%+,=~-]+$/.test(word)) return word;
  return `"${word.replace(/["\\$`]/g, '\\$&')}"`;
}
