import type { Message } from '../../messages/wording.ts';
import type { Constraint } from '../../search/query/constraints.ts';
import type { Question } from '../../search/query/parse-question.ts';
import {
  currencyWarning,
  type ReportedConstraint,
  reportConstraints,
} from '../../search/query/report-constraints.ts';
import type { Ranking } from '../../search/ranking/rank.ts';
import type { RankedList } from '../../search/ranking/ranked-list.ts';
import { unwantedPhrase } from '../../search/results/choose-variant.ts';
import type { QuestionVector } from '../indexes/embeddings.ts';
import type { SearchResult } from './search-result.ts';
import type { Understood } from './understand-terms.ts';

/** The first results that are checked for the size asked for. */
const REPORTED_MAX = 20;

interface Search {
  readonly question: Question;
  readonly understood: Understood;
}

interface Outcome {
  readonly ranking: Ranking;
  /** Of the page. */
  readonly results: readonly SearchResult[];
}

/** The constraints and codes of a question, and which of them the results meet. */
export function reportOutcome(
  { question: { measures, constraints }, understood: { codes } }: Search,
  { ranking, results }: Outcome,
): ReportedConstraint[] {
  const products = results.filter(({ stored }) => stored.item.type === 'product');
  // An item that comes in red too is clearly red, but the variant that is shown need not be.
  const isMetByVariants = (constraint: Constraint) =>
    constraint.kind === 'exclude' &&
    products.length > 0 &&
    products.every(({ choice }) => choice?.avoided.includes(unwantedPhrase(constraint)) === true);
  const relaxed = new Set(
    [...ranking.relaxed].filter((constraint) => !isMetByVariants(constraint)),
  );
  const isMet = (term: string) =>
    ranking.ranked
      .slice(0, REPORTED_MAX)
      .some((candidate) => candidate.facts.measures.includes(term));
  const sizes = measures.map((term) => ({ term, isMet: isMet(term) }));
  return reportConstraints({ codes, measures: sizes, constraints, relaxed });
}

const MISSING_MEANING: Readonly<Record<'timeout' | 'unavailable', Message>> = {
  timeout: ['warning.embeddingLate'],
  unavailable: ['warning.embeddingAbsent'],
};

/** `vector`: whether the question's vector came in time. */
export function searchWarnings(
  vector: QuestionVector['state'],
  { constraints }: Question,
  ranked: RankedList,
): Message[] {
  const currencies = () => new Set(ranked.slice(0).map(({ facts }) => facts.currency));
  const warnings = [
    vector === 'ready' ? null : MISSING_MEANING[vector],
    currencyWarning(constraints, currencies),
  ];
  return warnings.filter((warning) => warning !== null);
}
