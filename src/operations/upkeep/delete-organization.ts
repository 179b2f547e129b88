import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import type { Organization } from '../../domain/organization.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { hasUnfinishedImport } from '../../storage/catalog/imports.ts';
import { countItems } from '../../storage/catalog/items.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import {
  beginErasure,
  type Erasure,
  endErasure,
  eraseRows,
  findErasures,
} from '../../storage/erasures.ts';
import { defineOperation } from '../define-operation.ts';
import { rollUpAll } from '../hits/maintain-hits.ts';
import { changeCatalogue } from '../instances/shared-work.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import { paced } from './paced.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/**
 * How long after a deletion its rows are looked for once more: a request that was already admitted then may
 * have written some since.
 */
const LATE_MS = 60_000;

/** The share of the time that an erasure takes beside a service. */
const SHARE = 1 / 2;

export const deleteOrganization = defineOperation({
  name: 'org.delete',
  input: Type.Object({
    organization: Type.String({ description: 'Id or slug.' }),
    confirm: Type.String({ description: 'Its slug, so that none is deleted by mistake.' }),
  }),
  /**
   * Deletes an organization and everything that belongs to it. Its keys stop working and its slug is free at once;
   * its rows are then removed in slices. If the process ends before that, the next one goes on. Throws
   * `invalid_input`, `not_found`, and `conflict` while one of its imports waits or runs.
   */
  async run(services: UpkeepServices, { organization: reference, confirm }) {
    const { db, directory, platform } = services;
    const organization = resolveOrganization(services, reference);
    const { key, id, slug } = organization;
    if (confirm !== slug)
      throw new AppError(
        'invalid_input',
        `To delete "${slug}", repeat its slug: --confirm ${slug}`,
      );
    await refuseWhileImporting(services, organization);
    const deletedAt = platform.now();
    const counts = await changeCatalogue(services, key, async () => {
      await refuseWhileImporting(services, organization);
      const found = await countOwned(services, organization);
      await db.write([
        ...beginErasure(db, organization, deletedAt),
        auditEntry(db, deletedAt, { event: 'org.deleted', organization }),
      ]);
      await directory.reloadOrganization(key);
      await directory.reloadAccess(key);
      return found;
    });
    const erasure = { organizationKey: key, deletedAt };
    const { hits } = await erase(services, erasure);
    // Nobody else can have written anything.
    if (db.isAlone) await end(services, erasure);
    return { id, slug, ...counts, hits };
  },
});

/** Makes the task that completes erasures, also those that another process began. */
export function completeErasures(services: UpkeepServices): () => Promise<boolean> {
  const { db, platform } = services;
  /** Those of which nothing is left but what came late. */
  const begun = new Set<number>();
  return async () => {
    for (const erasure of await findErasures(db)) {
      const { organizationKey, deletedAt } = erasure;
      const isLate = Math.abs(platform.now() - deletedAt) >= LATE_MS;
      if (begun.has(organizationKey) && !isLate) continue;
      await erase(services, erasure);
      begun.add(organizationKey);
      if (isLate) await end(services, erasure);
    }
    return false;
  };
}

/** Forgets in this process what it holds in memory and in files of a deleted organization. */
export async function forgetOrganization(
  { indexes, landing, learned }: Pick<UpkeepServices, 'indexes' | 'landing' | 'learned'>,
  organizationKey: number,
): Promise<void> {
  landing.forget(organizationKey);
  learned.forget(organizationKey);
  await indexes.forget(organizationKey);
}

/** Removes the rows until none is found. Throws `unavailable` if the service stops before. */
async function erase(
  services: UpkeepServices,
  { organizationKey }: Erasure,
): Promise<{ hits: number }> {
  const { db, platform, stopping } = services;
  // Pauses take milliseconds, so they need not end when the service stops.
  const pause = paced(platform, new AbortController().signal, () => (db.isAlone ? 1 : SHARE));
  let hits = 0;
  // A task that was reading its rows may write others once more.
  for (let hasFound = true; hasFound; ) {
    hasFound = false;
    // What is counted in memory belongs to rows that are still there.
    await rollUpAll(services);
    for await (const removed of eraseRows(db, organizationKey)) {
      hits += removed.hits;
      hasFound ||= removed.hits + removed.others > 0;
      await pause();
      if (stopping.aborted)
        throw new AppError(
          'unavailable',
          'The service is stopping: it removes what is left of the organization when it runs again.',
        );
    }
  }
  await forgetOrganization(services, organizationKey);
  return { hits };
}

async function end({ db, directory, platform }: UpkeepServices, erasure: Erasure): Promise<void> {
  const organization = directory.organization(erasure.organizationKey);
  const entry = auditEntry(db, platform.now(), { event: 'org.erased', organization });
  await db.write([endErasure(db, erasure), entry]);
}

/** Of the service as a whole: nobody can ask for the entries of an organization that is gone. */
function auditEntry(
  db: Database,
  at: number,
  { event, organization: { id, slug } }: { event: string; organization: Organization },
): Statement {
  const details = { id, ...(slug === id ? {} : { slug }) };
  return insertAuditEntry(db, { at, organizationId: null, event, details });
}

async function refuseWhileImporting(
  { db, directory }: UpkeepServices,
  { key, slug }: Organization,
): Promise<void> {
  for (const shop of directory.shopsOf(key))
    if (await hasUnfinishedImport(db, shop.key))
      throw new AppError(
        'conflict',
        `An import of "${slug}" waits or runs: delete the organization once it has ended.`,
      );
}

async function countOwned({ db, directory }: UpkeepServices, { key }: Organization) {
  let items = 0;
  for (const shop of directory.shopsOf(key)) {
    const { offerings, contexts } = await countItems(db, shop);
    items += offerings + contexts;
  }
  const keys = directory.apiKeys().filter(({ organizationKey }) => organizationKey === key).length;
  return { items, keys };
}
