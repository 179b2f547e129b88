#!/usr/bin/env bun
import { join } from 'node:path';
import { readJudgements, readQuestions } from '../src/cli/eval/eval-files.ts';
import { type Grades, hasRelevant, ndcg } from '../src/cli/eval/relevance-metrics.ts';
import { Ranker } from '../src/search/ranking/rank.ts';
import { SIGNAL_WEIGHTS, type SignalWeights } from '../src/search/tuning/ranking-weights.ts';
import { askJudged, type JudgedQuestion, openJudged } from './bench/judged-question.ts';

/*
 * Fits the weights of the ranking signals to judged questions, starting from equal weights, and
 * compares the result with the shipped weights:
 *   bun scripts/fit-ranking.ts JUDGED DATA [JUDGED DATA]
 * JUDGED is a folder with queries.tsv and qrels.tsv in the format of `vitrine eval`. DATA is a data
 * folder with the judged catalogue and a vector for every document. The weights are fitted to the
 * first set only and validated on the second. Relevance feedback keeps the shipped weights.
 */

const CUT = 10;
const CANDIDATES = 400;

/** Factors by which a weight is multiplied in each trial. */
const STEPS = [0, 0.5, 0.67, 0.8, 1.25, 1.5, 2];
const ROUNDS_MAX = 4;

/** A smaller gain in NDCG counts as chance. */
const GAIN_MIN = 0.0005;

const NAMES = Object.keys(SIGNAL_WEIGHTS) as (keyof SignalWeights)[];

interface Judged extends JudgedQuestion {
  readonly grades: Grades;
}

const [fitSet, fitData, checkSet, checkData] = process.argv.slice(2);
if (fitSet === undefined || fitData === undefined) {
  console.error('bun scripts/fit-ranking.ts JUDGED DATA [JUDGED DATA]');
  process.exit(64);
}

const fitted = await readJudged(fitSet, fitData);
const shipped = meanNdcg(fitted, SIGNAL_WEIGHTS);
console.log(
  `${fitted.length} questions; NDCG@${CUT} with the shipped weights ${shipped.toFixed(4)}`,
);
for (const name of NAMES) {
  const changed = [2 / 3, 4 / 3].map((factor) =>
    meanNdcg(fitted, { ...SIGNAL_WEIGHTS, [name]: SIGNAL_WEIGHTS[name] * factor }),
  );
  const [less, more] = changed.map((value) => (value - shipped).toFixed(4));
  console.log(`  ${name.padEnd(10)} ${SIGNAL_WEIGHTS[name]}  a third less ${less}, more ${more}`);
}
const found = climb(fitted);
console.log(`found: NDCG@${CUT} ${meanNdcg(fitted, found).toFixed(4)}, ${JSON.stringify(found)}`);
if (checkSet !== undefined && checkData !== undefined) {
  const checked = await readJudged(checkSet, checkData);
  const [was, is] = [meanNdcg(checked, SIGNAL_WEIGHTS), meanNdcg(checked, found)];
  console.log(
    `check: ${checked.length} questions, shipped ${was.toFixed(4)}, found ${is.toFixed(4)}`,
  );
}
process.exit(0);

/** Coordinate ascent from equal weights: changes one weight at a time until no step helps. */
function climb(judged: readonly Judged[]): SignalWeights {
  let best: SignalWeights = { ...SIGNAL_WEIGHTS };
  for (const name of NAMES) best = { ...best, [name]: 0.5 };
  let reached = meanNdcg(judged, best);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = reached;
    for (const name of NAMES) {
      const from = best[name];
      for (const step of STEPS) {
        const tried = { ...best, [name]: Math.round(Math.max(from, 0.1) * step * 1000) / 1000 };
        const value = meanNdcg(judged, tried);
        if (value > reached + GAIN_MIN) [best, reached] = [tried, value];
      }
    }
    if (reached - before < GAIN_MIN) break;
  }
  return best;
}

function meanNdcg(judged: readonly Judged[], weights: SignalWeights): number {
  const figures = judged.map(({ candidates, asked, feedback, externalIds, grades }) => {
    const { ranked } = new Ranker(candidates, asked, { skipScoring: false, weights }).rank(
      feedback,
    );
    const first = ranked.slice(0, CUT).map(({ itemKey }) => externalIds.get(itemKey)!);
    return ndcg(first, grades, CUT);
  });
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

async function readJudged(set: string, dataFolder: string): Promise<Judged[]> {
  const services = await openJudged(dataFolder);
  const judgements = await readJudgements(join(set, 'qrels.tsv'));
  const judged: Judged[] = [];
  for (const { id, text } of await readQuestions(join(set, 'queries.tsv'))) {
    const grades = judgements.get(id) ?? new Map<string, number>();
    if (hasRelevant(grades))
      judged.push({ ...(await askJudged(services, text, CANDIDATES)), grades });
  }
  await services.close();
  return judged;
}
