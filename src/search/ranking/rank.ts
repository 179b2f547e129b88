import type { Constraint } from '../query/constraints.ts';
import { type Facts, filterByConstraints } from '../query/filter.ts';
import {
  CONFIDENCE_MIN,
  CONFIDENCE_RESULTS,
  FOREIGN_CONFIDENCE_MIN,
  WORDS_COVERAGE_MIN,
} from '../tuning/confidence-weights.ts';
import {
  LONE_COSINE_MIN,
  NEAR_COSINE,
  SIGNAL_WEIGHTS,
  type SignalWeights,
} from '../tuning/ranking-weights.ts';
import type { Candidate, Candidates } from './candidates.ts';
import { confidenceOf, confidenceSignals } from './confidence.ts';
import { type Judged, Judgement } from './judge.ts';
import { RankedColumns, type RankedList } from './ranked-list.ts';
import { coverage } from './score.ts';
import { firstPlaces, type IsBefore } from './sort-places.ts';

/** The parts of a question that ranking uses. */
export interface Asked extends Judged {
  readonly constraints: readonly Constraint[];
  /** As `Question.isSentence`. */
  readonly isSentence: boolean;
  /** As `Question.asksPolicy`. */
  readonly asksPolicy: boolean;
  /** Whether it was read as English. */
  readonly isEnglish: boolean;
  /** Left out where the shop's owner corrects nothing. */
  readonly curation?: RankCuration | null;
  /** Left out where nothing was learned. */
  readonly learned?: RankLearning | null;
}

/** What earlier customers chose. */
export interface RankLearning {
  /**
   * What is added to the score of an item, 0 or more. `fit`: how much of the question it covers,
   * compared with the item that covers most, from 0 to 1.
   */
  liftOf(id: string, fit: number): number;
}

/** How the shop's owner corrects the ranking of a question. */
export interface RankCuration {
  /** Ids of items that are left out. */
  readonly hidden: ReadonlySet<string>;
  /** Ids of items that stay, however far off they are. */
  readonly pinned: ReadonlySet<string>;
  /** What the score of the document at this place is multiplied by. */
  factorOf(document: number): number;
}

export interface RankOptions {
  /** Keeps the fused order. */
  readonly skipScoring: boolean;
  /** Defaults to SIGNAL_WEIGHTS. */
  readonly weights?: SignalWeights;
}

export interface Ranking {
  /** Best first, ties by id. Each item appears once, with its best document. */
  readonly ranked: RankedList;
  /** Constraints that were relaxed because nothing meets them. */
  readonly relaxed: ReadonlySet<Constraint>;
  /** Whether no result is a good match. */
  readonly lowConfidence: boolean;
}

/** By candidate: its score, and what choices of earlier customers added to it. */
interface Scores {
  readonly scores: Float64Array;
  readonly lifts: Float64Array;
}

/** Ranks the candidates of a question. Its rankings do not depend on those before. */
export class Ranker {
  readonly #candidates: Candidates;
  readonly #asked: Asked;
  readonly #options: Required<RankOptions>;
  readonly #judgement: Judgement;
  /** The candidates that are not left out. */
  readonly #places: Uint32Array;

  constructor(
    candidates: Candidates,
    asked: Asked,
    { skipScoring, weights = SIGNAL_WEIGHTS }: RankOptions,
  ) {
    this.#candidates = candidates;
    this.#asked = asked;
    this.#options = { skipScoring, weights };
    this.#judgement = new Judgement(candidates, asked, this.#options);
    const places = new Uint32Array(candidates.length);
    let count = 0;
    for (let place = 0; place < candidates.length; place++)
      if (!this.#isLeftOut(place)) places[count++] = place;
    this.#places = places.slice(0, count);
  }

  /** The first `count` of a ranking without feedback, from which feedback is computed. */
  best(count: number): number[] {
    // Which constraints are relaxed depends on all candidates.
    if (this.#asked.constraints.length > 0) {
      const { scores } = this.#scoresWith(null);
      return [...firstPlaces(this.#kept(scores).places, count, this.#orderOf(scores))];
    }
    const scores = new Float64Array(this.#candidates.length);
    for (let at = 0; at < this.#places.length; at++)
      scores[this.#places[at]!] = this.#judgement.scoreOf(this.#places[at]!, null);
    return [...firstPlaces(this.#places, count, this.#orderOf(scores))];
  }

  /**
   * `feedback`: relevance feedback, each candidate's cosine to the mean vector of the best ones. Null: without
   * it.
   */
  rank(feedback: ArrayLike<number> | null): Ranking {
    const scored = this.#scoresWith(feedback);
    const { places, relaxed } = this.#kept(scored.scores);
    const isBefore = this.#orderOf(scored.scores);
    const isExactCode = (place: number) => this.#judgement.isExactCode(place);
    const ranked = new RankedColumns(this.#candidates, places, {
      ...scored,
      isExactCode,
      isBefore,
    });
    return { ranked, relaxed, lowConfidence: this.#isDoubtful(ranked) };
  }

  #isLeftOut(place: number): boolean {
    const { bm25, cosines } = this.#candidates;
    const { curation } = this.#asked;
    const isFarOff = bm25[place] === 0 && (cosines[place]! || 0) < LONE_COSINE_MIN;
    if (curation === null || curation === undefined) return isFarOff;
    const id = this.#candidates.id(place);
    return curation.hidden.has(id) || (isFarOff && !curation.pinned.has(id));
  }

  #scoresWith(feedback: ArrayLike<number> | null): Scores {
    const { length, documents } = this.#candidates;
    const { curation } = this.#asked;
    const scores = new Float64Array(length);
    const lifts = this.#lifts();
    for (let at = 0; at < this.#places.length; at++) {
      const place = this.#places[at]!;
      const score = this.#judgement.scoreOf(place, feedback?.[place] ?? null);
      scores[place] = score * (curation?.factorOf(documents[place]!) ?? 1) + lifts[place]!;
    }
    return { scores, lifts };
  }

  /** What choices add to the score of each candidate. */
  #lifts(): Float64Array {
    const { length, matched } = this.#candidates;
    const { learned = null, groups } = this.#asked;
    const lifts = new Float64Array(length);
    if (learned === null || this.#options.skipScoring) return lifts;
    const covered = matched.map((shares) => coverage(groups, shares));
    const most = covered.reduce((best, share) => Math.max(best, share), 0);
    for (const place of this.#places) {
      const fit = most === 0 ? 1 : covered[place]! / most;
      lifts[place] = learned.liftOf(this.#candidates.id(place), fit);
    }
    return lifts;
  }

  /** The candidates that meet the constraints, in no order, and which of these were relaxed. */
  #kept(scores: Float64Array): { places: ArrayLike<number>; relaxed: Ranking['relaxed'] } {
    const places = this.#bestOfItems(scores);
    return this.#asked.constraints.length === 0
      ? { places, relaxed: NONE_RELAXED }
      : this.#filter(places, scores);
  }

  /** One candidate of each item. Only a context has several, one for each passage. */
  #bestOfItems(scores: Float64Array): ArrayLike<number> {
    const candidates = this.#candidates;
    if (!this.#hasContext()) return this.#places;
    const offerings = this.#places.filter((place) => !candidates.isContext(place));
    const bestOfContext = new Map<number, number>();
    for (const place of this.#places) {
      if (!candidates.isContext(place)) continue;
      const key = candidates.itemKey(place);
      const best = bestOfContext.get(key);
      if (best === undefined || scores[place]! > scores[best]!) bestOfContext.set(key, place);
    }
    return [...offerings, ...bestOfContext.values()];
  }

  #hasContext(): boolean {
    for (let at = 0; at < this.#places.length; at++)
      if (this.#candidates.isContext(this.#places[at]!)) return true;
    return false;
  }

  #filter(
    places: ArrayLike<number>,
    scores: Float64Array,
  ): { places: number[]; relaxed: Ranking['relaxed'] } {
    const candidates = this.#candidates;
    const items = Array.from(places, (place): Facts & { place: number; score: number } => ({
      place,
      score: scores[place]!,
      isContext: candidates.isContext(place),
      available: candidates.isAvailable(place),
      facts: candidates.facts(place),
      presences: candidates.presences?.[place] ?? [],
    }));
    const { kept, relaxed } = filterByConstraints(items, this.#asked.constraints);
    return { places: kept.map(({ place }) => place), relaxed };
  }

  /** An exact code ranks first, whatever the other signals say. */
  #orderOf(scores: Float64Array): IsBefore {
    const judgement = this.#judgement;
    const candidates = this.#candidates;
    return (left, right) => {
      const isLeftExact = judgement.isExactCode(left);
      if (isLeftExact !== judgement.isExactCode(right)) return isLeftExact;
      if (scores[left] !== scores[right]) return scores[left]! > scores[right]!;
      return candidates.compareIds(left, right) < 0;
    };
  }

  #isDoubtful(ranked: RankedColumns): boolean {
    const asked = this.#asked;
    const { groups } = asked;
    const first = ranked.slice(0, CONFIDENCE_RESULTS);
    const hasVector = asked.hasVector && first.some(({ cosine }) => cosine !== null);
    if (first.some(({ isExactCode }) => isExactCode)) return false;
    const covered = Math.max(0, ...first.map(({ matched }) => coverage(groups, matched)));
    // An incomplete word has no useful vector.
    const isPrefix = groups.length === 1 && groups[0]!.alternatives.at(-1)!.endsWith('*');
    if (!hasVector || (isPrefix && covered > 0)) return covered < WORDS_COVERAGE_MIN;
    if (asked.asksPolicy && !first.some(isPolicy)) return true;
    const least = asked.isEnglish ? CONFIDENCE_MIN : FOREIGN_CONFIDENCE_MIN;
    const scores = this.#ownScores(ranked, first.length);
    const results = first.map(({ isContext, cosine, matched, typed }, at) => {
      return { isContext, cosine, matched, typed, score: scores[at]! };
    });
    return confidenceOf(confidenceSignals(results, asked)) < least;
  }

  /** The scores of the first results without what curation and learning changed in them. */
  #ownScores(ranked: RankedColumns, count: number): number[] {
    if (this.#options.skipScoring) {
      const scored = { ...this.#options, skipScoring: false };
      const judgement = new Judgement(this.#candidates, this.#asked, scored);
      const places = ranked.order(count).subarray(0, count);
      return Array.from(places, (place) => judgement.scoreOf(place, null));
    }
    const { curation } = this.#asked;
    return ranked.slice(0, count).map(({ score, lift, document }) => {
      return (score - lift) / (curation?.factorOf(document) ?? 1);
    });
  }
}

const NONE_RELAXED: Ranking['relaxed'] = new Set();

/** Whether a context may answer a question about the shop. */
function isPolicy({ isContext, cosine }: Candidate): boolean {
  return isContext && (cosine ?? 0) >= NEAR_COSINE;
}
