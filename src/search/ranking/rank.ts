import type { Constraint } from '../query/constraints.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import { contradicts, type Facts, filterByConstraints } from '../query/filter.ts';
import {
  ASKED_SHOP_FACTOR,
  CONFIDENCE_RESULTS,
  LONE_COSINE_MIN,
  MENTIONED_FACTOR,
  NAMED_COVERAGE_MIN,
  NEAR_COSINE,
  OTHER_SERVICE_FACTOR,
  SIGNAL_WEIGHTS,
  type SignalWeights,
  SURE_SCORE,
  SURE_SENTENCE_SCORE,
  WORDS_COVERAGE_MIN,
  WRONG_SIZE_FACTOR,
} from '../tuning/ranking-weights.ts';
import type { NameSignals } from './name.ts';
import { coverage, fusedScore, localScore, type Signals } from './score.ts';

/** A retrieved document with everything that ranking needs. */
export interface Candidate extends Facts {
  /** Its place in the index it was described by. */
  readonly document: number;
  readonly itemKey: number;
  readonly documentKey: number;
  /** The item's id, which breaks ties. */
  readonly id: string;
  /** 0 if it was not retrieved by words. */
  readonly bm25: number;
  /** Null if it has no vector. */
  readonly cosine: number | null;
  /** For each group, in order: how much of it the item holds, from 0 to 1 (`sharesOf`). */
  readonly matched: readonly number[];
  /** The same for its type and tags. */
  readonly typed: readonly number[];
  /** How well its name answers the question. */
  readonly name: NameSignals;
}

export interface RankedCandidate extends Candidate {
  /** From 0 to 1. */
  readonly score: number;
  /**
   * True if it has the exact code asked for. It then ranks first, whatever the other signals say.
   */
  readonly isExactCode: boolean;
}

/** The parts of a question that ranking uses. */
export interface Asked {
  readonly groups: readonly TermGroup[];
  /** The terms of the sizes asked for. */
  readonly measures: readonly string[];
  readonly constraints: readonly Constraint[];
  /** Whether the question has a vector. */
  readonly hasVector: boolean;
  /** The group that names the product asked for; -1 without groups. */
  readonly headGroup: number;
  /** As `Question.isSentence`. */
  readonly isSentence: boolean;
  /** As `Question.asksShop`. */
  readonly asksShop: boolean;
}

export interface RankOptions {
  /** Keeps the fused order. */
  readonly skipScoring: boolean;
  /**
   * Relevance feedback: each candidate's cosine to the mean vector of the best ones, in order. Left
   * out in the first pass.
   */
  readonly feedback?: ArrayLike<number>;
  /** Defaults to SIGNAL_WEIGHTS. */
  readonly weights?: SignalWeights;
}

export interface Ranking {
  /** Best first, ties by id. Each item appears once, with its best document. */
  readonly ranked: RankedCandidate[];
  /** Constraints that were relaxed because nothing meets them. */
  readonly relaxed: ReadonlySet<Constraint>;
  /** Whether no result is a good match. */
  readonly lowConfidence: boolean;
}

/** A question, prepared for scoring candidates. */
interface Judging extends Asked {
  readonly bestBm25: number;
  /** The groups that are whole codes. */
  readonly codeGroups: readonly number[];
  readonly skipScoring: boolean;
  readonly weights: SignalWeights;
}

/** Pure. */
export function rankCandidates(
  candidates: readonly Candidate[],
  asked: Asked,
  { skipScoring, feedback, weights = SIGNAL_WEIGHTS }: RankOptions,
): Ranking {
  const judging = judgingOf(candidates, asked, { skipScoring, weights });
  const bestByItem = new Map<number, RankedCandidate>();
  for (const [place, candidate] of candidates.entries()) {
    if (isFarOff(candidate)) continue;
    const score = judge(candidate, judging, feedback?.[place] ?? null);
    const present = bestByItem.get(candidate.itemKey);
    if (present === undefined || score > present.score)
      bestByItem.set(candidate.itemKey, rankedAs(candidate, score, judging));
  }
  const { kept, relaxed } = filterByConstraints([...bestByItem.values()], asked.constraints);
  const ranked = [...kept].sort(compareRanks);
  return { ranked, relaxed, lowConfidence: isDoubtful(ranked, judging) };
}

/** The first `count` of a ranking without feedback, from which feedback is computed. Pure. */
export function bestCandidates(
  candidates: readonly Candidate[],
  asked: Asked,
  count: number,
): Candidate[] {
  // Which constraints are relaxed depends on all candidates.
  if (asked.constraints.length > 0)
    return rankCandidates(candidates, asked, { skipScoring: false }).ranked.slice(0, count);
  const judging = judgingOf(candidates, asked, { skipScoring: false, weights: SIGNAL_WEIGHTS });
  const best: (Placed & { readonly candidate: Candidate })[] = [];
  for (const candidate of candidates) {
    if (isFarOff(candidate)) continue;
    const score = judge(candidate, judging, null);
    if (best.length === count && score < best.at(-1)!.score) continue;
    best.push({
      candidate,
      id: candidate.id,
      score,
      isExactCode: hasAskedCode(candidate, judging),
    });
    best.sort(compareRanks);
    if (best.length > count) best.pop();
  }
  return best.map(({ candidate }) => candidate);
}

/** What determines a candidate's rank. */
type Placed = Pick<RankedCandidate, 'id' | 'score' | 'isExactCode'>;

function compareRanks(left: Placed, right: Placed): number {
  return (
    Number(right.isExactCode) - Number(left.isExactCode) ||
    right.score - left.score ||
    (left.id < right.id ? -1 : 1)
  );
}

function isFarOff({ bm25, cosine }: Candidate): boolean {
  return bm25 === 0 && (cosine ?? 0) < LONE_COSINE_MIN;
}

function judgingOf(
  candidates: readonly Candidate[],
  asked: Asked,
  options: Pick<Judging, 'skipScoring' | 'weights'>,
): Judging {
  let bestBm25 = Number.MIN_VALUE;
  for (const { bm25 } of candidates) bestBm25 = Math.max(bestBm25, bm25);
  const codeGroups = asked.groups.flatMap(({ isCode }, index) => (isCode === true ? [index] : []));
  return { ...asked, ...options, bestBm25, codeGroups };
}

/** Copied field by field: spreading hundreds of candidates takes longer than ranking them. */
function rankedAs(candidate: Candidate, score: number, judging: Judging): RankedCandidate {
  return {
    document: candidate.document,
    itemKey: candidate.itemKey,
    documentKey: candidate.documentKey,
    id: candidate.id,
    bm25: candidate.bm25,
    cosine: candidate.cosine,
    matched: candidate.matched,
    typed: candidate.typed,
    name: candidate.name,
    isContext: candidate.isContext,
    available: candidate.available,
    facts: candidate.facts,
    presences: candidate.presences,
    score,
    isExactCode: hasAskedCode(candidate, judging),
  };
}

/** Whether an item has exactly a code that was asked for. */
function hasAskedCode({ matched }: Candidate, { codeGroups }: Judging): boolean {
  return codeGroups.some((index) => matched[index] === 1);
}

function judge(candidate: Candidate, judging: Judging, feedback: number | null): number {
  const { bm25, cosine, matched, typed, name, available, facts, presences } = candidate;
  const { groups, measures, hasVector, headGroup, bestBm25 } = judging;
  if (hasAskedCode(candidate, judging)) return 1;
  const signals: Signals = {
    words: bm25 / bestBm25,
    coverage: coverage(groups, matched),
    type: coverage(groups, typed),
    cosine: Math.max(0, cosine ?? 0),
    feedback: feedback === null ? null : Math.max(0, feedback),
    density: name.density,
    adjacency: name.adjacency,
    // Sometimes only the type says what a product is.
    head: Math.max(name.head, typed[headGroup] ?? 0),
    available,
  };
  let score = judging.skipScoring
    ? fusedScore(signals, hasVector)
    : Math.min(1, localScore(signals, hasVector, judging.weights) * kindFactor(candidate, judging));
  if (measures.length > 0 && contradicts(facts.measures, measures)) score *= WRONG_SIZE_FACTOR;
  for (const presence of presences)
    if (presence === 'mentioned' || presence === 'clear') return score * MENTIONED_FACTOR;
  return score;
}

/** A factor for how well the kind of item (product, service or context) fits the question. */
function kindFactor({ isContext, cosine, facts, name }: Candidate, { asksShop }: Judging): number {
  if (asksShop) return isContext && (cosine ?? 0) >= NEAR_COSINE ? ASKED_SHOP_FACTOR : 1;
  return facts.isService && !name.hasNoun ? OTHER_SERVICE_FACTOR : 1;
}

function isDoubtful(ranked: readonly RankedCandidate[], judging: Judging): boolean {
  const { groups, hasVector } = judging;
  const first = ranked.slice(0, CONFIDENCE_RESULTS);
  if (first.some(({ isExactCode }) => isExactCode)) return false;
  // An incomplete word has no useful vector.
  const isPrefix = groups.length === 1 && groups[0]!.alternatives.at(-1)!.endsWith('*');
  const covered = Math.max(0, ...first.map(({ matched }) => coverage(groups, matched)));
  if (!hasVector || (isPrefix && covered > 0)) return covered < WORDS_COVERAGE_MIN;
  const scored = { ...judging, skipScoring: false };
  const sure = judging.isSentence ? SURE_SENTENCE_SCORE : SURE_SCORE;
  return !first.some(
    (candidate) =>
      (judging.skipScoring ? judge(candidate, scored, null) : candidate.score) >= sure ||
      isNamed(candidate, judging),
  );
}

/** Whether an item's name or type is what was asked for, or it is a policy whose vector is near. */
function isNamed(
  { isContext, cosine, matched, typed, name }: Candidate,
  { groups, headGroup }: Judging,
): boolean {
  if (isContext) return (cosine ?? 0) >= NEAR_COSINE;
  const isThing = name.head > 0 || (typed[headGroup] ?? 0) > 0;
  return isThing && coverage(groups, matched) >= NAMED_COVERAGE_MIN;
}
