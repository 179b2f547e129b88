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

/** For what is done to the file of a database and to nothing else. */
export function onlyForFile(): AppError {
  return new AppError(
    'invalid_input',
    'The data are on a libSQL server (database_url): back them up and restore them with what that server has for it.',
  );
}

export interface Restored {
  readonly manifest: BackupManifest;
  /** Where the database of before is now; null if there was none. */
  readonly replaced: string | null;
  /** What it holds that is damaged. */
  readonly damage: DamageCounts;
}

/**
 * Puts a backup in the place of the database, which stays beside it. Nothing is touched before the
 * copy in the data folder has been read and compared; killed after that, the next start goes on with
 * it. Throws `already_running` while a service runs, `damaged` when the backup is not what its
 * manifest says, `not_initialized` when it is of a newer vitrine.
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
