#!/usr/bin/env bun
import { readFileSync } from 'node:fs';
import {
  type ConfidenceSignals,
  confidenceOf,
  confidenceSignals,
} from '../src/search/ranking/confidence.ts';
import { Ranker } from '../src/search/ranking/rank.ts';
import {
  CONFIDENCE_BIAS,
  CONFIDENCE_RESULTS,
  CONFIDENCE_WEIGHTS,
} from '../src/search/tuning/confidence-weights.ts';
import { askJudged, openJudged } from './bench/judged-question.ts';

/*
 * Fits the model that tells right answers from misses, and prints how many of both each limit doubts,
 * with the shipped weights, with those fitted now, and for each shop with weights fitted to the others:
 *   bun scripts/fit-confidence.ts SHOP=DATA...
 * SHOP is a shop of tests/relevance/answered.tsv, DATA a data folder with its catalogue and a vector
 * for every document.
 */

const CANDIDATES = 150;

/** Keeps weights small, because the questions are few. */
const RIDGE = 0.003;
const ROUNDS = 40;
const LIMITS = [0.3, 0.4, 0.5, 0.55, 0.6, 0.7];

const NAMES = Object.keys(CONFIDENCE_WEIGHTS) as (keyof ConfidenceSignals)[];

interface Sample {
  readonly shop: string;
  readonly isAnswered: boolean;
  readonly signals: ConfidenceSignals;
}

const folders = process.argv.slice(2).map((argument) => argument.split('=') as [string, string]);
if (folders.length === 0 || folders.some(({ length }) => length !== 2)) {
  console.error('bun scripts/fit-confidence.ts SHOP=DATA...');
  process.exit(64);
}

const samples: Sample[] = [];
for (const [shop, data] of folders) samples.push(...(await readSamples(shop, data)));
console.log(`${samples.length} questions`);
printCurve('shipped', ({ signals }) => confidenceOf(signals));
const weights = fit(samples);
console.log(NAMES.map((name, at) => `${name} ${weights[at]!.toFixed(2)}`).join(', '));
console.log(`bias ${weights.at(-1)!.toFixed(2)}, shipped ${CONFIDENCE_BIAS}`);
printCurve('fitted', ({ signals }) => probability(inputs(signals), weights));
if (folders.length > 1) {
  const fittedElsewhere = new Map(
    folders.map(([shop]) => [shop, fit(samples.filter((sample) => sample.shop !== shop))]),
  );
  printCurve('unseen', ({ shop, signals }) =>
    probability(inputs(signals), fittedElsewhere.get(shop)!),
  );
}
process.exit(0);

/** Questions that ranking doubts or trusts by a rule are left out, as are those without results. */
async function readSamples(shop: string, dataFolder: string): Promise<Sample[]> {
  const file = new URL('../tests/relevance/answered.tsv', import.meta.url);
  const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  const services = await openJudged(dataFolder);
  const found: Sample[] = [];
  for (const [of, isAnswered, text] of rows.map((row) => row.split('\t'))) {
    if (of !== shop) continue;
    const { candidates, asked, feedback } = await askJudged(services, text!, CANDIDATES);
    const { ranked } = new Ranker(candidates, asked, { skipScoring: false }).rank(feedback);
    const first = ranked.slice(0, CONFIDENCE_RESULTS);
    if (first.length === 0 || asked.asksPolicy || first[0]!.isExactCode) continue;
    found.push({ shop, isAnswered: isAnswered === '1', signals: confidenceSignals(first, asked) });
  }
  await services.close();
  return found;
}

function printCurve(name: string, of: (sample: Sample) => number): void {
  const doubted = (isAnswered: boolean, limit: number) => {
    const kind = samples.filter((sample) => sample.isAnswered === isAnswered);
    return `${kind.filter((sample) => of(sample) < limit).length} of ${kind.length}`;
  };
  for (const limit of LIMITS)
    console.log(
      `${name}, below ${limit}: ${doubted(true, limit)} answers, ${doubted(false, limit)} misses doubted`,
    );
}

function inputs(signals: ConfidenceSignals): number[] {
  return [...NAMES.map((name) => signals[name]), 1];
}

function probability(values: readonly number[], weights: readonly number[]): number {
  return 1 / (1 + Math.exp(-values.reduce((sum, value, at) => sum + value * weights[at]!, 0)));
}

/** Logistic regression by Newton's method; each shop's answers and misses weigh the same. */
function fit(all: readonly Sample[]): number[] {
  const kindOf = ({ shop, isAnswered }: Sample) => `${shop} ${isAnswered}`;
  const sizes = new Map<string, number>();
  for (const sample of all) sizes.set(kindOf(sample), (sizes.get(kindOf(sample)) ?? 0) + 1);
  let weights: number[] = [...NAMES, ''].map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight, at) => (at < NAMES.length ? -RIDGE * weight : 0));
    const bend = weights.map((_, row) => weights.map((_, column) => (row === column ? RIDGE : 0)));
    for (const sample of all) {
      const values = inputs(sample.signals);
      const guess = probability(values, weights);
      const share = 1 / sizes.get(kindOf(sample))!;
      for (const [row, value] of values.entries()) {
        slope[row]! += share * (Number(sample.isAnswered) - guess) * value;
        for (const [column, other] of values.entries())
          bend[row]![column]! += share * guess * (1 - guess) * value * other;
      }
    }
    const step = solve(bend, slope);
    weights = weights.map((weight, at) => weight + step[at]!);
  }
  return weights;
}

/** Gaussian elimination; the matrix is positive definite. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (const [pivot, row] of rows.entries())
    for (const [at, other] of rows.entries()) {
      if (at === pivot) continue;
      const factor = other[pivot]! / row[pivot]!;
      for (let column = pivot; column < other.length; column++)
        other[column]! -= factor * row[column]!;
    }
  return rows.map((row, at) => row.at(-1)! / row[at]!);
}
