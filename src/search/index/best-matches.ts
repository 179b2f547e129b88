import { FoundDocuments } from './index-search.ts';
import { TopDocuments } from './top-documents.ts';

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

  get size(): number {
    return this.#best.size;
  }

  /** A document with a lower score is not taken any more. */
  get leastScore(): number {
    return this.#best.size === this.#best.capacity ? this.#best.worstScore : 0;
  }

  /** Takes a document if it is good enough and allowed. */
  take(document: number, score: number, groups: number, typedGroups: number): void {
    if (!this.#best.accepts(document, score)) return;
    if (this.#allows !== null && !this.#allows(document)) return;
    const slot = this.#best.put(document, score);
    this.#groups[slot] = groups;
    this.#typedGroups[slot] = typedGroups;
  }

  /** The document of this number below `size`, in no order. */
  documentAt(at: number): number {
    return this.#best.indexAt(at);
  }

  /** Empties it into the first places of `found`, best first. */
  moveTo(found: FoundDocuments): void {
    const best = this.#best;
    for (let at = best.size - 1; at >= 0; at--) {
      const slot = best.worstSlot;
      found.documents[at] = best.worstIndex;
      found.bm25[at] = best.worstScore;
      found.groups[at] = this.#groups[slot]!;
      found.typedGroups[at] = this.#typedGroups[slot]!;
      found.markWordMatch(at);
      best.dropWorst();
    }
  }
}

/** By document: its place among those found by words, plus one. All zero between uses; searches are synchronous. */
let wordPlaces = new Uint32Array(0);

/**
 * Moves both into one list: first what was found by words, best first, then what was found by vector alone,
 * nearest first. `documentCount`: how many documents the index has.
 */
export function moveMatches(
  words: BestMatches,
  near: TopDocuments,
  documentCount: number,
): FoundDocuments {
  if (wordPlaces.length < documentCount) wordPlaces = new Uint32Array(documentCount);
  const wordCount = words.size;
  for (let at = 0; at < wordCount; at++) wordPlaces[words.documentAt(at)] = 1;
  let length = wordCount;
  for (let at = 0; at < near.size; at++) if (wordPlaces[near.indexAt(at)] === 0) length += 1;
  const found = new FoundDocuments(length);
  words.moveTo(found);
  for (let at = 0; at < wordCount; at++) wordPlaces[found.documents[at]!] = at + 1;
  for (let next = length - 1; near.size > 0; near.dropWorst()) {
    const document = near.worstIndex;
    const wordPlace = wordPlaces[document]!;
    const at = wordPlace === 0 ? next-- : wordPlace - 1;
    found.documents[at] = document;
    found.cosines[at] = near.worstScore;
    found.markVectorMatch(at);
  }
  for (let at = 0; at < wordCount; at++) wordPlaces[found.documents[at]!] = 0;
  return found;
}
