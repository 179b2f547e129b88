/**
 * Selects the best documents: highest score first, ties by index. Reused between searches, so that
 * rejected documents cost no allocation.
 */
export class TopDocuments {
  readonly capacity: number;
  /** A heap with the worst document on top. */
  readonly #indexes: Uint32Array;
  readonly #scores: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#indexes = new Uint32Array(capacity);
    this.#scores = new Float64Array(capacity);
  }

  offer(index: number, score: number): void {
    if (this.#size < this.capacity) {
      this.#rise(this.#size++, index, score);
      return;
    }
    const worst = this.#scores[0]!;
    if (!(score > worst || (score === worst && index < this.#indexes[0]!))) return;
    this.#sink(index, score);
  }

  /** Empties it and returns the documents, best first. */
  take(): { index: number; score: number }[] {
    const found = new Array<{ index: number; score: number }>(this.#size);
    while (this.#size > 0) {
      const last = --this.#size;
      found[last] = { index: this.#indexes[0]!, score: this.#scores[0]! };
      if (last > 0) this.#sink(this.#indexes[last]!, this.#scores[last]!);
    }
    return found;
  }

  #rise(from: number, index: number, score: number): void {
    const indexes = this.#indexes;
    const scores = this.#scores;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(index, score, indexes[parent]!, scores[parent]!)) break;
      indexes[at] = indexes[parent]!;
      scores[at] = scores[parent]!;
      at = parent;
    }
    indexes[at] = index;
    scores[at] = score;
  }

  /** Replaces the worst entry. */
  #sink(index: number, score: number): void {
    const indexes = this.#indexes;
    const scores = this.#scores;
    const size = this.#size;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      const other = child + 1;
      if (other < size && isWorse(indexes[other]!, scores[other]!, indexes[child]!, scores[child]!))
        child = other;
      if (isWorse(index, score, indexes[child]!, scores[child]!)) break;
      indexes[at] = indexes[child]!;
      scores[at] = scores[child]!;
      at = child;
    }
    indexes[at] = index;
    scores[at] = score;
  }
}

/** Whether an entry ranks after another. */
function isWorse(index: number, score: number, otherIndex: number, otherScore: number): boolean {
  return score < otherScore || (score === otherScore && index > otherIndex);
}
