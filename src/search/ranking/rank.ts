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

/** A document that a retriever brought, with all that ranks it. */
export interface Candidate extends Facts {
  /** Its place in the index that describes it. */
  readonly document: number;
  readonly itemKey: number;
  readonly documentKey: number;
  /** The item's id: what decides between equals. */
  readonly id: string;
  /** 0 for one that no word brought. */
  readonly bm25: number;
  /** Null for one without a vector. */
  readonly cosine: number | null;
  /** One for each group, in order: how much of it the item holds, from 0 to 1 (`sharesOf`). */
  readonly matched: readonly number[];
  /** The same of its type and tags. */
  readonly typed: readonly number[];
  /** How its name answers the question. */
  readonly name: NameSignals;
}

export interface RankedCandidate extends Candidate {
  /** From 0 to 1. */
  readonly score: number;
  /** It has a code that was asked for, whole: no other signal may put anything before it. */
  readonly isExactCode: boolean;
}

/** A question as ranking sees it. */
export interface Asked {
  readonly groups: readonly TermGroup[];
  /** Terms of the sizes asked for. */
  readonly measures: readonly string[];
  readonly constraints: readonly Constraint[];
  /** Whether the question has a vector. */
  readonly hasVector: boolean;
  /** Place of the group that names the thing asked for; -1 without groups. */
  readonly headGroup: number;
  /** Whether it has words besides those that name the thing. */
  readonly isSentence: boolean;
  /** Whether it asks the shop what one can do or what it does. */
  readonly asksShop: boolean;
}

export interface RankOptions {
  /** Leaves it at the fused order. */
  readonly skipScoring: boolean;
  /** For each candidate, in order, its cosine to what the best ones have in common; left out before those are known. */
  readonly feedback?: ArrayLike<number>;
  /** Of the signals; left out: SIGNAL_WEIGHTS. */
  readonly weights?: SignalWeights;
}

export interface Ranking {
  /** Best first, ties by id, each item once: by the document that speaks most for it. */
  readonly ranked: RankedCandidate[];
  /** Constraints that were given up, because with them nothing would be left. */
  readonly relaxed: ReadonlySet<Constraint>;
  /** Whether nothing really fits. */
  readonly lowConfidence: boolean;
}

/** A question ready to be held against candidates. */
interface Judging extends Asked {
  readonly bestBm25: number;
  /** Places of the groups that are whole codes. */
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

/** The first `count` of a ranking without feedback, which is all that feedback is made of. Pure. */
export function bestCandidates(
  candidates: readonly Candidate[],
  asked: Asked,
  count: number,
): Candidate[] {
  // Constraints are judged over all candidates.
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

/** What decides the place of a candidate among the others. */
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

/** Field by field: spreading hundreds of candidates takes longer than all else that ranks them. */
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

/** Whether an item has a code that was asked for, whole and exact. */
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
    // What a thing is may be told by its type alone.
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

/** Whether its kind is what is asked for: a thing, something done, or what the shop says of itself. */
function kindFactor({ isContext, cosine, facts, name }: Candidate, { asksShop }: Judging): number {
  if (asksShop) return isContext && (cosine ?? 0) >= NEAR_COSINE ? ASKED_SHOP_FACTOR : 1;
  return facts.isService && !name.hasNoun ? OTHER_SERVICE_FACTOR : 1;
}

function isDoubtful(ranked: readonly RankedCandidate[], judging: Judging): boolean {
  const { groups, hasVector } = judging;
  const first = ranked.slice(0, CONFIDENCE_RESULTS);
  if (first.some(({ isExactCode }) => isExactCode)) return false;
  // What is still being typed cannot be near in meaning.
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

/** Whether an item is the thing asked for by its name or type, or a policy near in meaning. */
function isNamed(
  { isContext, cosine, matched, typed, name }: Candidate,
  { groups, headGroup }: Judging,
): boolean {
  if (isContext) return (cosine ?? 0) >= NEAR_COSINE;
  const isThing = name.head > 0 || (typed[headGroup] ?? 0) > 0;
  return isThing && coverage(groups, matched) >= NAMED_COVERAGE_MIN;
}
