import type { Shop } from '../../domain/organization.ts';
import type { Message } from '../../messages/wording.ts';
import { toReferenceScale } from '../../models/cosine-scale.ts';
import type { Facets } from '../../search/index/facets.ts';
import type { LearnedAnswers } from '../../search/learning/learned-model.ts';
import type { Constraint } from '../../search/query/constraints.ts';
import { flatGroups, type TermGroup } from '../../search/query/expand-terms.ts';
import type { Question } from '../../search/query/parse-question.ts';
import {
  currencyWarning,
  type ReportedConstraint,
  reportConstraints,
} from '../../search/query/report-constraints.ts';
import { parseQuestionIn } from '../../search/query/several-languages.ts';
import { suggestSpelling } from '../../search/query/suggest-spelling.ts';
import type { Candidates } from '../../search/ranking/candidates.ts';
import { placePins } from '../../search/ranking/place-pins.ts';
import { type Asked, type RankCuration, Ranker, type Ranking } from '../../search/ranking/rank.ts';
import { listed, type RankedCandidate, type RankedList } from '../../search/ranking/ranked-list.ts';
import { unwantedPhrase } from '../../search/results/choose-variant.ts';
import { type Language, languageOf } from '../../search/text/language.ts';
import { FEEDBACK_CANDIDATES } from '../../search/tuning/ranking-weights.ts';
import { boostFactor, type Curated } from '../curation/curations.ts';
import type { QuestionVector } from '../indexes/embeddings.ts';
import type { LoadedIndex } from '../indexes/loaded-index.ts';
import { describeCandidates } from './describe-candidates.ts';
import { gradeCandidates } from './grade-candidates.ts';
import { orderResults } from './order-results.ts';
import { type Retrieved, type RetrieveQuery, retrieve } from './retrieve.ts';
import type { ScoringOutcome } from './score-candidates.ts';
import { Presentation, SearchResult } from './search-result.ts';
import type { SearchServices } from './search-services.ts';
import { type Understood, understandTerms } from './understand-terms.ts';

/** The most candidates from each retriever. */
const CANDIDATES_MAX = 150;
/** The same for a question with constraints, which remove some of them. */
const CONSTRAINED_CANDIDATES_MAX = 400;

/** The first results that are checked for the size asked for. */
const REPORTED_MAX = 20;

export interface SearchInput {
  readonly organizationKey: number;
  /** Null: every shop. Empty: none, so nothing is found. */
  readonly shops: readonly Shop[] | null;
  readonly question: string;
  readonly productsOnly: boolean;
  readonly skipScoring: boolean;
  readonly offset: number;
  readonly limit: number;
  /** For a further page: the basis of the first page's order. */
  readonly basis?: Basis;
}

/** The basis of an order, besides the catalogue: which models answered in time. */
export interface Basis {
  readonly embedding: QuestionVector['state'];
  /** Null if no language model was to be asked. */
  readonly graded: ScoringOutcome['state'] | null;
}

/**
 * What determined the final order: a language model, the embedded ranker, or neither (`skipped`).
 * `unavailable` and `timeout`: a model failed or was late. If it was the embedding model, the
 * search used words alone.
 */
export type ScoredBy = 'language_model' | 'local' | 'skipped' | 'unavailable' | 'timeout';

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /** The number of matches among the candidates. */
  readonly total: number;
  readonly totalIsExact: boolean;
  /** Counted when they are read. */
  readonly facets: Facets;
  readonly scoring: ScoredBy;
  /** The question in a spelling that the catalogue knows; null if its own is known. */
  readonly suggestion: string | null;
  /** The constraints of the question, and which of them were relaxed. */
  readonly constraints: readonly ReportedConstraint[];
  /** No result is a good match; the results are only the nearest ones. */
  readonly lowConfidence: boolean;
  readonly warnings: readonly Message[];
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  readonly indexVersion: number;
  /** For further pages. */
  readonly basis: Basis;
}

/**
 * Searches a catalogue. Word search and vector search retrieve candidates side by side; ranking
 * scores how much of the question each answers. Without a vector, because there is no embedder or
 * it is late, words alone retrieve. If nothing matches, the answer is empty, not an error. Throws
 * `unavailable` as `IndexKeeper.forSearch` does.
 */
export async function searchCatalog(
  services: SearchServices,
  input: SearchInput,
): Promise<SearchAnswer> {
  const { directory, platform } = services;
  const { basis } = input;
  const stopwatch = startStopwatch(platform.monotonicMs);
  const question = parseQuestionIn(input.question, askedLanguages(services, input));
  const loaded = await services.indexes.forSearch(input.organizationKey);
  const reading = services.embeddings.questionVector(question.embeddingText, loaded.modelKey);
  const curated = await services.curations.of(input);
  const understood = understandTerms(loaded.index, question, curated?.synonyms);
  const { groups } = understood;
  stopwatch.lap('understand');
  const read = await reading;
  // If the first page used words alone, so do the pages after it.
  const vector =
    basis === undefined || basis.embedding === 'ready' ? read : { state: basis.embedding };
  stopwatch.lap('embed');
  const embedding = vector.state === 'ready' ? vector : null;
  const pins = curated?.pins ?? [];
  const { retrieved, candidates } = findCandidates(loaded, input, {
    ...{ question, understood, embedding, pins },
  });
  stopwatch.lap('retrieve');
  const curation = rankCuration(curated, retrieved);
  const learned = recall(services, input, { question, embedding });
  const asked = askedBy(question, understood, {
    ...{ hasVector: embedding !== null, curation, learned },
  });
  const ranking = await rank({ candidates, retrieved, asked, embedding }, input);
  stopwatch.lap('rank');
  const isGraded = basis === undefined || basis.graded === 'language_model';
  const graded =
    input.skipScoring || !isGraded
      ? { ranked: ranking.ranked, lowConfidence: false, state: basis?.graded ?? null }
      : await gradeCandidates(services, {
          organizationKey: input.organizationKey,
          question: question.text,
          ranked: ranking.ranked,
        });
  const ranked = withPins(graded.ranked, pins);
  const ordered = { embedding: vector.state, graded: graded.state };
  stopwatch.lap('score');
  const page = ranked.slice(input.offset, input.offset + input.limit);
  const found = { input, question, groups, retrieved, curation, learned };
  const results = await present(services, page, found);
  stopwatch.lap('present');
  return {
    results,
    total: ranked.length,
    totalIsExact: !retrieved.isCut,
    get facets() {
      return countFacets(retrieved.parts.index, ranked);
    },
    scoring: input.skipScoring ? 'skipped' : scoringOf(graded.state, vector.state),
    suggestion: suggestSpelling(question, groups),
    constraints: report(question, understood, { ranking, results }),
    lowConfidence:
      graded.lowConfidence ||
      ranking.lowConfidence ||
      understood.codes.some(({ isKnown }) => !isKnown),
    warnings: [
      ...warningsOf(vector.state, question, ranked),
      ...(isSame(ordered, basis ?? ordered) ? [] : [OTHER_ORDER]),
    ],
    timings: stopwatch.laps,
    indexVersion: directory.indexVersion(input.organizationKey),
    basis: ordered,
  };
}

/** The languages of the shops asked. */
function askedLanguages(
  { directory }: SearchServices,
  input: SearchInput,
): [Language, ...Language[]] {
  const shops = input.shops ?? directory.shopsOf(input.organizationKey);
  const languages = shops.map(({ locale }) => languageOf(locale));
  const [first = languageOf(''), ...further] = new Set(languages);
  return [first, ...further];
}

function findCandidates(
  loaded: LoadedIndex,
  { organizationKey, shops, productsOnly }: SearchInput,
  asked: {
    readonly question: Question;
    readonly understood: Understood;
    readonly embedding: RetrieveQuery['embedding'];
    readonly pins: Curated['pins'];
  },
): { retrieved: Retrieved; candidates: Candidates } {
  const { constraints } = asked.question;
  const { groups, headGroup, accessories, compounds } = asked.understood;
  const exclusions = constraints.filter((constraint) => constraint.kind === 'exclude');
  const scope = { organizationKey, shopKeys: shops?.map(({ key }) => key) ?? null, productsOnly };
  const retrieved = retrieve(loaded, scope, {
    groups: flatGroups(groups),
    embedding: asked.embedding,
    pinned: asked.pins.map(({ documentKey }) => documentKey),
    limit: constraints.length > 0 ? CONSTRAINED_CANDIDATES_MAX : CANDIDATES_MAX,
  });
  const scale = asked.embedding?.model.scale ?? null;
  const candidates = describeCandidates(retrieved, {
    ...{ groups, headGroup, accessories, compounds, exclusions, scale },
  });
  return { retrieved, candidates };
}

/** Several currencies are listed in the order of the results, and nothing else depends on it. */
function countFacets(index: Retrieved['parts']['index'], ranked: RankedList): Facets {
  const facets = index.facets(ranked.documents());
  if (facets.price.length < 2) return facets;
  return index.facets(ranked.slice(0).map(({ document }) => document));
}

/** What customers chose before; null where the fused order is to be kept. */
function recall(
  { learned }: SearchServices,
  { organizationKey, skipScoring }: SearchInput,
  {
    question,
    embedding,
  }: { readonly question: Question; readonly embedding: RetrieveQuery['embedding'] },
): LearnedAnswers | null {
  return skipScoring ? null : learned.answersTo({ organizationKey, question, embedding });
}

function askedBy(
  { isSentence, asksShop, asksPolicy, measures, constraints, language }: Question,
  { groups, headGroup }: Understood,
  further: Pick<Asked, 'hasVector' | 'curation' | 'learned'>,
): Asked {
  return {
    ...{ groups, headGroup, isSentence, asksShop, asksPolicy, measures, constraints },
    ...{ isEnglish: language.code === 'en', ...further },
  };
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

/**
 * Ranks with relevance feedback, where there are vectors: the best of a first ranking tell what else is
 * near. Rocchio, "Relevance feedback in information retrieval", 1971, with the first answers taken for
 * relevant, over vectors instead of words.
 */
async function rank(
  {
    candidates,
    retrieved,
    asked,
    embedding,
  }: {
    readonly candidates: Candidates;
    readonly retrieved: Retrieved;
    readonly asked: Asked;
    readonly embedding: RetrieveQuery['embedding'];
  },
  { skipScoring }: SearchInput,
): Promise<Ranking> {
  const order = (ranking: Ranking) => orderResults(ranking, { ...asked, retrieved });
  const ranker = new Ranker(candidates, asked, { skipScoring });
  if (skipScoring || embedding === null) return order(ranker.rank(null));
  const common = retrieved.measureCommon(ranker.best(FEEDBACK_CANDIDATES));
  const nearness = toReferenceScale(embedding.model.scale);
  const feedback = new Float64Array(common.length);
  for (let place = 0; place < common.length; place++) feedback[place] = nearness(common[place]!);
  return order(ranker.rank(feedback));
}

function withPins(ranked: RankedList, pins: Curated['pins']): RankedList {
  return pins.length === 0 ? ranked : listed(placePins(ranked.slice(0), pins));
}

function scoringOf(
  graded: ScoringOutcome['state'] | null,
  embedding: 'ready' | 'timeout' | 'unavailable',
): ScoredBy {
  if (graded === 'language_model') return graded;
  return embedding === 'ready' ? (graded ?? 'local') : embedding;
}

function report(
  { measures, constraints }: Question,
  { codes }: Understood,
  { ranking, results }: { ranking: Ranking; results: readonly SearchResult[] },
): ReportedConstraint[] {
  const { ranked } = ranking;
  const products = results.filter(({ stored }) => stored.item.type === 'product');
  // An item that comes in red too is clearly red, but the variant that is shown need not be.
  const isMetByVariants = (constraint: Constraint) =>
    constraint.kind === 'exclude' &&
    products.length > 0 &&
    products.every(({ choice }) => choice?.avoided.includes(unwantedPhrase(constraint)) === true);
  const relaxed = new Set(
    [...ranking.relaxed].filter((constraint) => !isMetByVariants(constraint)),
  );
  const isMet = (term: string) =>
    ranked.slice(0, REPORTED_MAX).some((candidate) => candidate.facts.measures.includes(term));
  const sizes = measures.map((term) => ({ term, isMet: isMet(term) }));
  return reportConstraints({ codes, measures: sizes, constraints, relaxed });
}

function warningsOf(
  state: keyof typeof MISSING_MEANING | 'ready',
  { constraints }: Question,
  ranked: RankedList,
): Message[] {
  const currencies = () => new Set(ranked.slice(0).map(({ facts }) => facts.currency));
  const warnings = [
    state === 'ready' ? null : MISSING_MEANING[state],
    currencyWarning(constraints, currencies),
  ];
  return warnings.filter((warning) => warning !== null);
}

const OTHER_ORDER: Message = ['warning.otherOrder'];

function isSame(one: Basis, other: Basis): boolean {
  return one.embedding === other.embedding && one.graded === other.graded;
}

const MISSING_MEANING: Readonly<Record<'timeout' | 'unavailable', Message>> = {
  timeout: ['warning.embeddingLate'],
  unavailable: ['warning.embeddingAbsent'],
};

/** The results of one page, in order; an item that an import took away meanwhile is left out. */
async function present(
  { directory }: SearchServices,
  page: readonly RankedCandidate[],
  { input, question, groups, retrieved, curation, learned }: Found,
): Promise<SearchResult[]> {
  const shown = await retrieved.findShown(page);
  const presentation = new Presentation({ question, groups, retrieved, curation, learned });
  return page.flatMap((candidate, at) => {
    const document = shown[at]!;
    if (document === null) return [];
    const shop = directory.shop(document.stored.shopKey);
    const rank = input.offset + at + 1;
    return [new SearchResult({ candidate, document, shop, rank }, presentation)];
  });
}

interface Found {
  readonly input: SearchInput;
  readonly question: Question;
  readonly groups: readonly TermGroup[];
  readonly retrieved: Retrieved;
  readonly curation: RankCuration | null;
  readonly learned: LearnedAnswers | null;
}

function startStopwatch(monotonicMs: () => number): {
  laps: Record<string, number>;
  lap(stage: string): void;
} {
  let last = monotonicMs();
  const laps: Record<string, number> = {};
  return {
    laps,
    lap(stage) {
      const now = monotonicMs();
      laps[stage] = Math.round((now - last) * 100) / 100;
      last = now;
    },
  };
}
