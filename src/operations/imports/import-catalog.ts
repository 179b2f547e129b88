import Type from 'typebox';
import type { Fault } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import { redactUrl } from '../../domain/private-data.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { failRunningImports, finishImport, insertImport } from '../../storage/catalog/imports.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import type { ImportServices } from './import-services.ts';
import { publishCatalog } from './publish-catalog.ts';
import { preparedRows } from './row-preparer.ts';
import { RowStaging } from './stage-rows.ts';

/** A full import archives no more than this share of what searchers see, unless it is told to. */
const ARCHIVED_SHARE_MAX = 1 / 4;
/** … and as many as this in any case: small shops change by half. */
const ARCHIVED_ALWAYS = 20;

interface ImportInput {
  readonly shop: Shop;
  readonly source: string;
  readonly format: string;
  readonly full?: boolean;
  readonly allowShrink?: boolean;
  readonly strict?: boolean;
  readonly dryRun: boolean;
  readonly blocks: AsyncIterable<string>;
  emit(event: ImportEvent): void;
}

/** Told while it runs: how far it is, and every fault that only the import itself can see. */
export type ImportEvent = { readonly progress: ImportSummary } | { readonly fault: Fault };

export interface ImportSummary {
  readonly new: number;
  readonly changed: number;
  readonly same: number;
  /** Taken off, because a full import did not have them. */
  readonly archived: number;
  readonly rejected: number;
  readonly warnings: number;
  readonly seconds: number;
}

/**
 * Brings rows (`CatalogRow`, one a line) into a shop's catalogue: new ones are added, changed ones
 * replaced, the rest stays, or is archived if the rows are the `full` catalogue. Searchers see the
 * catalogue of before until the end, then all of it at once. A bad row is a fault, never an error,
 * unless it is `strict`. Killed at any moment it leaves nothing that the next import does not clear.
 */
export const importCatalog = defineOperation({
  name: 'catalog.import',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
    source: Type.String({ description: 'File or address, for the record.' }),
    format: Type.String(),
    full: Type.Optional(Type.Boolean()),
    allowShrink: Type.Optional(Type.Boolean()),
    strict: Type.Optional(Type.Boolean()),
    dryRun: Type.Boolean(),
  }),
  run(
    services: ImportServices,
    { organization: reference, shop: shopReference, ...input },
    { lines: blocks, emit },
  ): Promise<ImportSummary> {
    const shop = resolveShop(services, resolveOrganization(services, reference), shopReference);
    return services.importMutex.run(() => runImport(services, { ...input, shop, blocks, emit }));
  },
});

async function runImport(services: ImportServices, input: ImportInput): Promise<ImportSummary> {
  const { db, platform, directory } = services;
  const { source, format, dryRun } = input;
  const shop = directory.shop(input.shop.key);
  const startedMs = platform.monotonicMs();
  const id = platform.newId();
  const record = { id, shopKey: shop.key, source: redactUrl(source), format };
  if (!dryRun) {
    await clearLeftovers(services, shop);
    await db.write([
      failRunningImports(db, shop.key, platform.now()),
      insertImport(db, { ...record, state: 'running', startedAt: platform.now() }),
    ]);
  }
  const emitFault = (fault: Fault) => input.emit({ fault });
  const staging = await RowStaging.begin(services, { shop, format, dryRun, onFault: emitFault });
  const summary = (): ImportSummary => ({
    ...staging.counts,
    seconds: Math.round(platform.monotonicMs() - startedMs) / 1000,
  });
  const ended = () => ({
    finishedAt: platform.now(),
    summary: JSON.stringify({ ...summary(), faults: staging.faults }),
  });
  try {
    for await (const rows of preparedRows(input.blocks, shop.id)) {
      await staging.add(rows);
      input.emit({ progress: summary() });
      await platform.yield();
    }
    await finishStaging(staging, input);
  } catch (error) {
    if (!dryRun) await db.write([finishImport(db, id, { state: 'failed', ...ended() })]);
    throw error;
  }
  if (dryRun) return summary();
  const { new: added, changed, archived } = staging.counts;
  const hasChanged = added + changed + archived > 0;
  const generation = hasChanged ? shop.generation + 1 : null;
  const also = [
    finishImport(db, id, { state: 'committed', generation, ...ended() }),
    insertAuditEntry(db, {
      at: platform.now(),
      organizationId: directory.organization(shop.organizationKey).id,
      event: 'import.committed',
      details: { ...record, ...summary() },
    }),
  ];
  if (generation === null) await db.write(also);
  else {
    const shown = { generation, previousGeneration: shop.generation };
    await publishCatalog(services, shop, shown, also);
  }
  return summary();
}

/** What is left to do once every row is there. Throws where the import must not become visible. */
async function finishStaging(
  staging: RowStaging,
  { full, allowShrink, strict, dryRun }: ImportInput,
): Promise<void> {
  const { rejected } = staging.counts;
  if (strict === true && !dryRun && rejected > 0)
    throw new AppError('invalid_input', 'There are faults, and --strict: nothing was changed.');
  if (full !== true) return;
  const { missing, visible } = await staging.countMissing();
  const isMuch = missing > ARCHIVED_ALWAYS && missing > visible * ARCHIVED_SHARE_MAX;
  if (isMuch && allowShrink !== true)
    throw new AppError(
      'conflict',
      `The file lacks ${missing} of ${visible} items, more than a quarter: nothing was changed. If they are really gone, import it with --allow-shrink.`,
    );
  await staging.archiveMissing();
}
