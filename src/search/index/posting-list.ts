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

/** Where among the postings from `from` up to `end` a document stands; -1 if it does not. */
export function findPosting(
  { documents }: Pick<PostingList, 'documents'>,
  document: number,
  from: number,
  end: number,
): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle]! < document) low = middle + 1;
    else high = middle;
  }
  return low < end && documents[low] === document ? low : -1;
}

/**
 * The first of the postings from `from` up to `end` whose document is not before this one; `end` if there is none.
 * It is looked for in steps that double, because it is mostly near.
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
  let high = Math.min(end, low + step);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle]! < document) low = middle + 1;
    else high = middle;
  }
  return low;
}
