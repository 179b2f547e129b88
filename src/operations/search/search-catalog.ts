import type { Shop } from '../../domain/organization.ts';
import type { Facets } from '../../search/index/facets.ts';
import { exclusionGroups } from '../../search/query/exclusions.ts';
import { flatGroups, joinFlat, type TermGroup } from '../../search/query/expand-terms.ts';
import { parseQuestion, type Question } from '../../search/query/parse-question.ts';
import {
  currencyWarning,
  type ReportedConstraint,
  reportConstraints,
} from '../../search/query/report-constraints.ts';
import {
  type Asked,
  bestCandidates,
  type Candidate,
  type RankedCandidate,
  type Ranking,
  rankCandidates,
} from '../../search/ranking/rank.ts';
import {
  type AskedWords,
  askedWords,
  chooseVariant,
  type VariantChoice,
} from '../../search/results/choose-variant.ts';
import { explain, matchedOn } from '../../search/results/explain.ts';
import type { Highlight } from '../../search/results/match.ts';
import { FEEDBACK_CANDIDATES } from '../../search/tuning/ranking-weights.ts';
import type { SearchScope } from '../../storage/catalog/visible.ts';
import type { CatalogView, Retrieved, RetrieveQuery } from './catalog-view.ts';
import { describeCandidates } from './describe-candidates.ts';
import type { QuestionVector } from './embeddings.ts';
import { gradeCandidates } from './grade-candidates.ts';
import { openMemoryView } from './memory-view.ts';
import type { ScoringOutcome } from './score-candidates.ts';
import type { SearchServices } from './search-services.ts';
import { documentHighlighter, type ShownDocument } from './shown-documents.ts';
import { openSqlView } from './sql-view.ts';
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

export interface SearchResult {
  /**
   * The same object for as long as the document is cached, so that callers can cache data derived
   * from it.
   */
  readonly document: ShownDocument;
  readonly stored: ShownDocument['stored'];
  readonly shop: Shop;
  /** The text to show: an offering's description, or a context's best passage. */
  readonly description: string;
  /** 0 to 1, comparable within one answer. */
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  readonly matchedOn: readonly string[];
  readonly highlights: readonly Highlight[];
  readonly explanation: string;
  /** What the question leaves of the variants; null where there are fewer than two. */
  readonly choice: VariantChoice | null;
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /** The number of matches among the candidates. */
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly facets: Facets;
  readonly scoring: ScoredBy;
  /** The question in a spelling that the catalogue knows; null if its own is known. */
  readonly suggestion: string | null;
  /** The constraints of the question, and which of them were relaxed. */
  readonly constraints: readonly ReportedConstraint[];
  /** No result is a good match; the results are only the nearest ones. */
  readonly lowConfidence: boolean;
  readonly warnings: readonly string[];
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  readonly indexVersion: number;
  /** For further pages. */
  readonly basis: Basis;
}

/**
 * Searches a catalogue. Word search and vector search retrieve candidates side by side; ranking
 * scores how much of the question each answers. Without a vector, because there is no embedder or
 * it is late, words alone retrieve. If nothing matches, the answer is empty, not an error.
 */
export async function searchCatalog(
  services: SearchServices,
  input: SearchInput,
): Promise<SearchAnswer> {
  const { directory, platform } = services;
  const { basis } = input;
  const stopwatch = startStopwatch(platform.monotonicMs);
  const question = parseQuestion(input.question);
  const view = await openView(services, {
    organizationKey: input.organizationKey,
    shopKeys: input.shops?.map(({ key }) => key) ?? null,
    productsOnly: input.productsOnly,
  });
  const reading = services.embeddings.questionVector(question.embeddingText);
  const understood = await understandTerms(view, question);
  const { groups, headGroup } = understood;
  stopwatch.lap('understand');
  const read = await reading;
  // If the first page used words alone, so do the pages after it.
  const vector =
    basis === undefined || basis.embedding === 'ready' ? read : { state: basis.embedding };
  stopwatch.lap('embed');
  const embedding = vector.state === 'ready' ? vector : null;
  const { constraints, measures, isSentence, asksShop } = question;
  const { retrieved, candidates } = await retrieve(view, { question, understood, embedding });
  stopwatch.lap('retrieve');
  const hasVector = embedding !== null;
  const asked = { groups, headGroup, isSentence, asksShop, measures, constraints, hasVector };
  const ranking = await rank({ candidates, retrieved, asked, skipScoring: input.skipScoring });
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
  const { ranked } = graded;
  const ordered = { embedding: vector.state, graded: graded.state };
  stopwatch.lap('score');
  const page = ranked.slice(input.offset, input.offset + input.limit);
  const results = await present(services, page, { input, question, groups, retrieved });
  const facets = retrieved.parts.index.facets(ranked.map(({ document }) => document));
  stopwatch.lap('present');
  return {
    results,
    total: ranked.length,
    totalIsExact: !retrieved.isCut,
    facets,
    scoring: input.skipScoring ? 'skipped' : scoringOf(graded.state, vector.state),
    suggestion: suggest(question, groups),
    constraints: report(question, understood, ranking),
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

async function retrieve(
  view: CatalogView,
  asked: {
    readonly question: Question;
    readonly understood: Understood;
    readonly embedding: RetrieveQuery['embedding'];
  },
): Promise<{ retrieved: Retrieved; candidates: readonly Candidate[] }> {
  const { constraints } = asked.question;
  const { groups, headGroup } = asked.understood;
  const exclusions = constraints.filter((constraint) => constraint.kind === 'exclude');
  const retrieved = await view.retrieve({
    groups: flatGroups(groups),
    lookups: exclusions.flatMap(exclusionGroups),
    embedding: asked.embedding,
    limit: constraints.length > 0 ? CONSTRAINED_CANDIDATES_MAX : CANDIDATES_MAX,
  });
  const candidates = describeCandidates(retrieved, { groups, headGroup, exclusions });
  return { retrieved, candidates };
}

/**
 * The best of a first ranking tell what else is near: Rocchio, "Relevance feedback in information
 * retrieval", 1971, with the first answers taken for relevant, over vectors instead of words.
 */
async function rank({
  candidates,
  retrieved,
  asked,
  skipScoring,
}: {
  readonly candidates: readonly Candidate[];
  readonly retrieved: Retrieved;
  readonly asked: Asked;
  readonly skipScoring: boolean;
}): Promise<Ranking> {
  if (skipScoring || !asked.hasVector) return rankCandidates(candidates, asked, { skipScoring });
  const best = bestCandidates(candidates, asked, FEEDBACK_CANDIDATES);
  const feedback = await retrieved.measureCommon(best);
  return rankCandidates(candidates, asked, { skipScoring, feedback });
}

/** In memory if the present catalogue is there, else in libSQL: the answer is the same. */
async function openView({ indexes, db }: SearchServices, scope: SearchScope): Promise<CatalogView> {
  const loaded = indexes.find(scope.organizationKey);
  if (loaded !== null) return openMemoryView(loaded, scope);
  await indexes.turn();
  return openSqlView(db, scope);
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
  { ranked, relaxed }: Ranking,
): ReportedConstraint[] {
  const isMet = (term: string) =>
    ranked.slice(0, REPORTED_MAX).some((candidate) => candidate.facts.measures.includes(term));
  const sizes = measures.map((term) => ({ term, isMet: isMet(term) }));
  return reportConstraints({ codes, measures: sizes, constraints, relaxed });
}

function warningsOf(
  state: keyof typeof MISSING_MEANING | 'ready',
  { constraints }: Question,
  ranked: readonly RankedCandidate[],
): string[] {
  const currencies = () => new Set(ranked.map(({ facts }) => facts.currency));
  const warnings = [
    state === 'ready' ? null : MISSING_MEANING[state],
    constraints.length === 0 ? null : currencyWarning(constraints, currencies()),
  ];
  return warnings.filter((warning) => warning !== null);
}

const OTHER_ORDER =
  'A model that ordered the first page did not answer: results of earlier pages may come again, and others be missing.';

function isSame(one: Basis, other: Basis): boolean {
  return one.embedding === other.embedding && one.graded === other.graded;
}

const MISSING_MEANING = {
  timeout: 'The embedding model was late: these results match by words alone.',
  unavailable: 'No embedding model is available: these results match by words alone.',
};

interface Presentation {
  readonly input: SearchInput;
  readonly question: Question;
  readonly groups: readonly TermGroup[];
  readonly retrieved: Retrieved;
}

/** The results of one page, in order; an item that an import took away meanwhile is left out. */
async function present(
  { directory }: SearchServices,
  page: readonly RankedCandidate[],
  { input, question, groups, retrieved }: Presentation,
): Promise<SearchResult[]> {
  const shown = await retrieved.findShown(page);
  const { index } = retrieved.parts;
  const highlightsOf = documentHighlighter(groups, index.terms);
  const flat = flatGroups(groups);
  const asked = askedWords(question);
  const results: SearchResult[] = [];
  for (const [at, candidate] of page.entries()) {
    const document = shown[at]!;
    if (document === null) continue;
    const { cosine, available, matched, score } = candidate;
    const fieldsOfGroup = joinFlat(groups, index.fieldsOfGroups(candidate.document, flat));
    const matches = { fieldsOfGroup };
    const explained = { groups, matches, matched, cosine, available };
    results.push({
      document,
      stored: document.stored,
      shop: directory.shop(document.stored.shopKey),
      description: document.description,
      score: Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000,
      rank: input.offset + at + 1,
      matchedOn: matchedOn(explained),
      highlights: highlightsOf(document),
      explanation: explain(explained),
      choice: choiceOf(document, asked),
    });
  }
  return results;
}

function choiceOf({ stored: { item } }: ShownDocument, asked: AskedWords): VariantChoice | null {
  return item.type === 'product' && item.variants.length > 1 ? chooseVariant(asked, item) : null;
}

/** The question's terms with the unknown ones replaced by those that were searched for. */
function suggest({ terms }: Question, groups: readonly TermGroup[]): string | null {
  const asked = groups.filter(({ term }) => terms.includes(term));
  const spelt = asked.map(({ term, alternatives: [, replacement, third] }) =>
    replacement === undefined ||
    third !== undefined ||
    replacement.endsWith('*') ||
    replacement.includes(term)
      ? term
      : replacement,
  );
  return spelt.some((term, index) => term !== asked[index]!.term) ? spelt.join(' ') : null;
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
