import { toReferenceScale } from '../../models/cosine-scale.ts';
import type { LearnedAnswers } from '../../search/learning/learned-model.ts';
import type { Question } from '../../search/query/parse-question.ts';
import type { Candidates } from '../../search/ranking/candidates.ts';
import { type Asked, type RankCuration, Ranker, type Ranking } from '../../search/ranking/rank.ts';
import { FEEDBACK_CANDIDATES } from '../../search/tuning/ranking-weights.ts';
import { boostFactor, type Curated } from '../curation/curations.ts';
import { orderResults } from './order-results.ts';
import type { Retrieved, RetrieveQuery } from './retrieve.ts';
import type { SearchServices } from './search-services.ts';
import type { Understood } from './understand-terms.ts';

export interface RankQuery {
  /** `skipScoring`: keeps the fused order. */
  readonly input: { readonly organizationKey: number; readonly skipScoring: boolean };
  readonly question: Question;
  readonly understood: Understood;
  /** Null if the shops' owners correct nothing. */
  readonly curated: Curated | null;
  /** Null: the candidates were retrieved by words alone. */
  readonly embedding: RetrieveQuery['embedding'];
}

export interface Described {
  readonly retrieved: Retrieved;
  /** The documents of `retrieved`, in the same order. */
  readonly candidates: Candidates;
}

/** A ranking, with what moved candidates besides their own signals. */
export interface RankedCandidates extends Ranking {
  readonly curation: RankCuration | null;
  /** Null where the fused order is kept. */
  readonly learned: LearnedAnswers | null;
}

/** Ranks candidates by their signals, the owners' rules and what customers chose. */
export async function rankCandidates(
  { learned: learning }: SearchServices,
  query: RankQuery,
  { retrieved, candidates }: Described,
): Promise<RankedCandidates> {
  const { input, question, understood, curated, embedding } = query;
  const { organizationKey, skipScoring } = input;
  const curation = rankCuration(curated, retrieved);
  const learned = skipScoring ? null : learning.answersTo({ organizationKey, question, embedding });
  const hasVector = embedding !== null;
  const asked = askedBy(question, understood, { hasVector, curation, learned });
  const ranker = new Ranker(candidates, asked, { skipScoring });
  const feedback = skipScoring ? null : feedbackOf(ranker, retrieved, embedding);
  const { constraints, headGroup } = asked;
  const ranking = await orderResults(ranker.rank(feedback), { constraints, headGroup, retrieved });
  return { ...ranking, curation, learned };
}

/** What the owners' rules mean for the documents that were retrieved. */
function rankCuration(curated: Curated | null, { parts }: Retrieved): RankCuration | null {
  if (curated === null) return null;
  const { pins, hidden, boosts } = curated;
  return {
    hidden,
    pinned: new Set(pins.map(({ id }) => id)),
    factorOf: (document) =>
      boosts.size === 0 ? 1 : boostFactor(boosts, parts.index.storedOf(document)),
  };
}

function askedBy(
  { isSentence, asksShop, asksPolicy, measures, constraints, language }: Question,
  { groups, headGroup }: Understood,
  further: Pick<Asked, 'hasVector' | 'curation' | 'learned'>,
): Asked {
  return {
    groups,
    headGroup,
    isSentence,
    asksShop,
    asksPolicy,
    measures,
    constraints,
    isEnglish: language.code === 'en',
    ...further,
  };
}

/**
 * Relevance feedback: the cosine of each candidate to the mean of the best of a first ranking. Null
 * without a vector. Rocchio, "Relevance feedback in information retrieval", 1971, applied to vectors
 * instead of words; the first answers are assumed to be relevant.
 */
function feedbackOf(
  ranker: Ranker,
  retrieved: Retrieved,
  embedding: RetrieveQuery['embedding'],
): Float64Array | null {
  if (embedding === null) return null;
  const cosines = retrieved.measureCommon(ranker.best(FEEDBACK_CANDIDATES));
  const toReference = toReferenceScale(embedding.model.scale);
  const feedback = new Float64Array(cosines.length);
  for (let place = 0; place < cosines.length; place++)
    feedback[place] = toReference(cosines[place]!);
  return feedback;
}
