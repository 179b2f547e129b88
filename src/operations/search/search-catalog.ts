import type { Shop } from '../../domain/organization.ts';
import type { Message } from '../../messages/wording.ts';
import type { Facets } from '../../search/index/facets.ts';
import { flatGroups } from '../../search/query/expand-terms.ts';
import type { Question } from '../../search/query/parse-question.ts';
import type { ReportedConstraint } from '../../search/query/report-constraints.ts';
import { parseQuestionIn } from '../../search/query/several-languages.ts';
import { suggestSpelling } from '../../search/query/suggest-spelling.ts';
import type { Candidates } from '../../search/ranking/candidates.ts';
import { placePins } from '../../search/ranking/place-pins.ts';
import { listed, type RankedList } from '../../search/ranking/ranked-list.ts';
import { type Language, languageOf } from '../../search/text/language.ts';
import type { Curated } from '../curation/curations.ts';
import type { QuestionVector } from '../indexes/embeddings.ts';
import type { LoadedIndex } from '../indexes/loaded-index.ts';
import { describeCandidates } from './describe-candidates.ts';
import { type GradedRanking, gradeCandidates } from './grade-candidates.ts';
import { type RankedCandidates, rankCandidates } from './rank-candidates.ts';
import { reportOutcome, searchWarnings } from './report-outcome.ts';
import { type Retrieved, type RetrieveQuery, retrieve } from './retrieve.ts';
import type { ScoringOutcome } from './score-candidates.ts';
import { Presentation, SearchResult } from './search-result.ts';
import type { SearchServices } from './search-services.ts';
import { type Understood, understandTerms } from './understand-terms.ts';

/** The most candidates from each retriever. */
const CANDIDATES_MAX = 150;
/** The same for a question with constraints, which remove some of them. */
const CONSTRAINED_CANDIDATES_MAX = 400;

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

/** What the steps know of a search once its question is understood. */
interface Search {
  readonly input: SearchInput;
  readonly question: Question;
  readonly understood: Understood;
  readonly curated: Curated | null;
  readonly embedding: RetrieveQuery['embedding'];
}

/**
 * Searches a catalogue in the steps of `src/search/README.md`. Without a vector, because there is no
 * embedder or it is late, words alone retrieve. If nothing matches, the answer is empty, not an error.
 * Throws `unavailable` as `IndexKeeper.forSearch` does.
 */
export async function searchCatalog(
  services: SearchServices,
  input: SearchInput,
): Promise<SearchAnswer> {
  const stopwatch = startStopwatch(services.platform.monotonicMs);
  const question = parseQuestionIn(input.question, askedLanguages(services, input));
  const loaded = await services.indexes.forSearch(input.organizationKey);
  const reading = services.embeddings.questionVector(question.embeddingText, loaded.modelKey);
  const curated = await services.curations.of(input);
  const understood = understandTerms(loaded.index, question, curated?.synonyms);
  stopwatch.lap('understand');
  const vector = vectorOfBasis(await reading, input.basis);
  const embedding = vector.state === 'ready' ? vector : null;
  const search = { input, question, understood, curated, embedding };
  stopwatch.lap('embed');
  const retrieved = retrieveCandidates(loaded, search);
  const candidates = describe(retrieved, search);
  stopwatch.lap('retrieve');
  const ranking = await rankCandidates(services, search, { retrieved, candidates });
  stopwatch.lap('rank');
  const graded = await grade(services, search, ranking.ranked);
  const ranked = withPins(graded.ranked, search);
  stopwatch.lap('score');
  const results = await presentPage(services, search, { ranked, ranking, retrieved });
  stopwatch.lap('present');
  const basis = { embedding: vector.state, graded: graded.state };
  return {
    results,
    total: ranked.length,
    totalIsExact: !retrieved.isCut,
    get facets() {
      return countFacets(retrieved.parts.index, ranked);
    },
    scoring: input.skipScoring ? 'skipped' : scoringOf(basis),
    suggestion: suggestSpelling(question, understood.groups),
    constraints: reportOutcome(search, { ranking, results }),
    lowConfidence: graded.lowConfidence || ranking.lowConfidence || asksUnknownCode(understood),
    warnings: [
      ...searchWarnings(vector.state, question, ranked),
      ...(isSame(basis, input.basis ?? basis) ? [] : [OTHER_ORDER]),
    ],
    timings: stopwatch.laps,
    indexVersion: services.directory.indexVersion(input.organizationKey),
    basis,
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

/** If the first page used words alone, so do the pages after it. */
function vectorOfBasis(vector: QuestionVector, basis: Basis | undefined): QuestionVector {
  if (basis === undefined || basis.embedding === 'ready') return vector;
  return { state: basis.embedding };
}

function retrieveCandidates(
  loaded: LoadedIndex,
  { input, question, understood, curated, embedding }: Search,
): Retrieved {
  const { organizationKey, productsOnly } = input;
  const shopKeys = input.shops?.map(({ key }) => key) ?? null;
  const hasConstraints = question.constraints.length > 0;
  return retrieve(
    loaded,
    { organizationKey, shopKeys, productsOnly },
    {
      groups: flatGroups(understood.groups),
      embedding,
      pinned: curated?.pins.map(({ documentKey }) => documentKey) ?? [],
      limit: hasConstraints ? CONSTRAINED_CANDIDATES_MAX : CANDIDATES_MAX,
    },
  );
}

function describe(retrieved: Retrieved, { question, understood, embedding }: Search): Candidates {
  const { groups, headGroup, accessories, compounds } = understood;
  const exclusions = question.constraints.filter((constraint) => constraint.kind === 'exclude');
  const scale = embedding?.model.scale ?? null;
  return describeCandidates(retrieved, {
    groups,
    headGroup,
    accessories,
    compounds,
    exclusions,
    scale,
  });
}

/** A further page asks the language model only if it decided the order of the first. */
async function grade(
  services: SearchServices,
  { input, question }: Search,
  ranked: RankedList,
): Promise<GradedRanking> {
  const { organizationKey, skipScoring, basis } = input;
  const isGraded = basis === undefined || basis.graded === 'language_model';
  if (skipScoring || !isGraded)
    return { ranked, lowConfidence: false, state: basis?.graded ?? null };
  return gradeCandidates(services, { organizationKey, question: question.text, ranked });
}

/** Several currencies are listed in the order of the results, and nothing else depends on it. */
function countFacets(index: Retrieved['parts']['index'], ranked: RankedList): Facets {
  const facets = index.facets(ranked.documents());
  if (facets.price.length < 2) return facets;
  return index.facets(ranked.slice(0).map(({ document }) => document));
}

function withPins(ranked: RankedList, { curated }: Search): RankedList {
  const pins = curated?.pins ?? [];
  return pins.length === 0 ? ranked : listed(placePins(ranked.slice(0), pins));
}

/** The results of the page, in order; an item that an import took away meanwhile is left out. */
async function presentPage(
  { directory }: SearchServices,
  { input, question, understood: { groups } }: Search,
  found: {
    readonly ranked: RankedList;
    readonly retrieved: Retrieved;
    readonly ranking: RankedCandidates;
  },
): Promise<SearchResult[]> {
  const { ranked, retrieved, ranking } = found;
  const { curation, learned } = ranking;
  const page = ranked.slice(input.offset, input.offset + input.limit);
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

function scoringOf({ graded, embedding }: Basis): ScoredBy {
  if (graded === 'language_model') return graded;
  return embedding === 'ready' ? (graded ?? 'local') : embedding;
}

function asksUnknownCode({ codes }: Understood): boolean {
  return codes.some(({ isKnown }) => !isKnown);
}

const OTHER_ORDER: Message = ['warning.otherOrder'];

function isSame(one: Basis, other: Basis): boolean {
  return one.embedding === other.embedding && one.graded === other.graded;
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
