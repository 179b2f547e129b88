import Type from 'typebox';
import { searchCatalog } from '../../operations/search/search-catalog.ts';
import type { ReadQuery } from '../exchange/route-schema.ts';
import type { Visit } from '../exchange/visit.ts';
import { answerWith } from './answer-body.ts';
import { ResultV2, resultV2Start } from './result-v2.ts';
import { EXAMPLE_V2 } from './search-examples.ts';
import { type SearchQuery, selectShops } from './search-query.ts';

const LIMIT = 20;

const AnswerV2 = Type.Object({
  results: Type.Array(ResultV2, { maxItems: LIMIT }),
  count: Type.Integer({ minimum: 0, maximum: LIMIT }),
});

export const SEARCH_V2 = {
  scope: 'search',
  description: `The best ${LIMIT} products and contexts for a question. Frozen: new fields go to v3.`,
  answer: AnswerV2,
  answerExample: EXAMPLE_V2,
} as const;

/** `shopId` is the shop in the path, if any. */
export async function searchV2(
  visit: Visit,
  { values: query }: ReadQuery<typeof SearchQuery>,
  shopId?: string,
): Promise<Response> {
  const answer = await searchCatalog(visit.services, {
    organizationKey: visit.caller.organization.key,
    shops: selectShops(visit, query.shop_id, shopId),
    question: query.q,
    productsOnly: query.products_only,
    skipScoring: query.skip_scoring,
    offset: 0,
    limit: LIMIT,
  });
  visit.ownHits.push({
    classification: 'search',
    question: query.q,
    resultCount: answer.total,
    isDoubtful: answer.lowConfidence,
    shown: answer.results.map(({ stored }) => stored.id),
  });
  visit.headers['link'] = '</rest/search/v3/>; rel="successor-version"';
  const { results } = answer;
  return answerWith(visit, { results, further: { count: results.length } }, (result, to) => {
    to.addBytes(resultV2Start(result));
    to.addText('}');
  });
}
