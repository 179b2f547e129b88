import Type from 'typebox';
import type { Fault } from '../../catalog/record/reader.ts';
import { findImports, type ImportRecord } from '../../storage/catalog/imports.ts';
import type { Database } from '../../storage/engine/database.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import type { ImportServices } from './import-services.ts';

/** The record of one import. */
export interface ImportView {
  readonly id: string;
  readonly shop: string;
  readonly source: string;
  readonly format: string;
  readonly state: ImportRecord['state'];
  readonly mode: ImportRecord['mode'];
  /** Whether it only checked the file. */
  readonly dryRun: boolean;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Why it failed; null if it did not, or if only the log says why. */
  readonly message: string | null;
  /** Numbers of new, changed, unchanged … rows, and the duration in seconds; empty while it runs, or if damaged. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first of its faults. */
  readonly faults: readonly Pick<
    Fault,
    'line' | 'record' | 'externalId' | 'column' | 'code' | 'message' | 'severity'
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
    return records.map((record) => viewImport(db, record, shops.get(record.shopKey)!.handle));
  },
});

export function viewImport(
  db: Database,
  { id, source, format, state, mode, dryRun, message, ...record }: ImportRecord,
  shop: string,
): ImportView {
  const { startedAt, finishedAt, summary } = record;
  type Stored = { faults?: ImportView['faults'] } & Record<string, number>;
  const { faults = [], ...counts } = db.parse<Stored>(summary ?? '{}') ?? ({} as Stored);
  return {
    ...{ id, shop, source, format, state, mode, dryRun, message },
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    counts,
    faults: faults.map(({ line, record, externalId, column, code, message, severity }) => {
      return { line, record, externalId, column, code, message, severity };
    }),
  };
}
