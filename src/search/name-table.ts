import { NumberList } from './document-columns.ts';
import type { TermGroup } from './expand-terms.ts';
import { groupBits, type NameSignals, type NameTerms, nameSignals } from './name.ts';
import { TermMap } from './term-map.ts';

/** Bytes of a term and its number in a map (JavaScriptCore, V8). */
const TERM_BYTES = 72;

/** The names of a catalogue's documents in the order in which they were added, their terms as numbers. */
export class NameTable {
  readonly #numbers = new Map<string, number>();
  readonly #terms = new NumberList((length) => new Uint32Array(length));
  readonly #starts = new NumberList((length) => new Uint32Array(length));
  readonly #headLengths = new NumberList((length) => new Uint32Array(length));
  #longest = 0;

  constructor() {
    this.#starts.push(0);
  }

  get byteSize(): number {
    const lists = [this.#terms, this.#starts, this.#headLengths];
    const bytes = lists.reduce((sum, { values }) => sum + values.byteLength, 0);
    return bytes + this.#numbers.size * TERM_BYTES;
  }

  add({ terms, headLength }: NameTerms): void {
    for (const term of terms) {
      let number = this.#numbers.get(term);
      if (number === undefined) {
        number = this.#numbers.size;
        this.#numbers.set(term, number);
      }
      this.#terms.push(number);
    }
    this.#starts.push(this.#terms.length);
    this.#headLengths.push(headLength);
    this.#longest = Math.max(this.#longest, terms.length);
  }

  /** `nameMatcher` of these groups, over the name of the document at a place. */
  matcher(groups: readonly TermGroup[], headGroup: number): (document: number) => NameSignals {
    const bitsOfNumber = new Map<number, number>();
    for (const [term, bits] of groupBits(groups)) {
      const number = this.#numbers.get(term);
      if (number !== undefined) bitsOfNumber.set(number, bits);
    }
    const groupsOf = new TermMap(bitsOfNumber);
    const bits = new Int32Array(this.#longest);
    const asked = { groupCount: groups.length, headGroup };
    const terms = this.#terms.values;
    const starts = this.#starts.values;
    const headLengths = this.#headLengths.values;
    return (document) => {
      const start = starts[document]!;
      const length = starts[document + 1]! - start;
      for (let at = 0; at < length; at++) bits[at] = groupsOf.get(terms[start + at]!);
      return nameSignals(bits, { length, headLength: headLengths[document]! }, asked);
    };
  }
}
