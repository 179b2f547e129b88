import type { Grade } from '../../domain/grade.ts';

export interface Graded<Candidate> {
  /** Best first. */
  readonly candidates: Candidate[];
  /** Nothing was called relevant: these are in the order they came in. */
  readonly lowConfidence: boolean;
}

/** Where a candidate stands among the others, the best place first. Null: asked about, not graded. */
const PLACES: readonly (Grade | null | undefined)[] = [3, 2, null, 1, undefined];

/**
 * The order that grades ask for. `grades` belong to the first candidates of `ranked`, in order; those
 * beyond were not asked about. What is graded 0 is dropped. The rest, each group in the order it came
 * in: 3 and 2; what the model passed over, of which only the former rank speaks, and that was a good
 * one; 1, which the model has looked at and would not call an answer; what was never asked about and
 * had ranked below all of these.
 *
 * When there are zeros and nothing better than an unknown, everything stays as it was, with
 * `lowConfidence`: neither what was passed over nor the unseen rest is likelier to be an answer.
 *
 * Scores follow the order: each group has a fifth of the range from 0 to 1, and the former score
 * says where in it. Pure.
 */
export function applyGrades<Candidate extends { readonly score: number }>(
  ranked: readonly Candidate[],
  grades: readonly (Grade | null)[],
): Graded<Candidate> {
  const given = grades.slice(0, ranked.length);
  const isRelevant = given.some((grade) => grade !== null && grade > 0);
  if (!isRelevant) return { candidates: [...ranked], lowConfidence: given.includes(0) };
  const groups = PLACES.map((place, index) => {
    const groupsBelow = PLACES.length - 1 - index;
    return ranked
      .filter((_, rank) => grades[rank] === place)
      .map((candidate) => ({
        ...candidate,
        score: (groupsBelow + candidate.score) / PLACES.length,
      }));
  });
  return { candidates: groups.flat(), lowConfidence: false };
}
