import { createReadStream } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { openBytes } from '../../catalog/bytes/decompress.ts';
import { formatNamed } from '../../catalog/formats.ts';
import { type OpenedSource, openSource, type SourceHints } from '../../catalog/open-source.ts';
import { AppError } from '../../domain/errors.ts';

/** Files of one folder that can be read as contexts. */
const FOLDER_FILES_MAX = 10_000;

/** An open catalogue, ready to be read. */
export interface CatalogInput extends OpenedSource {
  /** Size in bytes as stored or transferred, before decompression; null if unknown. */
  readonly sizeBytes: number | null;
  /** Bytes read so far. */
  readBytes(): number;
}

/**
 * Opens a catalogue file, compressed or not, or a folder of Markdown. Detects the format from the
 * content unless `hints` names it. Throws `not_found` or `invalid_input`.
 */
export async function openCatalog(path: string, hints: SourceHints = {}): Promise<CatalogInput> {
  const info = await stat(path).catch(() => null);
  if (info === null)
    throw new AppError(
      'not_found',
      /^[a-z][a-z0-9+.-]+:\/\//i.test(path)
        ? `${path} is neither a file nor an https address.`
        : `There is no file ${path}.`,
    );
  if (info.isDirectory()) return openFolder(path);
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 });
  return openStream({ name: basename(path), stream, sizeBytes: info.size }, hints);
}

/** Opens a catalogue from a stream. Throws `invalid_input`. */
export async function openStream(
  {
    name,
    stream,
    sizeBytes,
  }: { name: string; stream: AsyncIterable<unknown>; sizeBytes: number | null },
  hints: SourceHints,
): Promise<CatalogInput> {
  const counter = { bytes: 0 };
  const opened = await openSource({ name, bytes: counted(stream, counter) }, hints);
  return { ...opened, sizeBytes, readBytes: () => counter.bytes };
}

async function openFolder(folder: string): Promise<CatalogInput> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const format = formatNamed('markdown')!;
  if (files.length === 0)
    throw new AppError(
      'invalid_input',
      `${folder} contains no Markdown files. Name a file to import products.`,
    );
  if (files.length > FOLDER_FILES_MAX)
    throw new AppError('too_large', `${folder} contains more than ${FOLDER_FILES_MAX} files.`);
  // Before anything is said of the folder. Throws what the file system says.
  await access(files[0]!, constants.R_OK);
  const counter = { bytes: 0 };
  return {
    format,
    evidence: `a folder of ${files.length === 1 ? '1 file' : `${files.length} files`}`,
    guess: null,
    sizeBytes: files.length,
    readBytes: () => counter.bytes,
    async *rows(options) {
      for (const [index, path] of files.entries()) {
        const name = relative(folder, path).replaceAll(sep, '/');
        yield* format.read({ name, bytes: openBytes(createReadStream(path)) }, options);
        counter.bytes = index + 1;
      }
    },
  };
}

async function* counted(
  stream: AsyncIterable<unknown>,
  counter: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    counter.bytes += (chunk as Uint8Array).length;
    yield chunk as Uint8Array;
  }
}
