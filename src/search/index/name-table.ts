import type { TermGroup } from '../query/expand-terms.ts';
import {
  groupBits,
  hostBits,
  type NameSignals,
  type NameTerms,
  nameSignals,
} from '../ranking/name.ts';
import type { IndexTerm } from '../text/index-terms.ts';
import type { Lexicon } from '../text/lexicon.ts';
import { joined, NumberList, type Packing, type Unpacking } from './packing.ts';
import { TermMap } from './term-map.ts';
import type { TermNumbers, TermTable } from './term-table.ts';

/** Numbers replaced between two pauses of a build: about 1 ms. */
const RENUMBERED_AT_ONCE = 65_536;

/** What names are compared with. */
export interface AskedOfNames {
  readonly groups: readonly TermGroup[];
  /** The group that names what is asked for. */
  readonly headGroup: number;
  /** The terms of things that are made for another product. */
  readonly accessories: ReadonlySet<string>;
}

/** Longer names have no head noun behind this place. */
const HEAD_MAX = 0xffff;

/** A head in one number: the place of its noun, plus one, above its length, each in 16 bits. */
function packedHead({ headLength, noun }: Pick<NameTerms, 'headLength' | 'noun'>): number {
  return (Math.min(noun, HEAD_MAX - 1) + 1) * (HEAD_MAX + 1) + Math.min(headLength, HEAD_MAX);
}

interface NameColumns {
  /** For each document the head of its name (`packedHead`), then the terms of the name. */
  readonly words: Uint32Array;
  /** Where the words of each document begin, and where the last document's end. */
  readonly starts: Uint32Array;
  /** The terms of the longest name. */
  readonly longest: number;
}

/** Builds a NameTable, one document at a time. Its terms are numbered with those of the index. */
export class NameTableBuilder {
  readonly #terms: TermNumbers;
  readonly #words = new NumberList((length) => new Uint32Array(length));
  readonly #starts = new NumberList((length) => new Uint32Array(length));
  #longest = 0;

  constructor(terms: TermNumbers) {
    this.#terms = terms;
    this.#starts.push(0);
  }

  /** `lexicon` numbers those of its terms that are numbers. */
  add(name: NameTerms<IndexTerm>, lexicon: Lexicon): void {
    this.#add(packedHead(name), name.terms, (term) => this.#terms.numberOf(lexicon, term));
  }

  /** Copies a name. `numberOf`: the number in this build of a term of the other table. */
  take(from: NameTable, document: number, numberOf: (term: number) => number): void {
    const { head, numbers } = from.numbersOf(document);
    this.#add(head, numbers, numberOf);
  }

  /** Yields every few milliseconds. */
  *finish(): Generator<void, NameTable> {
    const { table, numbers } = yield* this.#terms.sort();
    this.#words.trim();
    this.#starts.trim();
    const words = this.#words.values;
    const starts = this.#starts.values;
    let next = RENUMBERED_AT_ONCE;
    for (let document = 0; document + 1 < starts.length; document++) {
      const end = starts[document + 1]!;
      for (let at = starts[document]! + 1; at < end; at++) words[at] = numbers[words[at]!]!;
      if (end < next) continue;
      next = end + RENUMBERED_AT_ONCE;
      yield;
    }
    return new NameTable(table, { words, starts, longest: this.#longest });
  }

  #add<Term>(head: number, terms: ArrayLike<Term>, numberOf: (term: Term) => number): void {
    this.#words.push(head);
    for (let at = 0; at < terms.length; at++) this.#words.push(numberOf(terms[at]!));
    this.#starts.push(this.#words.length);
    this.#longest = Math.max(this.#longest, terms.length);
  }
}

/**
 * The names of a catalogue's documents, by their place in the index, as numbers of the index's
 * terms.
 */
export class NameTable {
  readonly #terms: TermTable;
  readonly #columns: NameColumns;
  /** 1 for the number of each accessory term, by the set of a language. */
  readonly #accessoryMaps = new WeakMap<ReadonlySet<string>, TermMap>();

  constructor(terms: TermTable, columns: NameColumns) {
    this.#terms = terms;
    this.#columns = columns;
  }

  /** Without the terms, which belong to the index. */
  get byteSize(): number {
    return this.#columns.words.byteLength + this.#columns.starts.byteLength;
  }

  pack(to: Packing): void {
    const { words, starts, longest } = this.#columns;
    to.add(Uint32Array.of(longest), starts, words);
  }

  static unpack(from: Unpacking, terms: TermTable): NameTable {
    return new NameTable(terms, {
      longest: from.take(Uint32Array)[0]!,
      starts: from.take(Uint32Array),
      words: from.take(Uint32Array),
    });
  }

  /** Packs the names of packed tables, part after part. `numbers`: as of `TermTable.joinPacked`. */
  static joinPacked(
    parts: readonly Unpacking[],
    to: Packing,
    numbers: readonly Uint32Array[],
  ): void {
    const longest = parts.map((part) => part.take(Uint32Array)[0]!);
    const starts = parts.map((part) => part.take(Uint32Array));
    const all = new Uint32Array(starts.reduce((sum, { length }) => sum + length - 1, 1));
    let end = 0;
    for (const own of starts) {
      const before = all[end]!;
      for (let at = 1; at < own.length; at++) all[++end] = before + own[at]!;
    }
    to.add(Uint32Array.of(Math.max(...longest)), all);
    const words = parts.map((part, at) => {
      const own = part.take(Uint32Array);
      for (let document = 0; document + 1 < starts[at]!.length; document++)
        for (let word = starts[at]![document]! + 1; word < starts[at]![document + 1]!; word++)
          own[word] = numbers[at]![own[word]!]!;
      return own;
    });
    to.add(joined(words));
  }

  /** The terms of the name of the document at this place, as numbers, and its packed head. */
  numbersOf(document: number): { head: number; numbers: Uint32Array } {
    const { words, starts } = this.#columns;
    const start = starts[document]!;
    const numbers = words.subarray(start + 1, starts[document + 1]!);
    return { head: words[start]!, numbers };
  }

  /** How well the names at these places match the groups. */
  signals(
    documents: ArrayLike<number>,
    { groups, headGroup, accessories: accessoryTerms }: AskedOfNames,
  ): NameSignals[] {
    const { words, starts } = this.#columns;
    const asked = {
      groupsOf: this.#mapOf(groupBits(groups)),
      accessories: this.#accessoryMap(accessoryTerms),
      groupCount: groups.length,
      headGroup,
      hosts: hostBits(groups),
      known: new Map<number, NameSignals>(),
    };
    // Names lie far apart in memory: reading their beginnings first lets the processor load them in
    // parallel.
    const heads = new Uint32Array(documents.length);
    for (let place = 0; place < heads.length; place++)
      heads[place] = words[starts[documents[place]!]!]!;
    const signals = new Array<NameSignals>(heads.length);
    // One object serves all names.
    const name = { words, start: 0, length: 0, headLength: 0, noun: 0 };
    for (let place = 0; place < heads.length; place++) {
      const document = documents[place]!;
      name.start = starts[document]! + 1;
      name.length = starts[document + 1]! - name.start;
      name.headLength = heads[place]! & HEAD_MAX;
      name.noun = (heads[place]! >>> 16) - 1;
      signals[place] = nameSignals(name, asked);
    }
    return signals;
  }

  #accessoryMap(terms: ReadonlySet<string>): TermMap {
    const known = this.#accessoryMaps.get(terms);
    if (known !== undefined) return known;
    const made = this.#mapOf([...terms].map((term) => [term, 1]));
    this.#accessoryMaps.set(terms, made);
    return made;
  }

  /** The values by the numbers of their terms; terms of no document are left out. */
  #mapOf(values: Iterable<readonly [term: string, value: number]>): TermMap {
    const entries = new Map<number, number>();
    for (const [term, value] of values) {
      const number = this.#terms.find(term);
      if (number >= 0) entries.set(number, value);
    }
    return new TermMap(entries);
  }
}
