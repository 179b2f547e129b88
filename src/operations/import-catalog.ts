import { createHash } from 'node:crypto';
import Type from 'typebox';
import type { CatalogEntry, CatalogRow, Fault } from '../catalog/reader.ts';
import { catalogItemId } from '../domain/ids.ts';
import type { Shop } from '../domain/organization.ts';
import { searchDocuments } from '../search/documents.ts';
import { insertAuditEntry } from '../storage/audit-log.ts';
import type { Statement } from '../storage/database.ts';
import { failRunningImports, finishImport, insertImport } from '../storage/imports.ts';
import {
  deleteVersions,
  findCurrentVersions,
  findIdentities,
  findIdsBySlug,
  findLargestKeys,
  findLeftovers,
  publishGeneration,
  reviveVersions,
  type StagedDocument,
  type StagedItem,
  stageItems,
} from '../storage/items.ts';
import { type IndexedDocument, indexDocuments, unindexDocuments } from '../storage/word-index.ts';
import { defineOperation } from './define-operation.ts';
import { resolveOrganization, resolveShop } from './organizations.ts';
import type { Services } from './services.ts';

/** Rows written in one transaction: about 20 ms, the longest that the event loop may be held. */
const BATCH_ROWS = 200;
const BATCH_CHARACTERS = 400_000;

/** Old versions removed in one transaction. */
const SWEEP_ROWS = 200;

/** Faults kept with the import's record; all of them go to whoever runs it. */
const KEPT_FAULTS_MAX = 20;

interface ImportInput {
  readonly shop: Shop;
  readonly source: string;
  readonly format: string;
  readonly dryRun: boolean;
  readonly rows: AsyncIterable<CatalogRow>;
  emit(event: ImportEvent): void;
}

/** Told while it runs: how far it is, and every fault that only the import itself can see. */
export type ImportEvent = { readonly progress: ImportSummary } | { readonly fault: Fault };

export interface ImportSummary {
  readonly new: number;
  readonly changed: number;
  readonly same: number;
  readonly rejected: number;
  readonly warnings: number;
  readonly seconds: number;
}

/**
 * Brings rows (`CatalogRow`, one a line) into a shop's catalogue: new ones are added, changed ones
 * replaced, the rest stays. Searchers see the catalogue of before until the end, then all of it at
 * once. A bad row is a fault, never an error. Killed at any moment it leaves nothing that the next
 * import does not clear.
 */
export const importCatalog = defineOperation({
  name: 'catalog.import',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
    source: Type.String({ description: 'File or address, for the record.' }),
    format: Type.String(),
    dryRun: Type.Boolean(),
  }),
  run(
    services,
    { organization: reference, shop: shopReference, ...input },
    { lines, emit },
  ): Promise<ImportSummary> {
    const shop = resolveShop(services, resolveOrganization(services, reference), shopReference);
    const rows = lines as AsyncIterable<CatalogRow>;
    return services.importTurns.take(() => runImport(services, { ...input, shop, rows, emit }));
  },
});

async function runImport(services: Services, input: ImportInput): Promise<ImportSummary> {
  const { db, platform, directory } = services;
  const shop = directory.shop(input.shop.key);
  const startedMs = platform.monotonicMs();
  const id = platform.newId();
  await clearLeftovers(services, shop);
  const record = { id, shopKey: shop.key, source: input.source, format: input.format };
  if (!input.dryRun) {
    await db.write([
      failRunningImports(db, shop.key, platform.now()),
      insertImport(db, { ...record, state: 'running', startedAt: platform.now() }),
    ]);
  }
  const run = new ImportRun(services, { ...input, shop });
  const summary = () => ({
    ...run.counts,
    seconds: Math.round(platform.monotonicMs() - startedMs) / 1000,
  });
  const end = (state: 'committed' | 'failed') => ({
    state,
    finishedAt: platform.now(),
    summary: JSON.stringify({ ...summary(), faults: run.faults }),
  });
  try {
    await run.stage(() => input.emit({ progress: summary() }));
  } catch (error) {
    if (!input.dryRun) await db.write([finishImport(db, id, end('failed'))]);
    throw error;
  }
  if (input.dryRun) return summary();
  const audit = {
    at: platform.now(),
    organizationId: directory.organization(shop.organizationKey).id,
  };
  await db.write([
    ...(run.counts.new + run.counts.changed > 0
      ? [publishGeneration(shop.key, shop.generation + 1)]
      : []),
    finishImport(db, id, end('committed')),
    insertAuditEntry(db, {
      ...audit,
      event: 'import.committed',
      details: { ...record, ...summary() },
    }),
  ]);
  await directory.reload();
  // Asked for now, so that the first searches of the new catalogue find it in memory.
  services.indexes.find(shop.organizationKey);
  return summary();
}

/** Removes, in slices, what a killed import left and what no rollback brings back. */
async function clearLeftovers({ db, platform }: Services, shop: Shop): Promise<void> {
  for (;;) {
    const revived = await db.write(reviveVersions(shop, SWEEP_ROWS));
    await platform.yield();
    if (revived.every(({ rowsAffected }) => rowsAffected === 0)) break;
  }
  for (;;) {
    const leftovers = await findLeftovers(db, shop, SWEEP_ROWS);
    if (leftovers.length === 0) return;
    await db.write([
      unindexDocuments(
        shop.organizationKey,
        leftovers.flatMap(({ documentKeys }) => documentKeys),
      ),
      ...deleteVersions(leftovers.map(({ key }) => key)),
    ]);
    await platform.yield();
  }
}

/** The state of one import: counts, faults, external ids seen, and the keys it hands out. */
class ImportRun {
  readonly counts = { new: 0, changed: 0, same: 0, rejected: 0, warnings: 0 };
  readonly faults: Fault[] = [];
  readonly #services: Services;
  readonly #input: ImportInput;
  readonly #seen = new Set<string>();
  #itemKey = 0;
  #documentKey = 0;

  constructor(services: Services, input: ImportInput) {
    this.#services = services;
    this.#input = input;
  }

  /** Writes all rows, batch by batch, where no searcher sees them yet. */
  async stage(onProgress: () => void): Promise<void> {
    const { db, platform } = this.#services;
    const largest = await findLargestKeys(db);
    this.#itemKey = largest.itemKey;
    this.#documentKey = largest.documentKey;
    for await (const rows of inBatches(this.#goodRows())) {
      const statements = await this.#stageBatch(rows);
      if (statements.length > 0 && !this.#input.dryRun) await db.write(statements);
      onProgress();
      await platform.yield();
    }
  }

  async *#goodRows(): AsyncGenerator<CatalogEntry> {
    for await (const row of this.#input.rows) {
      if ('fault' in row) this.#note(row.fault);
      else if (this.#seen.has(row.item.externalId))
        this.#refuse(row, 'duplicate_external_id', 'An earlier record has the same external id.');
      else {
        this.#seen.add(row.item.externalId);
        yield row;
      }
    }
  }

  #refuse({ file, line, record, item }: CatalogEntry, code: string, message: string): void {
    const fault: Fault = {
      file,
      line,
      record,
      externalId: item.externalId,
      column: null,
      code,
      message,
      severity: 'error',
      raw: null,
    };
    this.#note(fault);
    this.#input.emit({ fault });
  }

  #note(fault: Fault): void {
    if (fault.severity === 'error') this.counts.rejected += 1;
    else this.counts.warnings += 1;
    if (this.faults.length < KEPT_FAULTS_MAX) this.faults.push({ ...fault, raw: null });
  }

  async #stageBatch(rows: readonly CatalogEntry[]): Promise<Statement[]> {
    const { db, platform } = this.#services;
    const { shop, format } = this.#input;
    const ids = await this.#resolveIds(rows);
    const current = await findCurrentVersions(db, shop, [...ids.values()]);
    const items: StagedItem[] = [];
    const documents: StagedDocument[] = [];
    const indexed: IndexedDocument[] = [];
    const taken = new Set<string>();
    for (const row of rows) {
      const { item } = row;
      const id = ids.get(item.externalId)!;
      if (taken.has(id)) {
        this.#refuse(
          row,
          'duplicate_identity',
          'It stands for the same item as an earlier record.',
        );
        continue;
      }
      taken.add(id);
      const contentHash = hash(JSON.stringify(item));
      const present = current.get(id);
      if (present?.contentHash === contentHash) {
        this.counts.same += 1;
        continue;
      }
      this.counts[present === undefined ? 'new' : 'changed'] += 1;
      const key = ++this.#itemKey;
      const replacesKey = present?.key ?? null;
      items.push({ key, id, item, contentHash, replacesKey });
      for (const { fields, meaning, passage } of searchDocuments(item)) {
        const documentKey = ++this.#documentKey;
        const { type } = item;
        documents.push({
          key: documentKey,
          itemKey: key,
          type,
          passage,
          textHash: hash(meaning),
          replacesItemKey: replacesKey,
        });
        indexed.push({ key: documentKey, fields });
      }
    }
    if (items.length === 0) return [];
    const { organizationKey } = shop;
    const staging = {
      organizationKey,
      shopKey: shop.key,
      generation: shop.generation + 1,
      format,
      nowMs: platform.now(),
    };
    return [...stageItems(staging, items, documents), indexDocuments(organizationKey, indexed)];
  }

  /** External id → id: as known, else that of the item which came by another route under the same slug, else a new one. */
  async #resolveIds(rows: readonly CatalogEntry[]): Promise<Map<string, string>> {
    const { db } = this.#services;
    const { shop, format } = this.#input;
    const known = await findIdentities(
      db,
      shop.key,
      rows.map(({ item }) => item.externalId),
    );
    const slugOf = ({ item }: CatalogEntry) =>
      item.type === 'product' && !known.has(item.externalId) ? item.slug : null;
    const slugs = rows.map(slugOf).filter((slug) => slug !== null);
    const bySlug =
      slugs.length === 0
        ? new Map<string, string>()
        : await findIdsBySlug(db, shop, { slugs, format });
    return new Map(
      rows.map((row) => {
        const { externalId } = row.item;
        return [
          externalId,
          known.get(externalId) ??
            bySlug.get(slugOf(row) ?? '') ??
            catalogItemId(shop.id, externalId),
        ];
      }),
    );
  }
}

async function* inBatches(rows: AsyncIterable<CatalogEntry>): AsyncGenerator<CatalogEntry[]> {
  let batch: CatalogEntry[] = [];
  let characters = 0;
  for await (const row of rows) {
    batch.push(row);
    characters += row.item.description.length + row.item.name.length;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** SHA-256, cut to 128 bits: enough to tell texts of one catalogue apart. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
