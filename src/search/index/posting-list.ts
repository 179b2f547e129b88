/** The documents that hold a term, ascending. */
export interface PostingList {
  readonly documents: Uint32Array;
  /** For each posting, the code of its pair of frequency and fields. */
  readonly codes: Uint16Array;
  /** The postings of the term are those from `start` up to `end`. */
  readonly start: number;
  readonly end: number;
  /** By code: the weighted frequency, and the fields (one bit each). */
  readonly frequencies: Float64Array;
  readonly fields: Uint8Array;
}

/** The place of a document among the postings from `from` up to `end`; -1 if it is not there. */
export function findPosting(
  { documents }: Pick<PostingList, 'documents'>,
  document: number,
  from: number,
  end: number,
): number {
  const place = lowerBound(documents, document, from, end);
  return place < end && documents[place] === document ? place : -1;
}

/**
 * The first of the postings from `from` up to `end` whose document is not before this one; `end` if there is none.
 * It searches in steps that double, because the posting is mostly near.
 */
export function firstFrom(
  { documents }: Pick<PostingList, 'documents'>,
  document: number,
  from: number,
  end: number,
): number {
  let low = from;
  let step = 1;
  while (low + step < end && documents[low + step]! < document) {
    low += step;
    step *= 2;
  }
  return lowerBound(documents, document, low, Math.min(end, low + step));
}

/** The first place from `low` up to `high` whose document is not before this one; `high` if there is none. */
export function lowerBound(
  documents: Uint32Array,
  document: number,
  low: number,
  high: number,
): number {
  let first = low;
  let end = high;
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (documents[middle]! < document) first = middle + 1;
    else end = middle;
  }
  return first;
}
