import { chmodSync, constants, existsSync, statSync } from 'node:fs';
import { access, copyFile, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../domain/errors.ts';

/** Offsets of big-endian numbers in SQLite's header. */
const USER_VERSION_OFFSET = 60;

/** Joins the database's name and the time of a restore that has been decided. */
const RESTORED = '.restored-';
const REPLACED = '-replaced-';

/** Permission bits of group and others. */
const OTHERS = 0o077;

/**
 * Removes the permissions of everybody but the owner. Returns whether others had any. Throws
 * `forbidden` if the file belongs to another user, who could grant them again.
 */
export function makePrivate(path: string): boolean {
  const { mode } = statSync(path);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return false;
  try {
    chmodSync(path, mode & ~OTHERS & 0o777);
  } catch (cause) {
    throw new AppError(
      'forbidden',
      `Others can read ${path}, which belongs to somebody else: have its owner run "chmod go= ${path}".`,
      { cause },
    );
  }
  return true;
}

/**
 * Copies a database and its write-ahead log byte by byte (sharing blocks if the file system can).
 * The caller must suspend checkpoints. Writes may continue: the log only grows, and a torn frame at
 * its end has no valid checksum, so the copy holds exactly the transactions up to some moment.
 */
export async function copyDatabaseFiles(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  if (existsSync(`${from}-wal`))
    await copyFile(`${from}-wal`, `${to}-wal`, constants.COPYFILE_FICLONE);
}

/**
 * The schema version in the file; the log may hold a later one. Null if the file is not a database.
 */
export async function readSchemaVersion(path: string): Promise<number | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
    return bytesRead === 100 ? buffer.readUInt32BE(USER_VERSION_OFFSET) : null;
  } finally {
    await file.close();
  }
}

/** Flushes a file's content or a folder's entries to disk. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Rejects with the system's error, which names the path, if one of the paths exists but this user
 * may not read and write it.
 */
export async function checkWritable(paths: readonly string[]): Promise<void> {
  for (const path of paths.filter((path) => existsSync(path)))
    await access(path, constants.R_OK | constants.W_OK);
}

/** Whether a database exists or a restore is pending. */
export async function isThere(database: string): Promise<boolean> {
  return existsSync(database) || (await findDecided(database)) !== null;
}

/**
 * Commits to a restore: from here on the file at `path` is the database. If the process is killed,
 * the next start completes the restore.
 */
export async function decideRestore(
  path: string,
  { database, stamp }: { database: string; stamp: string },
): Promise<void> {
  await sync(path);
  await rename(path, `${database}${RESTORED}${stamp}`);
  await sync(dirname(database));
}

/**
 * Completes a pending restore: moves the restored database into place and keeps the old one beside
 * it. Resolves with the path of the old one, or null. A process that was killed may already have
 * done some of the steps.
 */
export async function finishRestore(database: string): Promise<string | null> {
  const decided = await findDecided(database);
  if (decided === null) return null;
  const replaced = `${database}${REPLACED}${decided.slice(decided.lastIndexOf(RESTORED) + RESTORED.length)}`;
  // The log moves with its database: beside another database, SQLite would take it for that one's
  // log.
  for (const suffix of ['', '-wal']) {
    if (existsSync(database + suffix)) await rename(database + suffix, replaced + suffix);
  }
  await rm(`${database}-shm`, { force: true });
  await rename(decided, database);
  await sync(dirname(database));
  return existsSync(replaced) ? replaced : null;
}

async function findDecided(database: string): Promise<string | null> {
  if (!existsSync(dirname(database))) return null;
  const names = await readdir(dirname(database));
  const name = names.find((candidate) => candidate.startsWith(`${basename(database)}${RESTORED}`));
  return name === undefined ? null : join(dirname(database), name);
}
