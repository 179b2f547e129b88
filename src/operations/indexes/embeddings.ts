import { AppError } from '../../domain/errors.ts';
import { REFERENCE_SCALE } from '../../models/cosine-scale.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Platform } from '../../platform.ts';
import {
  type EmbeddingModelRow,
  findEmbeddingModel,
} from '../../storage/catalog/embedding-models.ts';
import type { Database } from '../../storage/engine/database.ts';
import {
  type EmbeddingModel,
  type MadeVectors,
  OpenModel,
  type QuestionVector,
} from './open-model.ts';
import { VectorProgress } from './vector-progress.ts';

export type { EmbeddingModel, QuestionVector } from './open-model.ts';

/**
 * Loading the model takes more than one core, so requests that waited for the start are answered
 * first.
 */
const WARM_UP_AFTER_MS = 100;

/** Of the built-in model. */
const BUILT_IN_DIMENSIONS = 384;

export interface EmbeddingsOptions {
  readonly db: Database;
  readonly platform: Platform;
  /** Null: search by words alone. */
  readonly embedder: Embedder | null;
  /** How to open `embedder` after another one was configured. */
  readonly source?: object | null;
  /** How long a search waits for a question's vector. */
  readonly budgetMs: number;
  /** Opens a model that was in use before; null if it cannot be opened. Default: none can. */
  readonly openFormer?: OpenFormer;
}

export type OpenFormer = (
  former: Pick<EmbeddingModelRow, 'tag' | 'source'>,
) => FormerEmbedder | null;

/** An embedder that was in use before. */
export interface FormerEmbedder {
  readonly embedder: Embedder;
  /** Whether it is gone for good if it does not answer. An endpoint may come back. */
  readonly isLocal: boolean;
}

/**
 * The configured embedding model, and former ones whose vectors still answer. A question is
 * embedded by the model whose vectors it is compared with, and by no other.
 */
export class Embeddings {
  readonly #options: EmbeddingsOptions;
  /** The configured model; null: search by words alone. */
  readonly #current: OpenModel | null;
  /** Former models by key, opened when first asked for; null for one that is gone. */
  readonly #formers = new Map<number, Promise<OpenModel | null>>();
  readonly #rows = new Map<number, EmbeddingModel>();
  readonly counts = { asked: 0, cached: 0, timeouts: 0, failures: 0, textsRead: 0, readMs: 0 };
  /** Of the catalogues' documents. */
  readonly progress: VectorProgress;
  /** Resolves when the model is loaded or has failed; null unless it is loading. */
  #warmingUp: Promise<unknown> | null = null;

  constructor(options: EmbeddingsOptions) {
    const { db, platform, embedder, source = null } = options;
    this.#options = options;
    this.progress = new VectorProgress(platform.monotonicMs);
    const { counts } = this;
    this.#current = embedder && new OpenModel({ db, platform, embedder, source, counts });
  }

  get isOn(): boolean {
    return this.#current !== null;
  }

  /** The configured model; null before its first answer, which reveals its dimensions. */
  get model(): EmbeddingModel | null {
    return this.#current?.model ?? null;
  }

  /** The dimensions of its vectors, those of the built-in model until they are known; 0 if it is off. */
  get dimensions(): number {
    return this.isOn ? (this.model?.dimensions ?? BUILT_IN_DIMENSIONS) : 0;
  }

  /**
   * The model that answers where vectors of this one are stored: the configured one where there are
   * none. Null if no model answers, or it is not known yet.
   */
  answeringKey(vectorModelKey: number | null): number | null {
    return this.isOn ? (vectorModelKey ?? this.model?.key ?? null) : null;
  }

  /** A model that was ever in use; null if there is none with that key. */
  async modelOf(key: number | null): Promise<EmbeddingModel | null> {
    if (key === null || key === this.model?.key) return key === null ? null : this.model;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = await findEmbeddingModel(this.#options.db, key);
    if (row === null) return null;
    const model = { ...row, scale: row.scale ?? REFERENCE_SCALE };
    this.#rows.set(key, model);
    return model;
  }

  /**
   * Loads the model by embedding a text. Meanwhile searches wait for it within their budget. Never
   * throws.
   */
  async warmUp(signal: AbortSignal): Promise<void> {
    if (this.#current === null) return;
    this.#warmingUp = this.#options.platform
      .sleep(WARM_UP_AFTER_MS, signal)
      .then(() => (signal.aborted ? null : this.load()));
    await this.#warmingUp;
    this.#warmingUp = null;
  }

  /** Embeds a text, however long it takes, to find out whether the embedder works. */
  async load(): Promise<QuestionVector> {
    return this.#current === null ? { state: 'unavailable' } : this.#current.read('warm-up');
  }

  /** Resolves when the model in use is known, or has failed to load. */
  get settled(): Promise<unknown> {
    return this.#warmingUp ?? Promise.resolve();
  }

  /** Whether the model in use is known, or has failed to load. False while it is loading. */
  get isSettled(): boolean {
    return this.#warmingUp === null;
  }

  /** Texts passed to the embedder and not yet answered. */
  get waitingTexts(): number {
    return this.#current?.waitingTexts ?? 0;
  }

  /**
   * The vector of a question, within the budget, made by the model with that key; null: by the
   * configured one. Never throws: without it a search uses words alone.
   */
  async questionVector(text: string, modelKey: number | null = null): Promise<QuestionVector> {
    this.counts.asked += 1;
    const answer = await this.#questionVector(text, modelKey);
    if (answer.state === 'timeout') this.counts.timeouts += 1;
    return answer;
  }

  async #questionVector(text: string, modelKey: number | null): Promise<QuestionVector> {
    const { platform, budgetMs } = this.#options;
    if (this.#current === null) return { state: 'unavailable' };
    if (this.#isCurrent(modelKey)) {
      const cached = this.#current.cached(text);
      if (cached !== null) {
        this.counts.cached += 1;
        return cached;
      }
    }
    const budget = new AbortController();
    try {
      const reading = this.#readWhenLoaded({ text, modelKey }, budget.signal);
      const late = platform.sleep(budgetMs, budget.signal).then(() => null);
      return (await Promise.race([reading, late])) ?? { state: 'timeout' };
    } finally {
      budget.abort();
    }
  }

  /**
   * An embedding that began within the budget continues beyond it, and is cached for the next
   * caller. One that waited for the model in vain never begins: at a start under load, such
   * questions would fill the queue.
   */
  async #readWhenLoaded(
    { text, modelKey }: { readonly text: string; readonly modelKey: number | null },
    budget: AbortSignal,
  ): Promise<QuestionVector> {
    await this.#warmingUp;
    if (budget.aborted) return { state: 'timeout' };
    const reader = await this.#readerOf(modelKey);
    if (reader === null) return { state: 'unavailable' };
    if (budget.aborted) return { state: 'timeout' };
    const read = reader.cached(text) ?? (await reader.read(text));
    // A model that is not known yet may turn out to be another one.
    const isAsked = read.state !== 'ready' || modelKey === null || read.model.key === modelKey;
    return isAsked ? read : { state: 'unavailable' };
  }

  /** As `OpenModel.offeringVectors`, by the model with that key; null: by the configured one. */
  async offeringVectors(
    texts: readonly string[],
    signal: AbortSignal,
    modelKey: number | null = null,
  ): Promise<MadeVectors> {
    return (await this.#readerOrThrow(modelKey)).offeringVectors(texts, signal);
  }

  /** The vectors of questions that nobody waits for. Throws what the embedder throws. */
  async questionVectors(
    texts: readonly string[],
    signal: AbortSignal,
    modelKey: number | null = null,
  ): Promise<MadeVectors> {
    return (await this.#readerOrThrow(modelKey)).questionVectors(texts, signal);
  }

  /** Whether questions can be embedded by this model. Opens it if it is a former one. */
  async canRead(modelKey: number): Promise<boolean> {
    return (await this.#readerOf(modelKey)) !== null;
  }

  /** Closes the former models except those with these keys. */
  async closeFormers(kept: ReadonlySet<number> = new Set()): Promise<void> {
    for (const [key, opening] of [...this.#formers]) {
      if (kept.has(key)) continue;
      this.#formers.delete(key);
      await (await opening)?.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.closeFormers(), this.#current?.close()]);
  }

  #isCurrent(modelKey: number | null): boolean {
    const { model } = this;
    return modelKey === null || model === null || model.key === modelKey;
  }

  async #readerOrThrow(modelKey: number | null): Promise<OpenModel> {
    const reader = await this.#readerOf(modelKey);
    if (reader === null) throw new AppError('unavailable', 'No embedding model is set up.');
    return reader;
  }

  /** The model with that key; the configured one while its key is not known. */
  async #readerOf(modelKey: number | null): Promise<OpenModel | null> {
    if (this.#current === null || modelKey === null || this.#isCurrent(modelKey))
      return this.#current;
    const opening = this.#formers.get(modelKey) ?? this.#openFormer(modelKey);
    this.#formers.set(modelKey, opening);
    return opening;
  }

  /** Null, logged once, for a model that cannot be opened or is not the same any more. Never throws. */
  async #openFormer(key: number): Promise<OpenModel | null> {
    const { db, platform, openFormer } = this.#options;
    const row = await findEmbeddingModel(db, key);
    const opened = row && (openFormer?.(row) ?? null);
    if (row === null || opened === null) return this.#isGone(row?.tag ?? null);
    const { embedder, isLocal } = opened;
    const { counts } = this;
    const reader = new OpenModel({ db, platform, embedder, source: null, counts });
    // A local model's tag is known once it is loaded.
    const isThere = !isLocal || (await reader.read('warm-up')).state === 'ready';
    if (isThere && embedder.tag === row.tag) return reader;
    await reader.close();
    return this.#isGone(row.tag);
  }

  #isGone(tag: string | null): null {
    this.#options.platform.log('warn', 'former_model_gone', {
      model: tag,
      hint: 'its vectors cannot answer: until the new ones are made, items without one are found by words alone',
    });
    return null;
  }
}
