import { type LengthNorms, saturation } from './length-norms.ts';

/**
 * Neighbouring documents in a range, as a power of two. Smaller ranges have tighter bounds, larger
 * ones are fewer to compare.
 */
export const RANGE_SHIFT = 7;

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

/** The ranges of documents that hold a term, ascending. */
export interface PostingRanges {
  readonly numbers: Uint32Array;
  /** Where the postings of each range begin, and where the last one's end. */
  readonly starts: Uint32Array;
  /** The greatest saturation in each range, for the average length below. */
  readonly maxima: Float64Array;
  readonly averageLength: number;
}

/** Visits every posting of the list. */
export function findRanges(
  { documents, codes, start, end, frequencies }: PostingList,
  { norms, lengths, averageLength }: LengthNorms,
): PostingRanges {
  const countMax = Math.min(end - start, countRanges(lengths.length));
  const numbers = new Uint32Array(countMax);
  const starts = new Uint32Array(countMax + 1);
  const maxima = new Float64Array(countMax);
  let place = -1;
  let last = -1;
  for (let at = start; at < end; at++) {
    const document = documents[at]!;
    const range = document >>> RANGE_SHIFT;
    if (range !== last) {
      last = range;
      numbers[++place] = range;
      starts[place] = at;
    }
    const score = saturation(frequencies[codes[at]!]!, norms[lengths[document]!]!);
    if (score > maxima[place]!) maxima[place] = score;
  }
  const count = place + 1;
  starts[count] = end;
  return {
    numbers: numbers.slice(0, count),
    starts: starts.slice(0, count + 1),
    maxima: maxima.slice(0, count),
    averageLength,
  };
}

/** The number of ranges of that many documents. */
export function countRanges(size: number): number {
  return Math.ceil(size / (1 << RANGE_SHIFT));
}

/** Where a range stands among those of the term; -1 if it holds none of its documents. */
export function findRange({ numbers }: PostingRanges, range: number): number {
  // A frequent term has postings in every range.
  if (numbers[range] === range) return range;
  let from = 0;
  let to = Math.min(numbers.length, range);
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (numbers[middle]! < range) from = middle + 1;
    else to = middle;
  }
  return numbers[from] === range ? from : -1;
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

/** Bytes of memory. */
export function bytesOfRanges({ numbers, starts, maxima }: PostingRanges): number {
  return numbers.byteLength + starts.byteLength + maxima.byteLength;
}
