import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { assertIsBackup, type BackupManifest, readManifest } from '../../storage/engine/backups.ts';
import { openDatabase } from '../../storage/engine/database.ts';
import { decideRestore, finishRestore } from '../../storage/engine/files.ts';
import { lockFolder } from '../../storage/engine/lock.ts';
import { MIGRATIONS } from '../../storage/engine/migrations.ts';
import { stampOf } from './back-up-database.ts';
import { countDamage, type DamageCounts } from './examine-records.ts';

/** Guards commands that need a database file. */
export function onlyForFile(): AppError {
  return new AppError(
    'invalid_input',
    'The data are on a libSQL server (database_url): use the server’s own tools to back them up and restore them.',
  );
}

export interface Restored {
  readonly manifest: BackupManifest;
  /** Where the previous database is now; null if there was none. */
  readonly replaced: string | null;
  /** Counts of damaged records in the backup. */
  readonly damage: DamageCounts;
}

/**
 * Replaces the database with a backup and keeps the old database beside it. Changes nothing until the
 * copy in the data folder has been read and verified. If the process is killed after that, the next
 * start finishes the restore. Throws `already_running` while a service runs, `damaged` when the backup
 * does not match its manifest, and `not_initialized` when a newer vitrine made it.
 */
export async function restoreDatabase(
  file: string,
  place: { readonly database: string; readonly lock: string; readonly nowMs: number },
): Promise<Restored> {
  const { database, nowMs } = place;
  const manifest = await readManifest(file);
  if (manifest.schema > MIGRATIONS.length) {
    throw new AppError(
      'not_initialized',
      `${file} was made by a newer vitrine (${manifest.version}): install that version.`,
    );
  }
  await mkdir(dirname(database), { recursive: true, mode: 0o700 });
  const lock = await lockFolder(place.lock);
  try {
    await finishRestore(database);
    const draft = `${database}.restoring`;
    await copyFile(file, draft);
    await assertIsBackup(draft, manifest);
    await decideRestore(draft, { database, stamp: stampOf(nowMs) });
    const replaced = await finishRestore(database);
    const db = await openDatabase(database, { create: false });
    const details = { file, replaced, createdAt: manifest.createdAt };
    const event = 'backup.restored';
    await db.write([insertAuditEntry(db, { at: nowMs, organizationId: null, event, details })]);
    const damage = await countDamage(db).finally(() => db.close());
    return { manifest, replaced, damage };
  } finally {
    await lock.release();
  }
}
