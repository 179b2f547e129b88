import Type from 'typebox';
import type { Fault } from '../../catalog/record/reader.ts';
import { findImports } from '../../storage/catalog/imports.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import type { ImportServices } from './import-services.ts';

/** The record of one import. */
export interface ImportView {
  readonly id: string;
  readonly shop: string;
  readonly source: string;
  readonly format: string;
  readonly state: 'running' | 'committed' | 'failed';
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Numbers of new, changed, unchanged … rows, and the duration in seconds; empty while it runs. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first of its faults. */
  readonly faults: readonly Pick<
    Fault,
    'line' | 'externalId' | 'column' | 'code' | 'message' | 'severity'
  >[];
}

export const listImports = defineOperation({
  name: 'catalog.imports',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
  }),
  /** Newest first. */
  async run(services: ImportServices, { organization: reference, limit }): Promise<ImportView[]> {
    const { db, directory } = services;
    const organization = resolveOrganization(services, reference);
    const shops = new Map(directory.shopsOf(organization.key).map((shop) => [shop.key, shop]));
    const records = await findImports(db, [...shops.keys()], limit);
    return records.map(({ shopKey, startedAt, finishedAt, summary, ...record }) => {
      const { faults = [], ...counts } = JSON.parse(summary ?? '{}') as {
        faults?: ImportView['faults'];
      } & Record<string, number>;
      return {
        ...record,
        shop: shops.get(shopKey)!.handle,
        startedAt: new Date(startedAt).toISOString(),
        finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
        counts,
        faults,
      };
    });
  },
});
