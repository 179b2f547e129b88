/** Wakes a task of this process that waits for work, so that it need not look for some again and again. */
export class Bell {
  #wake: () => void = () => undefined;

  ring(): void {
    this.#wake();
  }

  /** Resolves when it rings or `signal` aborts, or at once if there `isWork`. One caller at a time. */
  async rung(isWork: boolean, signal: AbortSignal): Promise<void> {
    if (isWork || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const stop = () => resolve();
    signal.addEventListener('abort', stop);
    await promise.finally(() => signal.removeEventListener('abort', stop));
  }
}
