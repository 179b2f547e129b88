import { dim } from '../command/cli.ts';
import { table } from '../command/table.ts';
import type { Answer } from './eval-askers.ts';
import type { Question } from './eval-files.ts';
import { type Difference, type Figures, METRICS, type Metric } from './relevance-metrics.ts';

/** The metric whose significant drop fails a run. */
export const DECIDING: Metric = 'ndcg@10';

const HEADINGS: Readonly<Record<Metric, string>> = {
  'ndcg@5': 'NDCG@5',
  'ndcg@10': 'NDCG@10',
  'condensed@10': 'condensed@10',
  'recall@50': 'recall@50',
  mrr: 'MRR',
};

export interface MeasuredQuery extends Question, Answer {
  readonly figures: Figures | null;
}

/** Metrics over the queries that have a relevant item. */
export interface GroupFigures {
  readonly queries: number;
  readonly figures: Figures;
  /** Queries without any result. */
  readonly zeroResults: number;
  /** Median response time as the client sees it. */
  readonly p50Ms: number;
}

export interface Floor {
  readonly metric: Metric;
  readonly least: number;
}

export interface EvalReport {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly all: GroupFigures;
  /** By class, in the order of the questions; empty if the file has no classes. */
  readonly byClass: Readonly<Record<string, GroupFigures>>;
  /** Queries without a relevant item: the right answer is empty or marked as low confidence. */
  readonly withoutRelevant: {
    readonly queries: number;
    readonly empty: number;
    readonly lowConfidence: number;
  };
  /** Number of answers by scoring method. */
  readonly scoring: Readonly<Record<string, number>>;
  readonly comparison: Comparison | null;
  readonly belowFloor: readonly (Floor & { readonly reached: number })[];
}

/** A run compared with an earlier one, over the queries in both. */
export interface Comparison {
  readonly queries: number;
  readonly differences: Readonly<Record<Metric, Difference & { before: number; now: number }>>;
  /** Whether NDCG@10 is significantly lower. */
  readonly dropped: boolean;
}

export function renderReport(
  report: EvalReport & { readonly queries?: readonly MeasuredQuery[] },
  before: ReadonlyMap<string, Figures> | null,
): string {
  const { all, byClass, withoutRelevant, scoring, comparison, belowFloor, queries } = report;
  const groups = Object.entries({ ...byClass, all });
  const scored = Object.entries(scoring).map(([name, count]) => `${name} ${count}`);
  return [
    ...(queries === undefined ? [] : [perQueryTable(queries, before), '']),
    table(
      ['', 'queries', ...METRICS.map((metric) => HEADINGS[metric]), 'no result', 'p50 ms'],
      groups.map(([name, { queries, figures, zeroResults, p50Ms }]) => [
        name,
        String(queries),
        ...METRICS.map((metric) => figures[metric].toFixed(4)),
        String(zeroResults),
        p50Ms.toFixed(1),
      ]),
    ),
    dim(`scoring: ${scored.join(', ')}`),
    ...(withoutRelevant.queries === 0 ? [] : [withoutRelevantLine(withoutRelevant)]),
    ...(comparison === null ? [] : ['', comparisonTable(comparison)]),
    ...(comparison?.dropped === true ? ['NDCG@10 dropped significantly.'] : []),
    ...belowFloor.map(
      ({ metric, least, reached }) =>
        `${HEADINGS[metric]} ${reached.toFixed(4)} is below its floor ${least}.`,
    ),
  ].join('\n');
}

function withoutRelevantLine({
  queries,
  empty,
  lowConfidence,
}: EvalReport['withoutRelevant']): string {
  const confident = queries - empty - lowConfidence;
  return `${queries} more without a relevant item: ${empty} without results, ${lowConfidence} with low confidence, ${confident} with full confidence`;
}

function perQueryTable(
  queries: readonly MeasuredQuery[],
  before: ReadonlyMap<string, Figures> | null,
): string {
  const changeOf = (query: MeasuredQuery) => {
    const [former, now] = [before?.get(keyOf(query)), query.figures];
    return former === undefined || now === null ? '' : signed(now[DECIDING] - former[DECIDING]);
  };
  return table(
    [
      'query',
      'class',
      HEADINGS[DECIDING],
      ...(before === null ? [] : ['change']),
      'recall@50',
      'MRR',
      'found',
      'question',
    ],
    queries.map((query) => [
      query.id,
      query.class ?? '',
      query.figures?.[DECIDING].toFixed(3) ?? '–',
      ...(before === null ? [] : [changeOf(query)]),
      query.figures?.['recall@50'].toFixed(3) ?? '–',
      query.figures?.mrr.toFixed(3) ?? '–',
      String(query.ranking.length),
      query.text,
    ]),
  );
}

function comparisonTable({ queries, differences }: Comparison): string {
  const rows = METRICS.map((metric) => {
    const { before, now, mean, low, high, p } = differences[metric];
    return [
      HEADINGS[metric],
      before.toFixed(4),
      now.toFixed(4),
      signed(mean),
      `${signed(low)} to ${signed(high)}`,
      p.toFixed(4),
    ];
  });
  return table([`over ${queries} queries`, 'before', 'now', 'change', '95 % interval', 'p'], rows);
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}

/** A query with a new wording counts as a different query. */
export function keyOf({ id, text }: Pick<Question, 'id' | 'text'>): string {
  return `${id}\t${text}`;
}
