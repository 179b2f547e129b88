import { AppError } from '../../domain/errors.ts';
import { measureCosines } from '../../models/calibration/measure-cosines.ts';
import { type CosineScale, REFERENCE_SCALE } from '../../models/cosine-scale.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Platform } from '../../platform.ts';
import { saveCosineScale, saveEmbeddingModel } from '../../storage/catalog/vectors.ts';
import type { Database } from '../../storage/engine/database.ts';

/** Cached question vectors, because assistants repeat questions. About 1.5 KB each. */
const CACHED_QUESTIONS_MAX = 2000;

/**
 * Catalogue texts whose vectors are remembered, because catalogues list the same text again: for
 * variants, or in several shops. About 2.7 KB each.
 */
const REMEMBERED_TEXTS_MAX = 4000;

/**
 * Loading the model takes more than one core, so requests that waited for the start are answered
 * first.
 */
const WARM_UP_AFTER_MS = 100;

export interface EmbeddingModel {
  readonly key: number;
  readonly tag: string;
  readonly dimensions: number;
  readonly scale: CosineScale;
}

/** Of the built-in model. */
const BUILT_IN_DIMENSIONS = 384;

/** Texts for the embedder. */
interface Reading {
  readonly texts: readonly string[];
  readonly purpose: 'query' | 'offering';
  readonly signal: AbortSignal;
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
  /** Vectors of catalogue texts by text, oldest first. */
  readonly #remembered = new Map<string, Float32Array>();
  /** Counters since the start. */
  readonly counts = { asked: 0, cached: 0, timeouts: 0, failures: 0, textsRead: 0, readMs: 0 };
  #waitingTexts = 0;
  #model: EmbeddingModel | null = null;
  /** Resolves when the model is loaded or has failed; null unless it is loading. */
  #warmingUp: Promise<unknown> | null = null;

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

  /** The dimensions of its vectors, those of the built-in model until they are known; 0 if it is off. */
  get dimensions(): number {
    return this.isOn ? (this.#model?.dimensions ?? BUILT_IN_DIMENSIONS) : 0;
  }

  /**
   * Loads the model by embedding a text. Meanwhile searches wait for it within their budget. Never
   * throws.
   */
  async warmUp(signal: AbortSignal): Promise<void> {
    if (this.#embedder === null) return;
    this.#warmingUp = this.#platform
      .sleep(WARM_UP_AFTER_MS, signal)
      .then(() => (signal.aborted ? null : this.load()));
    await this.#warmingUp;
    this.#warmingUp = null;
  }

  /** Embeds a text, however long it takes, to find out whether the embedder works. */
  async load(): Promise<QuestionVector> {
    return this.#embedder === null
      ? { state: 'unavailable' }
      : this.#read(this.#embedder, 'warm-up');
  }

  /** Whether the model in use is known. False while it is loading. */
  get isSettled(): boolean {
    return this.#warmingUp === null;
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
    const budget = new AbortController();
    try {
      const reading = this.#readWhenLoaded(this.#embedder, text, budget.signal);
      const late = this.#platform.sleep(this.#budgetMs, budget.signal).then(() => null);
      return (await Promise.race([reading, late])) ?? { state: 'timeout' };
    } finally {
      budget.abort();
    }
  }

  /**
   * The vectors of catalogue texts, and the model to store them under. Equal texts share a vector,
   * and one that was embedded lately is not embedded again. Throws what the embedder throws.
   */
  async offeringVectors(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ vectors: Float32Array[]; model: EmbeddingModel }> {
    const before = this.#model;
    const found = new Map<string, Float32Array>();
    for (const text of texts) {
      const vector = this.#remembered.get(text);
      if (vector !== undefined) found.set(text, vector);
    }
    const missing = [...new Set(texts)].filter((text) => !found.has(text));
    let model = before;
    if (missing.length > 0) {
      const made = await this.#vectors({ texts: missing, purpose: 'offering', signal });
      model = made.model;
      // Vectors of two models cannot be stored together.
      if (model !== before && found.size > 0) return this.offeringVectors(texts, signal);
      for (const [at, text] of missing.entries()) found.set(text, made.vectors[at]!);
      this.#remember(missing, made.vectors);
    }
    return { vectors: texts.map((text) => found.get(text)!), model: model! };
  }

  #remember(texts: readonly string[], vectors: readonly Float32Array[]): void {
    for (const [at, text] of texts.entries()) this.#remembered.set(text, vectors[at]!);
    for (const text of this.#remembered.keys()) {
      if (this.#remembered.size <= REMEMBERED_TEXTS_MAX) return;
      this.#remembered.delete(text);
    }
  }

  /** The vectors of questions that nobody waits for. Throws what the embedder throws. */
  async questionVectors(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ vectors: Float32Array[]; model: EmbeddingModel }> {
    return this.#vectors({ texts, purpose: 'query', signal });
  }

  async #vectors(reading: Reading): Promise<{ vectors: Float32Array[]; model: EmbeddingModel }> {
    if (this.#embedder === null) throw new AppError('unavailable', 'No embedding model is set up.');
    const vectors = await this.#embed(this.#embedder, reading);
    return { vectors, model: await this.#modelOf(this.#embedder, vectors[0]!.length) };
  }

  /** The model in use; null before its first answer, which reveals its dimensions. */
  get model(): EmbeddingModel | null {
    return this.#model;
  }

  async close(): Promise<void> {
    await this.#embedder?.close();
  }

  /**
   * An embedding that began within the budget continues beyond it, and is cached for the next
   * caller. One that waited for the model in vain never begins: at a start under load, such
   * questions would fill the queue.
   */
  async #readWhenLoaded(
    embedder: Embedder,
    text: string,
    budget: AbortSignal,
  ): Promise<QuestionVector> {
    await this.#warmingUp;
    return budget.aborted ? { state: 'timeout' } : this.#read(embedder, text);
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

  async #embed(embedder: Embedder, reading: Reading): Promise<Float32Array[]> {
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
      const saved = await saveEmbeddingModel(this.#db, { tag, dimensions });
      const scale = saved.scale ?? embedder.cosineScale ?? (await this.#measure(embedder, saved));
      this.#model = { key: saved.key, tag, dimensions, scale };
      // Vectors of two models cannot be compared.
      this.#questions.clear();
      this.#remembered.clear();
    }
    return this.#model;
  }

  /** Measures a model's cosines the first time it is used. Throws what the embedder throws. */
  async #measure(embedder: Embedder, { key }: { key: number }): Promise<CosineScale> {
    const { scale } = await measureCosines(embedder, new AbortController().signal);
    if (scale === null) {
      this.#platform.log('warn', 'embedder_understands_nothing', {
        model: embedder.tag,
        hint: 'it tells related from unrelated texts in no language: run "vitrine model check"',
      });
      return REFERENCE_SCALE;
    }
    await this.#db.write([saveCosineScale(key, scale)]);
    return scale;
  }
}
