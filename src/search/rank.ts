import type { Constraint } from './constraints.ts';
import type { TermGroup } from './expand-terms.ts';
import { contradicts, type Facts, filterByConstraints } from './filter.ts';
import type { NameSignals } from './name.ts';
import { coverage, fusedScore, localScore, type Signals } from './score.ts';

/** A document that a retriever brought, with all that ranks it. */
export interface Candidate extends Facts {
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
}

/** A question as ranking sees it. */
export interface Asked {
  readonly groups: readonly TermGroup[];
  /** Terms of the sizes asked for. */
  readonly measures: readonly string[];
  readonly constraints: readonly Constraint[];
  /** Whether the question has a vector. */
  readonly hasMeaning: boolean;
  /** Place of the group that names the thing asked for; -1 without groups. */
  readonly headGroup: number;
}

export interface RankOptions {
  /** Leaves it at the fused order. */
  readonly skipScoring: boolean;
  /** By document, the cosine to what the best candidates have in common; left out before those are known. */
  readonly feedback?: ReadonlyMap<number, number>;
}

export interface Ranking {
  /** Best first, ties by id, each item once: by the document that speaks most for it. */
  readonly ranked: RankedCandidate[];
  /** Constraints that were given up, because with them nothing would be left. */
  readonly relaxed: ReadonlySet<Constraint>;
  /** Whether nothing really fits. */
  readonly lowConfidence: boolean;
}

/** Below this cosine an item that shares no word with the question is no answer to it. */
const LONE_MEANING_MIN = 0.25;

/** An item in another size than the one asked for, and one whose text mentions what is not wanted. */
const WRONG_SIZE_FACTOR = 0.93;
const MENTIONED_FACTOR = 0.9;

/**
 * A question of a few words whose best answer scores less is doubted. On icecat's judged questions 5
 * of the 10 without a relevant offering are doubted, and 2 of the 59 others.
 */
const SURE_SCORE = 0.535;
const FEW_GROUPS = 2;

/** A sentence always has words that no item holds: it is doubted only where words and meaning are both this far. */
const SENTENCE_COVERAGE_MIN = 0.5;
const SENTENCE_COSINE_MIN = 0.35;

/** Places looked at for the best that there is. */
const LOOKED_AT = 10;

/** A question ready to be held against candidates. */
interface Judging extends Asked {
  readonly bestBm25: number;
  /** Places of the groups that are whole codes. */
  readonly codeGroups: readonly number[];
  readonly skipScoring: boolean;
  readonly feedback: ReadonlyMap<number, number> | null;
}

/** Pure. */
export function rankCandidates(
  candidates: readonly Candidate[],
  asked: Asked,
  { skipScoring, feedback }: RankOptions,
): Ranking {
  let bestBm25 = Number.MIN_VALUE;
  for (const { bm25 } of candidates) bestBm25 = Math.max(bestBm25, bm25);
  const codeGroups = asked.groups.flatMap(({ isCode }, index) => (isCode === true ? [index] : []));
  const judging = { ...asked, bestBm25, codeGroups, skipScoring, feedback: feedback ?? null };
  const bestByItem = new Map<number, RankedCandidate>();
  for (const candidate of candidates) {
    if (candidate.bm25 === 0 && (candidate.cosine ?? 0) < LONE_MEANING_MIN) continue;
    const score = judge(candidate, judging);
    const present = bestByItem.get(candidate.itemKey);
    if (present === undefined || score > present.score)
      bestByItem.set(candidate.itemKey, withScore(candidate, score));
  }
  const { kept, relaxed } = filterByConstraints([...bestByItem.values()], asked.constraints);
  const ranked = [...kept].sort(
    (left, right) => right.score - left.score || (left.id < right.id ? -1 : 1),
  );
  return { ranked, relaxed, lowConfidence: isDoubtful(ranked, judging) };
}

/** Field by field: spreading hundreds of candidates takes longer than all else that ranks them. */
function withScore(candidate: Candidate, score: number): RankedCandidate {
  return {
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
  };
}

/** Whether an item has a code that was asked for, whole and exact. */
function hasAskedCode(matched: readonly number[], codeGroups: readonly number[]): boolean {
  return codeGroups.some((index) => matched[index] === 1);
}

function judge(candidate: Candidate, judging: Judging): number {
  const { bm25, cosine, matched, typed, name, available, facts, presences } = candidate;
  const { groups, measures, hasMeaning, headGroup, bestBm25, codeGroups, feedback } = judging;
  if (hasAskedCode(matched, codeGroups)) return 1;
  const signals: Signals = {
    words: bm25 / bestBm25,
    coverage: coverage(groups, matched),
    type: coverage(groups, typed),
    meaning: Math.max(0, cosine ?? 0),
    feedback: feedback && Math.max(0, feedback.get(candidate.documentKey) ?? 0),
    // What a thing is may be told by its type alone.
    name: { ...name, head: Math.max(name.head, typed[headGroup] ?? 0) },
    available,
  };
  const score = judging.skipScoring
    ? fusedScore(signals, hasMeaning)
    : localScore(signals, hasMeaning);
  const isMentioned = presences.some(
    (presence) => presence === 'mentioned' || presence === 'clear',
  );
  return (
    score *
    (measures.length > 0 && contradicts(facts.measures, measures) ? WRONG_SIZE_FACTOR : 1) *
    (isMentioned ? MENTIONED_FACTOR : 1)
  );
}

function isDoubtful(ranked: readonly RankedCandidate[], judging: Judging): boolean {
  const { groups, hasMeaning, codeGroups } = judging;
  const first = ranked.slice(0, LOOKED_AT);
  if (first.some(({ matched }) => hasAskedCode(matched, codeGroups))) return false;
  // What is still being typed cannot be near in meaning.
  const isPrefix = groups.length === 1 && groups[0]!.alternatives.at(-1)!.endsWith('*');
  const covered = Math.max(0, ...first.map(({ matched }) => coverage(groups, matched)));
  if (!hasMeaning || (isPrefix && covered > 0)) return covered < SENTENCE_COVERAGE_MIN;
  if (groups.length <= FEW_GROUPS) {
    return !first.some(
      (candidate) =>
        judge(candidate, { ...judging, skipScoring: false }) >= SURE_SCORE ||
        isNamed(candidate, judging),
    );
  }
  const cosine = Math.max(0, ...first.map((candidate) => candidate.cosine ?? 0));
  return covered < SENTENCE_COVERAGE_MIN && cosine < SENTENCE_COSINE_MIN;
}

/** Whether an item is the thing asked for by its name, or a policy near in meaning, which has none. */
function isNamed({ isContext, cosine, matched, name }: Candidate, { groups }: Judging): boolean {
  if (isContext) return (cosine ?? 0) >= SENTENCE_COSINE_MIN;
  const covered = coverage(groups, matched);
  return covered >= SENTENCE_COVERAGE_MIN && name.head === 1;
}
