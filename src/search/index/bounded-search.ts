import { BestMatches, ScoreWindow } from './best-matches.ts';
import type { FoundDocuments } from './index-search.ts';
import { type LengthNorms, SATURATION_MAX, saturation } from './length-norms.ts';
import { findPosting, firstFrom } from './posting-list.ts';
import { type Clause, countPostings, TYPE_BIT, type WordSearch } from './word-search.ts';

/** Neighbouring documents that are scored together. Their working memory stays in a processor's cache. */
export const WINDOW = 8192;

/** Searches are synchronous, so all share it. */
const shared = new ScoreWindow(WINDOW);

/** The most postings of the clause that gives the first threshold, as a share of all postings. */
const SAMPLE_SHARE_MAX = 1 / 4;

/** Finding a posting takes as long as reading this many. */
const FINDING_COST = 12;

/** Allows for rounding: a sum of bounds may differ in its last digits from the sum of the contributions. */
const ROUNDING = 1 + 1e-9;

/** A clause, and what one search has to know of it. */
interface BoundedClause extends Clause {
  /** The most that it adds to a score. */
  readonly bound: number;
  /** The most that the clauses after it in `#clauses` add to a score. */
  boundAfter: number;
  /** The postings of the present window: `to` is also where the next one begins. */
  from: number;
  to: number;
}

/**
 * Scores documents in natural order, but only those that can be among the best: Turtle & Flood, "Query evaluation:
 * strategies and optimizations", 1995 (MaxScore). A clause is essential if it and the clauses after it can
 * together exceed the threshold, which is the lowest score among the best documents so far. Only essential clauses
 * bring documents; the others are looked up in these documents. Postings of too low a frequency are skipped. The result equals that of
 * scoring every document, to the last bit: the bounds allow for rounding, and the contributions to a score are always
 * added in the same order.
 */
export class BoundedSearch implements WordSearch {
  readonly #lengths: LengthNorms;
  readonly #window: number;
  /** The greatest bound first. In this order, contributions to a score are added. */
  readonly #clauses: readonly BoundedClause[];
  /** A document with a lower score is not among the best. It only rises. */
  #threshold = 0;
  /** How many of `#clauses`, from the first on, are essential. */
  #essentialCount: number;

  /** `window`: at most `WINDOW`. Tests lower it, to have several windows in small indexes. */
  constructor(clauses: readonly Clause[], lengths: LengthNorms, window = WINDOW) {
    this.#lengths = lengths;
    this.#window = window;
    this.#clauses = clauses
      .map((clause) => {
        const { start } = clause.list;
        return {
          ...clause,
          bound: clause.idf * SATURATION_MAX,
          boundAfter: 0,
          from: start,
          to: start,
        };
      })
      .sort((one, other) => other.bound - one.bound);
    let boundAfter = 0;
    for (const clause of this.#clauses.toReversed()) {
      clause.boundAfter = boundAfter;
      boundAfter = (boundAfter + clause.bound) * ROUNDING;
    }
    this.#essentialCount = clauses.length;
  }

  best(limit: number, allows: ((document: number) => boolean) | null): BestMatches {
    const capacity = Math.min(limit, countPostings(this.#clauses));
    const best = new BestMatches(capacity, allows);
    if (capacity === 0) return best;
    this.#threshold = this.#sample(capacity, allows);
    for (;;) {
      this.#narrow();
      const first = this.#nextDocument();
      if (first < 0) return best;
      this.#take(best, first, this.#lookUp(first, this.#scoreWindow(first)));
    }
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

  /**
   * A first threshold: the lowest of the best scores by one clause alone, the one with the greatest bound that has
   * enough postings. 0 if there is none, or if it has too many.
   */
  #sample(capacity: number, allows: ((document: number) => boolean) | null): number {
    const clause = this.#clauses.find(({ list }) => list.end - list.start >= capacity);
    if (clause === undefined) return 0;
    const { idf, list } = clause;
    const { documents, codes, frequencies, start, end } = list;
    if (end - start > countPostings(this.#clauses) * SAMPLE_SHARE_MAX) return 0;
    const { lengths, norms } = this.#lengths;
    const best = new BestMatches(capacity, allows);
    for (let at = start; at < end; at++) {
      const document = documents[at]!;
      const score = idf * saturation(frequencies[codes[at]!]!, norms[lengths[document]!]!);
      best.take(document, score, 0, 0);
    }
    return best.leastScore;
  }

  /** Takes clauses from the essential ones that cannot exceed the threshold any more, not even together. */
  #narrow(): void {
    while (this.#essentialCount > 0) {
      const { bound, boundAfter } = this.#clauses[this.#essentialCount - 1]!;
      if ((bound + boundAfter) * ROUNDING >= this.#threshold) return;
      this.#essentialCount -= 1;
    }
  }

  /** The next document of the essential clauses; -1 if there is none. */
  #nextDocument(): number {
    let first = -1;
    for (let index = 0; index < this.#essentialCount; index++) {
      const { list, to } = this.#clauses[index]!;
      if (to === list.end) continue;
      const document = list.documents[to]!;
      if (first < 0 || document < first) first = document;
    }
    return first;
  }

  /**
   * Scores the documents of the window that begins with `first` by the essential clauses, and returns their number.
   */
  #scoreWindow(first: number): number {
    const { scores, groups, typedGroups, held } = shared;
    const { lengths, norms } = this.#lengths;
    const window = this.#window;
    let heldCount = 0;
    for (let index = 0; index < this.#essentialCount; index++) {
      const clause = this.#clauses[index]!;
      const { idf, groups: bits } = clause;
      const { documents, codes, frequencies, fields, end } = clause.list;
      const least = this.#leastFrequency(clause);
      let at = clause.to;
      clause.from = at;
      for (; at < end; at++) {
        const document = documents[at]!;
        const place = document - first;
        if (place >= window) break;
        const code = codes[at]!;
        const frequency = frequencies[code]!;
        if (groups[place] === 0) {
          if (frequency < least) continue;
          held[heldCount++] = place;
        }
        groups[place]! |= bits;
        if ((fields[code]! & TYPE_BIT) !== 0) typedGroups[place]! |= bits;
        scores[place]! += idf * saturation(frequency, norms[lengths[document]!]!);
      }
      clause.to = at;
    }
    return heldCount;
  }

  /** The lowest frequency with which even the shortest document can be among the best, by this clause and those after it. */
  #leastFrequency({ bound, boundAfter }: BoundedClause): number {
    const needed = this.#threshold / ROUNDING - boundAfter;
    if (needed <= 0) return 0;
    if (needed >= bound) return Number.POSITIVE_INFINITY;
    return (needed * this.#lengths.leastNorm) / (bound - needed) / ROUNDING;
  }

  /** Adds what the other clauses contribute. Drops documents on the way, and returns how many are left. */
  #lookUp(first: number, heldCount: number): number {
    const { groups, typedGroups, scores, held } = shared;
    const { lengths, norms } = this.#lengths;
    let left = heldCount;
    for (let index = this.#essentialCount; index < this.#clauses.length; index++) {
      const clause = this.#clauses[index]!;
      const { list, idf, groups: bits } = clause;
      left = this.#prune(left, this.#threshold / ROUNDING - clause.bound - clause.boundAfter);
      clause.from = firstFrom(list, first, clause.to, list.end);
      clause.to =
        left === 0 ? clause.from : firstFrom(list, first + this.#window, clause.from, list.end);
      const { documents, codes, frequencies, fields } = list;
      const isRead = clause.to - clause.from < left * FINDING_COST;
      const count = isRead ? clause.to - clause.from : left;
      for (let turn = 0; turn < count; turn++) {
        const at = isRead
          ? clause.from + turn
          : findPosting(list, first + held[turn]!, clause.from, clause.to);
        if (at < 0) continue;
        const document = documents[at]!;
        const place = document - first;
        if (groups[place] === 0) continue;
        const code = codes[at]!;
        groups[place]! |= bits;
        if ((fields[code]! & TYPE_BIT) !== 0) typedGroups[place]! |= bits;
        scores[place]! += idf * saturation(frequencies[code]!, norms[lengths[document]!]!);
      }
    }
    return left;
  }

  /** Drops the held places with a score below `least`, and returns how many are left. */
  #prune(heldCount: number, least: number): number {
    const { scores, groups, typedGroups, held } = shared;
    let kept = 0;
    for (let at = 0; at < heldCount; at++) {
      const place = held[at]!;
      if (scores[place]! >= least) {
        held[kept++] = place;
        continue;
      }
      scores[place] = 0;
      groups[place] = 0;
      typedGroups[place] = 0;
    }
    return kept;
  }

  /** Takes what is good enough from the window that begins with `first`, and clears the window. */
  #take(best: BestMatches, first: number, heldCount: number): void {
    const { scores, groups, typedGroups, held } = shared;
    for (let at = 0; at < heldCount; at++) {
      const place = held[at]!;
      const score = scores[place]!;
      if (score >= this.#threshold)
        best.take(first + place, score, groups[place]!, typedGroups[place]!);
      scores[place] = 0;
      groups[place] = 0;
      typedGroups[place] = 0;
    }
    this.#threshold = Math.max(this.#threshold, best.leastScore);
  }
}
