import { Elysia } from 'elysia';
import { admission } from '../exchange/admission.ts';
import { operation } from '../exchange/operation.ts';
import { paramsOf, queryOf } from '../exchange/route-schema.ts';
import { ShopParams } from '../exchange/shop-params.ts';
import type { HttpServices } from '../exchange/visit.ts';
import { SearchQuery } from './search-query.ts';
import { SEARCH_V2, searchV2 } from './search-v2.ts';
import { QueryV3, SEARCH_V3, searchV3 } from './search-v3.ts';

const v2 = {
  caller: { scope: 'search' },
  query: queryOf(SearchQuery),
} as const;

const v3 = {
  caller: { scope: 'search' },
  query: queryOf(QueryV3),
} as const;

const params = paramsOf(ShopParams);

/** Search over products and contexts, in all shops or in the shop that the path names. */
export function searchRoutes(services: HttpServices) {
  return new Elysia()
    .use(admission(services))
    .get('/rest/search/v2', ({ visit, query }) => searchV2(visit, query), {
      ...v2,
      detail: operation({ ...SEARCH_V2, summary: 'Search (v2)' }),
    })
    .get(
      '/rest/search/v2/:shop_id',
      ({ visit, query, params }) => searchV2(visit, query, params.shop_id),
      { ...v2, params, detail: operation({ ...SEARCH_V2, summary: 'Search one shop (v2)' }) },
    )
    .get('/rest/search/v3', ({ visit, query }) => searchV3(visit, query), {
      ...v3,
      detail: operation({ ...SEARCH_V3, summary: 'Search (v3)' }),
    })
    .get(
      '/rest/search/v3/:shop_id',
      ({ visit, query, params }) => searchV3(visit, query, params.shop_id),
      { ...v3, params, detail: operation({ ...SEARCH_V3, summary: 'Search one shop (v3)' }) },
    );
}
