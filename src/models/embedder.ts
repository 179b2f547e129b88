/** Turns text into vectors whose cosine says how close the meanings are. */
export interface Embedder {
  /** Names model and backend, so that vectors made by another one are made again. */
  readonly tag: string;
  /** Length of every vector. Null until the first answer where only the endpoint knows. */
  readonly dimensions: number | null;
  /**
   * One unit vector for each text, in order. Rejects with `AppError('unavailable')` when the model
   * cannot answer, and with the signal's reason when it aborts.
   */
  embed(
    texts: readonly string[],
    purpose: 'query' | 'offering',
    signal: AbortSignal,
  ): Promise<Float32Array[]>;
  /** Releases threads and memory. */
  close(): Promise<void>;
}
