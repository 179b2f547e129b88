import type { CatalogItem } from '../../src/domain/catalog.ts';
import { FIELDS, type Field } from '../../src/domain/field.ts';
import { CODE_SEPARATOR } from '../../src/search/index/documents.ts';
import type { Facets, FacetValue } from '../../src/search/index/facets.ts';
import type { TermGroup } from '../../src/search/query/expand-terms.ts';
import type { NameSignals, NameTerms } from '../../src/search/ranking/name.ts';
import { codeTermsOf } from '../../src/search/text/codes.ts';
import { indexTermsOf } from '../../src/search/text/words.ts';
import type { Database } from '../../src/storage/engine/database.ts';

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
          ? texts.codes.split(CODE_SEPARATOR).flatMap(codeTermsOf)
          : indexTermsOf(texts[field]);
      return alternatives.some((asked) =>
        terms.some((term) =>
          asked.endsWith('*') ? term.startsWith(asked.slice(0, -1)) : term === asked,
        ),
      );
    }),
  );
}

/** The name signals for a question, computed word by word. */
export function naiveNameSignals(
  { terms, headLength }: NameTerms,
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
  if (asked.length === 0) return { density: 0, adjacency: 0, head: 0, hasNoun: false };
  const pairs = groups.slice(1).map((_, at) => at);
  const neighbours = pairs.filter((at) =>
    terms.some((term, place) => holds(term, at) && holds(terms[place + 1], at + 1)),
  );
  const noun = terms[headLength - 1];
  const modifier = terms[headLength - 2];
  return {
    density: asked.length / terms.length,
    adjacency: pairs.length === 0 ? 1 : neighbours.length / pairs.length,
    head: holds(noun, headGroup) ? 1 : holds(modifier, headGroup) ? 0.75 : 0,
    hasNoun: noun !== undefined && isAsked(noun),
  };
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
