import {
  countAllDocuments,
  countDocuments,
  countHolders,
  findTerms,
} from '../../storage/catalog/word-index.ts';
import type { Database } from '../../storage/engine/database.ts';
import { isSameText, type ShopStates } from '../indexes/loaded-index.ts';
import type { TermQuery } from './catalog-view.ts';

/** Counts that are kept: some 2 MB. */
const COUNTS_MAX = 20_000;

/** Lists of terms that are kept, of at most 5,000 terms each. */
const LISTS_MAX = 32;

/** Catalogues whose words are kept. */
const CATALOGUES_MAX = 16;

type TermCounts = readonly { readonly term: string; readonly count: number }[];

/**
 * The words of an organization's catalogue, asked of FTS5. It reads every posting of a word to count its
 * documents, some 30 ms for a word of a million, so the answers are kept.
 */
export class KnownWords {
  readonly #db: Database;
  readonly #organizationKey: number;
  #size: number | null = null;
  /** The documents that hold each term, also those of no document. */
  readonly #counts = new Map<string, number>();
  /** How many hold a prefix. */
  readonly #prefixCounts = new Map<string, number>();
  readonly #lists = new Map<string, TermCounts>();

  constructor(db: Database, organizationKey: number) {
    this.#db = db;
    this.#organizationKey = organizationKey;
  }

  /** The number of documents. */
  async size(): Promise<number> {
    this.#size ??= await countAllDocuments(this.#db, this.#organizationKey);
    return this.#size;
  }

  /** The number of documents that hold each term; terms that no document holds are left out. */
  async count(terms: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const unknown: string[] = [];
    for (const term of terms) {
      const known = this.#counts.get(term);
      if (known === undefined) unknown.push(term);
      else if (known > 0) counts.set(term, known);
    }
    if (unknown.length === 0) return counts;
    const found = await countDocuments(this.#db, this.#organizationKey, unknown);
    if (this.#counts.size + unknown.length > COUNTS_MAX) this.#counts.clear();
    for (const term of unknown) this.#counts.set(term, found.get(term) ?? 0);
    for (const [term, count] of found) counts.set(term, count);
    return counts;
  }

  /** As `count`, for terms and prefixes (`term*`). Of a prefix at most one more than `max` are counted. */
  async countHolders(terms: readonly string[], max: number): Promise<Map<string, number>> {
    const counts = await this.count(terms.filter((term) => !term.endsWith('*')));
    for (const term of terms)
      if (term.endsWith('*')) counts.set(term, await this.#countPrefix(term, max));
    return counts;
  }

  async find(query: TermQuery): Promise<TermCounts> {
    const key = JSON.stringify(query);
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const found = await findTerms(this.#db, this.#organizationKey, query);
    keep(this.#lists, { key, value: found, max: LISTS_MAX });
    return found;
  }

  async #countPrefix(term: string, max: number): Promise<number> {
    const known = this.#prefixCounts.get(term);
    if (known !== undefined) return known;
    const count = await countHolders(this.#db, this.#organizationKey, { term, max });
    keep(this.#prefixCounts, { key: term, value: count, max: COUNTS_MAX });
    return count;
  }
}

/** The words of catalogues that are searched through libSQL, as long as the catalogues stay the same. */
export class WordsOfCatalogues {
  readonly #db: Database;
  readonly #known = new Map<number, { readonly shops: ShopStates; readonly words: KnownWords }>();

  constructor(db: Database) {
    this.#db = db;
  }

  of(organizationKey: number, shops: ShopStates): KnownWords {
    const known = this.#known.get(organizationKey);
    if (known !== undefined && isSameText(known.shops, shops)) return known.words;
    const words = new KnownWords(this.#db, organizationKey);
    this.#known.delete(organizationKey);
    keep(this.#known, { key: organizationKey, value: { shops, words }, max: CATALOGUES_MAX });
    return words;
  }
}

/** Adds an entry; the oldest one goes if there would be more than `max`. */
function keep<Key, Value>(
  entries: Map<Key, Value>,
  { key, value, max }: { readonly key: Key; readonly value: Value; readonly max: number },
): void {
  const [oldest] = entries.keys();
  if (entries.size >= max && oldest !== undefined) entries.delete(oldest);
  entries.set(key, value);
}
