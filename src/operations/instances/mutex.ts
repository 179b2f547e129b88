/** Wraps each task, for example to hold a lease while it runs. */
export type Around = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Mutual exclusion: runs one task at a time, in the order of the calls. */
export class Mutex {
  readonly #around: Around;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(around: Around = (task) => task()) {
    this.#around = around;
  }

  /** Whether a task is running or waiting. */
  get isBusy(): boolean {
    return this.#count > 0;
  }

  /** Settles as the task does. A failed task does not stop the tasks that wait behind it. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    const result = this.#last.then(() => this.#around(task)).finally(() => (this.#count -= 1));
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** A mutex for each key. */
export class KeyedMutex {
  readonly #mutexes = new Map<number, Mutex>();

  /** Whether a task of this key is running or waiting. */
  isBusy(key: number): boolean {
    return this.#mutexes.has(key);
  }

  async run<Result>(key: number, task: () => Promise<Result>): Promise<Result> {
    const mutex = this.#mutexes.get(key) ?? new Mutex();
    this.#mutexes.set(key, mutex);
    try {
      return await mutex.run(task);
    } finally {
      if (!mutex.isBusy) this.#mutexes.delete(key);
    }
  }
}
