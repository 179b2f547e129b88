import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { randomFrom } from '../../tests/support/garbage.ts';

/** The end of an index file: its checksum. */
const CHECKSUM_BYTES = 4;

/** Where the length of the description is in an index file, and the description. */
const LENGTH_AT = 16;
const DESCRIPTION_AT = 20;

/** The description at the beginning of an index file, as far as damages need it. */
interface Description {
  readonly token: string;
  readonly packing: string;
  /** Bytes of each section. */
  readonly lengths: readonly number[];
}

export interface Damaged {
  readonly kind: string;
  /** The name of the file. */
  readonly victim: string;
}

/** What files are exchanged for. */
export interface DamageSources {
  readonly ids: Readonly<Record<'acme' | 'other', string>>;
  /** Folders of indexes. */
  readonly outdated: string;
  readonly foreign: string;
}

/** Throws if the file is no index. */
export function describedIn(path: string): Description {
  const bytes = readFileSync(path);
  return JSON.parse(
    bytes.subarray(DESCRIPTION_AT, DESCRIPTION_AT + bytes.readUInt32LE(LENGTH_AT)).toString(),
  ) as Description;
}

/** Damages files of an index at random, repeatably. */
export class Damager {
  readonly #random: () => number;
  readonly #sources: DamageSources;

  constructor(seed: number, sources: DamageSources) {
    this.#random = randomFrom(seed);
    this.#sources = sources;
  }

  /** Damages the index file of the first organization, or that of its changes. */
  damage(data: string): Damaged {
    const { ids } = this.#sources;
    const victim = join(data, 'index', `${ids.acme}${this.#oneOf(['.index', '.changes'])}`);
    const kinds = this.#kinds(victim);
    const kind = this.#oneOf(Object.keys(kinds));
    const before = readFileSync(victim);
    kinds[kind]!(before);
    const isSame =
      statSync(victim).isFile() && isReadable(victim) && readFileSync(victim).equals(before);
    return isSame && kind !== 'not readable'
      ? this.damage(data)
      : { kind, victim: basename(victim) };
  }

  #kinds(victim: string): Record<string, (bytes: Buffer) => void> {
    const { ids, outdated, foreign } = this.#sources;
    const index = join(victim, '..');
    const write = (...parts: Uint8Array[]) => writeFileSync(victim, Buffer.concat(parts));
    const kinds: Record<string, (bytes: Buffer) => void> = {
      'cut short': (bytes) => write(bytes.subarray(0, this.#upTo(bytes.length))),
      empty: () => write(),
      lengthened: (bytes) => write(bytes, this.#noise(1 + this.#upTo(5000))),
      'bits flipped': (bytes) => {
        const flips = 1 + this.#upTo(4);
        const flipped = Buffer.from(bytes);
        for (let flip = 0; flip < flips; flip += 1) {
          // Half of them at the beginning, where the description is.
          const limit = this.#random() < 0.5 ? Math.min(1000, bytes.length) : bytes.length;
          flipped[this.#upTo(limit)]! ^= 1 << this.#upTo(8);
        }
        write(flipped);
      },
      overwritten: (bytes) => {
        const overwritten = Buffer.from(bytes);
        const block = this.#random() < 0.5 ? this.#noise(512) : Buffer.alloc(512, 0xee);
        block.copy(overwritten, this.#upTo(bytes.length));
        write(overwritten);
      },
      shifted: (bytes) => {
        const at = this.#upTo(bytes.length);
        const gap = Math.min(bytes.length - at, 4 * (1 + this.#upTo(16)));
        write(bytes.subarray(0, at), bytes.subarray(at + gap), this.#noise(gap));
      },
      'of another version': (bytes) => {
        const { packing } = describedIn(victim);
        write(replaced(bytes, packing, 'x'.repeat(packing.length)));
      },
      'of the other organization': () => cpSync(join(index, `${ids.other}.index`), victim),
      'out of date': () => cpSync(join(outdated, basename(victim)), victim),
      'of another database': () => cpSync(join(foreign, basename(victim)), victim),
      'exchanged for its changes': () => {
        const other = victim.endsWith('.index') ? `${ids.acme}.changes` : `${ids.acme}.index`;
        cpSync(join(index, other), victim);
      },
      'a folder': () => {
        rmSync(victim);
        mkdirSync(join(victim, 'inside'), { recursive: true });
      },
      'not readable': () => chmodSync(victim, 0),
    };
    // The superuser may read everything.
    if (process.getuid?.() === 0) delete kinds['not readable'];
    return kinds;
  }

  #upTo(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #oneOf<Value>(all: readonly Value[]): Value {
    return all[this.#upTo(all.length)]!;
  }

  #noise(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#upTo(256)));
  }
}

function isReadable(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The first occurrence of a text exchanged for one of the same length. */
function replaced(bytes: Buffer, text: string, by: string): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(by, bytes.indexOf(text), 'latin1');
  return copy;
}

/** A file cut at the beginning of each of its sections, and with a bit flipped in the middle of each. */
export function* sectionDamages(path: string): Generator<{ what: string; bytes: Buffer }> {
  const whole = readFileSync(path);
  let at = DESCRIPTION_AT + whole.readUInt32LE(LENGTH_AT);
  const sections = [
    { name: 'the mark', at: 0, length: LENGTH_AT },
    { name: 'the length', at: LENGTH_AT, length: DESCRIPTION_AT - LENGTH_AT },
    { name: 'the description', at: DESCRIPTION_AT, length: at - DESCRIPTION_AT },
    ...describedIn(path).lengths.map((length, number) => {
      const section = { name: `section ${number}`, at, length };
      at += length;
      return section;
    }),
    { name: 'the checksum', at: whole.length - CHECKSUM_BYTES, length: CHECKSUM_BYTES },
  ];
  for (const { name, at: start, length } of sections.filter((section) => section.length > 0)) {
    yield { what: `cut at ${name}`, bytes: whole.subarray(0, start) };
    const flipped = Buffer.from(whole);
    flipped[start + Math.floor(length / 2)]! ^= 1;
    yield { what: `a bit flipped in ${name}`, bytes: flipped };
  }
}
