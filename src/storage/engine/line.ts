/** Runs tasks in the order they were submitted, at most a fixed number at once. */
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

  /** Resolves when no task is running or waiting, whether they succeeded or not. */
  async settle(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.allSettled(this.#tasks);
  }

  async #run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) this.#running += 1;
    // A task that ends hands its slot to the next.
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
