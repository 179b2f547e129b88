import type { TermGroup } from '../query/expand-terms.ts';
import { contradicts } from '../query/filter.ts';
import {
  ACCESSORY_FACTOR,
  ASKED_SHOP_FACTOR,
  HOST_FACTOR,
  MENTIONED_FACTOR,
  NEAR_COSINE,
  OTHER_SERVICE_FACTOR,
  PRODUCT_SHARE_MIN,
  type SignalWeights,
  UNAVAILABLE_FACTOR,
  WRONG_SIZE_FACTOR,
} from '../tuning/ranking-weights.ts';
import type { Candidates } from './candidates.ts';
import { coverage, fusedScore, LocalScore } from './score.ts';

/** The parts of a question by which single candidates are judged. */
export interface Judged {
  readonly groups: readonly TermGroup[];
  /** The terms of the sizes asked for. */
  readonly measures: readonly string[];
  /** Whether the question has a vector. */
  readonly hasVector: boolean;
  /** The group that names the product asked for; -1 without groups. */
  readonly headGroup: number;
  /** As `Question.asksShop`. */
  readonly asksShop: boolean;
}

interface JudgeOptions {
  /** Judges by the fused score alone. */
  readonly skipScoring: boolean;
  readonly weights: SignalWeights;
}

/** What changes a score, one bit each. */
const EXACT_CODE = 1;
const WRONG_SIZE = 2;
const MENTIONED = 4;

/**
 * How well each candidate answers a question. Feedback changes only one of the signals, so that the others are
 * judged once. Pure.
 */
export class Judgement {
  readonly #candidates: Candidates;
  readonly #asked: Judged;
  readonly #skipsScoring: boolean;
  readonly #local: LocalScore;
  /** By candidate: its fused score, or the sum of its signals. */
  readonly #sums: Float64Array;
  /** By candidate: how well its kind (product, service or context) fits the question. */
  readonly #factors: Float64Array;
  readonly #marks: Uint8Array;

  constructor(candidates: Candidates, asked: Judged, { skipScoring, weights }: JudgeOptions) {
    this.#candidates = candidates;
    this.#asked = asked;
    this.#skipsScoring = skipScoring;
    this.#local = new LocalScore(weights, asked.hasVector);
    this.#sums = new Float64Array(candidates.length);
    this.#factors = new Float64Array(candidates.length);
    this.#marks = new Uint8Array(candidates.length);
    this.#addSignals();
    this.#addFactors();
    this.#addMarks();
  }

  /** Whether it has exactly a code that was asked for. */
  isExactCode(place: number): boolean {
    return (this.#marks[place]! & EXACT_CODE) !== 0;
  }

  /** From 0 to 1. `feedback`: its cosine to the mean vector of the best candidates; null in the first ranking. */
  scoreOf(place: number, feedback: number | null): number {
    const marks = this.#marks[place]!;
    if ((marks & EXACT_CODE) !== 0) return 1;
    let score = this.#sums[place]!;
    if (!this.#skipsScoring)
      score = this.#local.meanOf(score, feedback === null ? null : Math.max(0, feedback));
    if (!this.#candidates.isAvailable(place)) score *= UNAVAILABLE_FACTOR;
    if (!this.#skipsScoring) score = Math.min(1, score * this.#factors[place]!);
    if ((marks & WRONG_SIZE) !== 0) score *= WRONG_SIZE_FACTOR;
    if ((marks & MENTIONED) !== 0) score *= MENTIONED_FACTOR;
    return score;
  }

  #addSignals(): void {
    const { length, bm25, texts, cosines, matched, typed, names } = this.#candidates;
    const { groups, hasVector, headGroup } = this.#asked;
    let best = Number.MIN_VALUE;
    for (let place = 0; place < length; place++) best = Math.max(best, bm25[place]!);
    // One object serves all candidates.
    const signals = {
      words: 0,
      text: 0,
      coverage: 0,
      type: 0,
      cosine: 0,
      density: 0,
      adjacency: 0,
      head: 0,
    };
    for (let place = 0; place < length; place++) {
      const name = names[place]!;
      signals.words = bm25[place]! / best;
      signals.text = texts[place]!;
      signals.coverage = coverage(groups, matched[place]!);
      signals.type = coverage(groups, typed[place]!);
      signals.cosine = Math.max(0, cosines[place]! || 0);
      signals.density = name.density;
      signals.adjacency = name.adjacency;
      // Sometimes only the type says what a product is.
      signals.head = Math.max(name.head, typed[place]![headGroup] ?? 0);
      this.#sums[place] = this.#skipsScoring
        ? fusedScore(signals, hasVector)
        : this.#local.sumOf(signals);
    }
  }

  #addFactors(): void {
    const hasProduct = hasProductAmong(this.#candidates);
    const hasVague = this.#asked.groups.some(({ isVague }) => isVague === true);
    for (let place = 0; place < this.#factors.length; place++)
      this.#factors[place] = this.#kindFactor(place, { hasProduct, hasVague });
  }

  #kindFactor(
    place: number,
    { hasProduct, hasVague }: { readonly hasProduct: boolean; readonly hasVague: boolean },
  ): number {
    const candidates = this.#candidates;
    const isContext = candidates.isContext(place);
    if (this.#asked.asksShop)
      return isContext && candidates.cosines[place]! >= NEAR_COSINE ? ASKED_SHOP_FACTOR : 1;
    const name = candidates.names[place]!;
    if (name.isHost || (hasVague && this.#isVagueOnly(place))) return HOST_FACTOR;
    if (isContext) return 1;
    if (candidates.isService(place)) return name.hasNoun ? 1 : OTHER_SERVICE_FACTOR;
    return name.isAccessory && hasProduct ? ACCESSORY_FACTOR : 1;
  }

  /** Whether it has only words of the question that stand for any product. */
  #isVagueOnly(place: number): boolean {
    const matched = this.#candidates.matched[place]!;
    let isVague = false;
    for (const [index, group] of this.#asked.groups.entries()) {
      if ((matched[index] ?? 0) === 0) continue;
      if (group.isVague !== true) return false;
      isVague = true;
    }
    return isVague;
  }

  #addMarks(): void {
    const candidates = this.#candidates;
    const { groups, measures } = this.#asked;
    const codes = groups.flatMap(({ isCode }, index) => (isCode === true ? [index] : []));
    // Nearly always there is nothing to mark.
    if (codes.length === 0 && measures.length === 0 && candidates.presences === null) return;
    const isOtherSize = contradicts(measures);
    for (let place = 0; place < candidates.length; place++) {
      if (codes.some((code) => candidates.matched[place]![code] === 1))
        this.#marks[place]! |= EXACT_CODE;
      if (measures.length > 0 && isOtherSize(candidates.facts(place).measures))
        this.#marks[place]! |= WRONG_SIZE;
      const presences = candidates.presences?.[place] ?? [];
      if (presences.some((presence) => presence === 'mentioned' || presence === 'clear'))
        this.#marks[place]! |= MENTIONED;
    }
  }
}

/** Whether candidates are the product asked for, so that its accessories are not meant. */
function hasProductAmong({ names }: Candidates): boolean {
  let products = 0;
  let accessories = 0;
  for (const name of names) {
    if (name.isAccessory) accessories += 1;
    else if (name.head === 1) products += 1;
  }
  return products > PRODUCT_SHARE_MIN * accessories;
}
