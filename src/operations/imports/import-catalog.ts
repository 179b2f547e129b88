import { join } from 'node:path';
import Type from 'typebox';
import { formatNamed } from '../../catalog/formats.ts';
import type { Fault } from '../../catalog/record/reader.ts';
import { AppError } from '../../domain/errors.ts';
import { refuseDeleted, type Shop, type Storefront } from '../../domain/organization.ts';
import { redactUrl } from '../../domain/private-data.ts';
import { languageOf } from '../../search/text/language.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import {
  beginImport,
  finishImport,
  type ImportRecord,
  interruptRunningImports,
} from '../../storage/catalog/imports.ts';
import { updateShop } from '../../storage/organizations.ts';
import { defineOperation, type Exchange } from '../define-operation.ts';
import type { MemoryShortage } from '../indexes/loaded-index.ts';
import { hostOf, type MissingAddress } from '../offerings/missing-address.ts';
import { domainsOf } from '../offerings/offering-links.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import { BlockSpool } from './block-spool.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import type { ImportServices } from './import-services.ts';
import { wholeBlocks } from './json-blocks.ts';
import { asRefusal } from './nameless-file.ts';
import type { RowTarget } from './prepare-rows.ts';
import { publishCatalog } from './publish-catalog.ts';
import type { FollowedPushes } from './push-log.ts';
import { RowPreparer } from './row-preparer.ts';
import { RowStaging } from './stage-rows.ts';
import { StagedIndex } from './staged-index.ts';

/** Largest share of the visible items that a full import archives unless `allowShrink` is set. */
const ARCHIVED_SHARE_MAX = 1 / 4;
/** This many may always be archived, because half of a small shop may change at once. */
const ARCHIVED_ALWAYS = 20;

/** What is imported, and how. */
export interface ImportRequest {
  readonly source: string;
  readonly format: string;
  readonly full?: boolean;
  readonly allowShrink?: boolean;
  readonly strict?: boolean;
  readonly dryRun: boolean;
}

interface ImportInput extends ImportRequest {
  readonly blocks: AsyncIterable<string>;
  emit(event: ImportEvent): void;
  readonly started: StartedImport;
  readonly pushes: FollowedPushes;
}

/** Events during an import: its progress, and every fault that only the import can detect. */
export type ImportEvent = { readonly progress: ImportCounts } | { readonly fault: Fault };

export interface ImportSummary extends ImportCounts {
  /** The shop's software, if the import was the first to tell it. */
  readonly storefront?: Storefront;
  /** Offerings of this import that assistants cannot link to; absent if there are none. */
  readonly withoutAddress?: MissingAddress;
  /** The imported rows alone are too many to be searched in memory. */
  readonly shortOfMemory?: MemoryShortage;
}

export interface ImportCounts {
  readonly new: number;
  readonly changed: number;
  readonly same: number;
  /** Archived because a full import lacked them. */
  readonly archived: number;
  readonly rejected: number;
  readonly warnings: number;
  readonly seconds: number;
}

/** The counts alone, as they are kept with a source. */
export function countsOf({
  storefront: _,
  withoutAddress: __,
  shortOfMemory: ___,
  ...counts
}: ImportSummary): ImportCounts & Readonly<Record<string, number>> {
  return counts;
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
    return importRows(services, { ...input, shop }, { lines, emit });
  },
});

/** `importCatalog` into a given shop. `id`: of an import that is already recorded as waiting. */
export async function importRows(
  services: ImportServices,
  { shop, id, ...input }: ImportRequest & { readonly shop: Shop; readonly id?: string },
  { lines, emit }: Exchange,
): Promise<ImportSummary> {
  using pushes = services.pushLog.follow(shop.key);
  const started = startImport(services, shop, { ...input, id: id ?? null });
  // Nobody else imports, so that rows need not have arrived before the first are written.
  await using rows = services.db.isAlone ? null : await receiveRows(services, lines, started);
  const blocks = rows?.blocks() ?? lines;
  const run = () => runImport(services, { ...input, blocks, emit, started, pushes });
  return await services.importMutex.run(() =>
    services.catalogueMutexes.run(shop.organizationKey, run),
  );
}

/** A running import: its record and when it began. */
interface StartedImport {
  readonly record: Pick<ImportRecord, 'id' | 'shopKey' | 'source' | 'format' | 'mode' | 'dryRun'>;
  readonly isRecorded: boolean;
  readonly startedAt: number;
  /** On the monotonic clock. */
  readonly startedMs: number;
}

function startImport(
  { platform }: ImportServices,
  { key: shopKey }: Shop,
  { id, source, format, full, dryRun }: ImportRequest & { readonly id: string | null },
): StartedImport {
  const mode = full === true ? 'full' : 'upsert';
  return {
    record: {
      ...{ id: id ?? platform.newId(), shopKey, source: redactUrl(source), format, mode, dryRun },
    },
    isRecorded: !dryRun || id !== null,
    startedAt: platform.now(),
    startedMs: platform.monotonicMs(),
  };
}

/** Waits for every row without delaying other imports. If the rows break off, the import fails. */
async function receiveRows(
  services: ImportServices,
  lines: AsyncIterable<string>,
  { record, isRecorded, startedAt }: StartedImport,
): Promise<BlockSpool> {
  const { db, dataFolder } = services;
  try {
    return await BlockSpool.fill(wholeBlocks(lines), join(dataFolder, `import-${record.id}.rows`));
  } catch (error) {
    const known = asRefusal(error);
    if (isRecorded)
      await db.write([
        beginImport(db, { ...record, startedAt }),
        finishImport(db, record.id, failure(services, known)),
      ]);
    throw known;
  }
}

/** How an import ended that threw this error. */
export function failure(
  { platform, stopping }: Pick<ImportServices, 'platform' | 'stopping'>,
  error: unknown,
) {
  return {
    state: stopping.aborted ? ('interrupted' as const) : ('failed' as const),
    finishedAt: platform.now(),
    message: error instanceof AppError ? error.message : null,
  };
}

async function runImport(services: ImportServices, input: ImportInput): Promise<ImportSummary> {
  const { db, platform, directory } = services;
  const { format, dryRun } = input;
  const { record, isRecorded, startedAt, startedMs } = input.started;
  const { id } = record;
  const shop = directory.shop(record.shopKey);
  refuseDeleted(directory.organization(shop.organizationKey));
  if (!dryRun) await clearLeftovers(services, shop);
  if (isRecorded)
    await db.write([
      interruptRunningImports(db, shop.key, platform.now()),
      beginImport(db, { ...record, startedAt }),
    ]);
  const emitFault = (fault: Fault) => input.emit({ fault });
  const staging = await RowStaging.begin(services, { shop, format, dryRun, onFault: emitFault });
  const summary = (): ImportCounts => ({
    ...staging.counts,
    seconds: Math.round(platform.monotonicMs() - startedMs) / 1000,
  });
  const ended = () => ({
    finishedAt: platform.now(),
    summary: JSON.stringify({ ...summary(), faults: staging.faults }),
  });
  let staged: readonly ArrayBuffer[] | null = null;
  try {
    const emitProgress = () => input.emit({ progress: summary() });
    staged = await stageAll(services, shop, { ...input, staging, emitProgress });
  } catch (error) {
    const end = { ...ended(), ...failure(services, error) };
    if (isRecorded) await db.write([finishImport(db, id, end)]);
    throw error;
  }
  const told = {
    ...summary(),
    ...linkFindings(services, input, staging),
    ...memoryFinding(services, staging),
  };
  if (dryRun) {
    if (isRecorded) await db.write([finishImport(db, id, { state: 'checked', ...ended() })]);
    return told;
  }
  await commit(services, shop, input, { told, ended: ended(), staged });
  return told;
}

/**
 * Stages every row, and returns the packed index of what it has staged; null without one. Each thread ends as soon as
 * its work is done, so that its memory is free for the catalogue's index.
 */
async function stageAll(
  services: ImportServices,
  shop: Shop,
  input: ImportInput & { readonly staging: RowStaging; emitProgress(): void },
): Promise<readonly ArrayBuffer[] | null> {
  const { staging } = input;
  using index = stagedIndex(services, shop, input);
  {
    using preparer = new RowPreparer(rowTarget(services, shop, input));
    for await (const rows of preparer.prepare(input.blocks)) {
      const items = await staging.add(rows);
      await index?.add(items, rows);
      input.emitProgress();
      await services.platform.yield();
    }
  }
  // The thread completes the index meanwhile.
  const packed = index?.finish();
  await staging.finish();
  await finishStaging(staging, input);
  return (await packed) ?? null;
}

/** An import whose rows are all staged. */
interface CompleteImport {
  readonly told: ImportSummary;
  readonly ended: { readonly finishedAt: number; readonly summary: string };
  /** The packed index of what was staged; null without one. */
  readonly staged: readonly ArrayBuffer[] | null;
}

/** Makes the staged rows visible, if any differs, and records how the import ended. */
async function commit(
  services: ImportServices,
  shop: Shop,
  { started, pushes }: ImportInput,
  { told, ended, staged }: CompleteImport,
): Promise<void> {
  const { db, platform, directory } = services;
  const { record } = started;
  const hasChanged = told.new + told.changed + told.archived > 0;
  const generation = hasChanged ? shop.generation + 1 : null;
  const also = [
    finishImport(db, record.id, { state: 'committed', generation, ...ended }),
    insertAuditEntry(db, {
      at: platform.now(),
      organizationId: directory.organization(shop.organizationKey).id,
      event: 'import.committed',
      details: { ...record, ...told },
    }),
    ...(told.storefront === undefined
      ? []
      : [updateShop(db, shop.key, { storefront: told.storefront })]),
  ];
  if (generation === null) {
    await db.write(also);
    await directory.reloadCatalogue(shop.organizationKey);
  } else {
    const shown = { generation, previousGeneration: shop.generation, pushes, staged };
    await publishCatalog(services, shop, shown, also);
  }
}

function rowTarget(services: ImportServices, shop: Shop, { format }: ImportInput): RowTarget {
  const links = { ...shop, storefront: shop.storefront ?? formatNamed(format)?.storefront ?? null };
  return { shopId: shop.id, links, domains: domainsOf(services, shop.organizationKey) };
}

/** An index of the rows that are staged, if the catalogue is in memory. */
function stagedIndex(
  { indexes }: ImportServices,
  { key: shopKey, organizationKey, locale, generation }: Shop,
  { dryRun }: ImportInput,
): StagedIndex | null {
  if (dryRun || indexes.find(organizationKey) === null) return null;
  const language = languageOf(locale).code;
  return new StagedIndex({ shopKey, language, generation: generation + 1 });
}

/** What the imported rows tell about the links of the shop. */
function linkFindings(
  services: ImportServices,
  { format, started }: ImportInput,
  { links }: RowStaging,
): Pick<ImportSummary, 'storefront' | 'withoutAddress'> {
  const { shopKey, source } = started.record;
  const shop = services.directory.shop(shopKey);
  const ofFormat = formatNamed(format)?.storefront ?? null;
  const storefront = shop.storefront === null ? links.storefront(ofFormat) : null;
  // An export that was fetched from an address comes from the shop itself.
  const host = ofFormat !== null && URL.canParse(source) ? hostOf(source) : null;
  const told = storefront === null ? shop : { ...shop, storefront };
  const missing = links.missing(services, told, host);
  return {
    ...(storefront === null ? {} : { storefront }),
    ...(missing === null ? {} : { withoutAddress: missing }),
  };
}

function memoryFinding(
  { indexes }: ImportServices,
  { counts }: RowStaging,
): Pick<ImportSummary, 'shortOfMemory'> {
  const shortage = indexes.shortageFor(counts.new + counts.changed + counts.same);
  return shortage === null ? {} : { shortOfMemory: shortage };
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
      `The file lacks ${missing} of ${visible} items, more than a quarter: nothing was changed. If they are really gone, add --allow-shrink, or allow_shrink=true to a request.`,
    );
  await staging.archiveMissing();
}
