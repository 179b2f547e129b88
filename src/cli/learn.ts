import { Command } from 'commander';
import {
  type LearningStatus,
  resetLearning,
  type ShownChoice,
  showLearning,
  showLearningStatus,
} from '../operations/learning/operate-learning.ts';
import {
  type Cli,
  type CommonOptions,
  defined,
  organizationOf,
  printResult,
} from './command/cli.ts';
import { confirm } from './command/confirm.ts';
import { wholeNumber } from './command/numbers.ts';
import { operate } from './command/operator.ts';
import { table } from './command/table.ts';

const LIMIT_MAX = 1000;

interface LearnOptions extends CommonOptions {
  readonly question?: string;
  readonly limit: number;
  readonly yes?: boolean;
}

export function learnCommand(cli: Cli): Command {
  return new Command('learn')
    .description('show or reset what search has learned from the choices of customers')
    .addCommand(statusCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(resetCommand(cli));
}

function statusCommand(cli: Cli): Command {
  return new Command('status')
    .description('show whether search learns, and how much it has learned')
    .addHelpText('after', '\nExample:\n  vitrine learn status')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<LearnOptions>();
      const status = await operate(cli, options, showLearningStatus, organizationOf(options));
      printResult(cli, options, status, renderStatus);
    });
}

function showCommand(cli: Cli): Command {
  return new Command('show')
    .description('list the offerings that customers chose, and for which question')
    .option('--question <question>', 'only what was chosen for this question')
    .option('--limit <number>', `from 1 to ${LIMIT_MAX}`, wholeNumber(1, LIMIT_MAX), 20)
    .addHelpText('after', '\nExample:\n  vitrine learn show --question "enamel mug"')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<LearnOptions>();
      const { question, limit } = options;
      const input = { ...organizationOf(options), ...defined({ question }), limit };
      const choices = await operate(cli, options, showLearning, input);
      printResult(cli, options, choices, (shown) => renderChoices(shown, cli.columns));
    });
}

function resetCommand(cli: Cli): Command {
  return new Command('reset')
    .description('forget everything that was learned; later choices count again')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', '\nExample:\n  vitrine learn reset --yes')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<LearnOptions>();
      const whose = options.org ?? 'the organization';
      const question = `This forgets what search has learned from the customers of ${whose}.`;
      await confirm(cli, { question, yes: options.yes === true });
      const result = await operate(cli, options, resetLearning, organizationOf(options));
      printResult(cli, options, result, ({ forgotten }) => `${forgotten} pairs forgotten.`);
    });
}

function renderStatus(status: LearningStatus): string {
  const { isOn, pairs, pairsMax, movingPairs, questions, clients, waitingHits } = status;
  return [
    `Learning is ${isOn ? 'on' : 'off (learn = "off")'}.`,
    `${pairs} of at most ${pairsMax} pairs of a question and an offering, for ${questions} questions.`,
    `${movingPairs} of them were chosen by enough clients to move an answer.`,
    `${clients} clients have chosen an offering; ${waitingHits} hits are still to be read.`,
  ].join('\n');
}

function renderChoices(choices: readonly ShownChoice[], width: number): string {
  if (choices.length === 0) return 'Nothing was chosen yet.';
  const rows = choices.map(({ question, externalId, name, chosenBy, of, counts }) => [
    ...[question ?? '(any)', externalId ?? '(gone)', name ?? ''],
    ...[`${chosenBy} of ${of}`, counts ? 'yes' : 'not yet'],
  ]);
  return table(['Question', 'Item', 'Name', 'Chosen by', 'Counts'], rows, width);
}
