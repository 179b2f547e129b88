import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import { findImportErrors } from '../../storage/catalog/import-errors.ts';
import { findImportById } from '../../storage/catalog/imports.ts';
import { defineOperation } from '../define-operation.ts';
import { type ImportView, viewImport } from '../imports/list-imports.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import type { PushServices } from './push-services.ts';

/** An import of the shop, with its progress if it runs in this process; null if there is none. */
export async function findImport(
  { db, uploads }: PushServices,
  shop: Shop,
  id: string,
): Promise<ImportView | null> {
  const record = await findImportById(db, shop.key, id.toLowerCase());
  if (record === null) return null;
  const view = viewImport(db, record, shop.handle);
  const { progress } = uploads;
  if (record.state !== 'running' || progress?.id !== record.id || progress.summary === null)
    return view;
  return { ...view, counts: { ...progress.summary } };
}

export const showImport = defineOperation({
  name: 'catalog.import.show',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
    id: Type.String(),
  }),
  /** Throws `not_found`. */
  async run(services: PushServices, { organization, shop, id }): Promise<ImportView> {
    const place = resolveShop(services, resolveOrganization(services, organization), shop);
    const found = await findImport(services, place, id);
    if (found === null) throw new AppError('not_found', 'There is no such import.');
    return found;
  },
});

/** The errors file of an import of the shop, part by part. Empty if nothing has to be corrected. */
export async function* readImportErrors(
  { db }: PushServices,
  { id }: ImportView,
): AsyncGenerator<string> {
  for (let part = 0; ; part++) {
    const text = await findImportErrors(db, id, part);
    if (text === null) return;
    yield text;
  }
}
