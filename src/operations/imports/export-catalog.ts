import Type from 'typebox';
import type { CatalogItem, Offering, Variant } from '../../domain/catalog.ts';
import { AppError } from '../../domain/errors.ts';
import { priceText } from '../../domain/money.ts';
import { findVisibleBodies } from '../../storage/catalog/items.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import type { ImportServices } from './import-services.ts';

/** Items read and written at once, which takes a few milliseconds. */
const PAGE_ROWS = 100;

export interface ExportEvent {
  /** Lines of vitrine's own JSON. */
  readonly lines: string;
}

export interface ExportSummary {
  readonly offerings: number;
  readonly contexts: number;
}

/**
 * Exports a shop's catalogue as JSON Lines in order of ids; equal catalogues give equal text. The export
 * is a snapshot, even during an import. Importing it changes nothing. Throws `conflict` if two imports
 * completed meanwhile, so that the snapshot is gone.
 */
export const exportCatalog = defineOperation({
  name: 'catalog.export',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
  }),
  async run(
    services: ImportServices,
    { organization: reference, shop: shopReference },
    { emit },
  ): Promise<ExportSummary> {
    const { db, directory, platform } = services;
    const shop = resolveShop(services, resolveOrganization(services, reference), shopReference);
    const counts = { offerings: 0, contexts: 0 };
    for (let after = ''; ; ) {
      const page = await findVisibleBodies(db, shop, { after, limit: PAGE_ROWS * db.batchFactor });
      // The first import keeps the previous generation; the second may remove it.
      const { generation, revision } = directory.shop(shop.key);
      if (generation < shop.generation || revision > shop.revision + 1)
        throw new AppError(
          'conflict',
          'The catalogue changed more than once during the export: export it again.',
        );
      if (page.length === 0) return counts;
      let lines = '';
      for (const { body } of page) {
        const item = db.parse<CatalogItem>(body);
        if (item === null) continue;
        counts[item.type === 'product' ? 'offerings' : 'contexts'] += 1;
        lines += `${JSON.stringify(exportedItem(item))}\n`;
      }
      after = page.at(-1)!.id;
      const event: ExportEvent = { lines };
      await emit(event);
      await platform.yield();
    }
  },
});

/** An item in the format `json-lines`, without empty members. */
export function exportedItem(item: CatalogItem): object {
  return withoutEmpty(item.type === 'product' ? exportedOffering(item) : item);
}

function exportedOffering({
  priceMinor,
  compareAtPriceMinor,
  gtins,
  variants,
  ...offering
}: Offering): object {
  const { currency } = offering;
  return {
    ...offering,
    price: priceText(priceMinor, currency),
    compareAtPrice: priceText(compareAtPriceMinor, currency),
    gtin: gtins,
    variants: variants.map((variant) => exportedVariant(variant, currency)),
  };
}

function exportedVariant(
  { priceMinor, compareAtPriceMinor, ...variant }: Variant,
  currency: string,
): object {
  return withoutEmpty({
    ...variant,
    price: priceText(priceMinor, currency),
    compareAtPrice: priceText(compareAtPriceMinor, currency),
  });
}

function withoutEmpty(members: object): object {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) =>
        value !== null &&
        value !== '' &&
        (typeof value !== 'object' || Object.keys(value as object).length > 0),
    ),
  );
}
