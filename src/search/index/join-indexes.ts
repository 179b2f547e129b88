import { resized } from '../../collections/resized.ts';
import { DocumentColumns } from './document-columns.ts';
import { FrequencyCodes } from './memory-index-builder.ts';
import {
  joined,
  type NumbersKind,
  type Packing,
  sumsBefore,
  takeEach,
  type Unpacking,
} from './packing.ts';
import { lowerBound } from './posting-list.ts';
import { TermTable } from './term-table.ts';

/** Postings are joined in so many pieces, so that only one of them is in memory twice. */
const PIECES = 8;

/** Where the postings of each term begin, and where the last term's end. */
interface TermStarts {
  readonly starts: Uint32Array;
  /** The same in each part, with the number of each of its terms in the joined index. */
  readonly parts: readonly { readonly starts: Uint32Array; readonly numbers: Uint32Array }[];
}

/**
 * Joins packed parts without vectors into one packed `MemoryIndex`. The keys of each part must be greater than those
 * of the part before. The result is the same, to the byte, as an index that was built from all documents at once.
 * Returns the number of documents of each part, and the numbers that its terms now have. Yields where memory of parts
 * has become free.
 */
export function* joinIndexes(
  parts: readonly Unpacking[],
  to: Packing,
): Generator<void, { sizes: number[]; numbers: Uint32Array[] }> {
  const sizes = yield* DocumentColumns.joinPacked(parts, to);
  const documentsBefore = sumsBefore(sizes.map((length) => ({ length })));
  const terms = joinTerms(parts, to);
  const codes = joinCodes(parts, to);
  yield;
  const count = terms.starts.at(-1)!;
  const documents = new Uint32Array(count);
  to.add(documents);
  yield* place(cutEach(parts, Uint32Array, terms), { terms, placed: documents }, (own, part) => {
    for (let at = 0; at < own.length; at++) own[at]! += documentsBefore[part]!;
  });
  const placedCodes = new Uint16Array(count);
  to.add(placedCodes);
  yield* place(cutEach(parts, Uint16Array, terms), { terms, placed: placedCodes }, (own, part) => {
    for (let at = 0; at < own.length; at++) own[at] = codes[part]![own[at]!]!;
  });
  to.add(joined(parts.map((part) => part.take(Uint32Array))));
  for (const part of parts) part.take(Uint8Array);
  to.add(Uint8Array.of(0));
  return { sizes, numbers: terms.parts.map(({ numbers }) => numbers) };
}

function joinTerms(parts: readonly Unpacking[], to: Packing): TermStarts {
  const { size, numbers } = TermTable.joinPacked(parts, to);
  const own = parts.map((part, at) => {
    return { starts: part.take(Uint32Array), numbers: numbers[at]! };
  });
  const starts = new Uint32Array(size + 1);
  for (const part of own)
    for (let term = 0; term < part.numbers.length; term++)
      starts[part.numbers[term]! + 1]! += part.starts[term + 1]! - part.starts[term]!;
  for (let term = 0; term < size; term++) starts[term + 1]! += starts[term]!;
  to.add(starts);
  return { starts, parts: own };
}

/** For each part, the codes that its codes are now. */
function joinCodes(parts: readonly Unpacking[], to: Packing): Uint16Array[] {
  const joinedCodes = new FrequencyCodes();
  const frequencies = parts.map((part) => part.take(Float64Array));
  const codes = parts.map((part, at) =>
    Uint16Array.from(part.take(Uint8Array), (fields, code) =>
      joinedCodes.code(frequencies[at]![code]!, fields),
    ),
  );
  const columns = joinedCodes.columns();
  to.add(columns.frequencies, columns.fields);
  return codes;
}

type PostingValues = Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/** What belongs to the postings of some of a part's terms. */
interface Piece<Values extends PostingValues> {
  readonly values: Values;
  readonly firstTerm: number;
  readonly endTerm: number;
}

/** Cuts what belongs to each part's postings at the same terms. Releases its memory. */
function cutEach<Values extends PostingValues>(
  parts: readonly Unpacking[],
  kind: NumbersKind<Values>,
  { starts, parts: own }: TermStarts,
): Piece<Values>[][] {
  const cuts = Array.from({ length: PIECES + 1 }, (_, cut) =>
    lowerBound(starts, (starts.at(-1)! * cut) / PIECES, 0, starts.length),
  );
  cuts[PIECES] = starts.length;
  const pieces: Piece<Values>[][] = [];
  takeEach(parts, kind, (values, part) => {
    const { starts, numbers } = own[part]!;
    const terms = cuts.map((term) => lowerBound(numbers, term, 0, numbers.length));
    pieces.push(
      terms.slice(1).map((endTerm, piece) => {
        const firstTerm = terms[piece]!;
        const cut = values.slice(starts[firstTerm], starts[endTerm]) as Values;
        return { values: cut, firstTerm, endTerm };
      }),
    );
  });
  return pieces;
}

/**
 * Puts what belongs to the postings of the parts into the order of their terms, and releases its memory. `renumber`:
 * gives the values of a part those that they have now.
 */
function* place<Values extends PostingValues>(
  pieces: readonly Piece<Values>[][],
  { terms, placed }: { readonly terms: TermStarts; readonly placed: Values },
  renumber: (values: Values, part: number) => void,
): Generator<void, void> {
  const next = terms.starts.slice();
  for (let piece = 0; piece < PIECES; piece++) {
    for (const [part, { starts, numbers }] of terms.parts.entries()) {
      const { values, firstTerm, endTerm } = pieces[part]![piece]!;
      renumber(values, part);
      for (let term = firstTerm, at = 0; term < endTerm; term++) {
        let place = next[numbers[term]!]!;
        for (let left = starts[term + 1]! - starts[term]!; left > 0; left--)
          placed[place++] = values[at++]!;
        next[numbers[term]!] = place;
      }
      resized(values, 0);
    }
    yield;
  }
}
