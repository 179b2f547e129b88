/** The best documents of many: highest score first, ties by index. Reused, so that a search allocates nothing for what it rejects. */
export class TopDocuments {
  readonly capacity: number;
  /** A heap with the worst on top. */
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

  /** Empties it: the best first. */
  take(): { index: number; score: number }[] {
    const found = new Array<{ index: number; score: number }>(this.#size);
    while (this.#size > 0) {
      const last = --this.#size;
      found[last] = { index: this.#indexes[0]!, score: this.#scores[0]! };
      if (last > 0) this.#sink(this.#indexes[last]!, this.#scores[last]!);
    }
    return found;
  }

  /** Whether the entry is worse than the other. */
  #isWorse(index: number, score: number, other: number): boolean {
    const otherScore = this.#scores[other]!;
    return score < otherScore || (score === otherScore && index > this.#indexes[other]!);
  }

  #rise(from: number, index: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(index, score, parent)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#indexes[at] = index;
    this.#scores[at] = score;
  }

  /** Puts an entry in the place of the worst. */
  #sink(index: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.#size) break;
      if (
        child + 1 < this.#size &&
        this.#isWorse(this.#indexes[child + 1]!, this.#scores[child + 1]!, child)
      )
        child += 1;
      if (this.#isWorse(index, score, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#indexes[at] = index;
    this.#scores[at] = score;
  }

  #move(from: number, to: number): void {
    this.#indexes[to] = this.#indexes[from]!;
    this.#scores[to] = this.#scores[from]!;
  }
}
