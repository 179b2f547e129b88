import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { AppError } from '../../domain/errors.ts';
import { assertHoldsSame, type Content, checkIntegrity, readContent, withCopy } from './content.ts';
import { sync } from './files.ts';

const FORMAT = 2;

/** The manifest of a backup, stored in a file beside it. */
export const BackupManifest = Type.Object({
  /** The version of the manifest format. The first also held a digest of all rows. */
  format: Type.Integer({ minimum: 1, maximum: FORMAT }),
  /** The version of vitrine that made the backup. */
  version: Type.String(),
  /** The schema's version: an older vitrine refuses it. */
  schema: Type.Integer({ minimum: 1 }),
  createdAt: Type.String(),
  bytes: Type.Integer(),
  /** Digest of the file. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Rows by table. */
  counts: Type.Record(Type.String(), Type.Integer()),
});
export type BackupManifest = Static<typeof BackupManifest>;

export function manifestPath(file: string): string {
  return `${file}.json`;
}

/**
 * Backs up a database that nobody else has open. Verifies that the backup is intact and has the
 * same content, and only then moves it and its manifest to `target`. `workFolder` must be on the
 * same disk. Throws `damaged` if the source is damaged.
 */
export async function writeBackup(
  source: string,
  made: { target: string; workFolder: string; version: string; nowMs: number },
): Promise<BackupManifest> {
  const { target, workFolder, version, nowMs } = made;
  const draft = join(workFolder, 'backup.db');
  await withCopy(source, async (client) => {
    await client.execute({ sql: 'VACUUM INTO ?', args: [draft] });
    await assertHoldsSame(client, draft);
  });
  const content = await readIntact(draft);
  await chmod(draft, 0o600);
  await sync(draft);
  const manifest: BackupManifest = {
    ...{ format: FORMAT, version, ...content },
    createdAt: new Date(nowMs).toISOString(),
    bytes: statSync(draft).size,
    sha256: await sha256Of(draft),
  };
  const manifestDraft = join(workFolder, 'manifest.json');
  await writeFile(manifestDraft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await sync(manifestDraft);
  // A backup never exists without its manifest or with another backup's manifest.
  if (existsSync(target)) {
    await rm(manifestPath(target), { force: true });
    await rename(draft, target);
    await rename(manifestDraft, manifestPath(target));
  } else {
    await rename(manifestDraft, manifestPath(target));
    await rename(draft, target);
  }
  await sync(dirname(target));
  return manifest;
}

/** Throws `not_found` if there is no manifest, `damaged` if it cannot be read. */
export async function readManifest(file: string): Promise<BackupManifest> {
  const path = manifestPath(file);
  if (!existsSync(file)) throw new AppError('not_found', `There is no file ${file}.`);
  if (!existsSync(path)) {
    throw new AppError('not_found', `${file} has no manifest beside it: ${path} is missing.`);
  }
  const manifest: unknown = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  if (!Check(BackupManifest, manifest))
    throw new AppError('damaged', `${path} is no manifest of a backup.`);
  return manifest;
}

/** Throws `damaged` unless the file's bytes are those of the manifest, and hold what it says. */
export async function assertIsBackup(path: string, manifest: BackupManifest): Promise<void> {
  if ((await sha256Of(path)) !== manifest.sha256)
    throw new AppError('damaged', 'The backup is not the file that its manifest describes.');
  const { schema, counts } = await readIntact(path);
  if (schema !== manifest.schema || !isDeepStrictEqual(counts, manifest.counts))
    throw new AppError('damaged', `${path} does not hold what it should.`);
}

/** Throws `damaged` unless every page and index is intact. */
function readIntact(path: string): Promise<Content> {
  return withCopy(path, async (client) => {
    await checkIntegrity(client, path);
    return readContent(client);
  });
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
