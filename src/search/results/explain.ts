import type { Field } from '../../domain/field.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import { NEAR_COSINE } from '../tuning/ranking-weights.ts';
import type { FieldMatches } from './match.ts';

const FIELD_NAMES: Readonly<Record<Field, string>> = {
  name: 'the name',
  type: 'type or tags',
  vendor: 'the vendor',
  codes: 'its codes',
  details: 'its details',
  body: 'the text',
};

export interface Explained {
  readonly groups: readonly TermGroup[];
  readonly matches: FieldMatches;
  /** For each group: below 1 if only a substitute was found. Left out: all are 1. */
  readonly matched?: readonly number[];
  /** Null if there is no vector. */
  readonly cosine: number | null;
  readonly available: boolean;
}

/**
 * The `matchedOn` of a result: the fields that hold a word of the question, and `meaning` if the
 * vector is near.
 */
export function matchedOn({ matches, cosine }: Explained): string[] {
  const found: string[] = [];
  for (const fields of matches.fieldsOfGroup) {
    for (const field of fields) {
      const name = WIRE_FIELDS[field];
      if (!found.includes(name)) found.push(name);
    }
  }
  if (cosine !== null && cosine >= NEAR_COSINE) found.push('meaning');
  return found;
}

const WIRE_FIELDS: Readonly<Record<Field, string>> = {
  name: 'name',
  type: 'tags',
  vendor: 'vendor',
  codes: 'sku',
  details: 'attributes',
  body: 'description',
};

/**
 * One sentence, from the figures that ranked the result: it never gives a reason that did not
 * count.
 */
export function explain({ groups, matches, matched, cosine, available }: Explained): string {
  const termsByPlace = new Map<string, string[]>();
  const codes: string[] = [];
  for (const [index, fields] of matches.fieldsOfGroup.entries()) {
    const [first] = fields;
    if (first === undefined) continue;
    if (groups[index]!.isCode === true && fields.includes('codes')) {
      codes.push(`its code is “${groups[index]!.term}”`);
      continue;
    }
    const place = FIELD_NAMES[first];
    const isOtherWord = (matched?.[index] ?? 1) < 1;
    const term = `${isOtherWord ? 'another word for ' : ''}“${spelling(groups[index]!)}”`;
    const terms = termsByPlace.get(place);
    if (terms === undefined) termsByPlace.set(place, [term]);
    else terms.push(term);
  }
  const reasons = codes;
  for (const [place, terms] of termsByPlace) reasons.push(`${listed(terms)} in ${place}`);
  if (cosine !== null && (cosine >= NEAR_COSINE || reasons.length === 0)) {
    const nearness = cosine >= NEAR_COSINE ? 'close' : 'somewhat close';
    reasons.push(`${nearness} in meaning (${cosine.toFixed(2)})`);
  }
  if (reasons.length === 0) reasons.push('found by its words');
  if (!available) reasons.push('ranked lower because it cannot be ordered now');
  const [first, ...others] = reasons;
  const opening = `${first!.charAt(0).toUpperCase()}${first!.slice(1)}`;
  return `${[opening, ...others].join('; ')}.`;
}

/** The term as asked, and its replacement if there was one: `hedphones → headphones`. */
function spelling({ term, alternatives }: TermGroup): string {
  const [, replacement] = alternatives;
  return alternatives.length === 2 && replacement !== undefined && !replacement.includes(term)
    ? `${term} → ${replacement}`
    : term;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
