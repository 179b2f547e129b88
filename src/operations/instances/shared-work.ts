import { refuseDeleted } from '../../domain/organization.ts';
import { IMPORT_LEASE } from '../../storage/leases.ts';
import type { BaseServices } from '../base-services.ts';
import { Lease } from './lease.ts';
import { KeyedMutex, Mutex } from './mutex.ts';

/** After an instance is killed, another takes over its background work within this time. */
const BACKGROUND_LEASE_MS = 15_000;

/** The takeover time for an import. */
const IMPORT_LEASE_MS = 30_000;

/** The lease duration for tasks of a few milliseconds. */
const SHORT_LEASE_MS = 10_000;

/** The work that only one of several instances may do at a time. */
export interface SharedWork {
  /** Its holder embeds, rebuilds, counts and fetches for all instances. */
  readonly background: Lease;
  /** Allows one import at a time across all instances. */
  readonly importMutex: Mutex;
  /** By organization: held while its catalogue changes. `changeCatalogue` takes it. */
  readonly catalogueMutexes: KeyedMutex;
  /** Assigns row keys of organizations and shops, one at a time across all instances. */
  readonly creationMutex: Mutex;
  /** Held while curation rules are read, changed and written back. */
  readonly curationMutex: Mutex;
  /** Creates what the environment configures exactly once, in the instance that starts first. */
  readonly bootstrapMutex: Mutex;
}

interface Shared extends Omit<BaseServices, 'retentionClock'> {
  /** Aborts when the service begins to shut down. */
  readonly stopping: AbortSignal;
}

export function openSharedWork(shared: Shared): SharedWork {
  const { db, platform, directory, stopping } = shared;
  const lease = (name: string, durationMs: number) =>
    new Lease({ db, platform, stopping, name, durationMs });
  const mutex = (name: string, durationMs: number) => {
    if (db.instance === null) return new Mutex();
    const held = lease(name, durationMs);
    return new Mutex((task) =>
      held.hold(async () => {
        // The instance that held it before may have changed what the task reads.
        await directory.reload();
        return task();
      }),
    );
  };
  return {
    background: lease('background', BACKGROUND_LEASE_MS),
    importMutex: mutex(IMPORT_LEASE, IMPORT_LEASE_MS),
    catalogueMutexes: new KeyedMutex(),
    creationMutex: mutex('creation', SHORT_LEASE_MS),
    curationMutex: mutex('curation', SHORT_LEASE_MS),
    bootstrapMutex: mutex('bootstrap', SHORT_LEASE_MS),
  };
}

/**
 * Runs a task that changes a catalogue. Only this process uses a file, so there it waits for imports and
 * changes of the same organization only: its shops share an index, whose documents are in the order in
 * which they were added. On a server, changes of all instances take turns. Throws `not_found` if the organization
 * was deleted.
 */
export function changeCatalogue<Result>(
  {
    db,
    directory,
    importMutex,
    catalogueMutexes,
  }: Pick<SharedWork, 'importMutex' | 'catalogueMutexes'> & Pick<BaseServices, 'db' | 'directory'>,
  organizationKey: number,
  task: () => Promise<Result>,
): Promise<Result> {
  const change = () =>
    catalogueMutexes.run(organizationKey, async () => {
      refuseDeleted(directory.organization(organizationKey));
      return task();
    });
  return db.instance === null ? change() : importMutex.run(change);
}
