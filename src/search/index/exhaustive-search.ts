import { type LengthNorms, saturation } from './length-norms.ts';
import { findPosting } from './posting-ranges.ts';
import { TopDocuments } from './top-documents.ts';
import {
  type Clause,
  countPostings,
  type HeldGroups,
  TYPE_BIT,
  type WordMatch,
  type WordSearch,
} from './word-search.ts';

/** Neighbouring documents that are scored together. Their working memory stays in a processor's cache. */
export const WINDOW = 32_768;

/** By place in the window, all zero between windows. Searches are synchronous, so all share it. */
const scores = new Float64Array(WINDOW);
const groups = new Uint32Array(WINDOW);
const typedGroups = new Uint32Array(WINDOW);
/** The places in the window that hold a clause. */
const held = new Uint32Array(WINDOW);

/** Scores every document that holds a clause, in natural order. */
export class ExhaustiveSearch implements WordSearch {
  readonly #clauses: readonly Clause[];
  readonly #lengths: LengthNorms;

  constructor(clauses: readonly Clause[], lengths: LengthNorms) {
    this.#clauses = clauses;
    this.#lengths = lengths;
  }

  best(limit: number, allows: ((document: number) => boolean) | null): WordMatch[] {
    const best = new TopDocuments(Math.min(limit, countPostings(this.#clauses)));
    if (best.capacity === 0) return [];
    const slotGroups = new Uint32Array(best.capacity);
    const slotTypes = new Uint32Array(best.capacity);
    const next = Uint32Array.from(this.#clauses, ({ list }) => list.start);
    for (let first = this.#firstAfter(next); first >= 0; first = this.#firstAfter(next)) {
      const heldCount = this.#scoreWindow(first, next);
      for (let at = 0; at < heldCount; at++) {
        const place = held[at]!;
        const document = first + place;
        if (best.accepts(document, scores[place]!) && (allows === null || allows(document))) {
          const slot = best.put(document, scores[place]!);
          slotGroups[slot] = groups[place]!;
          slotTypes[slot] = typedGroups[place]!;
        }
        scores[place] = 0;
        groups[place] = 0;
        typedGroups[place] = 0;
      }
    }
    return best.take().map(({ index, score, slot }) => ({
      index,
      score,
      groups: slotGroups[slot]!,
      typedGroups: slotTypes[slot]!,
    }));
  }

  groupsOf(document: number): HeldGroups {
    let bits = 0;
    let typed = 0;
    for (const { list, groups } of this.#clauses) {
      const at = findPosting(list, document, list.start, list.end);
      if (at < 0) continue;
      bits |= groups;
      if ((list.fields[list.codes[at]!]! & TYPE_BIT) !== 0) typed |= groups;
    }
    return { groups: bits, typedGroups: typed };
  }

  /** The first document that is not scored yet; -1 if all are. */
  #firstAfter(next: Uint32Array): number {
    let first = -1;
    for (let index = 0; index < this.#clauses.length; index++) {
      const { documents, end } = this.#clauses[index]!.list;
      if (next[index] === end) continue;
      const document = documents[next[index]!]!;
      if (first < 0 || document < first) first = document;
    }
    return first;
  }

  /**
   * Scores the documents of the window that begins with `first`, moves `next` past their postings and
   * returns the number of those that hold a clause.
   */
  #scoreWindow(first: number, next: Uint32Array): number {
    const { lengths, norms } = this.#lengths;
    let heldCount = 0;
    for (let index = 0; index < this.#clauses.length; index++) {
      const clause = this.#clauses[index]!;
      const { documents, codes, frequencies, fields, end } = clause.list;
      const { idf, groups: bits } = clause;
      let at = next[index]!;
      for (; at < end; at++) {
        const document = documents[at]!;
        const place = document - first;
        if (place >= WINDOW) break;
        const code = codes[at]!;
        if (groups[place] === 0) held[heldCount++] = place;
        groups[place]! |= bits;
        if ((fields[code]! & TYPE_BIT) !== 0) typedGroups[place]! |= bits;
        scores[place]! += idf * saturation(frequencies[code]!, norms[lengths[document]!]!);
      }
      next[index] = at;
    }
    return heldCount;
  }
}
