import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../domain/errors.ts';

/** Maximum bytes of a socket's path that every system accepts. */
const PATH_BYTES_MAX = 100;

const ROOT = 0;

/**
 * The path of a data folder's operator socket. If the path in the data folder is too long, the
 * socket has its own folder in the temp folder. Any user may have created a folder of that name
 * there, so it throws `forbidden` unless only the data folder's owner or root has access.
 */
export function socketPath(dataFolder: string, platform: string = process.platform): string {
  const folder = resolve(dataFolder);
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\vitrine-${name}`;
  const path = join(folder, 'vitrine.sock');
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return path;
  const own = join(tmpdir(), `vitrine-${name}`);
  if (!isTrusted(own, folder))
    throw new AppError(
      'forbidden',
      `Other users have access to ${own}: find out who created it, and remove it.`,
    );
  return join(own, 'vitrine.sock');
}

/** The same path for the listening service; creates the folder if it is missing. */
export function makeSocketPath(dataFolder: string): string {
  const path = socketPath(dataFolder);
  if (process.platform !== 'win32') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Another user may have created the folder first.
  return socketPath(dataFolder);
}

/**
 * Whether only users who may command the service can have created this path. True if it does not
 * exist.
 */
function isTrusted(own: string, dataFolder: string): boolean {
  const found = lstatSync(own, { throwIfNoEntry: false });
  if (found === undefined) return true;
  const owner = statSync(dataFolder, { throwIfNoEntry: false })?.uid;
  const isOwners = found.uid === owner || found.uid === ROOT;
  return found.isDirectory() && isOwners && (found.mode & 0o077) === 0;
}
