import Type from 'typebox';
import type { Validators } from '../../web/download.ts';
import { defineOperation, SILENT } from '../define-operation.ts';
import type { ImportView } from '../imports/list-imports.ts';
import { findImport } from '../pushes/find-import.ts';
import { queueImport } from '../pushes/receive-upload.ts';
import type { SourceResult } from '../sources/catalog-sources.ts';
import { EveryMs, Hints, readHints, saveSource } from '../sources/catalog-sources.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import { AddressSource } from './address-source.ts';
import type { DraftServices } from './draft-services.ts';
import type { Draft } from './drafts.ts';

/**
 * Queues the import of a draft, or a dry run. The draft stays. An import from an address keeps the address,
 * and repeats it if `everyMs` is given.
 */
export const importDraft = defineOperation({
  name: 'draft.import',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
    draft: Type.String(),
    hints: Hints,
    dryRun: Type.Boolean(),
    full: Type.Optional(Type.Boolean()),
    allowShrink: Type.Optional(Type.Boolean()),
    everyMs: Type.Optional(EveryMs),
  }),
  async run(services: DraftServices, input): Promise<ImportView> {
    const { drafts, platform, uploads } = services;
    const organization = resolveOrganization(services, input.organization);
    const shop = resolveShop(services, organization, input.shop);
    const draft = drafts.find(organization.key, input.draft);
    const { hints, dryRun, full = false, allowShrink = false } = input;
    const save = async (result: SourceResult, validators: Validators | null) => {
      const { everyMs } = input;
      const source = { url: draft.url!, allowPrivate: false, validators, result };
      await saveSource.run(
        services,
        {
          ...{ organization: organization.id, shop: shop.handle, ...source },
          hints: { ...hints, ...(full ? { full } : {}) },
          ...(everyMs === undefined ? {} : { everyMs }),
        },
        SILENT,
      );
    };
    await using held = new AsyncDisposableStack();
    const place = held.use(uploads.reserve(organization.key));
    const source = held.use(sourceOf(draft, dryRun ? null : save));
    const id = platform.newId();
    const options = { name: draft.name, hints: readHints(hints), dryRun, full, allowShrink };
    await queueImport(services, { id, shop, source, options, place });
    held.move();
    return (await findImport(services, shop, id))!;
  },
});

function sourceOf(
  { url, share }: Draft,
  save: ((result: SourceResult, validators: Validators | null) => Promise<void>) | null,
) {
  return url === null ? share() : new AddressSource(url, save);
}
