import type { TermGroup } from '../query/expand-terms.ts';
import { groupBits, type NameSignals, type NameTerms, nameSignals } from '../ranking/name.ts';
import { Dictionary, NumberList } from './document-columns.ts';
import { TermMap } from './term-map.ts';

/** The names of a catalogue's documents as term numbers, in the order in which they were added. */
export class NameTable {
  readonly #terms = new Dictionary();
  /** For each document, the length of its name's head, then the terms of the name. */
  readonly #words = new NumberList((length) => new Uint32Array(length));
  readonly #starts = new NumberList((length) => new Uint32Array(length));
  #longest = 0;

  constructor() {
    this.#starts.push(0);
  }

  get byteSize(): number {
    const lists = [this.#words, this.#starts];
    const bytes = lists.reduce((sum, { values }) => sum + values.byteLength, 0);
    return bytes + this.#terms.byteSize;
  }

  add({ terms, headLength }: NameTerms): void {
    this.#words.push(headLength);
    for (const term of terms) this.#words.push(this.#terms.number(term));
    this.#starts.push(this.#words.length);
    this.#longest = Math.max(this.#longest, terms.length);
  }

  /** The name of the document at this place, as it was added. */
  nameOf(document: number): NameTerms {
    const start = this.#starts.values[document]!;
    const numbers = this.#words.values.subarray(start + 1, this.#starts.values[document + 1]!);
    const terms = Array.from(numbers, (number) => this.#terms.values[number]!);
    return { terms, headLength: this.#words.values[start]! };
  }

  /** How well the names at these places match the groups. */
  signals(
    documents: readonly number[],
    { groups, headGroup }: { readonly groups: readonly TermGroup[]; readonly headGroup: number },
  ): NameSignals[] {
    const bitsOfNumber = new Map<number, number>();
    for (const [term, bits] of groupBits(groups)) {
      const number = this.#terms.find(term);
      if (number !== undefined) bitsOfNumber.set(number, bits);
    }
    const groupsOf = new TermMap(bitsOfNumber);
    const bits = new Int32Array(this.#longest);
    const asked = { groupCount: groups.length, headGroup };
    const words = this.#words.values;
    const starts = this.#starts.values;
    // Names lie far apart in memory: reading their beginnings first lets the processor load them in
    // parallel.
    const headLengths = documents.map((document) => words[starts[document]!]!);
    return documents.map((document, place) => {
      const start = starts[document]! + 1;
      const length = starts[document + 1]! - start;
      for (let at = 0; at < length; at++) bits[at] = groupsOf.get(words[start + at]!);
      return nameSignals(bits, { length, headLength: headLengths[place]! }, asked);
    });
  }
}
