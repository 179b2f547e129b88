import type { Field } from '../../domain/field.ts';
import type { NameSignals } from './name.ts';

/**
 * What a word weighs by where it stands, in BM25: the name tells most, and five times the text is
 * what catalogue searches commonly use.
 */
export const FIELD_WEIGHTS: Readonly<Record<Field, number>> = {
  name: 5,
  type: 2,
  vendor: 2,
  codes: 5,
  details: 0.5,
  body: 1,
};

/**
 * What each signal counts. Rounded from a search over two judged catalogues (119 and 69 queries);
 * changing one by a third costs at most a hundredth of NDCG@10 on either.
 */
const WEIGHT = {
  words: 0.5,
  coverage: 1,
  meaning: 1.5,
  feedback: 0.5,
  type: 0.25,
  density: 0.5,
  adjacency: 0.25,
  head: 0.2,
};

/** What cannot be ordered now is demoted by this factor, not hidden. */
const UNAVAILABLE_FACTOR = 0.8;

/** A candidate's signals, each from 0 to 1. */
export interface Signals extends Omit<NameSignals, 'hasNoun'> {
  /** BM25 divided by the best candidate's. */
  readonly words: number;
  /** Share of the question's weight (idf) whose terms occur. */
  readonly coverage: number;
  /** The same of what its type and tags say. */
  readonly type: number;
  /** Cosine to the question, 0 where unknown or negative. */
  readonly meaning: number;
  /** Cosine to what the best candidates have in common, 0 where unknown or negative; null before those are known. */
  readonly feedback: number | null;
  readonly available: boolean;
}

/**
 * The order after retrieval: words and meaning, the same share each. `hasMeaning` says whether the
 * question has a vector; without one the words count alone. From 0 to 1.
 */
export function fusedScore({ words, meaning, available }: Signals, hasMeaning: boolean): number {
  return demote(hasMeaning ? (words + meaning) / 2 : words, available);
}

/**
 * The embedded ranker's judgement: beyond the fused order, how much of the question an item answers
 * and how much of its name is about it. From 0 to 1.
 */
export function localScore(signals: Signals, hasMeaning: boolean): number {
  const { words, coverage, type, meaning, feedback, density, adjacency, head } = signals;
  let sum = WEIGHT.words * words + WEIGHT.coverage * coverage + WEIGHT.type * type;
  let most = WEIGHT.words + WEIGHT.coverage + WEIGHT.type;
  sum += WEIGHT.density * density + WEIGHT.adjacency * adjacency + WEIGHT.head * head;
  most += WEIGHT.density + WEIGHT.adjacency + WEIGHT.head;
  if (hasMeaning) {
    sum += WEIGHT.meaning * meaning;
    most += WEIGHT.meaning;
    if (feedback !== null) {
      sum += WEIGHT.feedback * feedback;
      most += WEIGHT.feedback;
    }
  }
  return demote(sum / most, signals.available);
}

function demote(score: number, available: boolean): number {
  return available ? score : score * UNAVAILABLE_FACTOR;
}

/** Share of the groups' weight that is matched, wholly or in part (0 to 1 each); 0 for a question without a term. */
export function coverage(
  groups: readonly { readonly idf: number }[],
  matched: readonly number[],
): number {
  let all = 0;
  let covered = 0;
  for (let index = 0; index < groups.length; index++) {
    const { idf } = groups[index]!;
    all += idf;
    covered += idf * (matched[index] ?? 0);
  }
  return all === 0 ? 0 : covered / all;
}
