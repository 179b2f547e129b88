import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
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

export const ShopParams = Type.Object({
  shop_id: Type.String({ description: 'Id or handle of a shop.', examples: ['shop-1'] }),
});

/**
 * The shops that a search is limited to: the shop in the path, or the shops in the query that
 * belong to the organization, or null for all. Throws `not_found` if the shop in the path is not
 * the organization's.
 */
export function selectShops(
  { services, caller }: Visit,
  wanted: readonly string[],
  named: string | undefined,
): readonly Shop[] | null {
  const { directory } = services;
  const organizationKey = caller.organization.key;
  if (named !== undefined) {
    const shop = directory.findShop(organizationKey, named);
    if (shop === null) throw new AppError('not_found', 'There is no such shop.');
    return [shop];
  }
  if (wanted.length === 0) return null;
  const shops = wanted.map((id) => directory.findShop(organizationKey, id));
  return [...new Set(shops.filter((shop) => shop !== null))];
}
