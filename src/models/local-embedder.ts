import { AppError } from '../domain/errors.ts';
import type { Embedder } from './embedder.ts';
import type { Backend } from './inference-session.ts';
import type { FromWorker, ToWorker } from './local-embedder-worker.ts';
import type { ModelFiles } from './model-files.ts';

const MODEL = 'all-MiniLM-L6-v2';
const DIMENSIONS = 384;
/** Most waiting texts of all callers together: a few minutes of work. */
const WAITING_MAX = 10_000;
/** Pauses before the worker restarts, after each crash in a row. Calls are refused meanwhile. */
const RESTART_PAUSES_MS = [1_000, 10_000, 60_000, 600_000] as const;
/** A worker that has run this long counts as recovered from earlier crashes. */
const RECOVERED_AFTER_MS = 600_000;

export interface LocalEmbedderOptions {
  readonly files: ModelFiles;
  readonly threads: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * The built-in model, in a worker that starts with the first text. The worker gets one text at a time,
 * queries before offerings, so that a query waits for at most one text. Rejects with `unavailable` if
 * more than 10,000 texts wait or the worker has just crashed.
 *
 * `tag` is final after the first answer, because the native runtime may fail to load.
 */
export function openLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  return new LocalEmbedder(options);
}

interface Waiting {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  /** Number of texts sent to the worker. */
  sentCount: number;
  isSettled: boolean;
  readonly settle: (outcome: Float32Array[] | { readonly error: unknown }) => void;
}

class LocalEmbedder implements Embedder {
  readonly dimensions = DIMENSIONS;
  readonly #options: LocalEmbedderOptions;
  readonly #waiting = { query: new Set<Waiting>(), offering: new Set<Waiting>() };
  #waitingCount = 0;
  #backend: Backend;
  #worker: Worker | null = null;
  #isStarted = false;
  #inFlight: Waiting | null = null;
  #crashCount = 0;
  #crashedAt = Number.NEGATIVE_INFINITY;
  #closing: PromiseWithResolvers<void> | null = null;

  constructor(options: LocalEmbedderOptions) {
    this.#options = options;
    this.#backend = options.files.native === null ? 'wasm' : 'native';
  }

  get tag(): string {
    return `${MODEL}/onnx-${this.#backend}`;
  }

  async embed(
    texts: readonly string[],
    purpose: 'query' | 'offering',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (texts.length === 0) return [];
    this.#admit(texts.length);
    const answer = this.#enqueue(texts, purpose, signal);
    if (this.#worker === null) this.#start();
    this.#sendNext();
    return answer;
  }

  async close(): Promise<void> {
    if (this.#closing === null) {
      this.#closing = Promise.withResolvers();
      this.#rejectAll(new AppError('unavailable', 'The built-in model is closed.'));
      if (this.#worker === null) this.#closing.resolve();
      else this.#post({ kind: 'stop' });
    }
    await this.#closing.promise;
  }

  #admit(count: number): void {
    if (this.#closing !== null) throw new AppError('unavailable', 'The built-in model is closed.');
    if (this.#waitingCount + count > WAITING_MAX) {
      throw new AppError('unavailable', 'Too many texts are waiting for the built-in model.');
    }
    const retryAfterMs = this.#worker === null ? this.#pauseLeftMs() : 0;
    if (retryAfterMs > 0) {
      throw new AppError('unavailable', 'The built-in model has stopped and will restart soon.', {
        retryAfterMs,
      });
    }
  }

  #pauseLeftMs(): number {
    if (this.#crashCount === 0) return 0;
    const pauseMs = RESTART_PAUSES_MS[Math.min(this.#crashCount, RESTART_PAUSES_MS.length) - 1]!;
    return Math.max(0, Math.ceil(this.#crashedAt + pauseMs - this.#options.now()));
  }

  #enqueue(
    texts: readonly string[],
    purpose: 'query' | 'offering',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const queue = this.#waiting[purpose];
    const abort = () => waiting.settle({ error: signal.reason });
    const waiting: Waiting = {
      texts,
      vectors: [],
      sentCount: 0,
      isSettled: false,
      settle: (outcome) => {
        if (waiting.isSettled) return;
        waiting.isSettled = true;
        signal.removeEventListener('abort', abort);
        queue.delete(waiting);
        this.#waitingCount -= texts.length - waiting.sentCount;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome);
      },
    };
    signal.addEventListener('abort', abort);
    queue.add(waiting);
    this.#waitingCount += texts.length;
    return promise;
  }

  #sendNext(): void {
    if (!this.#isStarted || this.#inFlight !== null) return;
    const [query] = this.#waiting.query;
    const [offering] = this.#waiting.offering;
    const next = query ?? offering;
    if (next === undefined) return;
    const text = next.texts[next.sentCount]!;
    next.sentCount += 1;
    this.#waitingCount -= 1;
    if (next.sentCount === next.texts.length)
      this.#waiting[query ? 'query' : 'offering'].delete(next);
    this.#inFlight = next;
    this.#post({ kind: 'encode', text });
  }

  #start(): void {
    const { files, threads } = this.#options;
    const worker = new Worker(files.worker, { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(worker, data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#crash(worker, event.message);
    };
    worker.addEventListener('close', () => this.#crash(worker, 'the worker ended'));
    this.#worker = worker;
    this.#post({ kind: 'start', files, threads });
  }

  #receive(worker: Worker, message: FromWorker): void {
    if (worker !== this.#worker) return;
    switch (message.kind) {
      case 'started':
        this.#isStarted = true;
        this.#backend = message.backend;
        break;
      case 'vector':
        this.#keep(message.vector);
        break;
      case 'failed':
        this.#takeInFlight().settle({ error: unavailable(message.reason) });
        break;
      case 'broken':
        this.#crash(worker, message.reason);
        return;
      case 'stopped':
        this.#end(worker);
        return;
    }
    this.#sendNext();
  }

  #keep(vector: Float32Array): void {
    const waiting = this.#takeInFlight();
    waiting.vectors.push(vector);
    if (waiting.vectors.length === waiting.texts.length) waiting.settle(waiting.vectors);
  }

  #takeInFlight(): Waiting {
    const waiting = this.#inFlight!;
    this.#inFlight = null;
    return waiting;
  }

  #crash(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return;
    const now = this.#options.now();
    this.#crashCount = now - this.#crashedAt > RECOVERED_AFTER_MS ? 1 : this.#crashCount + 1;
    this.#crashedAt = now;
    this.#end(worker);
    this.#rejectAll(unavailable(reason));
  }

  #end(worker: Worker): void {
    this.#worker = null;
    this.#isStarted = false;
    worker.terminate();
    this.#closing?.resolve();
  }

  #rejectAll(error: AppError): void {
    this.#inFlight?.settle({ error });
    if (this.#worker === null) this.#inFlight = null;
    for (const queue of [this.#waiting.query, this.#waiting.offering]) {
      for (const waiting of [...queue]) waiting.settle({ error });
    }
  }

  #post(message: ToWorker): void {
    this.#worker!.postMessage(message);
  }
}

function unavailable(reason: string): AppError {
  return new AppError('unavailable', 'The built-in model cannot answer.', { cause: reason });
}
