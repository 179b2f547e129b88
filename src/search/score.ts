import type { Field } from '../domain/field.ts';

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

/** Of the three signals each counts the same: a fusion by score that beat fusion by rank on every judged set. */
const WEIGHT = { words: 1, coverage: 1, meaning: 1 };

/** What cannot be ordered now is demoted by this factor, not hidden. */
const UNAVAILABLE_FACTOR = 0.8;

/** A candidate's signals, each from 0 to 1. */
export interface Signals {
  /** BM25 divided by the best candidate's. */
  readonly words: number;
  /** Share of the question's weight (idf) whose terms occur. */
  readonly coverage: number;
  /** Cosine to the question, 0 where unknown or negative. */
  readonly meaning: number;
  readonly available: boolean;
}

/**
 * The order after retrieval: words and meaning added up. `hasMeaning` says whether the question has
 * a vector; without one the words count alone. From 0 to 1.
 */
export function fusedScore({ words, meaning, available }: Signals, hasMeaning: boolean): number {
  const score = hasMeaning
    ? (WEIGHT.words * words + WEIGHT.meaning * meaning) / (WEIGHT.words + WEIGHT.meaning)
    : words;
  return demote(score, available);
}

/** The embedded ranker's judgement: beyond the fused order, how much of the question an item answers. From 0 to 1. */
export function localScore({ words, coverage, meaning, available }: Signals, hasMeaning: boolean): number {
  const sum = WEIGHT.words * words + WEIGHT.coverage * coverage + (hasMeaning ? WEIGHT.meaning * meaning : 0);
  return demote(sum / (WEIGHT.words + WEIGHT.coverage + (hasMeaning ? WEIGHT.meaning : 0)), available);
}

function demote(score: number, available: boolean): number {
  return available ? score : score * UNAVAILABLE_FACTOR;
}

/** Share of the groups' weight that is matched; 0 for a question without a term. */
export function coverage(groups: readonly { idf: number; matched: boolean }[]): number {
  let all = 0;
  let matched = 0;
  for (const group of groups) {
    all += group.idf;
    if (group.matched) matched += group.idf;
  }
  return all === 0 ? 0 : matched / all;
}
