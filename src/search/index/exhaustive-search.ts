import { BestMatches, ScoreWindow } from './best-matches.ts';
import type { FoundDocuments } from './index-search.ts';
import { type LengthNorms, saturation } from './length-norms.ts';
import { findPosting } from './posting-ranges.ts';
import { type Clause, countPostings, TYPE_BIT, type WordSearch } from './word-search.ts';

/** Neighbouring documents that are scored together. Their working memory stays in a processor's cache. */
export const WINDOW = 32_768;

/** Searches are synchronous, so all share it. */
const shared = new ScoreWindow(WINDOW);

/** Scores every document that holds a clause, in natural order. */
export class ExhaustiveSearch implements WordSearch {
  readonly #clauses: readonly Clause[];
  readonly #lengths: LengthNorms;

  constructor(clauses: readonly Clause[], lengths: LengthNorms) {
    this.#clauses = clauses;
    this.#lengths = lengths;
  }

  best(limit: number, allows: ((document: number) => boolean) | null): BestMatches {
    const capacity = Math.min(limit, countPostings(this.#clauses));
    const best = new BestMatches(capacity, allows);
    if (capacity === 0) return best;
    const next = Uint32Array.from(this.#clauses, ({ list }) => list.start);
    for (let first = this.#firstAfter(next); first >= 0; first = this.#firstAfter(next))
      best.takeFrom(shared, first, this.#scoreWindow(first, next));
    return best;
  }

  addGroups(found: FoundDocuments, from: number): void {
    for (const { list, groups } of this.#clauses) {
      for (let at = from; at < found.length; at++) {
        const posting = findPosting(list, found.documents[at]!, list.start, list.end);
        if (posting < 0) continue;
        found.groups[at]! |= groups;
        if ((list.fields[list.codes[posting]!]! & TYPE_BIT) !== 0) found.typedGroups[at]! |= groups;
      }
    }
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
    const { scores, groups, typedGroups, held } = shared;
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
