import { IMPORT_LEASE } from '../../storage/leases.ts';
import type { Services } from '../services.ts';
import { Lease } from './lease.ts';
import { Turns } from './turns.ts';

/** How long the work of an instance that was killed lies still, at most. */
const BACKGROUND_LEASE_MS = 15_000;

/** The same of an import. */
const IMPORT_LEASE_MS = 30_000;

/** Of what takes some milliseconds. */
const SHORT_LEASE_MS = 10_000;

type Shared = Pick<Services, 'db' | 'platform' | 'directory' | 'stopping'>;

/** What only one of several instances does at a time. */
export function openSharedWork(
  shared: Shared,
): Pick<Services, 'background' | 'importTurns' | 'creationTurns' | 'bootstrapTurns'> {
  const { db, platform, directory, stopping } = shared;
  const lease = (name: string, durationMs: number) =>
    new Lease({ db, platform, stopping, name, durationMs });
  const turns = (name: string, durationMs: number) => {
    if (db.instance === null) return new Turns();
    const held = lease(name, durationMs);
    return new Turns((task) =>
      held.hold(async () => {
        // Whoever had it before may have changed what the task goes by.
        await directory.reload();
        return task();
      }),
    );
  };
  return {
    background: lease('background', BACKGROUND_LEASE_MS),
    importTurns: turns(IMPORT_LEASE, IMPORT_LEASE_MS),
    creationTurns: turns('creation', SHORT_LEASE_MS),
    bootstrapTurns: turns('bootstrap', SHORT_LEASE_MS),
  };
}
