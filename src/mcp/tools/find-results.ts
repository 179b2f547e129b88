import { type SearchAnswer, searchCatalog } from '../../operations/search/search-catalog.ts';
import type { SearchResult } from '../../operations/search/search-result.ts';
import type { Conversation } from '../conversation.ts';

/** Maximum code points of a question. */
export const QUESTION_MAX = 1024;

const OFFERINGS_MAX = 10;
const CONTEXTS_MAX = 3;
/** Results requested: as many as REST returns, so that both show the same offerings. */
const LOOKED_AT = 20;

export interface Found {
  readonly answer: SearchAnswer;
  /** At most 10 offerings and 3 contexts, best first. */
  readonly results: readonly SearchResult[];
}

/** The search behind every tool that takes a question. */
export async function findResults(
  { services, organization }: Conversation,
  question: string,
): Promise<Found> {
  const answer = await searchCatalog(services, {
    organizationKey: organization.key,
    shops: null,
    question,
    productsOnly: false,
    skipScoring: false,
    offset: 0,
    limit: LOOKED_AT,
  });
  const left = { product: OFFERINGS_MAX, context: CONTEXTS_MAX };
  const results = answer.results.filter(({ stored: { item } }) => {
    left[item.type] -= 1;
    return left[item.type] >= 0;
  });
  return { answer, results };
}
