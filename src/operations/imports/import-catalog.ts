import { join } from 'node:path';
import Type from 'typebox';
import type { Fault } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import { redactUrl } from '../../domain/private-data.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import {
  failRunningImports,
  finishImport,
  type ImportRecord,
  insertImport,
} from '../../storage/catalog/imports.ts';
import { refusal } from '../../storage/engine/connection.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import { BlockSpool } from './block-spool.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import type { ImportServices } from './import-services.ts';
import { publishCatalog } from './publish-catalog.ts';
import { preparedRows } from './row-preparer.ts';
import { RowStaging } from './stage-rows.ts';

/** Largest share of the visible items that a full import archives unless `allowShrink` is set. */
const ARCHIVED_SHARE_MAX = 1 / 4;
/** This many may always be archived, because half of a small shop may change at once. */
const ARCHIVED_ALWAYS = 20;

interface ImportInput {
  readonly source: string;
  readonly format: string;
  readonly full?: boolean;
  readonly allowShrink?: boolean;
  readonly strict?: boolean;
  readonly dryRun: boolean;
  readonly blocks: AsyncIterable<string>;
  emit(event: ImportEvent): void;
  readonly started: StartedImport;
}

/** Events during an import: its progress, and every fault that only the import can detect. */
export type ImportEvent = { readonly progress: ImportSummary } | { readonly fault: Fault };

export interface ImportSummary {
  readonly new: number;
  readonly changed: number;
  readonly same: number;
  /** Archived because a full import lacked them. */
  readonly archived: number;
  readonly rejected: number;
  readonly warnings: number;
  readonly seconds: number;
}

/**
 * Imports rows (`CatalogRow`, one per line) into a shop's catalogue. Adds new items, replaces changed
 * ones, and keeps the rest, or archives them if the rows are the `full` catalogue. Searches see the old
 * catalogue until the end, then all of the new one at once. A bad row is a fault and not an error, unless
 * the import is `strict`. The import begins once all rows have arrived, so that slow ones delay no other
 * shop. If it is killed, the next import removes what it left.
 */
export const importCatalog = defineOperation({
  name: 'catalog.import',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
    source: Type.String({ description: 'File or URL, for the import’s record.' }),
    format: Type.String(),
    full: Type.Optional(Type.Boolean()),
    allowShrink: Type.Optional(Type.Boolean()),
    strict: Type.Optional(Type.Boolean()),
    dryRun: Type.Boolean(),
  }),
  async run(
    services: ImportServices,
    { organization: reference, shop: shopReference, ...input },
    { lines, emit },
  ): Promise<ImportSummary> {
    const shop = resolveShop(services, resolveOrganization(services, reference), shopReference);
    const started = startImport(services, shop, input);
    await using rows = await receiveRows(services, lines, started);
    const blocks = rows.blocks();
    return await services.importMutex.run(() =>
      runImport(services, { ...input, blocks, emit, started }),
    );
  },
});

/** A running import: its record and when it began. */
interface StartedImport {
  readonly record: Pick<ImportRecord, 'id' | 'shopKey' | 'source' | 'format'>;
  readonly isRecorded: boolean;
  readonly startedAt: number;
  /** On the monotonic clock. */
  readonly startedMs: number;
}

function startImport(
  { platform }: ImportServices,
  { key: shopKey }: Shop,
  { source, format, dryRun }: Pick<ImportInput, 'source' | 'format' | 'dryRun'>,
): StartedImport {
  const id = platform.newId();
  return {
    record: { id, shopKey, source: redactUrl(source), format },
    isRecorded: !dryRun,
    startedAt: platform.now(),
    startedMs: platform.monotonicMs(),
  };
}

/** Waits for every row without delaying other imports. If the rows break off, the import fails. */
async function receiveRows(
  { db, platform, dataFolder }: ImportServices,
  lines: AsyncIterable<string>,
  { record, isRecorded, startedAt }: StartedImport,
): Promise<BlockSpool> {
  try {
    return await BlockSpool.fill(lines, join(dataFolder, `import-${record.id}.rows`));
  } catch (error) {
    const failed = { ...record, state: 'failed', startedAt, finishedAt: platform.now() } as const;
    if (isRecorded) await db.write([insertImport(db, failed)]);
    throw isDiskFull(error) ? refusal(error) : error;
  }
}

function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ENOSPC';
}

async function runImport(services: ImportServices, input: ImportInput): Promise<ImportSummary> {
  const { db, platform, directory } = services;
  const { format, dryRun } = input;
  const { record, startedAt, startedMs } = input.started;
  const { id } = record;
  const shop = directory.shop(record.shopKey);
  if (!dryRun) {
    await clearLeftovers(services, shop);
    await db.write([
      failRunningImports(db, shop.key, platform.now()),
      insertImport(db, { ...record, state: 'running', startedAt }),
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

/** Completes the staging after the last row. Throws if the import must not become visible. */
async function finishStaging(
  staging: RowStaging,
  { full, allowShrink, strict, dryRun }: ImportInput,
): Promise<void> {
  const { rejected } = staging.counts;
  if (strict === true && !dryRun && rejected > 0)
    throw new AppError(
      'invalid_input',
      'There are faults and --strict is set: nothing was changed.',
    );
  if (full !== true) return;
  const { missing, visible } = await staging.countMissing();
  const isMuch = missing > ARCHIVED_ALWAYS && missing > visible * ARCHIVED_SHARE_MAX;
  if (isMuch && allowShrink !== true)
    throw new AppError(
      'conflict',
      `The file lacks ${missing} of ${visible} items, more than a quarter: nothing was changed. If they are really gone, add --allow-shrink.`,
    );
  await staging.archiveMissing();
}
