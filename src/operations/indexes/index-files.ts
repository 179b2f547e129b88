import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Packing, Unpacking } from '../../search/index/packing.ts';
import { packingFingerprint } from './analysis-fingerprint.ts';
import { type Layers, packLayers, unpackLayers } from './load-layers.ts';
import type { ShopStates } from './loaded-index.ts';
import type { Slices } from './slices.ts';

/** The first bytes of every file. The length of the description follows in four more. */
const MAGIC = Buffer.from('vitrine index\n\0\0');
const HEAD_BYTES = MAGIC.length + 4;
const DESCRIPTION_BYTES_MAX = 1024 * 1024;
const CHECKSUM_BYTES = 4;

/** Bytes written and checked at once: about 1 ms of processor time. */
const AT_ONCE = 1024 * 1024;

/** Bytes checked between two pauses of a read: about 1 ms. */
const CHECKED_AT_ONCE = 16 * AT_ONCE;

/** What an index must have been made for and with, to be used here. */
export interface IndexOrigin {
  /** The organization's id. */
  readonly organization: string;
  /** The model of its vectors; null for an index without vectors. */
  readonly model: { readonly key: number; readonly tag: string } | null;
}

interface Description {
  readonly packing: string;
  readonly origin: IndexOrigin;
  readonly token: string;
  /** The states of the shops, by shop key. */
  readonly shops: readonly (readonly [number, ShopState])[];
  /** Bytes of each array. */
  readonly lengths: readonly number[];
}

type ShopState = ShopStates extends ReadonlyMap<number, infer State> ? State : never;

/** An index and the state of the shops that it holds. `token` names the file. */
export interface IndexFile {
  readonly layers: Layers;
  readonly shops: ShopStates;
  readonly token: string;
}

/**
 * Indexes in files, one for each organization. A file is never the truth: it counts only if it is
 * whole, and was made by the same analysis for the same organization and model. Anything else counts
 * as no file.
 */
export class IndexFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Replaces the organization's file and returns its size in bytes. A file that is not whole is
   * never visible under its name.
   */
  async write(
    layers: Layers,
    { origin, token, shops }: Pick<IndexFile, 'token' | 'shops'> & { origin: IndexOrigin },
  ): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(origin.organization);
    const partial = `${path}.partial`;
    const about = { packing: packingFingerprint(), origin, token, shops: [...shops] };
    try {
      const bytes = await writeIndex(partial, layers, about);
      await rename(partial, path);
      return bytes;
    } finally {
      await rm(partial, { force: true });
    }
  }

  /** Null unless there is a whole file of this origin, whose token `isKnown`. */
  async read(
    origin: IndexOrigin,
    { slices, isKnown }: { slices: Slices; isKnown(token: string): Promise<boolean> },
  ): Promise<IndexFile | null> {
    try {
      await using file = await open(this.#pathOf(origin.organization), 'r');
      const reading = new Reading(file, slices);
      const about = await reading.description();
      const { token, shops, lengths } = about;
      const isSameOrigin = JSON.stringify(about.origin) === JSON.stringify(origin);
      if (about.packing !== packingFingerprint() || !isSameOrigin) return null;
      if (!(await isKnown(token))) return null;
      const buffers = await reading.arrays(lengths);
      const layers = await slices.run(unpackLayers(new Unpacking(buffers)));
      return { layers, shops: new Map(shops), token };
    } catch {
      // A missing file is the usual case; whatever else is wrong with one, the index is built again.
      return null;
    }
  }

  /** Deletes the files of other organizations, and those that a killed process left. */
  async keepOnly(organizations: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names)
      if (!organizations.has(name.replace(/\.index$/, '')))
        await rm(join(this.#folder, name), { force: true });
  }

  #pathOf(organization: string): string {
    return join(this.#folder, `${organization}.index`);
  }
}

async function writeIndex(
  path: string,
  layers: Layers,
  about: Omit<Description, 'lengths'>,
): Promise<number> {
  const packing = new Packing();
  packLayers(layers, packing);
  const { arrays } = packing;
  const lengths = arrays.map(({ byteLength }) => byteLength);
  const description = Buffer.from(JSON.stringify({ ...about, lengths } satisfies Description));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(description.length);
  await using file = await open(path, 'w', 0o600);
  let checksum = 0;
  let written = 0;
  const append = async (bytes: Uint8Array) => {
    checksum = crc32(bytes, checksum);
    written += bytes.length;
    for (let at = 0; at < bytes.length; )
      at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
  };
  await append(Buffer.concat([MAGIC, length, description]));
  for (const { buffer, byteOffset, byteLength } of arrays)
    for (let at = 0; at < byteLength; at += AT_ONCE) {
      // A copy: vectors may be set while it is being written.
      const bytes = new Uint8Array(buffer, byteOffset + at, Math.min(AT_ONCE, byteLength - at));
      await append(bytes.slice());
    }
  const last = Buffer.alloc(CHECKSUM_BYTES);
  last.writeUInt32LE(checksum);
  await append(last);
  await file.datasync();
  return written;
}

/** Reads a file from its beginning. Throws an Error if it is not whole. */
class Reading {
  readonly #file: FileHandle;
  readonly #slices: Slices;
  #position = 0;
  #checksum = 0;

  constructor(file: FileHandle, slices: Slices) {
    this.#file = file;
    this.#slices = slices;
  }

  async description(): Promise<Description> {
    const head = Buffer.from(await this.#take(HEAD_BYTES));
    const length = head.readUInt32LE(MAGIC.length);
    if (!head.subarray(0, MAGIC.length).equals(MAGIC) || length > DESCRIPTION_BYTES_MAX)
      throw new Error('not an index');
    const text = Buffer.from(await this.#take(length)).toString();
    return JSON.parse(text) as Description;
  }

  /** The rest of the file, whose checksum is compared before anything in it is used. */
  async arrays(lengths: readonly number[]): Promise<ArrayBuffer[]> {
    const { size } = await this.#file.stat();
    const total = lengths.reduce((sum, length) => sum + length, this.#position);
    if (size !== total + CHECKSUM_BYTES) throw new Error('not whole');
    const buffers = await this.#takeAll(lengths);
    const checksum = this.#checksum;
    const stored = Buffer.from(await this.#take(CHECKSUM_BYTES)).readUInt32LE();
    if (stored !== checksum) throw new Error('damaged');
    return buffers;
  }

  async #take(length: number): Promise<ArrayBuffer> {
    const [buffer] = await this.#takeAll([length]);
    return buffer!;
  }

  /**
   * All at once: between two reads searches would have their turns, which without an index take tens
   * of milliseconds each.
   */
  async #takeAll(lengths: readonly number[]): Promise<ArrayBuffer[]> {
    const buffers: ArrayBuffer[] = [];
    const reads = lengths.map((length) => {
      const buffer = new ArrayBuffer(length);
      buffers.push(buffer);
      const position = this.#position;
      this.#position += length;
      return this.#fill(buffer, position);
    });
    await this.#slices.wait(Promise.all(reads));
    for (const buffer of buffers)
      for (let at = 0; at < buffer.byteLength; at += CHECKED_AT_ONCE) {
        const length = Math.min(CHECKED_AT_ONCE, buffer.byteLength - at);
        this.#checksum = crc32(new Uint8Array(buffer, at, length), this.#checksum);
        await this.#slices.pause();
      }
    return buffers;
  }

  async #fill(buffer: ArrayBuffer, position: number): Promise<void> {
    for (let at = 0; at < buffer.byteLength; ) {
      const bytes = new Uint8Array(buffer, at);
      const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, position + at);
      if (bytesRead === 0) throw new Error('not whole');
      at += bytesRead;
    }
  }
}
