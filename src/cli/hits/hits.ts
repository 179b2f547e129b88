import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { edgeWorker } from '../../assets/edge-worker.ts';
import { AGENT_KINDS } from '../../domain/agent.ts';
import { AppError } from '../../domain/errors.ts';
import { LANGUAGES } from '../../messages/languages.ts';
import { translatorFor } from '../../messages/translator.ts';
import {
  exportReport,
  REPORT_PARTS,
  type ReportPart,
} from '../../operations/hits/export-report.ts';
import { ignoreQuestion } from '../../operations/hits/ignore-question.ts';
import { listHits } from '../../operations/hits/list-hits.ts';
import { purgeHits } from '../../operations/hits/purge-hits.ts';
import { type AgentKind, reportHits } from '../../operations/hits/report-hits.ts';
import {
  type Cli,
  type CommonOptions,
  defined,
  organizationOf,
  printResult,
} from '../command/cli.ts';
import { confirm } from '../command/confirm.ts';
import { wholeNumber } from '../command/numbers.ts';
import { operate } from '../command/operator.ts';
import { renderReportHtml } from './hits-html.ts';
import { hitLine, renderReport } from './hits-text.ts';

/** Delay until `tail` shows a hit that is on disk. */
const TAIL_POLL_MS = 500;

const TAILED_AT_ONCE = 1000;

interface HitsOptions extends CommonOptions {
  readonly since: string;
  readonly until?: string;
  readonly limit?: number;
  readonly language?: string;
  readonly by?: ReportPart;
  readonly kind?: AgentKind[];
  readonly access?: 'key' | 'public';
  readonly undo?: boolean;
  readonly csv?: boolean;
  readonly html?: string;
  readonly before?: string;
  readonly client?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly follow: boolean;
  readonly lines: number;
}

export function hitsCommand(cli: Cli): Command {
  const hits = new Command('hits').description(
    'report which agents came, what they asked, and which links they followed',
  );
  for (const command of [report(cli), ignore(cli), tail(cli), worker(cli), purge(cli)])
    hits.addCommand(command);
  return hits;
}

function report(cli: Cli): Command {
  return new Command('report')
    .description('report hits by agent, question, page and day')
    .option(
      '--since <when>',
      'number of days back, such as 7d, or the first day, such as 2026-01-31',
      '7d',
    )
    .option('--until <day>', 'the last day (default: today)')
    .option(
      '--limit <count>',
      'rows per list, at most 1000 (default: 20, with --csv 1000)',
      wholeNumber(1, 1000),
    )
    .addOption(
      new Option(
        '--by <what>',
        'limit the report to one part; "unanswered" prints commands that mend each question',
      ).choices([...REPORT_PARTS]),
    )
    .addOption(
      new Option('--kind <kinds...>', 'only hits of these kinds of agents').choices([
        ...AGENT_KINDS,
      ]),
    )
    .addOption(
      new Option('--access <how>', 'only hits with a key, or only answers without one').choices([
        'key',
        'public',
      ]),
    )
    .option('--csv', 'print CSV, by day unless --by names another part')
    .option('--html <file>', 'write an HTML page with plots to a file')
    .addOption(
      new Option(
        '--language <code>',
        'language of text and page (default: that of the shops)',
      ).choices([...LANGUAGES]),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  vitrine hits report --since 30d --html report.html\n  vitrine hits report --by unanswered --kind human ai_retrieval',
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<HitsOptions>();
      const { since, until, limit, by, kind: kinds, access, csv, html, language, json } = options;
      if ([csv, html !== undefined, json].filter((chosen) => chosen === true).length > 1)
        throw new AppError('invalid_input', 'Choose one of --json, --csv and --html.');
      const filter = defined({ until, limit, kinds, access });
      const input = { ...organizationOf(options), since, ...filter };
      if (csv === true) {
        const part = { ...input, by: by ?? 'day' };
        return cli.print((await operate(cli, options, exportReport, part)).text.trimEnd());
      }
      const found = await operate(cli, options, reportHits, input);
      const translator = translatorFor(language ?? found.locale);
      const target = targetOf(options);
      if (html !== undefined) {
        await writeFile(html, renderReportHtml(found, { translator, target }));
        cli.note(`Written to ${html}.\n`);
        return;
      }
      const { columns } = cli;
      printResult(cli, options, found, (result) =>
        renderReport(result, { translator, by: by ?? null, columns, target }),
      );
    });
}

/** The options that name the organization and the data folder, as they were given. */
function targetOf({ org, data }: HitsOptions): string[] {
  return Object.entries(defined({ org, data })).flatMap(([name, value]) => [`--${name}`, value]);
}

function ignore(cli: Cli): Command {
  return new Command('ignore')
    .description('stop listing a question among those without a good answer')
    .argument('<question>', 'as the report shows it')
    .option('--undo', 'list the question again')
    .addHelpText('after', '\nExample:\n  vitrine hits ignore "asdf"')
    .action(async (question: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<HitsOptions>();
      const input = { ...organizationOf(options), question, isIgnored: options.undo !== true };
      const result = await operate(cli, options, ignoreQuestion, input);
      printResult(cli, options, result, ({ ignored }) =>
        ignored.length === 1
          ? '1 question is ignored.'
          : `${ignored.length} questions are ignored.`,
      );
    });
}

function tail(cli: Cli): Command {
  return new Command('tail')
    .description('print the latest hits, then new hits as they arrive')
    .option(
      '--lines <count>',
      'number of latest hits to start with',
      wholeNumber(1, TAILED_AT_ONCE),
      10,
    )
    .option('--no-follow', 'print the latest hits only')
    .addHelpText('after', '\nExample:\n  vitrine hits tail --lines 50')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<HitsOptions>();
      const input = organizationOf(options);
      let found = await operate(cli, options, listHits, { ...input, limit: options.lines });
      let after = 0;
      for (;;) {
        for (const hit of found)
          cli.print(options.json === true ? JSON.stringify(hit) : hitLine(hit));
        after = found.at(-1)?.cursor ?? after;
        if (!options.follow) return;
        await cli.clock.sleep(TAIL_POLL_MS, cli.stop);
        if (cli.stop.aborted) return;
        const following = { ...input, after, limit: TAILED_AT_ONCE };
        // An open database would keep a service from starting.
        found = await operate(cli, options, listHits, following, { onlyRunning: true });
      }
    });
}

function worker(cli: Cli): Command {
  return new Command('worker')
    .description('print a Cloudflare Worker that reports the hits of a site')
    .addHelpText('after', '\nExample:\n  vitrine hits worker > src/index.js')
    .action(() => cli.print(edgeWorker.trimEnd()));
}

function purge(cli: Cli): Command {
  return new Command('purge')
    .description('delete hits permanently')
    .option('--before <day>', 'delete hits before this day')
    .option(
      '--client <address>',
      'delete hits from an address, or a network such as 203.0.113.0/24',
    )
    .option('--all', 'delete every hit of the organization')
    .option('--yes', 'with --all, do not ask for confirmation')
    .addHelpText('after', '\nExample:\n  vitrine hits purge --client 203.0.113.7')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<HitsOptions>();
      const { before, client, all, yes = false } = options;
      if (all === true) {
        const whose = options.org === undefined ? 'the organization' : options.org;
        await confirm(cli, { question: `This permanently deletes every hit of ${whose}.`, yes });
      }
      const input = { ...organizationOf(options), ...defined({ before, client, all }) };
      const result = await operate(cli, options, purgeHits, input);
      printResult(cli, options, result, ({ purged }) => `${purged} hits deleted.`);
    });
}
