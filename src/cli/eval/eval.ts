import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { AppError } from '../../domain/errors.ts';
import { addApiKeyOptions } from '../command/api-key.ts';
import { type Cli, printResult } from '../command/cli.ts';
import { startProgress } from '../command/progress.ts';
import {
  type Asker,
  type AskOptions,
  openAsker,
  RANKING_MAX,
  refuseIfStopped,
} from './eval-askers.ts';
import {
  type Question,
  readJudgements,
  readQuestions,
  readRun,
  type SavedRun,
} from './eval-files.ts';
import {
  type Comparison,
  DECIDING,
  type EvalReport,
  type Floor,
  type GroupFigures,
  keyOf,
  type MeasuredQuery,
  renderReport,
} from './eval-report.ts';
import {
  type Figures,
  type Grades,
  hasRelevant,
  METRICS,
  measure,
  median,
  pairedBootstrap,
  summarize,
} from './relevance-metrics.ts';

/** Exit code of a run that is significantly worse than the earlier one, or below a floor. */
const WORSE = 1;

interface EvalOptions extends AskOptions {
  readonly queries: string;
  readonly judgements: string;
  readonly save?: string;
  readonly against?: string;
  readonly floor?: readonly Floor[];
  readonly perQuery?: boolean;
}

/** One question, its answer and its metrics; null metrics if no item is judged relevant. */
export function evalCommand(cli: Cli): Command {
  const command = new Command('eval')
    .description('measure how well search answers judged questions')
    .requiredOption('--queries <file>', 'TSV (id, text) or JSON Lines ({id, question, class?})')
    .requiredOption(
      '--judgements <file>',
      'TREC: query id, 0, external id, grade 0 to 3 (2 and above is relevant)',
    )
    .option(
      '--catalog <path>',
      'measure on a temporary import of this catalogue; repeatable',
      collect,
    )
    .option('--locale <tag>', 'language of that catalogue (default: en)')
    .option('--url <address>', 'measure a running service over REST v3');
  return addApiKeyOptions(command, 'for that service')
    .option('--skip-scoring', 'measure the order of retrieval, without the scoring step')
    .option('--save <file>', 'save rankings, metrics and settings')
    .option('--against <file>', 'compare with a saved run')
    .option(
      '--floor <metric=least>',
      `fail if a metric is lower, such as ndcg@10=0.75; repeatable`,
      collectFloor,
    )
    .option('--per-query', 'also list every query, the worst first')
    .addHelpText('after', HELP)
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<EvalOptions>();
      const report = await runEval(cli, options);
      if (report.comparison?.dropped === true || report.belowFloor.length > 0)
        cli.setExitCode(WORSE);
    });
}

const HELP = `
Without --catalog and --url, it measures the organization in the data folder.

Example:
  vitrine eval --queries queries.tsv --judgements qrels.tsv \\
    --catalog products.jsonl --save before.json
  vitrine eval --queries queries.tsv --judgements qrels.tsv \\
    --catalog products.jsonl --against before.json

Exit code: 0 no worse, 1 NDCG@10 dropped significantly or a figure is below its floor, 64 a file or
an option is wrong, 66 there is no such file, 69 a service does not answer, 77 it refuses the key.`;

async function runEval(cli: Cli, options: EvalOptions): Promise<EvalReport> {
  // Check every option before spending minutes on a catalogue.
  const questions = await readQuestions(options.queries);
  const judgements = await readJudgements(options.judgements);
  const earlier = options.against === undefined ? null : await readRun(options.against);
  const before = earlier === null ? null : figuresById(earlier, judgements);
  if (before !== null && !questions.some((question) => before.has(keyOf(question)))) {
    throw new AppError('invalid_input', `${options.against} contains none of these queries.`);
  }
  if (!questions.some(({ id }) => hasRelevant(gradesOf(judgements, id)))) {
    throw new AppError(
      'invalid_input',
      'No query has a relevant judgement: do the query ids of both files match?',
    );
  }
  if (options.save !== undefined && !existsSync(dirname(resolve(options.save)))) {
    throw new AppError('not_found', `The folder of ${options.save} does not exist.`);
  }
  const asker = await openAsker(cli, options);
  const measured = await askAll(cli, asker, { questions, judgements }).finally(() => asker.close());
  const settings = { ...settingsOf(options), ...asker.settings };
  const comparison = before === null ? null : compare(before, measured);
  const report: EvalReport = {
    settings,
    ...group(measured),
    comparison,
    belowFloor: belowFloors(measured, options),
  };
  if (options.save !== undefined) {
    const run = { ...report, queries: measured } satisfies SavedRun;
    await writeFile(options.save, `${JSON.stringify(run, null, 1)}\n`);
  }
  const queries = options.perQuery === true ? { queries: worstFirst(measured) } : {};
  printResult(cli, options, { ...report, ...queries }, (result) => renderReport(result, before));
  return report;
}

async function askAll(
  cli: Cli,
  asker: Asker,
  {
    questions,
    judgements,
  }: { questions: readonly Question[]; judgements: ReadonlyMap<string, Grades> },
): Promise<MeasuredQuery[]> {
  const progress = startProgress(cli);
  const measured: MeasuredQuery[] = [];
  for (const question of questions) {
    refuseIfStopped(cli);
    const answer = await asker.ask(question.text);
    const grades = gradesOf(judgements, question.id);
    const figures = hasRelevant(grades) ? measure(answer.ranking, grades) : null;
    measured.push({
      ...question,
      ...answer,
      tookMs: Math.round(answer.tookMs * 100) / 100,
      figures,
    });
    progress.update({
      done: measured.length,
      total: questions.length,
      stage: 'asking',
      count: measured.length,
    });
  }
  progress.end();
  return measured;
}

function group(
  measured: readonly MeasuredQuery[],
): Pick<EvalReport, 'all' | 'byClass' | 'withoutRelevant' | 'scoring'> {
  const byClass = new Map<string, MeasuredQuery[]>();
  const scoring: Record<string, number> = {};
  for (const query of measured) {
    scoring[query.scoring] = (scoring[query.scoring] ?? 0) + 1;
    if (query.class === null || query.figures === null) continue;
    byClass.set(query.class, [...(byClass.get(query.class) ?? []), query]);
  }
  const others = measured.filter(({ figures }) => figures === null);
  return {
    all: figuresOf(measured),
    byClass: Object.fromEntries([...byClass].map(([name, queries]) => [name, figuresOf(queries)])),
    withoutRelevant: {
      queries: others.length,
      empty: others.filter(({ ranking }) => ranking.length === 0).length,
      lowConfidence: others.filter(
        ({ ranking, lowConfidence }) => ranking.length > 0 && lowConfidence,
      ).length,
    },
    scoring,
  };
}

function figuresOf(measured: readonly MeasuredQuery[]): GroupFigures {
  const judged = measured.filter(({ figures }) => figures !== null);
  return {
    queries: judged.length,
    figures: summarize(judged.map(({ figures }) => figures!)),
    zeroResults: judged.filter(({ ranking }) => ranking.length === 0).length,
    p50Ms: median(judged.map(({ tookMs }) => tookMs)),
  };
}

function compare(
  before: ReadonlyMap<string, Figures>,
  measured: readonly MeasuredQuery[],
): Comparison {
  const pairs = measured.flatMap((query) => {
    const former = before.get(keyOf(query));
    const now = query.figures;
    return former === undefined || now === null ? [] : [{ before: former, now }];
  });
  const means = {
    before: summarize(pairs.map((pair) => pair.before)),
    now: summarize(pairs.map(({ now }) => now)),
  };
  const differences = METRICS.map((metric) => {
    const difference = pairedBootstrap(
      pairs.map(({ before, now }) => ({ before: before[metric], now: now[metric] })),
    );
    return [
      metric,
      { before: means.before[metric], now: means.now[metric], ...difference },
    ] as const;
  });
  const byMetric = Object.fromEntries(differences) as Comparison['differences'];
  return { queries: pairs.length, differences: byMetric, dropped: byMetric[DECIDING].high < 0 };
}

/** Measures the rankings of a saved run again, so that changed judgements affect both sides. */
function figuresById(
  { queries }: SavedRun,
  judgements: ReadonlyMap<string, Grades>,
): Map<string, Figures> {
  return new Map(
    queries.map(({ id, text, ranking }) => [
      keyOf({ id, text }),
      measure(ranking, gradesOf(judgements, id)),
    ]),
  );
}

function belowFloors(
  measured: readonly MeasuredQuery[],
  { floor = [] }: EvalOptions,
): EvalReport['belowFloor'] {
  const { figures } = figuresOf(measured);
  return floor
    .map(({ metric, least }) => ({ metric, least, reached: figures[metric] }))
    .filter(({ least, reached }) => reached < least);
}

function settingsOf({
  queries,
  judgements,
  catalog,
  locale,
  org,
  shop,
  skipScoring,
}: EvalOptions): Record<string, unknown> {
  const scope = { organization: org ?? null, shop: shop ?? null, locale: locale ?? null };
  return {
    queries,
    judgements,
    catalog: catalog ?? [],
    ...scope,
    skipScoring: skipScoring === true,
    limit: RANKING_MAX,
  };
}

function worstFirst(measured: readonly MeasuredQuery[]): MeasuredQuery[] {
  const rankOf = ({ figures }: MeasuredQuery) => figures?.[DECIDING] ?? Number.POSITIVE_INFINITY;
  return measured.toSorted(
    (left, right) => rankOf(left) - rankOf(right) || (left.id < right.id ? -1 : 1),
  );
}

function gradesOf(judgements: ReadonlyMap<string, Grades>, query: string): Grades {
  return judgements.get(query) ?? new Map<string, number>();
}

function collect(path: string, former: readonly string[] = []): string[] {
  return [...former, path];
}

function collectFloor(text: string, former: readonly Floor[] = []): Floor[] {
  const [name, number = ''] = text.split('=');
  const metric = METRICS.find((metric) => metric === name);
  const least = /^(0|1|[01]?\.\d+)$/.test(number) ? Number(number) : Number.NaN;
  if (metric === undefined || !(least <= 1)) {
    throw new InvalidArgumentError(
      `It must be one of ${METRICS.join(', ')}, "=", and a number from 0 to 1.`,
    );
  }
  return [...former, { metric, least }];
}
