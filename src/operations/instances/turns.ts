/** What a task runs in, for example a lease that it has to have. */
export type Around = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Runs tasks one after the other, in the order of asking. */
export class Turns {
  readonly #around: Around;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(around: Around = (task) => task()) {
    this.#around = around;
  }

  /** Whether a task runs or waits. */
  get isBusy(): boolean {
    return this.#count > 0;
  }

  take<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    const result = this.#last.then(() => this.#around(task)).finally(() => (this.#count -= 1));
    this.#last = result.catch(() => undefined);
    return result;
  }
}
