import { AppError } from '../domain/errors.ts';
import { type CosineScale, REFERENCE_SCALE } from './cosine-scale.ts';
import type { Embedder } from './embedder.ts';
import type { FromWorker, Start, ToWorker } from './local-embedder-worker.ts';

/** Its tag until it is loaded and its backend is known. */
const MODEL = 'all-MiniLM-L6-v2';
/** Most waiting texts of all callers together: a few minutes of work. */
const WAITING_MAX = 10_000;
/** Pauses before the worker restarts, after each crash in a row. Calls are refused meanwhile. */
const RESTART_PAUSES_MS = [1_000, 10_000, 60_000, 600_000] as const;
/** A worker that has run this long counts as recovered from earlier crashes. */
const RECOVERED_AFTER_MS = 600_000;

export interface LocalEmbedderOptions extends Omit<Start, 'yieldsToOthers'> {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * The built-in model or one in a folder, in workers that start with their first text. Rejects with
 * `unavailable` if more than 10,000 texts wait for a worker or it has just crashed.
 *
 * The built-in model is small: catalogue texts have a worker of their own, so that no question waits for
 * one. A model in a folder may be large: one worker takes questions first.
 *
 * `tag` is final after the first answer, because the native runtime may fail to load.
 */
export function openLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  const open = (yieldsToOthers: boolean) => new LocalEmbedder({ ...options, yieldsToOthers });
  return options.folder === null ? new SplitEmbedder(open(false), open(true)) : open(false);
}

/** One embedder for questions and one of the same model for catalogue texts. */
class SplitEmbedder implements Embedder {
  readonly cosineScale: CosineScale | null;
  readonly #questions: Embedder;
  readonly #offerings: Embedder;
  #tag: string;

  constructor(questions: Embedder, offerings: Embedder) {
    this.#questions = questions;
    this.#offerings = offerings;
    this.cosineScale = questions.cosineScale;
    this.#tag = questions.tag;
  }

  get tag(): string {
    return this.#tag;
  }

  async embed(
    texts: readonly string[],
    purpose: 'query' | 'offering',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const used = purpose === 'query' ? this.#questions : this.#offerings;
    const vectors = await used.embed(texts, purpose, signal);
    if (vectors.length > 0) this.#tag = used.tag;
    return vectors;
  }

  async close(): Promise<void> {
    await Promise.all([this.#questions.close(), this.#offerings.close()]);
  }
}

type WorkerOptions = LocalEmbedderOptions & Start;

/** Settles a request that waits for the worker. */
type Settle = (outcome: Float32Array[] | { readonly error: unknown }) => void;

class LocalEmbedder implements Embedder {
  readonly cosineScale: CosineScale | null;
  readonly #options: WorkerOptions;
  /** By the id of the request. */
  readonly #waiting = new Map<number, Settle>();
  #waitingTexts = 0;
  #lastId = 0;
  #tag: string;
  #worker: Worker | null = null;
  #crashCount = 0;
  #crashedAt = Number.NEGATIVE_INFINITY;
  #closing: PromiseWithResolvers<void> | null = null;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.cosineScale = options.folder === null ? REFERENCE_SCALE : null;
    this.#tag = options.folder ?? MODEL;
  }

  get tag(): string {
    return this.#tag;
  }

  async embed(
    texts: readonly string[],
    purpose: 'query' | 'offering',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (texts.length === 0) return [];
    this.#admit(texts.length);
    if (this.#worker === null) this.#start();
    return this.#ask(texts, purpose, signal);
  }

  async close(): Promise<void> {
    if (this.#closing === null) {
      this.#closing = Promise.withResolvers();
      this.#rejectAll(new AppError('unavailable', 'The embedding model is closed.'));
      if (this.#worker === null) this.#closing.resolve();
      else this.#post({ kind: 'stop' });
    }
    await this.#closing.promise;
  }

  #admit(count: number): void {
    if (this.#closing !== null) throw new AppError('unavailable', 'The embedding model is closed.');
    if (this.#waitingTexts + count > WAITING_MAX) {
      throw new AppError('unavailable', 'Too many texts are waiting for the embedding model.');
    }
    const retryAfterMs = this.#worker === null ? this.#pauseLeftMs() : 0;
    if (retryAfterMs > 0) {
      throw new AppError('unavailable', 'The embedding model has stopped and will restart soon.', {
        retryAfterMs,
      });
    }
  }

  #pauseLeftMs(): number {
    if (this.#crashCount === 0) return 0;
    const pauseMs = RESTART_PAUSES_MS[Math.min(this.#crashCount, RESTART_PAUSES_MS.length) - 1]!;
    return Math.max(0, Math.ceil(this.#crashedAt + pauseMs - this.#options.now()));
  }

  #ask(
    texts: readonly string[],
    purpose: 'query' | 'offering',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const id = ++this.#lastId;
    const settle: Settle = (outcome) => {
      if (!this.#waiting.delete(id)) return;
      signal.removeEventListener('abort', abort);
      this.#waitingTexts -= texts.length;
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome);
    };
    const abort = () => {
      this.#post({ kind: 'cancel', id });
      settle({ error: signal.reason });
    };
    signal.addEventListener('abort', abort);
    this.#waiting.set(id, settle);
    this.#waitingTexts += texts.length;
    this.#post({ kind: 'encode', id, texts, purpose });
    return promise;
  }

  #start(): void {
    const { files, folder, threads, yieldsToOthers } = this.#options;
    const worker = new Worker(files.worker, { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(worker, data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#crash(worker, event.message);
    };
    worker.addEventListener('close', () => this.#crash(worker, 'the worker ended'));
    this.#worker = worker;
    this.#post({ kind: 'start', files, folder, threads, yieldsToOthers });
  }

  #receive(worker: Worker, message: FromWorker): void {
    if (worker !== this.#worker) return;
    switch (message.kind) {
      case 'started':
        this.#tag = message.tag;
        return;
      case 'encoded':
        this.#waiting.get(message.id)?.(message.vectors);
        return;
      case 'failed':
        this.#waiting.get(message.id)?.({ error: unavailable(message.reason) });
        return;
      case 'broken':
        this.#crash(worker, message.reason);
        return;
      case 'stopped':
        this.#end(worker);
        return;
    }
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
    worker.terminate();
    this.#closing?.resolve();
  }

  #rejectAll(error: AppError): void {
    for (const settle of [...this.#waiting.values()]) settle({ error });
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }
}

function unavailable(reason: string): AppError {
  return new AppError('unavailable', 'The embedding model cannot answer.', { cause: reason });
}
