import Type from 'typebox';
import { searchCatalog } from '../operations/search/search-catalog.ts';
import { queryReader } from './query.ts';
import { jsonFields, ResultV2, resultV2Fields } from './result-v2.ts';
import { type CallerVisit, jsonText, type KeyedRoute } from './route.ts';
import { EXAMPLE_V2 } from './search-examples.ts';
import { SearchQuery, ShopParams, selectShops } from './search-query.ts';

const LIMIT = 20;

const AnswerV2 = Type.Object({
  results: Type.Array(ResultV2, { maxItems: LIMIT }),
  count: Type.Integer({ minimum: 0, maximum: LIMIT }),
});

const contract = {
  method: 'GET',
  scope: 'search',
  description: `The best ${LIMIT} products and contexts for a question. Frozen: new fields go to v3.`,
  query: SearchQuery,
  answer: AnswerV2,
  answerExample: EXAMPLE_V2,
} as const;

export const searchV2Routes: readonly KeyedRoute[] = [
  { ...contract, path: '/rest/search/v2', summary: 'Search (v2)', handle: searchV2 },
  {
    ...contract,
    path: '/rest/search/v2/{shop_id}',
    summary: 'Search one shop (v2)',
    params: ShopParams,
    handle: searchV2,
  },
];

const readQuery = queryReader(SearchQuery);

async function searchV2(visit: CallerVisit): Promise<Response> {
  const { values: query } = readQuery(visit.url);
  const answer = await searchCatalog(visit.services, {
    organizationKey: visit.caller.organization.key,
    shops: selectShops(visit, query),
    question: query.q,
    productsOnly: query.products_only,
    skipScoring: query.skip_scoring,
    offset: 0,
    limit: LIMIT,
  });
  visit.traces.push({ classification: 'search', question: query.q, resultCount: answer.total });
  visit.headers['link'] = '</rest/search/v3/>; rel="successor-version"';
  const results = answer.results.map((result) => `{${resultV2Fields(result)}}`);
  return jsonText(visit, `{"results":[${results}],${jsonFields({ count: results.length })}}`);
}
