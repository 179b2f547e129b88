/** A query's judged items with their grades, 0 to 3. An item not listed is unjudged. */
export type Grades = ReadonlyMap<string, number>;

/** Metrics of a ranking, each from 0 to 1, by the names that programs and files use. */
export const METRICS = ['ndcg@5', 'ndcg@10', 'condensed@10', 'recall@50', 'mrr'] as const;
export type Metric = (typeof METRICS)[number];
export type Figures = Readonly<Record<Metric, number>>;

/** The lowest grade that counts as relevant. A grade of 1 means related but no answer. */
const RELEVANT_GRADE = 2;

/**
 * Resamples of a bootstrap: with 10,000 the ends of a 95 % interval move by about 1 % of its width.
 */
const RESAMPLES = 10_000;

/** Probability in each tail outside the interval. */
const TAIL = 0.025;

/** Every metric of one ranking, given best first. All 0 if no item is judged relevant. */
export function measure(ranking: readonly string[], grades: Grades): Figures {
  return {
    'ndcg@5': ndcg(ranking, grades, 5),
    'ndcg@10': ndcg(ranking, grades, 10),
    'condensed@10': condensedNdcg(ranking, grades, 10),
    'recall@50': recall(ranking, grades, 50),
    mrr: reciprocalRank(ranking, grades),
  };
}

/** The mean of each metric over queries, with equal weights. All 0 without queries. */
export function summarize(figures: readonly Figures[]): Figures {
  const entries = METRICS.map((metric) => [metric, mean(figures.map((figure) => figure[metric]))]);
  return Object.fromEntries(entries) as Record<Metric, number>;
}

/**
 * Normalized discounted cumulative gain of the first `cut` items: their gain, discounted by rank,
 * divided by the gain of the best possible order of all judged items. Järvelin & Kekäläinen,
 * "Cumulated gain-based evaluation of IR techniques", TOIS 20(4), 2002, with gain 2^grade − 1 and
 * discount log2(rank + 1) as in Burges et al., ICML 2005. Unjudged items gain nothing; a repeated
 * item gains only at its first rank. 0 if no judged item has a gain.
 */
export function ndcg(ranking: readonly string[], grades: Grades, cut: number): number {
  const best = [...grades.values()].sort((left, right) => right - left);
  const ideal = discountedGain(best, cut);
  if (ideal === 0) return 0;
  const reached = [...new Set(ranking)].map((item) => grades.get(item) ?? 0);
  return discountedGain(reached, cut) / ideal;
}

/**
 * NDCG of the ranking without its unjudged items. It is fairer than `ndcg` to a search that finds
 * unjudged items. Sakai, "Alternatives to Bpref", SIGIR 2007 (condensed lists).
 */
export function condensedNdcg(ranking: readonly string[], grades: Grades, cut: number): number {
  return ndcg(
    ranking.filter((item) => grades.has(item)),
    grades,
    cut,
  );
}

/** Share of the relevant items that are among the first `cut`. 0 if none is relevant. */
export function recall(ranking: readonly string[], grades: Grades, cut: number): number {
  const first = new Set(ranking.slice(0, cut));
  const relevant = relevantItems(grades);
  const found = relevant.filter((item) => first.has(item));
  return relevant.length === 0 ? 0 : found.length / relevant.length;
}

/**
 * 1 / rank of the first relevant item, 0 without one. Voorhees, TREC-8 question answering, 1999.
 */
export function reciprocalRank(ranking: readonly string[], grades: Grades): number {
  const index = ranking.findIndex((item) => isRelevant(grades.get(item) ?? 0));
  return index === -1 ? 0 : 1 / (index + 1);
}

/** Whether any judged item is relevant. Without one, no ranking can be right. */
export function hasRelevant(grades: Grades): boolean {
  return relevantItems(grades).length > 0;
}

export interface Difference {
  /** Mean of the differences, now − before. */
  readonly mean: number;
  /** Ends of the 95 % interval of the mean. */
  readonly low: number;
  readonly high: number;
  /** Two-sided p-value: how often chance alone gives a mean as far from 0. Always above 0. */
  readonly p: number;
}

/**
 * Paired bootstrap test of a change over the same queries. Percentile interval and test by shifted
 * distribution: Efron & Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 13 and 16.
 * Smucker, Allan & Carterette, CIKM 2007, show that it suits search metrics, which are not normally
 * distributed. Deterministic for a `seed`. No queries: no difference, p 1.
 */
export function pairedBootstrap(
  pairs: readonly { readonly before: number; readonly now: number }[],
  { resamples = RESAMPLES, seed = 1 }: { resamples?: number; seed?: number } = {},
): Difference {
  if (pairs.length === 0) return { mean: 0, low: 0, high: 0, p: 1 };
  const differences = pairs.map(({ before, now }) => now - before);
  const observed = mean(differences);
  const random = seededRandom(seed);
  const means = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < differences.length; drawn += 1) {
      sum += differences[Math.floor(random() * differences.length)]!;
    }
    return sum / differences.length;
  }).sort();
  const asFar = means.filter((value) => Math.abs(value - observed) >= Math.abs(observed)).length;
  return {
    mean: observed,
    low: means[Math.floor(TAIL * resamples)]!,
    high: means[Math.ceil((1 - TAIL) * resamples) - 1]!,
    p: (asFar + 1) / (resamples + 1),
  };
}

/** The median, or the lower of the two middle values; 0 without values. */
export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[(values.length - 1) >> 1] ?? 0;
}

function discountedGain(grades: readonly number[], cut: number): number {
  let sum = 0;
  for (const [index, grade] of grades.slice(0, cut).entries()) {
    sum += (2 ** grade - 1) / Math.log2(index + 2);
  }
  return sum;
}

function relevantItems(grades: Grades): string[] {
  return [...grades].filter(([, grade]) => isRelevant(grade)).map(([item]) => item);
}

function isRelevant(grade: number): boolean {
  return grade >= RELEVANT_GRADE;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Pseudo-random numbers from 0 up to 1, deterministic for a seed: mulberry32 (Tommy Ettinger,
 * 2017).
 */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
