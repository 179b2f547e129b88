/** Runs tasks one after the other, in the order of asking. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** Whether a task runs or waits. */
  get isBusy(): boolean {
    return this.#count > 0;
  }

  take<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    const result = this.#last.then(task).finally(() => (this.#count -= 1));
    this.#last = result.catch(() => undefined);
    return result;
  }
}
