import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Type from 'typebox';
import packageJson from '../../../package.json' with { type: 'json' };
import { AppError } from '../../domain/errors.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { type BackupManifest, manifestPath, writeBackup } from '../../storage/engine/backups.ts';
import { openDatabase } from '../../storage/engine/database.ts';
import { copyDatabaseFiles, readSchemaVersion } from '../../storage/engine/files.ts';
import { lockFolder } from '../../storage/engine/lock.ts';
import { MIGRATIONS } from '../../storage/engine/migrations.ts';
import { defineOperation } from '../define-operation.ts';
import { countDamage, type DamageCounts } from './examine-records.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** How many backups from before migrations are kept. */
const BEFORE_MIGRATION_KEPT = 3;
const BEFORE_MIGRATION = 'before-migration-';

/** The suffix of work folders. */
const PARTIAL = '.partial';

/** The lock that a process holds while it works in such a folder. */
const WORK_LOCK = 'work.lock';

/** A folder that exists for the duration of one task and that no other process uses. */
export interface WorkFolder {
  readonly path: string;
  /** Where the copy of a database goes. */
  readonly copy: string;
}

/**
 * Runs `task` with a work folder at `path`. First removes what a killed process left there.
 * Throws `conflict` while another process works there.
 */
export async function withWorkFolder<Result>(
  path: string,
  task: (folder: WorkFolder) => Promise<Result>,
): Promise<Result> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(join(path, WORK_LOCK)).catch((error: AppError) => {
    if (error.code !== 'already_running') throw error;
    throw new AppError('conflict', `Another process is working in ${path}.`);
  });
  try {
    for (const name of await readdir(path)) {
      if (!name.startsWith(WORK_LOCK)) await rm(join(path, name), { recursive: true });
    }
    return await task({ path, copy: join(path, 'vitrine.db') });
  } finally {
    await lock.release();
    await rm(path, { recursive: true, force: true });
  }
}

/**
 * Removes the work folders that killed processes left in a folder. A backup named after its time never
 * uses the same work folder again, so it cannot clean up its own.
 */
export async function removeDeadWorkFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const lock = join(path, WORK_LOCK);
    if (!name.endsWith(PARTIAL) || !existsSync(lock) || (await isHeldElsewhere(lock))) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** Copies the database of a data folder that no service uses. Throws `already_running` if one does. */
export async function copyStoppedDatabase(
  files: { readonly database: string; readonly lock: string },
  copy: string,
): Promise<void> {
  const lock = await lockFolder(files.lock);
  try {
    await copyDatabaseFiles(files.database, copy);
  } finally {
    await lock.release();
  }
}

/** Whether a process holds the data folder. */
export function isHeldElsewhere(lock: string): Promise<boolean> {
  return lockFolder(lock).then(
    (held) => held.release().then(() => false),
    (error: AppError) => {
      if (error.code !== 'already_running') throw error;
      return true;
    },
  );
}

/** Copies the database of a running service, which holds its checkpoints during the copy. */
export function copyHeldDatabase(database: string, copy: string): Promise<void> {
  return copyDatabaseFiles(database, copy);
}

export interface BackupRequest {
  readonly target: string;
  readonly nowMs: number;
  /** Whether to replace an existing file. */
  readonly force: boolean;
  /** Writes a consistent copy of the database to that path. */
  copyDatabase(copy: string): Promise<void>;
}

export interface Backup {
  readonly manifest: BackupManifest;
  /** The damaged records in the backup; null for a backup with an older schema, which is not examined. */
  readonly damage: DamageCounts | null;
}

/** Makes a verified backup. Throws `conflict` when the file already exists. */
export async function backUpDatabase(request: BackupRequest): Promise<Backup> {
  const { target, nowMs, force, copyDatabase } = request;
  if (existsSync(target) && !force)
    throw new AppError('conflict', `${target} already exists: --force replaces it.`);
  if (existsSync(target) && !statSync(target).isFile())
    throw new AppError('conflict', `${target} is not a file.`);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await removeDeadWorkFolders(dirname(target));
  return withWorkFolder(`${target}${PARTIAL}`, async ({ path, copy }) => {
    await copyDatabase(copy);
    const { version } = packageJson;
    const manifest = await writeBackup(copy, { target, workFolder: path, version, nowMs });
    const isOurs = manifest.schema === MIGRATIONS.length;
    return { manifest, damage: isOurs ? await examineCopy(copy) : null };
  });
}

async function examineCopy(copy: string): Promise<DamageCounts> {
  const db = await openDatabase(copy, { create: false });
  try {
    return await countDamage(db);
  } finally {
    await db.close();
  }
}

/** `20260131T235959Z`: sorts by time and is safe in a file name. */
export function stampOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** Removes all but the `keep` latest of the backups in a folder whose names are `prefix` and a time. */
export async function removeOldBackups(
  folder: string,
  { prefix, keep }: { prefix: string; keep: number },
): Promise<string[]> {
  const stamped = /^\d{8}T\d{6}Z\.db$/;
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(prefix) && stamped.test(name.slice(-'20260131T235959Z.db'.length)),
  );
  const timeOf = (name: string) => name.slice(-'20260131T235959Z.db'.length);
  names.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  const old = names.slice(keep).map((name) => join(folder, name));
  for (const path of old) {
    await rm(path);
    await rm(manifestPath(path), { force: true });
  }
  return old;
}

/**
 * Backs up the database in the data folder before a newer vitrine changes the schema, and keeps the
 * last three such backups. The caller must hold the folder and must not have opened the database yet.
 * Resolves with the path, or null when the schema is up to date.
 */
export async function backUpBeforeMigration(
  database: string,
  {
    nowMs,
    schema = MIGRATIONS.length,
    onBegin,
  }: { nowMs: number; schema?: number; onBegin?: () => void },
): Promise<string | null> {
  const isFile = statSync(database, { throwIfNoEntry: false })?.isFile() === true;
  const version = isFile ? await readSchemaVersion(database) : null;
  if (version === null || version === 0 || version >= schema) return null;
  onBegin?.();
  const folder = dirname(database);
  const target = join(folder, `${BEFORE_MIGRATION}${version}-${stampOf(nowMs)}.db`);
  await backUpDatabase({
    target,
    nowMs,
    force: true,
    copyDatabase: (copy) => copyDatabaseFiles(database, copy),
  });
  await removeOldBackups(folder, { prefix: BEFORE_MIGRATION, keep: BEFORE_MIGRATION_KEPT });
  return target;
}

/** Records that a backup was made. A metric and `doctor` report its age. */
export const recordBackup = defineOperation({
  name: 'backup.record',
  input: Type.Object({ file: Type.String(), sha256: Type.String(), bytes: Type.Integer() }),
  async run({ db, platform }: UpkeepServices, details): Promise<{ at: string }> {
    const at = platform.now();
    const entry = { at, organizationId: null, event: 'backup.written', details };
    await db.write([insertAuditEntry(db, entry)]);
    return { at: new Date(at).toISOString() };
  },
});
