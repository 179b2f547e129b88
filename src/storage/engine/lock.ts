import { type Client, createClient } from '@libsql/client';
import { AppError } from '../../domain/errors.ts';
import { fileUrl } from './file-url.ts';

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks the data folder for this process until `release` or until the process ends, even by a
 * crash: the operating system then drops SQLite's lock on the lock file. Throws `already_running`
 * if another process holds the lock, `unavailable` if the file cannot be opened.
 */
export async function lockFolder(path: string): Promise<FolderLock> {
  let client: Client | null = null;
  try {
    client = createClient({ url: fileUrl(path), concurrency: 1 });
    await client.execute('PRAGMA locking_mode = EXCLUSIVE');
    await client.execute('PRAGMA journal_mode = MEMORY');
    await client.execute('PRAGMA user_version = 1');
  } catch (error) {
    client?.close();
    throw isHeld(error)
      ? new AppError(
          'already_running',
          'Another vitrine process is using this data folder: end it first, or name another folder with --data.',
        )
      : new AppError('unavailable', `${path} cannot be locked: is its folder writable?`, {
          cause: error,
        });
  }
  const held = client;
  return {
    async release() {
      // A closed client keeps its file, and so the lock, until it is garbage-collected: release the
      // lock first.
      await held.execute('PRAGMA locking_mode = NORMAL');
      await held.execute('SELECT count(*) FROM sqlite_schema');
      held.close();
    },
  };
}

function isHeld(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown }).code));
}
