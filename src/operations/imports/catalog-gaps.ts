import Type from 'typebox';
import { findGaps, GAPS, type Gap } from '../../storage/catalog/gaps.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization, resolveShops } from '../tenants/organizations.ts';
import type { ImportServices } from './import-services.ts';

/** Versions examined per statement, which takes a few milliseconds. */
const SLICE_ROWS = 250;

/** Most offerings named for each gap. */
const NAMED_MAX = 50;

/** Information that customers need and offerings lack, with those offerings. */
export interface CatalogGaps {
  readonly gaps: readonly {
    readonly lacks: Gap;
    readonly count: number;
    /** The first fifty. */
    readonly offerings: readonly {
      readonly id: string;
      readonly externalId: string;
      readonly name: string;
      readonly shop: string;
    }[];
  }[];
}

export const catalogGaps = defineOperation({
  name: 'catalog.gaps',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
  }),
  async run(
    services: ImportServices,
    { organization: reference, shop: shopReference },
  ): Promise<CatalogGaps> {
    const { db, platform } = services;
    const organization = resolveOrganization(services, reference);
    const shops = resolveShops(services, organization, shopReference);
    const gaps = GAPS.map((lacks) => ({
      lacks,
      count: 0,
      offerings: [] as CatalogGaps['gaps'][number]['offerings'][number][],
    }));
    for (const shop of shops) {
      for (let afterKey: number | null = 0; afterKey !== null; ) {
        const { items, lastKey } = await findGaps(db, shop, { afterKey, rows: SLICE_ROWS });
        for (const { id, externalId, name, lacks } of items) {
          for (const gap of gaps) {
            if (!lacks.includes(gap.lacks)) continue;
            gap.count += 1;
            if (gap.offerings.length < NAMED_MAX)
              gap.offerings.push({ id, externalId, name, shop: shop.handle });
          }
        }
        afterKey = lastKey;
        await platform.yield();
      }
    }
    return { gaps };
  },
});
