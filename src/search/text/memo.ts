/**
 * Remembers what a pure function gave for the texts asked last: at least `capacity` of them, at most
 * twice as many, whatever is asked.
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
