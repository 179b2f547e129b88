import { FIELDS } from '../../domain/field.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import { FIELD_WEIGHTS, TEXT_B, TEXT_K1 } from '../tuning/ranking-weights.ts';
import { findPosting, type PostingList } from './posting-list.ts';
import type { Postings } from './postings.ts';

export interface TextQuery {
  readonly groups: readonly TermGroup[];
  /** What each group counts. */
  readonly weights: readonly number[];
  /** For each document the groups that it holds, one bit each; left out if it is not known. */
  readonly held?: ArrayLike<number>;
  /** Tokens of an average document. */
  readonly averageLength: number;
}

const NAME_BIT = 1 << FIELDS.indexOf('name');

/** By set of fields: the least weighted frequency of a term that occurs in those besides the name. */
const OTHERS_MIN = Float64Array.from({ length: 1 << FIELDS.length }, (_, bits) =>
  FIELDS.reduce(
    (sum, field, at) => (field !== 'name' && bits & (1 << at) ? sum + FIELD_WEIGHTS[field] : sum),
    0,
  ),
);

/**
 * BM25 of the documents at these places, in which a word of the name counts no more than one of the
 * description, and the groups have given weights. In order.
 */
export function textScores(
  postings: Postings,
  documents: ArrayLike<number>,
  { groups, weights, held, averageLength }: TextQuery,
): Float64Array {
  const scores = new Float64Array(documents.length);
  const norms = new Float64Array(documents.length);
  for (let place = 0; place < documents.length; place++)
    norms[place] =
      TEXT_K1 * (1 - TEXT_B + (TEXT_B * postings.lengthOf(documents[place]!)) / averageLength);
  for (const [group, { alternatives }] of groups.entries()) {
    const lists: PostingList[] = [];
    for (const term of alternatives) {
      const list = postings.find(term);
      if (list !== null) lists.push(list);
    }
    for (let place = 0; place < documents.length; place++) {
      if (held !== undefined && (held[place]! & (1 << group)) === 0) continue;
      const frequency = frequencyIn(lists, documents[place]!);
      scores[place]! += (weights[group]! * frequency) / (frequency + norms[place]!);
    }
  }
  return scores;
}

function frequencyIn(lists: readonly PostingList[], document: number): number {
  let frequency = 0;
  for (let at = 0; at < lists.length; at++) {
    const list = lists[at]!;
    const posting = findPosting(list, document, list.start, list.end);
    if (posting < 0) continue;
    const code = list.codes[posting]!;
    frequency += textFrequency(list.frequencies[code]!, list.fields[code]!);
  }
  return frequency;
}

/**
 * A weighted frequency in which the name counts as if its weight were 1. How often it holds the term
 * is found from the frequency itself, and may be too many where the rest holds it very often.
 */
function textFrequency(frequency: number, fields: number): number {
  if ((fields & NAME_BIT) === 0) return frequency;
  const inName = Math.floor((frequency - OTHERS_MIN[fields]!) / FIELD_WEIGHTS.name);
  return frequency - inName * (FIELD_WEIGHTS.name - 1);
}
