import type { Question } from '../query/parse-question.ts';

/** What learning compares of a question. */
export type LearnableQuestion = Pick<Question, 'terms' | 'constraints'>;

/**
 * Equal for questions with the same terms and limits, whatever their order, case, number and stop
 * words. Empty for a question without terms, from which nothing can be learned.
 */
export function questionKey(question: LearnableQuestion): string {
  const { terms } = question;
  return terms.length === 0 ? '' : [...terms.toSorted(), limitsOf(question)].join(' ').trim();
}

/**
 * Equal for questions that ask for the same sizes and codes and exclude the same things. Vectors
 * hardly tell `8x10` from `5x7` or `without leather` from `leather`, so only questions with equal
 * limits are near each other. Prices and availability do not count: they say which of the answers
 * fit, not what is asked for.
 */
export function limitsOf({ terms, constraints }: LearnableQuestion): string {
  const limits = terms.filter((term) => /\d/.test(term)).map((term) => `#${term}`);
  for (const constraint of constraints) {
    if (constraint.kind === 'exclude') limits.push(`-${constraint.terms.join('-')}`);
    if (constraint.kind === 'measure')
      limits.push(`${constraint.unit}:${constraint.min}:${constraint.max}`);
  }
  return limits.sort().join(' ');
}
