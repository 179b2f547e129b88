import { AppError } from '../../domain/errors.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Platform } from '../../platform.ts';
import { saveEmbeddingModel } from '../../storage/catalog/vectors.ts';
import type { Database } from '../../storage/engine/database.ts';

/** Cached question vectors, because assistants repeat questions. About 1.5 KB each. */
const CACHED_QUESTIONS_MAX = 2000;

/**
 * Loading the model takes more than one core, so requests that waited for the start are answered
 * first.
 */
const WARM_UP_AFTER_MS = 100;

export interface EmbeddingModel {
  readonly key: number;
  readonly tag: string;
  readonly dimensions: number;
}

export type QuestionVector =
  | { readonly state: 'ready'; readonly vector: Float32Array; readonly model: EmbeddingModel }
  | { readonly state: 'timeout' | 'unavailable' };

/** The embedder in use, its row in the database, and a cache of question vectors. */
export class Embeddings {
  readonly #db: Database;
  readonly #platform: Platform;
  readonly #embedder: Embedder | null;
  readonly #budgetMs: number;
  readonly #questions = new Map<string, Float32Array>();
  /** Counters since the start. */
  readonly counts = { asked: 0, cached: 0, timeouts: 0, failures: 0, textsRead: 0, readMs: 0 };
  #waitingTexts = 0;
  #model: EmbeddingModel | null = null;
  #isWarmingUp = false;

  /**
   * `embedder` null: search by words alone. `budgetMs`: how long a search waits for a question's
   * vector.
   */
  constructor(options: {
    db: Database;
    platform: Platform;
    embedder: Embedder | null;
    budgetMs: number;
  }) {
    this.#db = options.db;
    this.#platform = options.platform;
    this.#embedder = options.embedder;
    this.#budgetMs = options.budgetMs;
  }

  get isOn(): boolean {
    return this.#embedder !== null;
  }

  /**
   * Loads the model by embedding a text, before anybody waits for it. Meanwhile searches use words
   * alone and do not wait. Never throws.
   */
  async warmUp(signal: AbortSignal): Promise<void> {
    if (this.#embedder === null) return;
    this.#isWarmingUp = true;
    await this.#platform.sleep(WARM_UP_AFTER_MS, signal);
    if (signal.aborted) return;
    await this.#read(this.#embedder, 'warm-up');
    this.#isWarmingUp = false;
  }

  /** Embeds a text, however long it takes, to find out whether the embedder works. */
  async load(): Promise<QuestionVector> {
    return this.#embedder === null
      ? { state: 'unavailable' }
      : this.#read(this.#embedder, 'warm-up');
  }

  /** Whether the model in use is known. False while it is loading. */
  get isSettled(): boolean {
    return !this.#isWarmingUp;
  }

  /** Texts passed to the embedder and not yet answered. */
  get waitingTexts(): number {
    return this.#waitingTexts;
  }

  /**
   * The vector of a question, within the budget. Never throws: without it a search uses words
   * alone.
   */
  async questionVector(text: string): Promise<QuestionVector> {
    this.counts.asked += 1;
    const answer = await this.#questionVector(text);
    if (answer.state === 'timeout') this.counts.timeouts += 1;
    return answer;
  }

  async #questionVector(text: string): Promise<QuestionVector> {
    const cached = this.#questions.get(text);
    if (cached !== undefined && this.#model !== null) {
      this.counts.cached += 1;
      this.#questions.delete(text);
      this.#questions.set(text, cached);
      return { state: 'ready', vector: cached, model: this.#model };
    }
    if (this.#embedder === null) return { state: 'unavailable' };
    if (this.#isWarmingUp) return { state: 'timeout' };
    const budget = new AbortController();
    try {
      // A late embedding continues and is cached for the next caller.
      const reading = this.#read(this.#embedder, text);
      const late = this.#platform.sleep(this.#budgetMs, budget.signal).then(() => null);
      return (await Promise.race([reading, late])) ?? { state: 'timeout' };
    } finally {
      budget.abort();
    }
  }

  /**
   * The vectors of catalogue texts, and the model to store them under. Throws what the embedder
   * throws.
   */
  async offeringVectors(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ vectors: Float32Array[]; model: EmbeddingModel }> {
    if (this.#embedder === null) throw new AppError('unavailable', 'No embedding model is set up.');
    const vectors = await this.#embed(this.#embedder, { texts, purpose: 'offering', signal });
    return { vectors, model: await this.#modelOf(this.#embedder, vectors[0]!.length) };
  }

  /** The model in use; null before its first answer, which reveals its dimensions. */
  get model(): EmbeddingModel | null {
    return this.#model;
  }

  async close(): Promise<void> {
    await this.#embedder?.close();
  }

  async #read(embedder: Embedder, text: string): Promise<QuestionVector> {
    try {
      const { signal } = new AbortController();
      const [vector] = await this.#embed(embedder, { texts: [text], purpose: 'query', signal });
      const model = await this.#modelOf(embedder, vector!.length);
      this.#questions.set(text, vector!);
      if (this.#questions.size > CACHED_QUESTIONS_MAX)
        this.#questions.delete(this.#questions.keys().next().value!);
      return { state: 'ready', vector: vector!, model };
    } catch (error) {
      this.#platform.log('warn', 'embedder_failed', {
        cause: String(error instanceof Error ? (error.cause ?? error) : error),
      });
      return { state: 'unavailable' };
    }
  }

  async #embed(
    embedder: Embedder,
    reading: {
      readonly texts: readonly string[];
      readonly purpose: 'query' | 'offering';
      readonly signal: AbortSignal;
    },
  ): Promise<Float32Array[]> {
    const { texts, purpose, signal } = reading;
    const startedMs = this.#platform.monotonicMs();
    let isRead = false;
    this.#waitingTexts += texts.length;
    try {
      const vectors = await embedder.embed(texts, purpose, signal);
      isRead = true;
      return vectors;
    } finally {
      this.#waitingTexts -= texts.length;
      this.counts.readMs += this.#platform.monotonicMs() - startedMs;
      if (isRead) this.counts.textsRead += texts.length;
      else this.counts.failures += 1;
    }
  }

  async #modelOf(embedder: Embedder, dimensions: number): Promise<EmbeddingModel> {
    const { tag } = embedder;
    if (this.#model?.dimensions !== dimensions || this.#model.tag !== tag) {
      const key = await saveEmbeddingModel(this.#db, { tag, dimensions });
      this.#model = { key, tag, dimensions };
      // Vectors of two models cannot be compared.
      this.#questions.clear();
    }
    return this.#model;
  }
}
