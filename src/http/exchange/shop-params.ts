import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import type { Visit } from './visit.ts';

/** Parameters of paths that name a shop. */
export const ShopParams = Type.Object({
  shop_id: Type.String({ description: 'Id or handle of a shop.', examples: ['shop-1'] }),
});

/** The shop of the caller's organization that a path names. Throws `not_found`. */
export function shopOfPath({ services, caller }: Visit, named: string): Shop {
  const shop = services.directory.findShop(caller.organization.key, named);
  if (shop === null) throw new AppError('not_found', 'There is no such shop.');
  return shop;
}
