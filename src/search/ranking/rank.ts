import type { Constraint } from '../query/constraints.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import { contradicts, type Facts, filterByConstraints } from '../query/filter.ts';
import {
  CONFIDENCE_MIN,
  CONFIDENCE_RESULTS,
  FOREIGN_CONFIDENCE_MIN,
  WORDS_COVERAGE_MIN,
} from '../tuning/confidence-weights.ts';
import {
  ACCESSORY_FACTOR,
  ASKED_SHOP_FACTOR,
  HOST_FACTOR,
  LONE_COSINE_MIN,
  MENTIONED_FACTOR,
  NEAR_COSINE,
  OTHER_SERVICE_FACTOR,
  PRODUCT_SHARE_MIN,
  SIGNAL_WEIGHTS,
  type SignalWeights,
  WRONG_SIZE_FACTOR,
} from '../tuning/ranking-weights.ts';
import { confidenceOf, confidenceSignals } from './confidence.ts';
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
  /** How much its whole text is about the question, compared with the best candidate: from 0 to 1. */
  readonly text: number;
  /** On the reference scale; null if it has no vector. */
  readonly cosine: number | null;
  /** For each group, in order: how much of it the item holds, from 0 to 1 (`sharesOf`). */
  readonly held: readonly number[];
  /** The same, where a synonym of the noun may count as the noun. */
  readonly matched: readonly number[];
  /** As `matched`, for its type and tags. */
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
  /** What choices of earlier customers added to the score. */
  readonly lift: number;
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
  /** As `Question.asksPolicy`. */
  readonly asksPolicy: boolean;
  /** Whether it was read as English. */
  readonly isEnglish: boolean;
  /** Left out where the shop's owner corrects nothing. */
  readonly curation?: RankCuration | null;
  /** Left out where nothing was learned. */
  readonly learned?: RankLearning | null;
}

/** What earlier customers chose. */
export interface RankLearning {
  /**
   * What is added to the score of an item, 0 or more. `fit`: how much of the question it covers,
   * compared with the item that covers most, from 0 to 1.
   */
  liftOf(id: string, fit: number): number;
}

/** How the shop's owner corrects the ranking of a question. */
export interface RankCuration {
  /** Ids of items that are left out. */
  readonly hidden: ReadonlySet<string>;
  /** Ids of items that stay, however far off they are. */
  readonly pinned: ReadonlySet<string>;
  /** What the score of the document at this place is multiplied by. */
  factorOf(document: number): number;
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
  /** Whether candidates are the product asked for, so that its accessories are not meant. */
  readonly hasProduct: boolean;
  /** Whether a word of the question stands for any product. */
  readonly hasVague: boolean;
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
  const liftOf = lifter(candidates, skipScoring ? { ...asked, learned: null } : asked);
  const bestByItem = new Map<number, RankedCandidate>();
  for (const [place, candidate] of candidates.entries()) {
    if (isLeftOut(candidate, asked)) continue;
    const lift = liftOf(candidate);
    const score =
      judge(candidate, judging, feedback?.[place] ?? null) * factorOf(candidate, judging) + lift;
    const present = bestByItem.get(candidate.itemKey);
    if (present === undefined || score > present.score)
      bestByItem.set(candidate.itemKey, rankedAs(candidate, { score, lift }, judging));
  }
  const { kept, relaxed } = filterByConstraints([...bestByItem.values()], asked.constraints);
  const ranked = [...kept].sort(compareRanks);
  return { ranked, relaxed, lowConfidence: isDoubtful(ranked, judging) };
}

/** What choices add to the score of each candidate. */
function lifter(
  candidates: readonly Candidate[],
  { learned = null, groups }: Asked,
): (candidate: Candidate) => number {
  if (learned === null) return () => 0;
  let most = 0;
  for (const { matched } of candidates) most = Math.max(most, coverage(groups, matched));
  return ({ id, matched }) => learned.liftOf(id, most === 0 ? 1 : coverage(groups, matched) / most);
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
    if (isLeftOut(candidate, asked)) continue;
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
  if (left.isExactCode !== right.isExactCode) return left.isExactCode ? -1 : 1;
  return right.score - left.score || (left.id < right.id ? -1 : 1);
}

function isLeftOut({ id, bm25, cosine }: Candidate, { curation }: Asked): boolean {
  if (curation?.hidden.has(id) === true) return true;
  const isFarOff = bm25 === 0 && (cosine ?? 0) < LONE_COSINE_MIN;
  return isFarOff && curation?.pinned.has(id) !== true;
}

function factorOf({ document }: Candidate, { curation }: Asked): number {
  return curation?.factorOf(document) ?? 1;
}

function judgingOf(
  candidates: readonly Candidate[],
  asked: Asked,
  options: Pick<Judging, 'skipScoring' | 'weights'>,
): Judging {
  let bestBm25 = Number.MIN_VALUE;
  for (const { bm25 } of candidates) bestBm25 = Math.max(bestBm25, bm25);
  const codeGroups = asked.groups.flatMap(({ isCode }, index) => (isCode === true ? [index] : []));
  const hasVague = asked.groups.some(({ isVague }) => isVague === true);
  return {
    ...asked,
    ...options,
    bestBm25,
    codeGroups,
    hasProduct: hasProduct(candidates),
    hasVague,
  };
}

function hasProduct(candidates: readonly Candidate[]): boolean {
  let products = 0;
  let accessories = 0;
  for (const { name } of candidates) {
    if (name.isAccessory) accessories += 1;
    else if (name.head === 1) products += 1;
  }
  return products > PRODUCT_SHARE_MIN * accessories;
}

/** Copied field by field: spreading hundreds of candidates takes longer than ranking them. */
function rankedAs(
  candidate: Candidate,
  { score, lift }: Pick<RankedCandidate, 'score' | 'lift'>,
  judging: Judging,
): RankedCandidate {
  return {
    document: candidate.document,
    itemKey: candidate.itemKey,
    documentKey: candidate.documentKey,
    id: candidate.id,
    bm25: candidate.bm25,
    text: candidate.text,
    cosine: candidate.cosine,
    held: candidate.held,
    matched: candidate.matched,
    typed: candidate.typed,
    name: candidate.name,
    isContext: candidate.isContext,
    available: candidate.available,
    facts: candidate.facts,
    presences: candidate.presences,
    score,
    isExactCode: hasAskedCode(candidate, judging),
    lift,
  };
}

/** Whether an item has exactly a code that was asked for. */
function hasAskedCode({ matched }: Candidate, { codeGroups }: Judging): boolean {
  // Of hundreds of candidates, and nearly always there is no code.
  return codeGroups.length > 0 && codeGroups.some((index) => matched[index] === 1);
}

function judge(candidate: Candidate, judging: Judging, feedback: number | null): number {
  const { bm25, text, cosine, matched, typed, name, available, facts, presences } = candidate;
  const { groups, measures, hasVector, headGroup, bestBm25 } = judging;
  if (hasAskedCode(candidate, judging)) return 1;
  const signals: Signals = {
    words: bm25 / bestBm25,
    text,
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

/** Whether an item has only words of the question that stand for any product. */
function isVagueOnly({ matched }: Candidate, { groups }: Judging): boolean {
  let isVague = false;
  for (const [index, group] of groups.entries()) {
    if ((matched[index] ?? 0) === 0) continue;
    if (group.isVague !== true) return false;
    isVague = true;
  }
  return isVague;
}

/** A factor for how well the kind of item (product, service or context) fits the question. */
function kindFactor(candidate: Candidate, judging: Judging): number {
  const { asksShop, hasProduct, hasVague } = judging;
  const { facts, name } = candidate;
  if (candidate.isContext && asksShop) return isPolicy(candidate) ? ASKED_SHOP_FACTOR : 1;
  if (asksShop) return 1;
  if (name.isHost || (hasVague && isVagueOnly(candidate, judging))) return HOST_FACTOR;
  if (candidate.isContext) return 1;
  if (facts.isService) return name.hasNoun ? 1 : OTHER_SERVICE_FACTOR;
  return name.isAccessory && hasProduct ? ACCESSORY_FACTOR : 1;
}

function isDoubtful(ranked: readonly RankedCandidate[], judging: Judging): boolean {
  const { groups } = judging;
  const first = ranked.slice(0, CONFIDENCE_RESULTS);
  const hasVector = judging.hasVector && first.some(({ cosine }) => cosine !== null);
  if (first.some(({ isExactCode }) => isExactCode)) return false;
  const covered = Math.max(0, ...first.map(({ matched }) => coverage(groups, matched)));
  // An incomplete word has no useful vector.
  const isPrefix = groups.length === 1 && groups[0]!.alternatives.at(-1)!.endsWith('*');
  if (!hasVector || (isPrefix && covered > 0)) return covered < WORDS_COVERAGE_MIN;
  if (judging.asksPolicy && !first.some(isPolicy)) return true;
  const scored = { ...judging, skipScoring: false };
  const results = first.map((candidate) => ({
    ...candidate,
    score: judging.skipScoring
      ? judge(candidate, scored, null)
      : (candidate.score - candidate.lift) / factorOf(candidate, judging),
  }));
  const least = judging.isEnglish ? CONFIDENCE_MIN : FOREIGN_CONFIDENCE_MIN;
  return confidenceOf(confidenceSignals(results, judging)) < least;
}

/** Whether a context may answer a question about the shop. */
function isPolicy({ isContext, cosine }: Candidate): boolean {
  return isContext && (cosine ?? 0) >= NEAR_COSINE;
}
