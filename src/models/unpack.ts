import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import type { PackedFile } from './model-files.ts';

/** Folders to unpack into, best first. The caller skips one that is read-only or mounted noexec. */
export function unpackFolders(): string[] {
  return [join(homedir(), '.cache', 'vitrine'), tmpdir(), '/dev/shm'];
}

/**
 * Writes the files side by side into a private folder below `parent`, named after a hash of their
 * content, and returns its path. Existing files stay if owner, mode and content are right, and are
 * rewritten if only the content is wrong. Safe in concurrent processes. Throws if another user could
 * write to the folder.
 */
export async function unpack(files: readonly PackedFile[], parent: string): Promise<string> {
  const content = createHash('sha256')
    .update(files.map((file) => file.sha256).join())
    .digest('hex');
  const folder = join(parent, `vitrine-${userInfo().uid}-${content.slice(0, 16)}`);
  await mkdir(parent, { recursive: true });
  await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting);
  await assertPrivate(folder);
  for (const file of files) await unpackFile(file, folder);
  return folder;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** Also refuses a symbolic link. Windows has no such modes; there the user's own folders are private. */
async function assertPrivate(folder: string): Promise<void> {
  const { uid, mode, isDirectory } = await lstat(folder).then((stats) => ({
    uid: stats.uid,
    mode: stats.mode,
    isDirectory: stats.isDirectory(),
  }));
  const own = process.platform === 'win32' || (uid === userInfo().uid && (mode & 0o077) === 0);
  if (!isDirectory || !own) throw new Error(`${folder} is not a private folder of this user`);
}

async function unpackFile(file: PackedFile, folder: string): Promise<void> {
  const target = join(folder, file.name);
  const present = await readFile(target).catch(() => null);
  if (present !== null && sha256(present) === file.sha256) return;
  const carried = await readFile(file.path);
  const content = file.compressed ? zstdDecompressSync(carried) : carried;
  if (sha256(content) !== file.sha256) throw new Error(`${file.name} is damaged inside the binary`);
  const draft = join(folder, `${file.name}.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, content, { mode: 0o500, flag: 'wx' });
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
