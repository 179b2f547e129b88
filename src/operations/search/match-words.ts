import type { Field } from '../../domain/field.ts';
import type { TermGroup } from '../../search/query/expand-terms.ts';
import { FIELD_WEIGHTS } from '../../search/tuning/ranking-weights.ts';
import type { SearchScope } from '../../storage/catalog/visible.ts';
import { matchWords, type WordMatch, type WordQuery } from '../../storage/catalog/word-index.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { KnownWords } from './known-words.ts';

/**
 * Matches that FTS5 scores for one expression. It takes some 2 µs for each, and holds the event loop
 * meanwhile.
 */
const SCORED_MAX = 5000;

/** The fields that say what an item is. Their matches count most. */
const NAMING_FIELDS: readonly Field[] = ['name', 'type', 'vendor', 'codes'];

/** The most that a term adds to BM25, as a multiple of its inverse document frequency. */
const SATURATION_MAX = 2.2;

export interface WordSource {
  readonly db: Database;
  readonly words: KnownWords;
  readonly scope: SearchScope;
  /** Tests lower it. */
  readonly scoredMax?: number;
}

interface Asked {
  readonly groups: readonly TermGroup[];
  readonly limit: number;
}

/**
 * The documents that hold an alternative of any group, the first `limit` by BM25. FTS5 can only score
 * every match, so where there are too many, documents that hold one of the rarer terms come first, which
 * are scored in full. Others are scored if one could be better than those:
 * Turtle & Flood, "Query evaluation: strategies and optimizations", 1995 (MaxScore). Among documents
 * with common terms alone, those that hold all groups come first, above all in the naming fields.
 */
export async function findByWords(
  source: WordSource,
  { groups, limit }: Asked,
): Promise<readonly WordMatch[]> {
  const { db, words, scope, scoredMax = SCORED_MAX } = source;
  const terms = [...new Set(groups.flatMap(({ alternatives }) => alternatives))];
  if (terms.length === 0) return [];
  const match = (query: Pick<WordQuery, 'allOf' | 'fields'>) =>
    matchWords(db, scope, { ...query, weights: FIELD_WEIGHTS, limit, scoredMax });
  const size = await words.size();
  if (size <= scoredMax) return match({ allOf: [terms] });
  const counts = await words.countHolders(terms, scoredMax);
  const { rare, common } = byFrequency(terms, { counts, size, scoredMax });
  if (common.length === 0) return rare.length === 0 ? [] : match({ allOf: [rare] });
  const best = new MergedMatches(limit);
  if (rare.length > 0) {
    best.add(await match({ allOf: [rare] }));
    best.add(await match({ allOf: [rare, common] }));
  }
  if (best.worst > scoreMax(common, { counts, size })) return best.all();
  for (const query of commonQueries(groups, common)) {
    const matches = await match(query);
    best.add(matches);
    if (matches.length === limit) break;
  }
  return best.all();
}

/**
 * The rarest terms, as long as they have few matches together, and the others. A term of most documents
 * counts nothing beside others and is left out.
 */
function byFrequency(
  terms: readonly string[],
  {
    counts,
    size,
    scoredMax,
  }: {
    readonly counts: ReadonlyMap<string, number>;
    readonly size: number;
    readonly scoredMax: number;
  },
): { rare: string[]; common: string[] } {
  const known = terms.filter((term) => counts.has(term));
  known.sort((left, right) => counts.get(left)! - counts.get(right)!);
  const telling = known.filter((term) => counts.get(term)! <= size / 2);
  const [rare, common]: [string[], string[]] = [[], []];
  let matches = 0;
  for (const term of telling.length === 0 ? known.slice(0, 1) : telling) {
    matches += counts.get(term)!;
    (matches <= scoredMax ? rare : common).push(term);
  }
  return { rare, common };
}

/** The most that a document can score by these terms. */
function scoreMax(
  terms: readonly string[],
  { counts, size }: { readonly counts: ReadonlyMap<string, number>; readonly size: number },
): number {
  const idf = (count: number) => Math.max(0, Math.log((size - count + 0.5) / (count + 0.5)));
  return terms.reduce((sum, term) => sum + SATURATION_MAX * idf(counts.get(term)!), 0);
}

/** From the fewest and best matches of common terms to the most. */
function commonQueries(
  groups: readonly TermGroup[],
  common: readonly string[],
): Pick<WordQuery, 'allOf' | 'fields'>[] {
  const isCommon = new Set(common);
  const all = groups
    .map(({ alternatives }) => alternatives.filter((term) => isCommon.has(term)))
    .filter((terms) => terms.length > 0);
  const expressions = all.length === 1 ? [[common]] : [all, [common]];
  return expressions.flatMap((allOf) => [{ allOf, fields: NAMING_FIELDS }, { allOf }]);
}

/** The best matches of several queries, each document with its highest score. */
class MergedMatches {
  readonly #limit: number;
  #matches: WordMatch[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The score of the last one; below all scores while there are fewer than the limit. */
  get worst(): number {
    return this.#matches[this.#limit - 1]?.bm25 ?? Number.NEGATIVE_INFINITY;
  }

  add(matches: readonly WordMatch[]): void {
    const sorted = [...this.#matches, ...matches].sort(
      (one, other) => other.bm25 - one.bm25 || one.documentKey - other.documentKey,
    );
    const known = new Set<number>();
    this.#matches = sorted
      .filter(({ documentKey }) => !known.has(documentKey) && known.add(documentKey))
      .slice(0, this.#limit);
  }

  /** Best first, ties by key. */
  all(): readonly WordMatch[] {
    return this.#matches;
  }
}
