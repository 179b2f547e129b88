import Type from 'typebox';
import type { Shop } from '../../domain/organization.ts';
import { shopOfPath } from '../exchange/shop-params.ts';
import type { Visit } from '../exchange/visit.ts';

/** Maximum code points of a question. */
export const QUESTION_MAX = 1024;

const SHOP_IDS_MAX = 50;

/** The parameters of both versions. */
export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: QUESTION_MAX,
    description: 'The question or search terms, in any words.',
    examples: ['waterproof jacket under 150'],
  }),
  shop_id: Type.Array(Type.String(), {
    maxItems: SHOP_IDS_MAX,
    default: [],
    description:
      'Limits the search to this shop, by id or handle. Repeat the parameter for several shops.',
  }),
  products_only: Type.Boolean({ default: false, description: 'Leaves out contexts.' }),
  skip_scoring: Type.Boolean({
    default: false,
    description: 'Keeps the order of retrieval, without the scoring step.',
  }),
});

/**
 * The shops that a search is limited to: the shop in the path, or the shops in the query that
 * belong to the organization, or null for all. Throws `not_found` if the shop in the path is not
 * the organization's.
 */
export function selectShops(
  visit: Visit,
  wanted: readonly string[],
  named: string | undefined,
): readonly Shop[] | null {
  if (named !== undefined) return [shopOfPath(visit, named)];
  if (wanted.length === 0) return null;
  const { services, caller } = visit;
  const shops = wanted.map((id) => services.directory.findShop(caller.organization.key, id));
  return [...new Set(shops.filter((shop) => shop !== null))];
}
