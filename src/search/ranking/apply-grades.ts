import type { Grade } from '../../domain/grade.ts';

export interface Graded<Candidate> {
  /** Best first. */
  readonly candidates: Candidate[];
  /** The model graded nothing as relevant, so the candidates keep their order. */
  readonly lowConfidence: boolean;
}

/**
 * Grades in the order of their groups, best first. Null: asked about but not graded. Undefined: not
 * asked about.
 */
const PLACES: readonly (Grade | null | undefined)[] = [3, 2, null, 1, undefined];

/**
 * Reorders candidates by their grades. `grades` belong to the first candidates of `ranked`, in
 * order; the model was not asked about the others. Candidates graded 0 are dropped. The rest are
 * grouped, and keep their order within a group: grade 3; grade 2; candidates that the model did not
 * grade, which had ranked well; grade 1, which the model does not consider an answer; candidates
 * that it was not asked about, which had ranked below all of these.
 *
 * If no grade is above 0, the order stays as it was; `lowConfidence` is then set if any grade is 0.
 *
 * Scores follow the order: each group has a fifth of the range from 0 to 1, and the former score
 * sets the position within it. Pure.
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
