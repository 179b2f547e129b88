import { measureCosines } from '../../models/calibration/measure-cosines.ts';
import { type CosineScale, REFERENCE_SCALE } from '../../models/cosine-scale.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Platform } from '../../platform.ts';
import { saveCosineScale, saveEmbeddingModel } from '../../storage/catalog/embedding-models.ts';
import type { Database } from '../../storage/engine/database.ts';

/** Cached question vectors, because assistants repeat questions. About 1.5 KB each. */
const CACHED_QUESTIONS_MAX = 2000;

/**
 * Catalogue texts whose vectors are remembered, because catalogues list the same text again: for
 * variants, or in several shops. About 2.7 KB each.
 */
const REMEMBERED_TEXTS_MAX = 4000;

/** An embedding model as its vectors are stored. */
export interface EmbeddingModel {
  readonly key: number;
  readonly tag: string;
  readonly dimensions: number;
  readonly scale: CosineScale;
}

/** Texts for the embedder. */
interface Reading {
  readonly texts: readonly string[];
  readonly purpose: 'query' | 'offering';
  readonly signal: AbortSignal;
}

export type QuestionVector =
  | { readonly state: 'ready'; readonly vector: Float32Array; readonly model: EmbeddingModel }
  | { readonly state: 'timeout' | 'unavailable' };

/** Vectors and the model that made them. */
export interface MadeVectors {
  readonly vectors: Float32Array[];
  readonly model: EmbeddingModel;
}

/** Counters since the start. */
export interface ReadingCounts {
  textsRead: number;
  readMs: number;
  failures: number;
}

export interface OpenModelOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly embedder: Embedder;
  /** How to open it again; null keeps what is stored. */
  readonly source: object | null;
  readonly counts: ReadingCounts;
}

/** An embedder, its row in the database, and caches of its vectors. */
export class OpenModel {
  readonly #options: OpenModelOptions;
  readonly #questions = new Map<string, Float32Array>();
  /** Vectors of catalogue texts by text, oldest first. */
  readonly #remembered = new Map<string, Float32Array>();
  #waitingTexts = 0;
  #model: EmbeddingModel | null = null;

  constructor(options: OpenModelOptions) {
    this.#options = options;
  }

  /** Null before its first answer, which reveals its dimensions. */
  get model(): EmbeddingModel | null {
    return this.#model;
  }

  /** Texts passed to the embedder and not yet answered. */
  get waitingTexts(): number {
    return this.#waitingTexts;
  }

  /** The vector of a question that was asked lately; null if there is none. */
  cached(text: string): QuestionVector | null {
    const vector = this.#questions.get(text);
    if (vector === undefined || this.#model === null) return null;
    this.#questions.delete(text);
    this.#questions.set(text, vector);
    return { state: 'ready', vector, model: this.#model };
  }

  /** The vector of a question, however long it takes. Never throws. */
  async read(text: string): Promise<QuestionVector> {
    try {
      const { signal } = new AbortController();
      const [vector] = await this.#embed({ texts: [text], purpose: 'query', signal });
      const model = await this.#modelOf(vector!.length);
      this.#questions.set(text, vector!);
      if (this.#questions.size > CACHED_QUESTIONS_MAX)
        this.#questions.delete(this.#questions.keys().next().value!);
      return { state: 'ready', vector: vector!, model };
    } catch (error) {
      this.#options.platform.log('warn', 'embedder_failed', {
        cause: String(error instanceof Error ? (error.cause ?? error) : error),
      });
      return { state: 'unavailable' };
    }
  }

  /** The vectors of questions that nobody waits for. Throws what the embedder throws. */
  questionVectors(texts: readonly string[], signal: AbortSignal): Promise<MadeVectors> {
    return this.#vectors({ texts, purpose: 'query', signal });
  }

  /**
   * The vectors of catalogue texts, and the model to store them under. Equal texts share a vector,
   * and one that was embedded lately is not embedded again. Throws what the embedder throws.
   */
  async offeringVectors(texts: readonly string[], signal: AbortSignal): Promise<MadeVectors> {
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

  async close(): Promise<void> {
    await this.#options.embedder.close();
  }

  #remember(texts: readonly string[], vectors: readonly Float32Array[]): void {
    for (const [at, text] of texts.entries()) this.#remembered.set(text, vectors[at]!);
    for (const text of this.#remembered.keys()) {
      if (this.#remembered.size <= REMEMBERED_TEXTS_MAX) return;
      this.#remembered.delete(text);
    }
  }

  async #vectors(reading: Reading): Promise<MadeVectors> {
    const vectors = await this.#embed(reading);
    return { vectors, model: await this.#modelOf(vectors[0]!.length) };
  }

  async #embed({ texts, purpose, signal }: Reading): Promise<Float32Array[]> {
    const { embedder, platform, counts } = this.#options;
    const startedMs = platform.monotonicMs();
    let isRead = false;
    this.#waitingTexts += texts.length;
    try {
      const vectors = await embedder.embed(texts, purpose, signal);
      isRead = true;
      return vectors;
    } finally {
      this.#waitingTexts -= texts.length;
      counts.readMs += platform.monotonicMs() - startedMs;
      if (isRead) counts.textsRead += texts.length;
      else counts.failures += 1;
    }
  }

  async #modelOf(dimensions: number): Promise<EmbeddingModel> {
    const { db, embedder, source } = this.#options;
    const { tag } = embedder;
    if (this.#model?.dimensions !== dimensions || this.#model.tag !== tag) {
      const saved = await saveEmbeddingModel(db, { tag, dimensions, source });
      const scale = saved.scale ?? embedder.cosineScale ?? (await this.#measure(saved.key));
      this.#model = { key: saved.key, tag, dimensions, scale };
      // Vectors of two models cannot be compared.
      this.#questions.clear();
      this.#remembered.clear();
    }
    return this.#model;
  }

  /** Measures the model's cosines the first time it is used. Throws what the embedder throws. */
  async #measure(key: number): Promise<CosineScale> {
    const { db, embedder, platform } = this.#options;
    const { scale } = await measureCosines(embedder, new AbortController().signal);
    if (scale === null) {
      platform.log('warn', 'embedder_understands_nothing', {
        model: embedder.tag,
        hint: 'it tells related from unrelated texts in no language: run "vitrine model check"',
      });
      return REFERENCE_SCALE;
    }
    await db.write([saveCosineScale(key, scale)]);
    return scale;
  }
}
