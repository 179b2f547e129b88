import type { Embedder } from '../embedder.ts';
import { CALIBRATION_PAIRS } from './calibration-pairs.ts';
import { cosine, type MeasuredCosines, measureCosines } from './measure-cosines.ts';

/** Vectors of the same model made elsewhere, such as by sentence-transformers. */
export interface ReferenceVector {
  readonly text: string;
  readonly purpose: 'query' | 'offering';
  readonly vector: readonly number[];
}

export interface EmbedderReport extends MeasuredCosines {
  readonly tag: string;
  readonly dimensions: number;
  readonly loadMs: number;
  /** For texts of some 40 tokens, one after the other. */
  readonly textsPerSecond: number;
  /** Null without reference vectors. The least cosine is 0 if a vector has another length. */
  readonly reference: { readonly count: number; readonly cosineMin: number } | null;
}

/** Answers that make one text of some 40 tokens. */
const ANSWERS_PER_TEXT = 3;

/** Loads an embedder and finds out what it can do. Rejects as the embedder does. */
export async function checkEmbedder(
  embedder: Embedder,
  { references, now }: { references: readonly ReferenceVector[]; now: () => number },
  signal: AbortSignal,
): Promise<EmbedderReport> {
  const openedMs = now();
  const [first] = await embedder.embed(['a'], 'query', signal);
  const loadMs = now() - openedMs;
  const measured = await measureCosines(embedder, signal);
  const texts = catalogueTexts();
  const startedMs = now();
  await embedder.embed(texts, 'offering', signal);
  const seconds = (now() - startedMs) / 1000;
  return {
    tag: embedder.tag,
    dimensions: first!.length,
    loadMs,
    textsPerSecond: texts.length / seconds,
    reference: references.length === 0 ? null : await compare(embedder, references, signal),
    ...measured,
  };
}

function catalogueTexts(): string[] {
  const answers = [...CALIBRATION_PAIRS.values()].flat().map(({ answer }) => answer);
  return answers.map((_, at) =>
    Array.from(
      { length: ANSWERS_PER_TEXT },
      (_, next) => answers[(at + next) % answers.length]!,
    ).join('. '),
  );
}

async function compare(
  embedder: Embedder,
  references: readonly ReferenceVector[],
  signal: AbortSignal,
): Promise<EmbedderReport['reference']> {
  let cosineMin = 1;
  for (const { text, purpose, vector } of references) {
    const [own] = await embedder.embed([text], purpose, signal);
    const other = Float32Array.from(vector);
    const length = Math.sqrt(cosine(other, other));
    const nearness = own!.length === other.length ? cosine(own!, other) / length : 0;
    cosineMin = Math.min(cosineMin, Number.isFinite(nearness) ? nearness : 0);
  }
  return { count: references.length, cosineMin };
}
