import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Packing, Unpacking } from '../../search/index/packing.ts';
import { packingFingerprint } from './analysis-fingerprint.ts';
import { type Layers, packChanges, packLayers, unpackChanges, unpackLayers } from './layers.ts';
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
  /** The token of the whole index whose changes these are; null for a whole index. */
  readonly changes: string | null;
  /** The states of the shops, by shop key. */
  readonly shops: readonly (readonly [number, ShopState])[];
  /** Bytes of each array. */
  readonly lengths: readonly number[];
}

type ShopState = ShopStates extends ReadonlyMap<number, infer State> ? State : never;

/** The tokens of the files of an index. */
export interface IndexTokens {
  /** Of the whole index. */
  readonly whole: string;
  /** Of what has changed since that was written; null without such a file. */
  readonly changes: string | null;
}

/** An index and the state of the shops that it holds. */
export interface IndexFile {
  readonly layers: Layers;
  readonly shops: ShopStates;
  readonly tokens: IndexTokens;
}

interface ReadOptions {
  readonly slices: Slices;
  isKnown(token: string): Promise<boolean>;
  /** Called for a file that is there and does not count. */
  onRefused(refused: RefusedFile): void;
}

/** Why a file does not count: reasons that follow from a change, and those that should not occur. */
export type Refusal =
  | 'of another version'
  | 'of another model'
  | 'of another organization'
  | 'not known to the database'
  | 'damaged'
  | 'not readable';

export interface RefusedFile {
  /** Its name in the folder of indexes. */
  readonly file: string;
  readonly reason: Refusal;
}

/** The name of a whole index, and of the changes since it was written. */
const WHOLE = '.index';
const CHANGES = '.changes';
type Kind = typeof WHOLE | typeof CHANGES;

/**
 * Indexes in files: one for each organization, and one for what has changed since that was written. A
 * file is never the truth: it counts only if it is whole, and was made by the same analysis for the same
 * organization and model. Anything else counts as no file.
 */
export class IndexFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Writes the layers, or only what has changed since the whole index was written, and returns the
   * bytes. `tokens.changes` names the changes; if it is null, the whole index is written. A file that is
   * not whole is never visible under its name.
   */
  async write(
    layers: Layers,
    { origin, tokens, shops }: Pick<IndexFile, 'tokens' | 'shops'> & { origin: IndexOrigin },
  ): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const isWhole = tokens.changes === null;
    const path = this.#pathOf(origin, isWhole ? WHOLE : CHANGES);
    const partial = `${path}.partial`;
    const packing = new Packing();
    (isWhole ? packLayers : packChanges)(layers, packing);
    const about = {
      ...{ packing: packingFingerprint(), origin, shops: [...shops] },
      token: tokens.changes ?? tokens.whole,
      changes: isWhole ? null : tokens.whole,
    };
    try {
      const bytes = await writeArrays(partial, packing, about);
      await renameOver(partial, path);
      return bytes;
    } finally {
      await rm(partial, { force: true });
    }
  }

  /**
   * Null unless there is a whole file of this origin, whose token `isKnown`. The changes are added if
   * they are of that file, of the same origin and known.
   */
  async read(origin: IndexOrigin, options: ReadOptions): Promise<IndexFile | null> {
    const { slices } = options;
    const whole = await this.#readArrays(origin, WHOLE, options);
    if (whole === null) return null;
    const { token, shops } = whole;
    const layers = await unpacked(slices, unpackLayers(whole.arrays));
    if (layers === null) return this.#refuse({ origin, kind: WHOLE, reason: 'damaged' }, options);
    const changes = await this.#readArrays(origin, CHANGES, { ...options, ofWhole: token });
    const changed = changes && (await unpacked(slices, unpackChanges(layers.base, changes.arrays)));
    if (changes === null || changed === null) {
      if (changes !== null) this.#refuse({ origin, kind: CHANGES, reason: 'damaged' }, options);
      return { layers, shops: new Map(shops), tokens: { whole: token, changes: null } };
    }
    return {
      layers: changed,
      shops: joinedStates(new Map(shops), changes.shops),
      tokens: { whole: token, changes: changes.token },
    };
  }

  /**
   * Null unless the file is whole, of this origin, and known. Changes of another whole index than `ofWhole` are
   * left behind by each new one, and count as no file.
   */
  async #readArrays(
    origin: IndexOrigin,
    kind: Kind,
    options: ReadOptions & { readonly ofWhole?: string },
  ): Promise<(Description & { readonly arrays: Unpacking }) | null> {
    const { slices, isKnown, ofWhole = null } = options;
    const refuse = (reason: Refusal) => this.#refuse({ origin, kind, reason }, options);
    try {
      await using file = await open(this.#pathOf(origin, kind), 'r');
      const reading = new Reading(file, slices);
      const about = await reading.description();
      if (about.packing !== packingFingerprint()) return refuse('of another version');
      if (about.origin.organization !== origin.organization)
        return refuse('of another organization');
      if (JSON.stringify(about.origin) !== JSON.stringify(origin))
        return refuse('of another model');
      if (kind === CHANGES && about.changes !== ofWhole) return null;
      if (!(await isKnown(about.token))) return refuse('not known to the database');
      return { ...about, arrays: new Unpacking(await reading.arrays(about.lengths)) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      return refuse(code === undefined ? 'damaged' : 'not readable');
    }
  }

  #refuse(
    { origin, kind, reason }: { origin: IndexOrigin; kind: Kind; reason: Refusal },
    { onRefused }: ReadOptions,
  ): null {
    onRefused({ file: basename(this.#pathOf(origin, kind)), reason });
    return null;
  }

  /** Deletes the files of other organizations, and those that a killed process left. */
  async keepOnly(organizations: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names)
      if (!organizations.has(name.replace(/\.(?:index|changes)$/, '')))
        await rm(join(this.#folder, name), { recursive: true, force: true });
  }

  /** Deletes the files of one organization. */
  async remove(organization: string): Promise<void> {
    for (const kind of [WHOLE, CHANGES])
      await rm(join(this.#folder, organization + kind), { recursive: true, force: true });
  }

  #pathOf({ organization }: IndexOrigin, kind: Kind): string {
    return join(this.#folder, organization + kind);
  }
}

/** Whatever is at the path gives way: a folder, too, which is nobody's here. */
async function renameOver(from: string, to: string): Promise<void> {
  const isFolder = (await stat(to).catch(() => null))?.isDirectory() === true;
  if (isFolder) await rm(to, { recursive: true });
  await rename(from, to);
}

/** Null if the arrays make no index. */
async function unpacked(slices: Slices, layers: Generator<void, Layers>): Promise<Layers | null> {
  return slices.run(layers).catch(() => null);
}

/** What the base has seen of pushes is what was known when it was written; they may be repeated. */
function joinedStates(whole: ShopStates, changed: Description['shops']): ShopStates {
  return new Map(
    changed.map(([key, state]) => [
      key,
      { ...state, pushes: Math.min(state.pushes, whole.get(key)?.pushes ?? state.pushes) },
    ]),
  );
}

async function writeArrays(
  path: string,
  { arrays }: Packing,
  about: Omit<Description, 'lengths'>,
): Promise<number> {
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
  const copied = new Uint8Array(AT_ONCE);
  for (const { buffer, byteOffset, byteLength } of arrays)
    for (let at = 0; at < byteLength; at += AT_ONCE) {
      // A copy: vectors may be set while it is being written.
      const bytes = new Uint8Array(buffer, byteOffset + at, Math.min(AT_ONCE, byteLength - at));
      copied.set(bytes);
      await append(copied.subarray(0, bytes.length));
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

  /** All at once: between two reads, other requests would be answered, and the load would wait for each. */
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
