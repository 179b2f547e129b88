import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { findImportOf, markRolledBack } from '../../storage/catalog/imports.ts';
import { countItems } from '../../storage/catalog/items.ts';
import { defineOperation } from '../define-operation.ts';
import { changeCatalogue } from '../instances/shared-work.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import type { ImportServices } from './import-services.ts';
import { publishCatalog } from './publish-catalog.ts';

/** The result of a rollback. */
export interface Rollback {
  readonly shop: string;
  /** The import that was rolled back; null if an older version made it without a record. */
  readonly takenBack: {
    readonly source: string;
    readonly startedAt: string;
  } | null;
  /** Offerings that are visible now. */
  readonly offerings: number;
  readonly contexts: number;
}

/**
 * Restores the catalogue from before the last import that changed something. Items that were pushed
 * since are taken back with it, except prices and availability of items that the import left as they
 * were.
 */
export const rollbackCatalog = defineOperation({
  name: 'catalog.rollback',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
  }),
  run(
    services: ImportServices,
    { organization: reference, shop: shopReference },
  ): Promise<Rollback> {
    const { db, directory, platform } = services;
    const organization = resolveOrganization(services, reference);
    const { key } = resolveShop(services, organization, shopReference);
    return changeCatalogue(services, organization.key, async () => {
      const shop = directory.shop(key);
      const { previousGeneration } = shop;
      if (previousGeneration === null)
        throw new AppError(
          'conflict',
          `There is nothing to roll back in ${shop.handle}: nothing was imported since the last rollback.`,
        );
      const taken = await findImportOf(db, { key, previousGeneration });
      const takenBack = taken && {
        source: taken.source,
        startedAt: new Date(taken.startedAt).toISOString(),
      };
      const shown = { generation: previousGeneration, previousGeneration: null };
      await publishCatalog(services, shop, shown, [
        ...(taken === null ? [] : [markRolledBack(db, taken.id, platform.now())]),
        insertAuditEntry(db, {
          at: platform.now(),
          organizationId: organization.id,
          event: 'catalog.rolled_back',
          details: { shop: shop.handle, ...takenBack },
        }),
      ]);
      const { offerings, contexts } = await countItems(db, directory.shop(key));
      return { shop: shop.handle, takenBack, offerings, contexts };
    });
  },
});
