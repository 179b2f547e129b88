#!/usr/bin/env bun
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readJudgements, readQuestions } from '../src/cli/eval/eval-files.ts';
import { hasRelevant } from '../src/cli/eval/relevance-metrics.ts';
import {
  type Attack,
  CUT,
  type Figure,
  type Judged,
  LEARNED_PAIRS,
  openQuietly,
  ROUNDS,
  RULES,
  SESSIONS,
  SimulatedShop,
  TIMED_ROUNDS,
} from './learning/simulated-shop.ts';

/*
 * What learning gains and what it resists, with simulated customers, and what it costs:
 *   bun scripts/simulate-learning.ts JUDGED DATA
 * JUDGED is a folder with queries.tsv and qrels.tsv in the format of `vitrine eval`. DATA is a data
 * folder with the judged catalogue and a vector for every document; a copy of it is used.
 *
 * Half of the questions are asked by customers, who click by a position-based model: a result at
 * place p is looked at with a probability of 1/p, and clicked with one that depends on its grade. Then
 * the halves change places. The hits are stored and learned from as those of real customers.
 */

/** Other wordings of a question. The first two have the same terms. */
const PARAPHRASES: readonly ((question: string) => string)[] = [
  (question) => question.split(' ').reverse().join(' '),
  (question) => `looking for ${question}s`,
  (question) => `best ${question} for my home`,
  (question) => `good quality ${question} on sale`,
  (question) => `which ${question} would you recommend`,
];

const ATTACKS = [
  { share: 0.01, isSpread: false },
  { share: 0.1, isSpread: false },
  { share: 0.01, isSpread: true },
  { share: 0.1, isSpread: true },
];

const [set, data] = process.argv.slice(2);
if (set === undefined || data === undefined) {
  console.error('bun scripts/simulate-learning.ts JUDGED DATA');
  process.exit(64);
}
const folder = mkdtempSync(join(tmpdir(), 'vitrine-learning-'));
try {
  cpSync(resolve(data), folder, { recursive: true });
  await simulate(await readJudged(set), folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function readJudged(from: string): Promise<Judged[]> {
  const judgements = await readJudgements(join(from, 'qrels.tsv'));
  const questions = await readQuestions(join(from, 'queries.tsv'));
  return questions
    .map(({ id, text }) => ({ text, grades: judgements.get(id) ?? new Map<string, number>() }))
    .filter(({ grades }) => hasRelevant(grades));
}

async function simulate(judged: readonly Judged[], dataFolder: string): Promise<void> {
  const services = await openQuietly(dataFolder);
  const shop = new SimulatedShop(services);
  const halves = [0, 1].map((half) => judged.filter((_, index) => index % 2 === half));
  const swapped = [halves, halves.toReversed()] as [Judged[], Judged[]][];
  const plain = { seen: [], alike: [], unseen: [] } as Measured;
  const learned = { seen: [], alike: [], unseen: [] } as Measured;
  for (const [seen, unseen] of swapped) {
    await shop.forget();
    add(plain, await measureAll(shop, seen, unseen));
    await shop.serve(seen, null);
    add(learned, await measureAll(shop, seen, unseen));
  }
  console.log(`NDCG@${CUT}, ${SESSIONS * ROUNDS} sessions of each question`);
  report('  seen questions', plain.seen, learned.seen);
  for (const [index, paraphrase] of PARAPHRASES.entries()) {
    const of = ({ alike }: Measured) => alike.filter((_, at) => at % PARAPHRASES.length === index);
    report(`  “${paraphrase('desk lamp')}”`, of(plain), of(learned));
  }
  report('  unseen questions', plain.unseen, learned.unseen);
  console.log('Half of the seen questions attacked, against nothing learned');
  for (const attack of ATTACKS) await simulateAttack(shop, swapped, attack);
  await measureCost(shop, judged);
  await services.close();
}

interface Measured {
  readonly seen: Figure[];
  /** The paraphrases of each seen question, in turn. */
  readonly alike: Figure[];
  readonly unseen: Figure[];
}

function add(sums: Measured, more: Measured): void {
  sums.seen.push(...more.seen);
  sums.alike.push(...more.alike);
  sums.unseen.push(...more.unseen);
}

async function measureAll(
  shop: SimulatedShop,
  seen: Judged[],
  unseen: Judged[],
): Promise<Measured> {
  const alike = seen.flatMap(({ text, grades }) =>
    PARAPHRASES.map((paraphrase) => ({ text: paraphrase(text), grades })),
  );
  return {
    seen: await shop.measure(seen),
    alike: await shop.measure(alike),
    unseen: await shop.measure(unseen),
  };
}

function report(label: string, before: readonly Figure[], after: readonly Figure[]): void {
  const change = (name: keyof Figure) => {
    const [was, is] = [before, after].map((figures) => mean(figures.map((each) => each[name])));
    return `${was!.toFixed(4)} → ${is!.toFixed(4)} (${signed(is! - was!)})`;
  };
  const better = after.filter(({ ndcg: is }, index) => is > before[index]!.ndcg + 1e-9).length;
  const worse = after.filter(({ ndcg: is }, index) => is < before[index]!.ndcg - 1e-9).length;
  const counts = `${better} better, ${worse} worse of ${after.length}`;
  console.log(`${label.padEnd(44)} ${change('ndcg')}; condensed ${change('condensed')}; ${counts}`);
}

/** Attacks every second of the seen questions. */
async function simulateAttack(
  shop: SimulatedShop,
  swapped: readonly [Judged[], Judged[]][],
  attack: Omit<Attack, 'targets'>,
): Promise<void> {
  const [plain, attacked]: [Figure[], Figure[]] = [[], []];
  const [placesBefore, placesAfter]: [number[], number[]] = [[], []];
  for (const [seen] of swapped) {
    const victims = seen.filter((_, index) => index % 2 === 0);
    await shop.forget();
    plain.push(...(await shop.measure(victims)));
    const targets = new Map<Judged, string>();
    for (const victim of victims) {
      const target = await shop.findTarget(victim);
      if (target !== null) targets.set(victim, target);
    }
    placesBefore.push(...(await shop.placesOf(targets)));
    await shop.serve(seen, { ...attack, targets });
    attacked.push(...(await shop.measure(victims)));
    placesAfter.push(...(await shop.placesOf(targets)));
  }
  const from = attack.isSpread ? 'many networks' : 'one source';
  report(`  attacked, ${attack.share * 100} % from ${from}`, plain, attacked);
  console.log(
    `    mean place of the attacker’s offering ${mean(placesBefore).toFixed(1)} → ${mean(placesAfter).toFixed(1)}`,
  );
}

/** What a search costs with much learned and many rules, as ratios to none of both. */
async function measureCost(shop: SimulatedShop, judged: readonly Judged[]): Promise<void> {
  await shop.forget();
  await shop.fill(judged);
  await shop.addRules();
  const { none, pairs, both } = await shop.time(judged);
  console.log(`A search: ${none.toFixed(3)} ms, the fastest of ${TIMED_ROUNDS} rounds`);
  console.log(`  with ${LEARNED_PAIRS} learned pairs ${(pairs / none).toFixed(2)} times`);
  console.log(`  and with ${RULES} rules ${(both / none).toFixed(2)} times`);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}
