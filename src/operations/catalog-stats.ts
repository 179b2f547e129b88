import Type from 'typebox';
import { findLatestImport } from '../storage/imports.ts';
import { countItems } from '../storage/items.ts';
import { defineOperation } from './define-operation.ts';
import { resolveOrganization, resolveShop } from './organizations.ts';

/** What searchers see, and how far meaning has come. */
export interface CatalogStats {
  readonly offerings: number;
  readonly contexts: number;
  /** Offerings and contexts that can be found by meaning. */
  readonly embedded: number;
  /** Whether an embedding model is set up at all. */
  readonly meaning: boolean;
  readonly shops: readonly {
    readonly handle: string;
    readonly offerings: number;
    readonly contexts: number;
    readonly embedded: number;
    readonly lastImport: {
      readonly source: string;
      readonly format: string;
      readonly state: string;
      readonly startedAt: string;
    } | null;
  }[];
}

export const catalogStats = defineOperation({
  name: 'catalog.stats',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
  }),
  async run(services, { organization: reference, shop: shopReference }): Promise<CatalogStats> {
    const { db, directory, meaning } = services;
    const organization = resolveOrganization(services, reference);
    const shops =
      shopReference === undefined
        ? directory.shopsOf(organization.key)
        : [resolveShop(services, organization, shopReference)];
    const rows: CatalogStats['shops'][number][] = [];
    for (const shop of shops) {
      const last = await findLatestImport(db, shop.key);
      const lastImport = last && {
        source: last.source,
        format: last.format,
        state: last.state,
        startedAt: new Date(last.startedAt).toISOString(),
      };
      rows.push({ handle: shop.handle, ...(await countItems(db, shop)), lastImport });
    }
    const sum = (field: 'offerings' | 'contexts' | 'embedded') =>
      rows.reduce((total, row) => total + row[field], 0);
    return {
      offerings: sum('offerings'),
      contexts: sum('contexts'),
      embedded: sum('embedded'),
      meaning: meaning.isOn,
      shops: rows,
    };
  },
});
