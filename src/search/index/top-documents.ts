/**
 * Selects the best documents: highest score first, ties by index. Each has a slot below the capacity
 * for as long as it is among them, for what the caller knows about it.
 */
export class TopDocuments {
  readonly capacity: number;
  /** A heap with the worst document on top. */
  readonly #indexes: Uint32Array;
  readonly #scores: Float64Array;
  readonly #slots: Uint32Array;
  #size = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#indexes = new Uint32Array(capacity);
    this.#scores = new Float64Array(capacity);
    this.#slots = new Uint32Array(capacity);
  }

  offer(index: number, score: number): void {
    if (this.accepts(index, score)) this.put(index, score);
  }

  /** Whether a document would be among the best of those put so far and itself. */
  accepts(index: number, score: number): boolean {
    if (this.#size < this.capacity) return true;
    const worst = this.#scores[0]!;
    return score > worst || (score === worst && index < this.#indexes[0]!);
  }

  /** Puts a document that it accepts, in place of the worst one if it is full. Returns its slot. */
  put(index: number, score: number): number {
    if (this.#size < this.capacity) {
      const slot = this.#size;
      this.#rise(this.#size++, index, score, slot);
      return slot;
    }
    const slot = this.#slots[0]!;
    this.#sink(index, score, slot);
    return slot;
  }

  /** The number of documents among the best. */
  get size(): number {
    return this.#size;
  }

  /** The document of this number below `size`, in no order. */
  indexAt(at: number): number {
    return this.#indexes[at]!;
  }

  /** The worst of the best: its document, score and slot. */
  get worstIndex(): number {
    return this.#indexes[0]!;
  }

  get worstScore(): number {
    return this.#scores[0]!;
  }

  get worstSlot(): number {
    return this.#slots[0]!;
  }

  dropWorst(): void {
    const last = --this.#size;
    if (last > 0) this.#sink(this.#indexes[last]!, this.#scores[last]!, this.#slots[last]!);
  }

  #rise(from: number, index: number, score: number, slot: number): void {
    const indexes = this.#indexes;
    const scores = this.#scores;
    const slots = this.#slots;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(index, score, indexes[parent]!, scores[parent]!)) break;
      indexes[at] = indexes[parent]!;
      scores[at] = scores[parent]!;
      slots[at] = slots[parent]!;
      at = parent;
    }
    indexes[at] = index;
    scores[at] = score;
    slots[at] = slot;
  }

  /** Replaces the worst entry. */
  #sink(index: number, score: number, slot: number): void {
    const indexes = this.#indexes;
    const scores = this.#scores;
    const slots = this.#slots;
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
      slots[at] = slots[child]!;
      at = child;
    }
    indexes[at] = index;
    scores[at] = score;
    slots[at] = slot;
  }
}

/** Whether an entry ranks after another. */
function isWorse(index: number, score: number, otherIndex: number, otherScore: number): boolean {
  return score < otherScore || (score === otherScore && index > otherIndex);
}
