import {
  CLIENTS_MIN,
  FIT_POWER,
  FULL_SHARE,
  LEARNED_MAX,
  NEAR_QUESTIONS_MAX,
  OTHER_QUESTION_COSINE,
  PLACE_WEIGHT_MAX,
  POPULARITY_HALF,
  POPULARITY_MAX,
  SMOOTHING,
  WIDER_QUESTION_COSINE,
} from '../tuning/learning-weights.ts';
import type { Vector8 } from '../vectors/vector8.ts';
import { presentFactor } from './decay.ts';
import { NearQuestions } from './near-questions.ts';

/** The clients that chose an item or asked a question. */
export interface Tally {
  readonly voices: number;
  /** The sum of the voices' stored weights. */
  readonly weight: number;
}

/** Why choices move an item. */
export interface ChosenReason {
  /**
   * `same`: chosen by those who asked this question; `near`: by those who asked nearly the same;
   * `any`: whatever was asked.
   */
  readonly asked: 'same' | 'near' | 'any';
  readonly chosenBy: number;
  /** Those who asked; not less than `chosenBy`. */
  readonly of: number;
}

/** What was learned about the answers to one question. */
export interface LearnedAnswers {
  /**
   * What is added to the score of an item, from 0 to LEARNED_MAX. `fit`: how much of the question it
   * covers, compared with the item that covers most, from 0 to 1.
   */
  liftOf(itemId: string, fit: number): number;
  /** The main reason for this lift of an item; null if it is 0. */
  reasonOf(itemId: string, lift: number): ChosenReason | null;
}

/** A question as it is looked up. */
export interface AskedQuestion {
  readonly key: string;
  readonly terms: readonly string[];
  readonly limits: string;
  /** Null: only the same question counts. */
  readonly vector: Float32Array | null;
  /** Converts a cosine of the vector's model to the reference scale. */
  nearness(cosine: number): number;
}

interface Entry {
  asked: Tally;
  /** By item. */
  readonly chosen: Map<string, Tally>;
  question: {
    readonly terms: ReadonlySet<string>;
    readonly limits: string;
    readonly vector: Vector8 | null;
  } | null;
}

interface Affinity extends ChosenReason {
  readonly lift: number;
}

const NOBODY: Tally = { voices: 0, weight: 0 };

/** What an organization's customers have chosen. Filled with `put…`, ready after `seal`. */
export class LearnedModel {
  readonly #byQuestion = new Map<string, Entry>();
  #near: NearQuestions | null = null;
  #nearEntries: readonly Entry[] = [];
  #isSealed = true;

  /** The number of pairs of a question and an item. */
  get pairCount(): number {
    let count = 0;
    for (const { chosen } of this.#byQuestion.values()) count += chosen.size;
    return count;
  }

  /** An empty `questionKey` stands for any question, an empty `itemId` for having asked. */
  putPair(questionKey: string, itemId: string, { voices, weight }: Tally): void {
    const entry = this.#entry(questionKey);
    if (itemId === '') entry.asked = { voices, weight };
    else entry.chosen.set(itemId, { voices, weight });
    this.#isSealed = false;
  }

  /** `vector` null: the question is only found by its key. */
  putQuestion(questionKey: string, question: NonNullable<Entry['question']>): void {
    this.#entry(questionKey).question = question;
    this.#isSealed = false;
  }

  /** Call it after the last `put…`. Takes a millisecond for each thousand questions. */
  seal(): void {
    if (this.#isSealed) return;
    this.#isSealed = true;
    const found: { entry: Entry; vector: Vector8 }[] = [];
    for (const [key, entry] of this.#byQuestion) {
      const vector = entry.question?.vector ?? null;
      if (key !== '' && vector !== null && hasChoices(entry)) found.push({ entry, vector });
    }
    this.#nearEntries = found.map(({ entry }) => entry);
    this.#near = found.length === 0 ? null : new NearQuestions(found.map(({ vector }) => vector));
  }

  /** Null if nothing was learned that could move an answer. Pure. */
  answersTo(asked: AskedQuestion, nowMs: number): LearnedAnswers | null {
    const { key, limits, vector } = asked;
    const decay = presentFactor(nowMs);
    const affinities = new Map<string, Affinity>();
    const same = this.#byQuestion.get(key);
    if (same !== undefined && key !== '')
      addAffinities(affinities, same, { decay, asked: 'same', nearness: 1 });
    if (vector !== null && this.#near !== null) {
      const near = this.#near
        .near(vector, asked.nearness)
        .map(({ place, cosine }) => ({ entry: this.#nearEntries[place]!, cosine }))
        .filter(({ entry }) => entry !== same && entry.question!.limits === limits)
        .map(({ entry, cosine }) => ({ entry, nearness: nearnessOf(asked, entry, cosine) }))
        .filter(({ nearness }) => nearness > 0);
      for (const { entry, nearness } of near.slice(0, NEAR_QUESTIONS_MAX))
        addAffinities(affinities, entry, { decay, asked: 'near', nearness });
    }
    const any = this.#byQuestion.get('');
    const isEmpty = affinities.size === 0 && (any === undefined || !hasChoices(any));
    return isEmpty ? null : new Answers(affinities, any, decay);
  }

  #entry(questionKey: string): Entry {
    const known = this.#byQuestion.get(questionKey);
    if (known !== undefined) return known;
    const entry: Entry = { asked: NOBODY, chosen: new Map(), question: null };
    this.#byQuestion.set(questionKey, entry);
    return entry;
  }
}

class Answers implements LearnedAnswers {
  readonly #affinities: ReadonlyMap<string, Affinity>;
  readonly #any: Entry | undefined;
  readonly #decay: number;

  constructor(affinities: ReadonlyMap<string, Affinity>, any: Entry | undefined, decay: number) {
    this.#affinities = affinities;
    this.#any = any;
    this.#decay = decay;
  }

  liftOf(itemId: string, fit: number): number {
    const affinity = this.#affinities.get(itemId);
    const share = affinity?.asked === 'near' ? fit ** FIT_POWER : 1;
    const lift = affinity === undefined ? 0 : affinity.lift * share;
    return lift + this.#popularity(itemId);
  }

  reasonOf(itemId: string, lift: number): ChosenReason | null {
    if (lift === 0) return null;
    const affinity = this.#affinities.get(itemId);
    if (affinity !== undefined && lift > this.#popularity(itemId)) return affinity;
    return reason('any', this.#any!.chosen.get(itemId)!, this.#any!.asked);
  }

  #popularity(itemId: string): number {
    const chosen = this.#any?.chosen.get(itemId) ?? NOBODY;
    if (chosen.voices < CLIENTS_MIN) return 0;
    const weight = present(chosen, this.#decay);
    return (POPULARITY_MAX * weight) / (weight + POPULARITY_HALF);
  }
}

function hasChoices({ chosen }: Entry): boolean {
  for (const { voices } of chosen.values()) if (voices >= CLIENTS_MIN) return true;
  return false;
}

/** Adds what those who asked a question chose; of two reasons for an item, the stronger one stays. */
function addAffinities(
  affinities: Map<string, Affinity>,
  { asked, chosen }: Entry,
  { decay, ...how }: { decay: number; asked: 'same' | 'near'; nearness: number },
): void {
  const askedWeight = present(asked, decay);
  for (const [itemId, tally] of chosen) {
    if (tally.voices < CLIENTS_MIN) continue;
    const share = present(tally, decay) / (askedWeight + SMOOTHING);
    const most = LEARNED_MAX - POPULARITY_MAX;
    const lift = most * how.nearness * Math.min(1, share / FULL_SHARE);
    if (lift <= (affinities.get(itemId)?.lift ?? 0)) continue;
    affinities.set(itemId, { lift, ...reason(how.asked, tally, asked) });
  }
}

/**
 * How much of what was learned for a question counts for another, from 0 to 1. Nothing of a narrower
 * one: who asks for a projector does not want a projector screen.
 */
function nearnessOf({ terms }: AskedQuestion, { question }: Entry, cosine: number): number {
  const learned = question!.terms;
  const isWider = learned.isSubsetOf(new Set(terms));
  if (!isWider && terms.every((term) => learned.has(term))) return 0;
  const least = isWider ? WIDER_QUESTION_COSINE : OTHER_QUESTION_COSINE;
  return Math.max(0, (cosine - least) / (1 - least));
}

function reason(
  asked: ChosenReason['asked'],
  chosen: Tally,
  { voices }: Tally,
): Pick<Affinity, 'asked' | 'chosenBy' | 'of'> {
  return { asked, chosenBy: chosen.voices, of: Math.max(voices, chosen.voices) };
}

/** The weight of voices now. Those from a time when the clock was ahead count at most in full. */
function present({ voices, weight }: Tally, decay: number): number {
  return Math.min(weight * decay, voices * PLACE_WEIGHT_MAX);
}
