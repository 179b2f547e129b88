import Type from 'typebox';
import { searchCatalog } from '../../operations/search/search-catalog.ts';
import type { ReadQuery } from '../exchange/route-schema.ts';
import { jsonText, type Visit } from '../exchange/visit.ts';
import { jsonFields, ResultV2, resultV2Fields } from './result-v2.ts';
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
): Promise<string> {
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
  // Appended, not joined: the whole is then copied once, when it is sent.
  let results = '';
  for (const result of answer.results)
    results += `${results === '' ? '' : ','}{${resultV2Fields(result)}}`;
  return jsonText(
    visit,
    `{"results":[${results}],${jsonFields({ count: answer.results.length })}}`,
  );
}
