import type { CosineScale } from './cosine-scale.ts';

/** Turns texts into embeddings: vectors whose cosine measures how similar two texts are in meaning. */
export interface Embedder {
  /** Identifies model and backend; vectors with another tag are computed again. */
  readonly tag: string;
  /** Null if it is not known and must be measured. */
  readonly cosineScale: CosineScale | null;
  /**
   * Returns one unit vector per text, in order. Rejects with `AppError('unavailable')` if the model
   * cannot answer, and with the signal's reason if it aborts.
   */
  embed(
    texts: readonly string[],
    purpose: 'query' | 'offering',
    signal: AbortSignal,
  ): Promise<Float32Array[]>;
  /** Releases threads and memory. */
  close(): Promise<void>;
}
