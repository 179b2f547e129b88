import { WIDER_QUESTION_COSINE } from '../tuning/learning-weights.ts';
import { VectorKernel } from '../vectors/vector-kernel.ts';
import { quantiseVector8, type Vector8 } from '../vectors/vector8.ts';

const EVERY_ROW = { key: '', hides: null, allows: () => true };

/** Finds which of a fixed list of questions are near a vector. */
export class NearQuestions {
  readonly #kernel: VectorKernel;

  /** The vectors have equal lengths; there is at least one. */
  constructor(vectors: readonly Vector8[]) {
    this.#kernel = new VectorKernel(vectors[0]!.bytes.length);
    for (const vector of vectors) this.#kernel.append(vector);
    const sealing = this.#kernel.seal();
    while (sealing.next().done !== true);
    this.#kernel.narrow(EVERY_ROW);
  }

  /** The places in the list of the questions that are near on the reference scale, nearest first: as near as any
   * two questions must be to have to do with each other. */
  near(
    vector: Float32Array,
    nearness: (cosine: number) => number,
  ): { readonly place: number; readonly cosine: number }[] {
    if (!this.#kernel.ask(quantiseVector8(vector))) return [];
    const near: { place: number; cosine: number }[] = [];
    const count = this.#kernel.search(1);
    for (let at = 0; at < count; at++) {
      const cosine = nearness(this.#kernel.cosine(at));
      if (cosine >= WIDER_QUESTION_COSINE) near.push({ place: this.#kernel.list[at]!, cosine });
    }
    return near.sort((left, right) => right.cosine - left.cosine || left.place - right.place);
  }
}
