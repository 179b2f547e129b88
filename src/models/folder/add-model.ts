import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { AppError } from '../../domain/errors.ts';
import { type ModelFolder, readModelFolder } from './model-folder.ts';
import { type ArchivedFile, tarFiles } from './tar-files.ts';

/** What a model may be called: a name that is a file's name on every system. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const ARCHIVE_EXTENSION = /\.(?:zip|tar|tgz|tar\.gz)$/i;

/** The files of an archive that a model may need; all others stay in it. */
const NEEDED = /\.(?:json|onnx|onnx[._]data.*)$/;

/** Most files in an archive, and their most bytes when unpacked. */
const FILE_COUNT_MAX = 10_000;
const BYTES_MAX = 32 * 1024 ** 3;

export interface AddModel {
  /** A folder, or an archive: zip, tar, tar.gz. */
  readonly source: string;
  /** The folder of all models. */
  readonly models: string;
  /** Defaults to the name of the source. */
  readonly name?: string;
  /** Replaces a model of that name. */
  readonly force: boolean;
}

/**
 * Copies a model into the folder of models, complete or not at all. Throws `not_found` or
 * `unsupported_media_type` if the source holds no model that this program can run, `conflict` if there is
 * one of that name already, `invalid_input` for a name that no folder can have.
 */
export async function addModel({ source, models, force, ...options }: AddModel) {
  const path = resolve(source);
  const name = options.name ?? basename(path).replace(ARCHIVE_EXTENSION, '');
  if (!NAME.test(name))
    throw new AppError('invalid_input', `A model cannot be called "${name}": choose a --name.`);
  const stats = await lstat(path).catch(() => null);
  if (stats === null) throw new AppError('not_found', `There is no ${path}.`);
  const target = join(models, name);
  const isTaken = (await lstat(target).catch(() => null)) !== null;
  if (isTaken && !force)
    throw new AppError('conflict', `There is a model ${name} already: replace it with --force.`);
  const draft = join(models, `.${name}.draft`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const made = stats.isFile()
      ? await unpack(path, draft)
      : await copy(await readModelFolder(path), draft);
    if (isTaken) await rename(target, join(draft, '.replaced'));
    await rename(made, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return readModelFolder(target);
}

/** Copies the files that determine the model. Returns the new folder. */
async function copy({ path, files }: ModelFolder, draft: string): Promise<string> {
  const target = join(draft, 'model');
  for (const name of files) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    await copyFile(join(path, name), join(target, name));
  }
  return target;
}

/** Unpacks an archive that holds one model, in whatever folder. Returns the model's folder. */
async function unpack(path: string, draft: string): Promise<string> {
  const target = join(draft, 'unpacked');
  await mkdir(target);
  let [count, bytes] = [0, 0];
  const limited = async function* (content: AsyncIterable<Uint8Array>) {
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > BYTES_MAX) throw new AppError('too_large', 'The archive unpacks to over 32 GiB.');
      yield chunk;
    }
  };
  const homes: string[] = [];
  const files = await filesIn(path);
  for await (const { name, content } of undamaged(files)) {
    if (++count > FILE_COUNT_MAX)
      throw new AppError('too_large', `The archive has more than ${FILE_COUNT_MAX} files.`);
    if (!NEEDED.test(name)) continue;
    const parts = name.split(/[/\\]/);
    if (parts.some((part) => part === '..' || part.includes(':')) || name.startsWith('/'))
      throw new AppError('unsupported_media_type', 'The archive names files outside itself.');
    const file = join(target, ...parts);
    if (basename(file) === 'tokenizer.json') homes.push(dirname(file));
    await mkdir(dirname(file), { recursive: true });
    await pipeline(Readable.from(limited(content())), createWriteStream(file, { flags: 'wx' }));
  }
  if (homes.length !== 1)
    throw new AppError(
      'unsupported_media_type',
      `The archive holds ${homes.length} files tokenizer.json: it must hold one model.`,
    );
  await readModelFolder(homes[0]!);
  return homes[0]!;
}

/** Names an archive that is damaged. What the file system says about the disk is passed on. */
async function* undamaged(files: AsyncIterable<ArchivedFile>): AsyncGenerator<ArchivedFile> {
  const named = (error: unknown) =>
    error instanceof AppError
      ? error
      : new AppError('unsupported_media_type', 'The archive is damaged.', { cause: error });
  try {
    for await (const { name, content } of files) {
      const readable = async function* () {
        try {
          yield* content();
        } catch (error) {
          throw named(error);
        }
      };
      yield { name, content: readable };
    }
  } catch (error) {
    throw named(error);
  }
}

async function filesIn(path: string): Promise<AsyncIterable<ArchivedFile>> {
  const start = await firstBytes(path);
  if (start.toString('latin1', 0, 4) === 'PK\u0003\u0004') return zipFiles(path);
  const stream = createReadStream(path);
  if (start[0] === 0x1f && start[1] === 0x8b) return tarFiles(stream.pipe(createGunzip()));
  if (start.toString('latin1', 257, 262) === 'ustar') return tarFiles(stream);
  stream.destroy();
  throw new AppError(
    'unsupported_media_type',
    `${path} is neither a folder nor a zip or tar archive.`,
  );
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* zipFiles(path: string): AsyncGenerator<ArchivedFile> {
  const zip = await openPromise(path);
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
    if (entry.fileName.endsWith('/')) continue;
    const content = async function* () {
      yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>;
    };
    yield { name: entry.fileName, content };
  }
}
