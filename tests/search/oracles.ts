import type { CatalogItem } from '../../src/domain/catalog.ts';
import { FIELDS, type Field } from '../../src/domain/field.ts';
import type { IndexScope } from '../../src/search/index/document-columns.ts';
import { CODE_SEPARATOR } from '../../src/search/index/documents.ts';
import type { Facets, FacetValue } from '../../src/search/index/facets.ts';
import type { TermGroup } from '../../src/search/query/expand-terms.ts';
import { accessoryTerms, type NameSignals, type NameTerms } from '../../src/search/ranking/name.ts';
import { codeTermsOf } from '../../src/search/text/codes.ts';
import { FIELD_WEIGHTS } from '../../src/search/tuning/ranking-weights.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { ENGLISH, indexTermsOf } from '../support/english.ts';
import type { TextDocument } from '../support/indexed-database.ts';

/*
 * The plain way to what the index computes from numbers: slow, short, and read from the items and
 * their texts themselves.
 */

/** Facets counted over items. */
export function naiveFacets(items: readonly CatalogItem[]): Facets {
  const offerings = items.filter((item) => item.type === 'product');
  const priced = offerings.filter(({ priceMinor }) => priceMinor !== null);
  return {
    vendor: mostFrequent(offerings.map(({ vendor }) => vendor)),
    productType: mostFrequent(offerings.map(({ productType }) => productType)),
    tags: mostFrequent(offerings.flatMap(({ tags }) => tags)),
    price: [...Map.groupBy(priced, ({ currency }) => currency)].map(([currency, of]) => {
      const amounts = of.map(({ priceMinor }) => priceMinor!);
      return { currency, minMinor: Math.min(...amounts), maxMinor: Math.max(...amounts) };
    }),
  };
}

function mostFrequent(values: readonly (string | null)[]): FacetValue[] {
  const groups = Map.groupBy(
    values.filter((value) => value !== null),
    (value) => value,
  );
  const counted = [...groups].map(([value, { length: count }]) => ({ value, count }));
  const byName = counted.toSorted((left, right) => (left.value < right.value ? -1 : 1));
  return byName.toSorted((left, right) => right.count - left.count).slice(0, 20);
}

/** For each group the fields whose text holds one of its alternatives. */
export function naiveFields(
  texts: Readonly<Record<Field, string>>,
  groups: readonly TermGroup[],
): Field[][] {
  return groups.map(({ alternatives }) =>
    FIELDS.filter((field) => {
      const terms =
        field === 'codes'
          ? texts.codes.split(CODE_SEPARATOR).flatMap((code) => codeTermsOf(code, ENGLISH))
          : indexTermsOf(texts[field]);
      return alternatives.some((asked) =>
        terms.some((term) =>
          asked.endsWith('*') ? term.startsWith(asked.slice(0, -1)) : term === asked,
        ),
      );
    }),
  );
}

/**
 * Keys and BM25 of the best documents, from scoring each document as FTS5 does. Added up in the order
 * of the alternatives, so that equal means equal to the last bit.
 */
export function naiveWordMatches(
  documents: readonly TextDocument[],
  groups: readonly TermGroup[],
  { scope, limit }: { scope: IndexScope; limit: number },
): [documentKey: number, bm25: number][] {
  const counted = documents.map((document) => {
    const frequencies = new Map<string, number>();
    let length = 0;
    for (const field of FIELDS)
      for (const term of document.fields[field].split(' ').filter((word) => word !== '')) {
        frequencies.set(term, (frequencies.get(term) ?? 0) + FIELD_WEIGHTS[field]);
        length += 1;
      }
    return { document, frequencies, length };
  });
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const phrases = [...new Set(groups.flatMap(({ alternatives }) => alternatives))];
  const frequencyOf = (phrase: string, frequencies: ReadonlyMap<string, number>) =>
    phrase.endsWith('*')
      ? [...frequencies].reduce(
          (sum, [term, frequency]) => sum + (term.startsWith(phrase.slice(0, -1)) ? frequency : 0),
          0,
        )
      : (frequencies.get(phrase) ?? 0);
  const scores = counted.map(() => 0);
  const clauses = phrases.map((phrase) => {
    const found = counted.map(({ frequencies }) => frequencyOf(phrase, frequencies));
    const count = found.filter((frequency) => frequency > 0).length;
    const idf = Math.log((documents.length - count + 0.5) / (count + 0.5));
    return { found, idf: idf <= 0 ? 1e-6 : idf };
  });
  // Added in the order of the index, because sums differ in the last bit with the order.
  for (const { found, idf } of clauses.sort((one, other) => other.idf - one.idf))
    for (const [at, frequency] of found.entries()) {
      const norm = 1.2 * (1 - 0.75 + (0.75 * counted[at]!.length) / averageLength);
      if (frequency > 0) scores[at]! += idf * ((frequency * 2.2) / (frequency + norm));
    }
  const isInScope = ({ shopKey, type }: TextDocument) =>
    (scope.shopKeys === null || scope.shopKeys.includes(shopKey)) &&
    (!scope.productsOnly || type === 'product');
  return documents
    .flatMap((document, at): [number, number][] =>
      scores[at]! > 0 && isInScope(document) ? [[document.documentKey, scores[at]!]] : [],
    )
    .sort((left, right) => right[1] - left[1] || left[0] - right[0])
    .slice(0, limit);
}

/** The name signals for a question, computed word by word. */
export function naiveNameSignals(
  { terms, headLength, noun: nounPlace }: NameTerms,
  groups: readonly TermGroup[],
  headGroup: number,
): NameSignals {
  const holds = (term: string | undefined, at: number) => {
    const group = groups[at];
    const spellings = [...(group?.alternatives ?? []), ...(group?.substitutes ?? [])];
    return term !== undefined && spellings.includes(term);
  };
  const isAsked = (term: string) => groups.some((_, at) => holds(term, at));
  const asked = terms.filter(isAsked);
  if (asked.length === 0)
    return { density: 0, adjacency: 0, head: 0, hasNoun: false, isAccessory: false, isHost: false };
  const pairs = groups.slice(1).map((_, at) => at);
  const neighbours = pairs.filter((at) =>
    terms.some((term, place) => holds(term, at) && holds(terms[place + 1], at + 1)),
  );
  const noun = terms[nounPlace];
  const modifier = terms[nounPlace - 1];
  return {
    density: asked.length / terms.length,
    adjacency: pairs.length === 0 ? 1 : neighbours.length / pairs.length,
    head: holds(noun, headGroup) ? 1 : holds(modifier, headGroup) ? 0.75 : 0,
    hasNoun: noun !== undefined && isAsked(noun),
    isAccessory: isAccessory({ terms, headLength, noun: nounPlace }, (term) =>
      holds(term, headGroup),
    ),
    isHost:
      !holds(noun, headGroup) &&
      groups.some(({ isHost }, at) => isHost === true && holds(noun, at)),
  };
}

function isAccessory(
  { terms, headLength }: NameTerms,
  isAsked: (term: string) => boolean,
): boolean {
  const head = terms.slice(0, headLength);
  const behindAsked = head.slice(head.findLastIndex(isAsked) + 1);
  return terms.some(isAsked) && behindAsked.some((term) => accessoryTerms(ENGLISH).has(term));
}

/**
 * Cosines of documents to a vector, as libSQL computes them. Documents without a vector of the
 * model are left out.
 */
export async function cosinesInSql(
  db: Database,
  documentKeys: readonly number[],
  query: { readonly modelKey: number; readonly vector: Float32Array },
): Promise<Map<number, number>> {
  const rows = await db.all<{ key: number; cosine: number | null }>({
    sql: `SELECT d.key AS key, 1 - vector_distance_cos(d.vector, vector8(vector32(?))) AS cosine
          FROM documents d WHERE d.key IN (SELECT value FROM json_each(?)) AND d.model_key = ?`,
    args: [new Uint8Array(query.vector.buffer), JSON.stringify(documentKeys), query.modelKey],
  });
  const known = rows.filter(({ cosine }) => cosine !== null);
  return new Map(known.map(({ key, cosine }) => [key, cosine!]));
}
