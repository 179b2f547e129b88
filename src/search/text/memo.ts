/**
 * Caches a pure function's results for the most recent texts: at least `capacity` and at most twice
 * as many.
 */
export class Memo<Result> {
  readonly #make: (text: string) => Result;
  readonly #capacity: number;
  #fresh = new Map<string, Result>();
  #former = new Map<string, Result>();

  constructor(make: (text: string) => Result, capacity: number) {
    this.#make = make;
    this.#capacity = capacity;
  }

  get(text: string): Result {
    const fresh = this.#fresh.get(text);
    if (fresh !== undefined) return fresh;
    const result = this.#former.get(text) ?? this.#make(text);
    if (this.#fresh.size >= this.#capacity) {
      this.#former = this.#fresh;
      this.#fresh = new Map();
    }
    this.#fresh.set(text, result);
    return result;
  }
}
