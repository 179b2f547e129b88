/**
 * The mean cosines that an embedding model gives to questions and products. Models differ widely: some
 * give unrelated texts 0.05, others 0.8.
 */
export interface CosineScale {
  /** To a question and a product that does not answer it. */
  readonly unrelated: number;
  /** To a question and a product that answers it. */
  readonly related: number;
}

/**
 * The scale of the built-in model, measured on the English calibration pairs. Ranking's weights and
 * limits are stated on it.
 */
export const REFERENCE_SCALE: CosineScale = { unrelated: 0.046, related: 0.442 };

/**
 * Converts cosines of a model to the reference scale, so that equal numbers mean equal nearness:
 * linear through both means, and at most 1.
 */
export function toReferenceScale({ unrelated, related }: CosineScale): (cosine: number) => number {
  const factor = (REFERENCE_SCALE.related - REFERENCE_SCALE.unrelated) / (related - unrelated);
  const shift = REFERENCE_SCALE.unrelated - unrelated * factor;
  return (cosine) => Math.min(1, cosine * factor + shift);
}
