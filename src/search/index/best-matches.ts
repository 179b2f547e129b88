import { TopDocuments } from './top-documents.ts';
import type { WordMatch } from './word-search.ts';

/** Working memory for neighbouring documents that are scored together, by place: all zero between uses. */
export class ScoreWindow {
  readonly scores: Float64Array;
  readonly groups: Uint32Array;
  readonly typedGroups: Uint32Array;
  /** The places that hold a clause, in any order. */
  readonly held: Uint32Array;

  constructor(length: number) {
    this.scores = new Float64Array(length);
    this.groups = new Uint32Array(length);
    this.typedGroups = new Uint32Array(length);
    this.held = new Uint32Array(length);
  }
}

/** The best of the documents that it is shown, with the groups that they hold. */
export class BestMatches {
  readonly #best: TopDocuments;
  readonly #groups: Uint32Array;
  readonly #typedGroups: Uint32Array;
  readonly #allows: ((document: number) => boolean) | null;

  constructor(capacity: number, allows: ((document: number) => boolean) | null) {
    this.#best = new TopDocuments(capacity);
    this.#groups = new Uint32Array(capacity);
    this.#typedGroups = new Uint32Array(capacity);
    this.#allows = allows;
  }

  /** As `TopDocuments.accepts`. */
  accepts(document: number, score: number): boolean {
    return this.#best.accepts(document, score);
  }

  /** Takes what is good enough from a window that begins with `first`, and clears the window. */
  takeFrom(
    { scores, groups, typedGroups, held }: ScoreWindow,
    first: number,
    heldCount: number,
  ): void {
    const best = this.#best;
    const allows = this.#allows;
    for (let at = 0; at < heldCount; at++) {
      const place = held[at]!;
      const document = first + place;
      if (best.accepts(document, scores[place]!) && (allows === null || allows(document))) {
        const slot = best.put(document, scores[place]!);
        this.#groups[slot] = groups[place]!;
        this.#typedGroups[slot] = typedGroups[place]!;
      }
      scores[place] = 0;
      groups[place] = 0;
      typedGroups[place] = 0;
    }
  }

  /** Empties it and returns the matches, best first. */
  take(): WordMatch[] {
    return this.#best.take((index, score, slot) => {
      const [groups, typedGroups] = [this.#groups[slot]!, this.#typedGroups[slot]!];
      return { index, score, groups, typedGroups };
    });
  }
}
