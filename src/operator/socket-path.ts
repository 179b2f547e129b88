import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../domain/errors.ts';

/** Bytes that fit into a socket's address on every system. */
const PATH_BYTES_MAX = 100;

const ROOT = 0;

/**
 * The operator's socket of a data folder. Where the folder's own path is too long, it is in a folder of
 * its own within the temp folder, in which anybody may have made one of that name: throws `forbidden`
 * unless it belongs to the data folder's owner or to root, alone.
 */
export function socketPath(dataFolder: string, platform: string = process.platform): string {
  const folder = resolve(dataFolder);
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\vitrine-${name}`;
  const path = join(folder, 'vitrine.sock');
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return path;
  const own = join(tmpdir(), `vitrine-${name}`);
  if (!isTrusted(own, folder))
    throw new AppError('forbidden', `${own} is not yours alone: remove it, and look who made it.`);
  return join(own, 'vitrine.sock');
}

/** The same for whoever listens there: the folder is made where there is none. */
export function makeSocketPath(dataFolder: string): string {
  const path = socketPath(dataFolder);
  if (process.platform !== 'win32') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Somebody else may have been quicker.
  return socketPath(dataFolder);
}

/** Whether nobody but those who may command the service can have put anything there; so is what is not there. */
function isTrusted(own: string, dataFolder: string): boolean {
  const found = lstatSync(own, { throwIfNoEntry: false });
  if (found === undefined) return true;
  const owner = statSync(dataFolder, { throwIfNoEntry: false })?.uid;
  const isOwners = found.uid === owner || found.uid === ROOT;
  return found.isDirectory() && isOwners && (found.mode & 0o077) === 0;
}
