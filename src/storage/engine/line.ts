/** Runs tasks in the order of asking, at most so many at once. */
export class Line {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  readonly #tasks = new Set<Promise<unknown>>();
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const done = this.#run(task);
    this.#tasks.add(done);
    const forget = () => void this.#tasks.delete(done);
    done.then(forget, forget);
    return done;
  }

  /** Resolves when no task runs or waits, whatever has become of them. */
  async settle(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.allSettled(this.#tasks);
  }

  async #run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) this.#running += 1;
    // Whoever ends hands over its place.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
