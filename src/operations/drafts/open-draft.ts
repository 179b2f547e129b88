import { join } from 'node:path';
import Type from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { UploadFile } from '../pushes/upload-file.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import { AddressSource } from './address-source.ts';
import type { DraftServices } from './draft-services.ts';

/** A new draft. */
export interface OpenedDraft {
  readonly draft: string;
  readonly name: string;
}

/**
 * Keeps a file as a draft, on disk and with one chunk of it in memory at a time. Throws `too_large`,
 * `unavailable` and `not_found`.
 */
export async function receiveDraft(
  services: DraftServices,
  {
    organization: reference,
    name,
    bytes,
  }: { organization: string | undefined; name: string; bytes: AsyncIterable<Uint8Array> },
): Promise<OpenedDraft> {
  const { platform, dataFolder, drafts } = services;
  const { key: organizationKey } = resolveOrganization(services, reference);
  const id = platform.newId();
  const file = await UploadFile.receive(bytes, join(dataFolder, `import-${id}.upload`));
  const share = () => file.share();
  await drafts.add({ id, organizationKey, name, url: null, source: file, share });
  return { draft: id, name };
}

/** Keeps an address as a draft. It is fetched when the draft is examined or imported. */
export const openDraft = defineOperation({
  name: 'draft.open',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    url: Type.String({ maxLength: 2048 }),
  }),
  async run(
    services: DraftServices,
    { organization: reference, url: given },
  ): Promise<OpenedDraft> {
    const { key: organizationKey } = resolveOrganization(services, reference);
    const url = given.trim();
    const id = services.platform.newId();
    const source = new AddressSource(url);
    await services.drafts.add({ id, organizationKey, name: url, url, source, share: () => source });
    return { draft: id, name: url };
  },
});
