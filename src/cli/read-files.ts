import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { openBytes, peekText } from '../catalog/decompress.ts';
import { detectFormat, formatNamed } from '../catalog/formats.ts';
import type { CatalogFormat, CatalogRow, ReaderOptions } from '../catalog/reader.ts';
import { AppError } from '../domain/errors.ts';

/** Files of one folder that are read as contexts. */
const FOLDER_FILES_MAX = 10_000;

/** What a path holds, ready to be read. */
export interface CatalogInput {
  readonly format: CatalogFormat;
  /** Bytes of the files as they lie on the disk. */
  readonly sizeBytes: number;
  /** Bytes taken from the disk so far. */
  readBytes(): number;
  rows(options: ReaderOptions): AsyncIterable<CatalogRow>;
}

/**
 * Opens a catalogue file, compressed or not, or a folder of Markdown. The format is told by the
 * content unless `formatName` says it. Throws `not_found` or `invalid_input`.
 */
export async function openCatalog(
  path: string,
  formatName: string | undefined,
): Promise<CatalogInput> {
  const named = formatName === undefined ? null : formatNamed(formatName);
  if (formatName !== undefined && named === null)
    throw new AppError('invalid_input', `There is no format "${formatName}".`);
  const info = await stat(path).catch(() => null);
  if (info === null) throw new AppError('not_found', `There is no file ${path}.`);
  return info.isDirectory() ? openFolder(path) : openFile(path, { sizeBytes: info.size, named });
}

async function openFile(
  path: string,
  { sizeBytes, named }: { sizeBytes: number; named: CatalogFormat | null },
): Promise<CatalogInput> {
  const counter = { bytes: 0 };
  const { head, bytes } = await peekText(openBytes(counted(path, counter)));
  const name = basename(path);
  const format = named ?? detectFormat({ text: head, fileName: name })?.format ?? null;
  if (format === null)
    throw new AppError('invalid_input', `${name} is of no known format: name one with --format.`);
  return {
    format,
    sizeBytes,
    readBytes: () => counter.bytes,
    rows: (options) => format.read({ name, bytes }, options),
  };
}

async function openFolder(folder: string): Promise<CatalogInput> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const format = formatNamed('markdown')!;
  if (files.length === 0) throw new AppError('invalid_input', `${folder} holds no Markdown files.`);
  if (files.length > FOLDER_FILES_MAX)
    throw new AppError('too_large', `${folder} holds more than ${FOLDER_FILES_MAX} files.`);
  const counter = { bytes: 0 };
  return {
    format,
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

async function* counted(path: string, counter: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    counter.bytes += (chunk as Uint8Array).length;
    yield chunk as Uint8Array;
  }
}
