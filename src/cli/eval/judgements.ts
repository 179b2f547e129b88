import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { listJudgements } from '../../operations/search/judgements.ts';
import { type Cli, type CommonOptions, organizationOf, printResult } from '../command/cli.ts';
import { operate } from '../command/operator.ts';

export function judgementsCommand(cli: Cli): Command {
  return new Command('judgements')
    .description('export the judgements made on the admin page')
    .addCommand(exportCommand(cli));
}

function exportCommand(cli: Cli): Command {
  return new Command('export')
    .description('write the judgements as the two files that "vitrine eval" reads')
    .argument('<folder>', 'folder for queries.tsv and qrels.tsv')
    .addHelpText('after', '\nExample:\n  vitrine judgements export judged/')
    .action(async (folder: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const found = await operate(cli, options, listJudgements, organizationOf(options));
      const byQuestion = [...Map.groupBy(found, ({ question }) => question)];
      const lines = (rows: readonly string[][]) =>
        rows.map((row) => `${row.map(oneCell).join('\t')}\n`).join('');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, 'queries.tsv'),
        lines(byQuestion.map(([question], index) => [`q${index + 1}`, question])),
      );
      writeFileSync(
        join(folder, 'qrels.tsv'),
        lines(
          byQuestion.flatMap(([, judgements], index) =>
            judgements.map(({ externalId, grade }) => [
              `q${index + 1}`,
              '0',
              externalId,
              String(grade),
            ]),
          ),
        ),
      );
      const result = { folder, queries: byQuestion.length, judgements: found.length };
      printResult(
        cli,
        options,
        result,
        ({ queries, judgements }) =>
          `${judgements} judgements of ${queries} questions are in ${folder}.`,
      );
    });
}

/** Text that is safe in a cell of a TSV file. */
function oneCell(text: string): string {
  return text.replace(/[\t\r\n]+/g, ' ');
}
