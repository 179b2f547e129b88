import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { CurationRule } from '../domain/curation.ts';
import { AppError } from '../domain/errors.ts';
import { parseJson } from '../http/exchange/body.ts';
import {
  changeRules,
  importRules,
  listRules,
  type RuleChange,
  type RuleList,
  undoRules,
} from '../operations/curation/change-rules.ts';
import { type Cli, type CommonOptions, defined, printResult, shopOf } from './command/cli.ts';
import { decimalNumber, wholeNumber } from './command/numbers.ts';
import { operate } from './command/operator.ts';
import { table } from './command/table.ts';

interface TuneOptions extends CommonOptions {
  readonly oneWay?: boolean;
  readonly place: number;
  readonly question?: string;
  readonly vendor?: string;
  readonly type?: string;
  readonly tag?: string;
  readonly factor: number;
  readonly from?: string;
  readonly until?: string;
  readonly dryRun?: boolean;
}

export function tuneCommand(cli: Cli): Command {
  return new Command('tune')
    .description('correct search: synonyms, pinned and hidden items, boosts')
    .addCommand(synonymCommand(cli))
    .addCommand(pinCommand(cli))
    .addCommand(hideCommand(cli))
    .addCommand(boostCommand(cli))
    .addCommand(listCommand(cli))
    .addCommand(removeCommand(cli))
    .addCommand(undoCommand(cli))
    .addCommand(exportCommand(cli))
    .addCommand(importCommand(cli));
}

function synonymCommand(cli: Cli): Command {
  return new Command('synonym')
    .description('make several names of a thing find the same items')
    .argument('<names...>', 'two or more, of one or two words each; quote a name of two words')
    .option('--one-way', 'only a question with the first name finds the others, too')
    .addHelpText('after', '\nExample:\n  vitrine tune synonym trainers "running shoes"')
    .action(async (words: string[], _options: object, command: Command) => {
      const { oneWay } = command.opts<TuneOptions>();
      await add(cli, command, { kind: 'synonym', words, ...defined({ oneWay }) });
    });
}

function pinCommand(cli: Cli): Command {
  return new Command('pin')
    .description('show an offering or a context at a fixed place in the answers to a question')
    .argument('<question>', 'as customers ask it')
    .argument('<item>', 'its external id')
    .option('--place <number>', 'place in the answer, from 1 to 20', wholeNumber(1, 20), 1)
    .addHelpText('after', '\nExample:\n  vitrine tune pin "gift" gift-card --place 2')
    .action(async (question: string, item: string, _options: object, command: Command) => {
      const { place } = command.opts<TuneOptions>();
      await add(cli, command, { kind: 'pin', question, item, place });
    });
}

function hideCommand(cli: Cli): Command {
  return new Command('hide')
    .description('leave an offering or a context out of all answers')
    .argument('<item>', 'its external id')
    .option('--question <question>', 'leave it out of the answers to this question only')
    .addHelpText('after', '\nExample:\n  vitrine tune hide old-mug --question mug')
    .action(async (item: string, _options: object, command: Command) => {
      const { question } = command.opts<TuneOptions>();
      await add(cli, command, { kind: 'hide', item, ...defined({ question }) });
    });
}

function boostCommand(cli: Cli): Command {
  return new Command('boost')
    .description('rank the offerings of a vendor, type or tag higher or lower')
    .addOption(new Option('--vendor <name>', 'offerings of this vendor').conflicts(['type', 'tag']))
    .addOption(
      new Option('--type <type>', 'offerings of this product type').conflicts(['vendor', 'tag']),
    )
    .addOption(new Option('--tag <tag>', 'offerings with this tag').conflicts(['vendor', 'type']))
    .requiredOption(
      '--factor <number>',
      'number that their scores are multiplied by, from 0.1 to 10',
      decimalNumber(0.1, 10),
    )
    .option('--from <day>', 'first day in UTC, such as 2026-11-27')
    .option('--until <day>', 'last day in UTC')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine tune boost --tag sale --factor 1.3 --until 2026-12-24',
    )
    .action(async (_options: object, command: Command) => {
      const { vendor, type, tag, factor, from, until } = command.opts<TuneOptions>();
      const [chosen] = Object.entries({ vendor, type, tag }).filter(([, value]) => value);
      if (chosen === undefined)
        throw new AppError('invalid_input', 'Name a --vendor, a --type or a --tag.');
      const [by, value] = chosen as ['vendor' | 'type' | 'tag', string];
      const dates = defined({ from, until });
      await add(cli, command, { kind: 'boost', by, value, factor, ...dates });
    });
}

function listCommand(cli: Cli): Command {
  return new Command('list')
    .description('list the rules of a shop')
    .addHelpText('after', '\nExample:\n  vitrine tune list --json')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<TuneOptions>();
      const list = await operate(cli, options, listRules, shopOf(options));
      printResult(cli, options, list, (found) => renderRules(found, cli.columns));
    });
}

function removeCommand(cli: Cli): Command {
  return new Command('remove')
    .description('remove rules')
    .argument('<ids...>', 'as "vitrine tune list" shows them')
    .addHelpText('after', '\nExample:\n  vitrine tune remove 1a2b3c4d')
    .action((remove: string[], _options: object, command: Command) =>
      change(cli, command, { remove }),
    );
}

function undoCommand(cli: Cli): Command {
  return new Command('undo')
    .description('undo the last change; each further call undoes the one before it')
    .addHelpText('after', '\nExample:\n  vitrine tune undo')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<TuneOptions>();
      const change = await operate(cli, options, undoRules, shopOf(options));
      printResult(cli, options, change, renderChange);
    });
}

function exportCommand(cli: Cli): Command {
  return new Command('export')
    .description('write the rules of a shop to a file that "vitrine tune import" reads')
    .argument('<file>', 'JSON, one rule a line; "-" for stdout')
    .addHelpText('after', '\nExample:\n  vitrine tune export rules.json')
    .action(async (file: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<TuneOptions>();
      const { shop, rules } = await operate(cli, options, listRules, shopOf(options));
      const lines = rules.map(({ id: _id, text: _text, ...rule }) => `  ${JSON.stringify(rule)}`);
      const text = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`;
      if (file === '-') return cli.print(text);
      writeFileSync(file, `${text}\n`);
      printResult(
        cli,
        options,
        { shop, file, rules: rules.length },
        () => `${counted(rules.length)} of ${shop} in ${file}.`,
      );
    });
}

function importCommand(cli: Cli): Command {
  return new Command('import')
    .description('replace the rules of a shop by those in a file')
    .argument('<file>', 'as "vitrine tune export" writes it')
    .option('--dry-run', 'show what would change, and change nothing')
    .addHelpText('after', '\nExample:\n  vitrine tune import rules.json --dry-run')
    .action(async (file: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<TuneOptions>();
      const change = await operate(cli, options, importRules, {
        ...shopOf(options),
        rules: readRules(file),
        ...defined({ dryRun: options.dryRun }),
      });
      printResult(cli, options, change, renderChange);
    });
}

/** The rules in a file; the operation checks each of them. Throws `not_found` or `invalid_input`. */
function readRules(file: string): unknown[] {
  if (!existsSync(file)) throw new AppError('not_found', `There is no file ${file}.`);
  const rules = parseJson(readFileSync(file, 'utf8'));
  if (Array.isArray(rules)) return rules;
  throw new AppError('invalid_input', `${file} must contain a JSON array of rules.`);
}

function add(cli: Cli, command: Command, rule: CurationRule): Promise<void> {
  return change(cli, command, { add: [rule] });
}

async function change(
  cli: Cli,
  command: Command,
  rules: { readonly add: CurationRule[] } | { readonly remove: string[] },
): Promise<void> {
  const options = command.optsWithGlobals<TuneOptions>();
  const changed = await operate(cli, options, changeRules, { ...shopOf(options), ...rules });
  printResult(cli, options, changed, renderChange);
}

function renderChange(change: RuleChange): string {
  const { shop, rules, added, removed } = change;
  const head = `${shop}: ${added} added, ${removed} removed, ${counted(rules.length)} now.`;
  return [head, ...remarks(change)].join('\n');
}

function renderRules(list: RuleList, columns: number): string {
  const { shop, rules } = list;
  if (rules.length === 0) return `${shop} has no rules.`;
  const rows = rules.map((rule) => [rule.id, rule.kind, rule.text]);
  return [table(['id', 'rule', shop], rows, columns), ...remarks(list)].join('\n');
}

function remarks({ missing }: RuleList): string[] {
  return missing.length === 0
    ? []
    : [`Not in the catalogue now, so without effect: ${missing.join(', ')}.`];
}

function counted(rules: number): string {
  return rules === 1 ? '1 rule' : `${rules} rules`;
}
