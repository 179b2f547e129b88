import type { Constraint } from './constraints.ts';
import type { TermGroup } from './expand-terms.ts';
import { contradicts, type Facts, filterByConstraints } from './filter.ts';
import { type NameMatcher, type NameTerms, nameMatcher } from './name.ts';
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
  readonly name: NameTerms;
}

export interface RankedCandidate extends Candidate {
  /** From 0 to 1. */
  readonly score: number;
}

/** A question as ranking sees it. */
export interface Asked {
  readonly groups: readonly TermGroup[];
  /** Place of the group that names the thing asked for; -1 without groups. */
  readonly headGroup: number;
  /** Terms of the sizes asked for. */
  readonly measures: readonly string[];
  readonly constraints: readonly Constraint[];
  /** Whether the question has a vector. */
  readonly hasMeaning: boolean;
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
  readonly matchName: NameMatcher;
}

/** `skipScoring` leaves it at the fused order. Pure. */
export function rankCandidates(
  candidates: readonly Candidate[],
  asked: Asked,
  skipScoring: boolean,
): Ranking {
  const bestBm25 = candidates.reduce((best, { bm25 }) => Math.max(best, bm25), Number.MIN_VALUE);
  const judging = { ...asked, bestBm25, matchName: nameMatcher(asked.groups, asked.headGroup) };
  const bestByItem = new Map<number, RankedCandidate>();
  for (const candidate of candidates) {
    if (candidate.bm25 === 0 && (candidate.cosine ?? 0) < LONE_MEANING_MIN) continue;
    const score = judge(candidate, judging, skipScoring);
    const present = bestByItem.get(candidate.itemKey);
    if (present === undefined || score > present.score)
      bestByItem.set(candidate.itemKey, { ...candidate, score });
  }
  const { kept, relaxed } = filterByConstraints([...bestByItem.values()], asked.constraints);
  const ranked = [...kept].sort(
    (left, right) => right.score - left.score || (left.id < right.id ? -1 : 1),
  );
  return { ranked, relaxed, lowConfidence: isDoubtful(ranked, judging) };
}

/** Whether an item has a code that was asked for, whole and exact. */
function hasAskedCode(matched: readonly number[], groups: readonly TermGroup[]): boolean {
  return groups.some(({ isCode }, index) => isCode === true && matched[index] === 1);
}

function judge(
  { bm25, cosine, matched, name, available, measures, presences }: Candidate,
  { groups, measures: askedMeasures, hasMeaning, bestBm25, matchName }: Judging,
  skipScoring: boolean,
): number {
  if (hasAskedCode(matched, groups)) return 1;
  const signals: Signals = {
    words: bm25 / bestBm25,
    coverage: coverage(groups, matched),
    meaning: Math.max(0, cosine ?? 0),
    name: matchName(name),
    available,
  };
  const score = skipScoring ? fusedScore(signals, hasMeaning) : localScore(signals, hasMeaning);
  const isMentioned = presences.some(
    (presence) => presence === 'mentioned' || presence === 'clear',
  );
  return (
    score *
    (contradicts(measures, askedMeasures) ? WRONG_SIZE_FACTOR : 1) *
    (isMentioned ? MENTIONED_FACTOR : 1)
  );
}

function isDoubtful(ranked: readonly RankedCandidate[], judging: Judging): boolean {
  const { groups, hasMeaning } = judging;
  const first = ranked.slice(0, LOOKED_AT);
  if (first.some(({ matched }) => hasAskedCode(matched, groups))) return false;
  // What is still being typed cannot be near in meaning.
  const isPrefix = groups.length === 1 && groups[0]!.alternatives.at(-1)!.endsWith('*');
  const covered = Math.max(0, ...first.map(({ matched }) => coverage(groups, matched)));
  if (!hasMeaning || (isPrefix && covered > 0)) return covered < SENTENCE_COVERAGE_MIN;
  if (groups.length <= FEW_GROUPS) {
    return !first.some(
      (candidate) => judge(candidate, judging, false) >= SURE_SCORE || isNamed(candidate, judging),
    );
  }
  const cosine = Math.max(0, ...first.map((candidate) => candidate.cosine ?? 0));
  return covered < SENTENCE_COVERAGE_MIN && cosine < SENTENCE_COSINE_MIN;
}

/** Whether an item is the thing asked for by its name, or a policy near in meaning, which has none. */
function isNamed(
  { isContext, cosine, matched, name }: Candidate,
  { groups, matchName }: Judging,
): boolean {
  if (isContext) return (cosine ?? 0) >= SENTENCE_COSINE_MIN;
  const covered = coverage(groups, matched);
  return covered >= SENTENCE_COVERAGE_MIN && matchName(name).head === 1;
}
