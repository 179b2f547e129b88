import type { CosineScale } from '../cosine-scale.ts';
import type { Embedder } from '../embedder.ts';
import { CALIBRATION_PAIRS, type CalibrationPair } from './calibration-pairs.ts';

/** A model understands a language if at most this many questions are nearer to a wrong answer. */
const WRONG_MAX = 1;

/**
 * The built-in model gives related texts a cosine that is this many standard deviations of unrelated
 * ones above their mean.
 */
const REFERENCE_DEVIATIONS = 4.9;

/** How a model tells related from unrelated texts in one language. */
export interface LanguageCosines extends CosineScale {
  readonly language: string;
  /** The standard deviation of the cosines of unrelated texts. */
  readonly deviation: number;
  readonly questionCount: number;
  /** Questions whose own answer is the nearest. */
  readonly rightCount: number;
}

export interface MeasuredCosines {
  readonly languages: readonly LanguageCosines[];
  /**
   * From the means over the languages that the model understands; null if it understands none. Its
   * `unrelated` is lower than that mean where a model separates the two less clearly than the built-in
   * one: the noise of its cosines would otherwise outweigh the other signals of ranking.
   */
  readonly scale: CosineScale | null;
}

/** Embeds the calibration pairs. Rejects as the embedder does. */
export async function measureCosines(
  embedder: Embedder,
  signal: AbortSignal,
): Promise<MeasuredCosines> {
  const pairs = [...CALIBRATION_PAIRS.values()].flat();
  const questions = await embedder.embed(textsOf(pairs, 'question'), 'query', signal);
  const answers = await embedder.embed(textsOf(pairs, 'answer'), 'offering', signal);
  const languages = [...CALIBRATION_PAIRS].map(([language, { length }]) => ({
    language,
    ...compare(questions.splice(0, length), answers.splice(0, length)),
  }));
  return { languages, scale: meanScale(languages.filter(isUnderstood)) };
}

function isUnderstood({ questionCount, rightCount }: LanguageCosines): boolean {
  return questionCount - rightCount <= WRONG_MAX;
}

function textsOf(pairs: readonly CalibrationPair[], side: keyof CalibrationPair): string[] {
  return pairs.map((pair) => pair[side]);
}

function compare(
  questions: readonly Float32Array[],
  answers: readonly Float32Array[],
): Omit<LanguageCosines, 'language'> {
  const cosines = questions.map((question) => answers.map((answer) => cosine(question, answer)));
  const related = cosines.map((row, at) => row[at]!);
  const unrelated = cosines.flatMap((row, at) => row.filter((_, other) => other !== at));
  return {
    questionCount: questions.length,
    rightCount: cosines.filter((row, at) => row.every((value, to) => to === at || value < row[at]!))
      .length,
    related: mean(related),
    unrelated: mean(unrelated),
    deviation: deviationOf(unrelated),
  };
}

function meanScale(languages: readonly LanguageCosines[]): CosineScale | null {
  if (languages.length === 0) return null;
  const related = mean(languages.map((language) => language.related));
  const unrelated = mean(languages.map((language) => language.unrelated));
  const deviation = mean(languages.map((language) => language.deviation));
  return { related, unrelated: Math.min(unrelated, related - REFERENCE_DEVIATIONS * deviation) };
}

/** The cosine of unit vectors of one length. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

function deviationOf(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
