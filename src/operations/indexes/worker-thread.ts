/** What a thread answers if a request fails. */
export interface ThreadFailure {
  readonly failure: string;
}

/** A worker thread that answers requests one after another, in their order. */
export class WorkerThread<Message, Answer extends object> implements Disposable {
  readonly #worker: Worker;
  readonly #task: string;
  readonly #waiting: PromiseWithResolvers<Answer>[] = [];

  /** `task`: what the thread does, for the message of an error. */
  constructor(url: string, task: string) {
    this.#task = task;
    this.#worker = new Worker(url, { type: 'module' });
    this.#worker.onmessage = ({ data }: MessageEvent<Answer | ThreadFailure>) => {
      if ('failure' in data) this.#fail(data.failure);
      else this.#waiting.shift()?.resolve(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message);
    };
    this.#worker.addEventListener('close', () => this.#fail('the thread ended'));
  }

  /** Sends a message that is not answered. */
  post(message: Message, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** Rejects if the thread fails or ends. The thread takes over what is in `transfer`. */
  ask(message: Message, transfer: Transferable[] = []): Promise<Answer> {
    const waiting = Promise.withResolvers<Answer>();
    // The first waiter reports a failure; later ones may no longer be awaited.
    waiting.promise.catch(() => undefined);
    this.#waiting.push(waiting);
    this.post(message, transfer);
    return waiting.promise;
  }

  /** Ends the thread at once. */
  [Symbol.dispose](): void {
    this.#worker.terminate();
  }

  #fail(reason: string): void {
    const error = new Error(`${this.#task} failed: ${reason}`);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
