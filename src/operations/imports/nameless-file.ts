import { type FileHandle, open, rm } from 'node:fs/promises';
import { refusal } from '../../storage/engine/connection.ts';

/** A new file that only this process can reach, and that disappears with it, however it ends. */
export async function openNameless(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

/** `unavailable` for a full disk, which is for the operator to mend; any other error unchanged. */
export function asRefusal(error: unknown): unknown {
  return (error as { code?: unknown }).code === 'ENOSPC' ? refusal(error) : error;
}
