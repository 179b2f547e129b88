import Type from 'typebox';
import type { Organization } from '../../domain/organization.ts';
import { countVectors } from '../../storage/catalog/former-vectors.ts';
import { findLatestImport, type ImportRecord } from '../../storage/catalog/imports.ts';
import { countItems } from '../../storage/catalog/items.ts';
import type { Database } from '../../storage/engine/database.ts';
import { IMPORT_LEASE, isLeased } from '../../storage/leases.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization, resolveShops } from '../tenants/organizations.ts';
import type { ImportSummary } from './import-catalog.ts';
import type { ImportServices } from './import-services.ts';

/** The visible catalogue in numbers, and the progress of its embeddings. */
export interface CatalogStats {
  readonly offerings: number;
  readonly contexts: number;
  /** Offerings and contexts with an embedding. */
  readonly embedded: number;
  /** Whether an embedding model is configured. */
  readonly meaning: boolean;
  /** The model is being loaded: whether it replaces a former one is not known yet. */
  readonly loadingModel: boolean;
  /** Vectors of a former model answer until those of the configured one are made; null: no longer. */
  readonly replacement: VectorReplacement | null;
  /** Documents that the model reads per second, lately; null while it reads none. */
  readonly textsPerSecond: number | null;
  /**
   * Until every document of all organizations has its vector, at the recent pace; null while it is not
   * known.
   */
  readonly remainingSeconds: number | null;
  readonly shops: readonly {
    readonly handle: string;
    readonly offerings: number;
    readonly contexts: number;
    readonly embedded: number;
    /** Offerings and contexts whose current text has no embedding yet. */
    readonly stale: number;
    /** Whether there is an earlier catalogue to roll back to. */
    readonly canRollBack: boolean;
    readonly lastImport: LastImport | null;
  }[];
}

/** The replacement of an organization's vectors. Counts are of documents, hidden ones included. */
export interface VectorReplacement {
  /** The tags of both models. */
  readonly former: string | null;
  readonly model: string;
  readonly done: number;
  readonly total: number;
}

export interface LastImport {
  readonly source: string;
  readonly format: string;
  /** `rolled_back`: committed and later rolled back. */
  readonly state: ImportRecord['state'] | 'rolled_back';
  readonly startedAt: string;
  /** Null while it runs, if it was killed, and if it is damaged. */
  readonly summary: ImportSummary | null;
  /** Rejected records and warnings. */
  readonly faults: number;
}

export const catalogStats = defineOperation({
  name: 'catalog.stats',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
  }),
  async run(
    services: ImportServices,
    { organization: reference, shop: shopReference },
  ): Promise<CatalogStats> {
    const { db, embeddings, importMutex } = services;
    const organization = resolveOrganization(services, reference);
    const shops = resolveShops(services, organization, shopReference);
    const isImporting =
      db.instance === null ? importMutex.isBusy : await isLeased(db, IMPORT_LEASE);
    const rows: CatalogStats['shops'][number][] = [];
    for (const shop of shops) {
      const last = await findLatestImport(db, shop.key);
      const counts = await countItems(db, shop);
      rows.push({
        handle: shop.handle,
        ...counts,
        stale: counts.offerings + counts.contexts - counts.embedded,
        canRollBack: shop.previousGeneration !== null,
        lastImport: last && describeImport(db, last, { isImporting }),
      });
    }
    const sum = (field: 'offerings' | 'contexts' | 'embedded') =>
      rows.reduce((total, row) => total + row[field], 0);
    return {
      offerings: sum('offerings'),
      contexts: sum('contexts'),
      embedded: sum('embedded'),
      meaning: embeddings.isOn,
      loadingModel: !embeddings.isSettled,
      replacement: await findReplacement(services, organization),
      textsPerSecond: embeddings.progress.perSecond,
      remainingSeconds: embeddings.isOn ? embeddings.progress.remainingSeconds : null,
      shops: rows,
    };
  },
});

async function findReplacement(
  { db, embeddings }: ImportServices,
  { key, vectorModelKey }: Organization,
): Promise<VectorReplacement | null> {
  const { model } = embeddings;
  if (model === null || vectorModelKey === null || vectorModelKey === model.key) return null;
  const former = await embeddings.modelOf(vectorModelKey);
  const { ofModel, all } = await countVectors(db, key, model.key);
  return { former: former?.tag ?? null, model: model.tag, done: ofModel, total: all };
}

/** A killed import is recorded as running until the next start or import. */
function describeImport(
  db: Database,
  record: ImportRecord,
  { isImporting }: { isImporting: boolean },
): LastImport {
  const { source, format, state, startedAt, rolledBackAt } = record;
  const kept = record.summary === null ? null : parseSummary(db, record.summary);
  return {
    source,
    format,
    state:
      rolledBackAt !== null
        ? 'rolled_back'
        : state === 'running' && !isImporting
          ? 'interrupted'
          : state,
    startedAt: new Date(startedAt).toISOString(),
    summary: kept,
    faults: kept === null ? 0 : kept.rejected + kept.warnings,
  };
}

/**
 * Parses a summary without the faults stored with it; null if it is damaged. Former versions had no
 * `archived`.
 */
function parseSummary(db: Database, text: string): ImportSummary | null {
  const stored = db.parse<ImportSummary & { faults: unknown }>(text);
  if (stored === null) return null;
  const { faults: _, ...summary } = stored;
  return { ...summary, archived: summary.archived ?? 0 };
}
