import { type CatalogItem, isAvailable } from '../domain/catalog.ts';
import type { Field } from '../domain/field.ts';
import type { Shop } from '../domain/organization.ts';
import { offeringTexts } from '../search/documents.ts';
import type { TermGroup } from '../search/expand-terms.ts';
import { explain, matchedOn } from '../search/explain.ts';
import { countFacets, type Facets } from '../search/facets.ts';
import { type FieldMatches, type Highlight, highlight, matchFields } from '../search/match.ts';
import { parseQuestion, type Question } from '../search/parse-question.ts';
import { coverage, FIELD_WEIGHTS, fusedScore, localScore, type Signals } from '../search/score.ts';
import { findItems, findPassages, type StoredItem } from '../storage/items.ts';
import { matchMeaning, type MeaningMatch, measureMeaning } from '../storage/vectors.ts';
import type { SearchScope } from '../storage/visible.ts';
import { matchWords, type WordMatch } from '../storage/word-index.ts';
import type { QuestionVector } from './meaning.ts';
import type { Services } from './services.ts';
import { understandTerms } from './understand-terms.ts';

/** Candidates each retriever brings. */
const CANDIDATES_MAX = 150;

/** Below this cosine an item that shares no word with the question is no answer to it. */
const LONE_MEANING_MIN = 0.25;

export interface SearchInput {
  readonly organizationKey: number;
  /** Null: every shop. Empty: none, so nothing is found. */
  readonly shops: readonly Shop[] | null;
  readonly question: string;
  readonly productsOnly: boolean;
  readonly skipScoring: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Who had the last word on the order. `unavailable` and `timeout`: meaning was missing, words alone. */
export type Scoring = 'local' | 'skipped' | 'unavailable' | 'timeout';

export interface SearchResult {
  readonly stored: StoredItem;
  readonly shop: Shop;
  /** What an answer shows: an offering's own text, a context's best passage. */
  readonly description: string;
  /** 0 to 1, comparable within one answer. */
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  readonly matchedOn: readonly string[];
  readonly highlights: readonly Highlight[];
  readonly explanation: string;
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /** Everything that matched, as far as it was looked at. */
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly facets: Facets;
  readonly scoring: Scoring;
  /** The question in a spelling the catalogue knows; null when its own is known. */
  readonly suggestion: string | null;
  readonly warnings: readonly string[];
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  readonly indexVersion: number;
}

interface Candidate {
  readonly stored: StoredItem;
  readonly documentKey: number;
  readonly bm25: number;
  readonly cosine: number | null;
  readonly matches: FieldMatches;
  readonly score: number;
}

/**
 * Words and meaning retrieve side by side, are fused by score and ranked by how much of the question
 * an item answers. An empty answer, not an error, when nothing matches; without an embedder, or when
 * it is late, words alone.
 */
export async function searchCatalog(services: Services, input: SearchInput): Promise<SearchAnswer> {
  const { directory, platform, db } = services;
  const stopwatch = startStopwatch(platform.monotonicMs);
  const question = parseQuestion(input.question);
  const scope: SearchScope = {
    organizationKey: input.organizationKey,
    shopKeys: input.shops?.map(({ key }) => key) ?? null,
    productsOnly: input.productsOnly,
  };
  const reading = services.meaning.questionVector(question.text);
  const groups = await understandTerms(services.db, input.organizationKey, question.terms);
  const words = await retrieveWords(services, scope, groups);
  stopwatch.lap('words');
  const vector = await reading;
  stopwatch.lap('embed');
  const meaning = await retrieveMeaning(services, { scope, vector, words });
  stopwatch.lap('meaning');
  const documents = bestDocuments(words, meaning);
  const items = await findItems(db, input.organizationKey, [...documents.keys()]);
  stopwatch.lap('load');
  const candidates = rank({ documents, items, groups, vector, skipScoring: input.skipScoring });
  stopwatch.lap('rank');
  const page = candidates.slice(input.offset, input.offset + input.limit);
  const passages = await findPassages(db, page.map(({ documentKey }) => documentKey));
  const results = page.map((candidate, index) =>
    present(candidate, { groups, passages, shop: directory.shop(candidate.stored.shopKey), rank: input.offset + index + 1 }),
  );
  const facets = countFacets(candidates.map(({ stored }) => stored.item));
  stopwatch.lap('present');
  return {
    results,
    total: candidates.length,
    totalIsExact: words.length < CANDIDATES_MAX && meaning.size < CANDIDATES_MAX,
    facets,
    scoring: input.skipScoring ? 'skipped' : vector.state === 'ready' ? 'local' : vector.state,
    suggestion: suggest(question, groups),
    warnings: vector.state === 'ready' ? [] : [MISSING_MEANING[vector.state]],
    timings: stopwatch.laps,
    indexVersion: directory.indexVersion(input.organizationKey),
  };
}

const MISSING_MEANING = {
  timeout: 'The embedding model was late: these results match by words alone.',
  unavailable: 'No embedding model is available: these results match by words alone.',
};

async function retrieveWords({ db }: Services, scope: SearchScope, groups: readonly TermGroup[]): Promise<WordMatch[]> {
  const terms = [...new Set(groups.flatMap(({ alternatives }) => alternatives))];
  if (terms.length === 0) return [];
  return matchWords(db, scope, { terms, weights: FIELD_WEIGHTS, limit: CANDIDATES_MAX });
}

/** Documents by cosine: the nearest ones, and those that the words brought. */
async function retrieveMeaning(
  { db }: Services,
  { scope, vector, words }: { scope: SearchScope; vector: QuestionVector; words: readonly WordMatch[] },
): Promise<Map<number, MeaningMatch>> {
  if (vector.state !== 'ready') return new Map();
  const query = { modelKey: vector.model.key, vector: vector.vector };
  const near = await matchMeaning(db, scope, { ...query, limit: CANDIDATES_MAX });
  const matches = new Map(near.map((match) => [match.documentKey, match]));
  const missing = words.filter(({ documentKey }) => !matches.has(documentKey));
  const cosines = await measureMeaning(db, missing.map(({ documentKey }) => documentKey), query);
  for (const { documentKey, itemKey } of missing) {
    const cosine = cosines.get(documentKey);
    if (cosine !== undefined) matches.set(documentKey, { documentKey, itemKey, cosine });
  }
  return matches;
}

interface DocumentSignals {
  readonly documentKey: number;
  readonly bm25: number;
  readonly cosine: number | null;
}

/** Of each item the document that speaks most for it: an offering has one, a context several. */
function bestDocuments(words: readonly WordMatch[], meaning: ReadonlyMap<number, MeaningMatch>): Map<number, DocumentSignals> {
  const bestBm25 = Math.max(Number.MIN_VALUE, ...words.map(({ bm25 }) => bm25));
  const strength = ({ bm25, cosine }: DocumentSignals) => bm25 / bestBm25 + (cosine ?? 0);
  const best = new Map<number, DocumentSignals>();
  const offer = (itemKey: number, signals: DocumentSignals) => {
    const present = best.get(itemKey);
    if (present === undefined || strength(signals) > strength(present)) best.set(itemKey, signals);
  };
  const worded = new Set<number>();
  for (const { documentKey, itemKey, bm25 } of words) {
    worded.add(documentKey);
    offer(itemKey, { documentKey, bm25, cosine: meaning.get(documentKey)?.cosine ?? null });
  }
  for (const { documentKey, itemKey, cosine } of meaning.values()) {
    if (!worded.has(documentKey) && cosine >= LONE_MEANING_MIN) offer(itemKey, { documentKey, bm25: 0, cosine });
  }
  return best;
}

/** Best first, ties by id. */
function rank({ documents, items, groups, vector, skipScoring }: {
  documents: ReadonlyMap<number, DocumentSignals>;
  items: ReadonlyMap<number, StoredItem>;
  groups: readonly TermGroup[];
  vector: QuestionVector;
  skipScoring: boolean;
}): Candidate[] {
  const bestBm25 = Math.max(Number.MIN_VALUE, ...[...documents.values()].map(({ bm25 }) => bm25));
  const hasMeaning = vector.state === 'ready';
  const judge = skipScoring ? fusedScore : localScore;
  const candidates: Candidate[] = [];
  for (const [itemKey, { documentKey, bm25, cosine }] of documents) {
    const stored = items.get(itemKey);
    if (stored === undefined) continue;
    const matches = matchFields(textsOf(stored.item), groups);
    const signals: Signals = {
      words: bm25 / bestBm25,
      coverage: coverage(groups.map(({ idf }, index) => ({ idf, matched: matches.fieldsOfGroup[index]!.length > 0 }))),
      meaning: Math.max(0, cosine ?? 0),
      available: isOrderable(stored.item),
    };
    candidates.push({ stored, documentKey, bm25, cosine, matches, score: judge(signals, hasMeaning) });
  }
  return candidates.sort(
    (left, right) => right.score - left.score || (left.stored.id < right.stored.id ? -1 : 1),
  );
}

function present(
  { stored, documentKey, score, matches, cosine }: Candidate,
  { groups, passages, shop, rank }: {
    groups: readonly TermGroup[];
    passages: ReadonlyMap<number, string | null>;
    shop: Shop;
    rank: number;
  },
): SearchResult {
  const { item } = stored;
  const description = passages.get(documentKey) ?? item.description;
  const explained = { groups, matches, cosine, available: isOrderable(item) };
  const highlights = [
    highlight('name', item.name, groups),
    item.type === 'product' ? highlight('tags', item.tags.join(', '), groups) : null,
    highlight('description', description, groups),
  ];
  return {
    stored,
    shop,
    description,
    score: Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000,
    rank,
    matchedOn: matchedOn(explained),
    highlights: highlights.filter((found) => found !== null),
    explanation: explain(explained),
  };
}

function textsOf(item: CatalogItem): Readonly<Record<Field, string>> {
  if (item.type === 'product') return offeringTexts(item);
  return { name: item.name, type: '', vendor: '', codes: '', details: '', body: item.description };
}

function isOrderable(item: CatalogItem): boolean {
  return item.type === 'context' || isAvailable(item.availability);
}

/** The question with its unknown words replaced by those that were searched for. */
function suggest({ terms }: Question, groups: readonly TermGroup[]): string | null {
  const spelt = groups.map(({ alternatives: [term, replacement, third] }) =>
    replacement === undefined || third !== undefined || replacement.endsWith('*') || replacement.includes(term!)
      ? term!
      : replacement,
  );
  return spelt.some((term, index) => term !== terms[index]) ? spelt.join(' ') : null;
}

function startStopwatch(monotonicMs: () => number): { laps: Record<string, number>; lap(stage: string): void } {
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
