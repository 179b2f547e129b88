import { BestMatches, ScoreWindow } from './best-matches.ts';
import type { FoundDocuments } from './index-search.ts';
import { type LengthNorms, saturation } from './length-norms.ts';
import {
  countRanges,
  findPosting,
  findRange,
  type PostingRanges,
  RANGE_SHIFT,
} from './posting-ranges.ts';
import { type Clause, countPostings, TYPE_BIT, type WordSearch } from './word-search.ts';

const RANGE_LENGTH = 1 << RANGE_SHIFT;
/** Steps between the greatest bound and zero by which ranges are sorted. */
const STEPS = 1024;
/** Ranges whose memory is requested together. */
const BATCH = 16;

/** A clause with the ranges of its postings. */
export interface RangedClause extends Clause {
  readonly ranges: PostingRanges;
  /** By how much the contributions may exceed the maxima of the ranges: at least 1. */
  readonly slack: number;
}

/** Working memory that the searches of one index share. */
export class SearchMemory {
  /** By range: the most that a document in it can score; zero between searches. */
  readonly bounds: Float64Array;
  readonly order: Uint32Array;
  readonly steps = new Uint32Array(STEPS + 1);
  /** The range that is being scored. */
  readonly window = new ScoreWindow(RANGE_LENGTH);
  /** For each clause, by range: where its ranges list it, plus one; all zero between searches. */
  readonly #places: Uint32Array[] = [];

  /** Only keeps the reads of `#touch` from being optimised away. */
  touched = 0;

  constructor(size: number) {
    this.bounds = new Float64Array(countRanges(size));
    this.order = new Uint32Array(countRanges(size));
  }

  get byteSize(): number {
    return this.bounds.byteLength * (1 + this.#places.length / 2) + this.order.byteLength;
  }

  placesOf(clause: number): Uint32Array {
    this.#places[clause] ??= new Uint32Array(this.bounds.length);
    return this.#places[clause];
  }

  clear(): void {
    this.bounds.fill(0);
    for (const places of this.#places) places.fill(0);
  }
}

/**
 * Documents are scored range by range, the range that can hold the best ones first, until no other
 * can hold a better one than those found:
 * Mallia, Suel & Tonellotto, "Faster learned sparse retrieval with block-max pruning", 2024. The
 * result is that of scoring every document, to the last bit: a bound is the same sum of the same
 * numbers or greater ones, and rounding preserves order.
 */
export class PrunedSearch implements WordSearch {
  readonly #clauses: readonly RangedClause[];
  readonly #lengths: LengthNorms;
  readonly #memory: SearchMemory;

  constructor(clauses: readonly RangedClause[], lengths: LengthNorms, memory: SearchMemory) {
    this.#clauses = clauses;
    this.#lengths = lengths;
    this.#memory = memory;
  }

  best(limit: number, allows: ((document: number) => boolean) | null): BestMatches {
    const capacity = Math.min(limit, countPostings(this.#clauses));
    const best = new BestMatches(capacity, allows);
    if (capacity === 0) return best;
    const { bounds, order, window } = this.#memory;
    const { count, stepWidth } = this.#orderRanges();
    for (let at = 0; at < count; at++) {
      const range = order[at]!;
      const first = range << RANGE_SHIFT;
      if (at % BATCH === 0) {
        // No later bound is greater than this by more than a step.
        if (!best.accepts(0, bounds[range]! + stepWidth)) break;
        this.#touch(at, Math.min(at + BATCH, count));
      }
      if (!best.accepts(first, bounds[range]!)) continue;
      best.takeFrom(window, first, this.#scoreRange(range));
    }
    this.#memory.clear();
    return best;
  }

  addGroups(found: FoundDocuments, from: number): void {
    for (const { list, ranges, groups } of this.#clauses) {
      for (let at = from; at < found.length; at++) {
        const document = found.documents[at]!;
        const place = findRange(ranges, document >>> RANGE_SHIFT);
        if (place < 0) continue;
        const posting = findPosting(
          list,
          document,
          ranges.starts[place]!,
          ranges.starts[place + 1]!,
        );
        if (posting < 0) continue;
        found.groups[at]! |= groups;
        if ((list.fields[list.codes[posting]!]! & TYPE_BIT) !== 0) found.typedGroups[at]! |= groups;
      }
    }
  }

  /**
   * Fills `bounds`, and `order` with the ranges that hold a clause: the greatest bound first within
   * the accuracy of a step, ties by range. Returns their number.
   */
  #orderRanges(): { count: number; stepWidth: number } {
    const { bounds, order, steps } = this.#memory;
    let greatest = 0;
    for (const [clause, { ranges, idf, slack }] of this.#clauses.entries()) {
      const { numbers, maxima } = ranges;
      const places = this.#memory.placesOf(clause);
      for (let at = 0; at < numbers.length; at++) {
        const range = numbers[at]!;
        const bound = bounds[range]! + idf * maxima[at]! * slack;
        bounds[range] = bound;
        places[range] = at + 1;
        if (bound > greatest) greatest = bound;
      }
    }
    steps.fill(0);
    const scale = (STEPS - 1) / greatest;
    const stepOf = (bound: number) => STEPS - 1 - Math.floor(bound * scale);
    for (let range = 0; range < bounds.length; range++)
      if (bounds[range]! > 0) steps[stepOf(bounds[range]!) + 1]! += 1;
    for (let step = 0; step < STEPS; step++) steps[step + 1]! += steps[step]!;
    const count = steps[STEPS]!;
    for (let range = 0; range < bounds.length; range++)
      if (bounds[range]! > 0) order[steps[stepOf(bounds[range]!)]!++] = range;
    return { count, stepWidth: 1 / scale };
  }

  /**
   * Reads the beginnings of the postings of these ranges. They lie far apart: read side by side, the
   * processor fetches them together, and not one range after the other.
   */
  #touch(from: number, to: number): void {
    const { order } = this.#memory;
    const { lengths } = this.#lengths;
    let sum = 0;
    for (let index = 0; index < this.#clauses.length; index++) {
      const places = this.#memory.placesOf(index);
      const { documents, codes } = this.#clauses[index]!.list;
      const { starts } = this.#clauses[index]!.ranges;
      for (let at = from; at < to; at++) {
        const place = places[order[at]!]!;
        if (place === 0) continue;
        const start = starts[place - 1]!;
        sum += codes[start]! + lengths[documents[start]!]!;
      }
    }
    this.#memory.touched = sum;
  }

  /** Scores the documents of a range and returns the number of those that hold a clause. */
  #scoreRange(range: number): number {
    const { scores, groups, typedGroups, held } = this.#memory.window;
    const { lengths, norms } = this.#lengths;
    const first = range << RANGE_SHIFT;
    let heldCount = 0;
    for (let index = 0; index < this.#clauses.length; index++) {
      const place = this.#memory.placesOf(index)[range]!;
      if (place === 0) continue;
      const clause = this.#clauses[index]!;
      const { documents, codes, frequencies, fields } = clause.list;
      const { idf, groups: bits } = clause;
      const { starts } = clause.ranges;
      const end = starts[place]!;
      for (let at = starts[place - 1]!; at < end; at++) {
        const document = documents[at]!;
        const code = codes[at]!;
        const slot = document - first;
        if (groups[slot] === 0) held[heldCount++] = slot;
        groups[slot]! |= bits;
        if ((fields[code]! & TYPE_BIT) !== 0) typedGroups[slot]! |= bits;
        scores[slot]! += idf * saturation(frequencies[code]!, norms[lengths[document]!]!);
      }
    }
    return heldCount;
  }
}
