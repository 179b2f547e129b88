import { DocumentColumns } from './document-columns.ts';
import { FrequencyCodes } from './memory-index-builder.ts';
import { joined, type Packing, sumsBefore, takeEach, type Unpacking } from './packing.ts';
import { TermTable } from './term-table.ts';

/** Where the postings of each term begin, and where the last term's end. */
interface TermStarts {
  readonly starts: Uint32Array;
  /** The same in each part, with the number of each of its terms in the joined index. */
  readonly parts: readonly { readonly starts: Uint32Array; readonly numbers: Uint32Array }[];
}

/**
 * Joins packed parts without vectors into one packed `MemoryIndex`. The keys of each part must be greater than those
 * of the part before. The result is the same, to the byte, as an index that was built from all documents at once.
 * Returns the number of documents of each part, and the numbers that its terms now have.
 */
export function* joinIndexes(
  parts: readonly Unpacking[],
  to: Packing,
): Generator<void, { sizes: number[]; numbers: Uint32Array[] }> {
  const sizes = yield* DocumentColumns.joinPacked(parts, to);
  const documentsBefore = sumsBefore(sizes.map((length) => ({ length })));
  const terms = joinTerms(parts, to);
  const codes = joinCodes(parts, to);
  const count = terms.starts.at(-1)!;
  const place = placing(terms, new Uint32Array(count));
  takeEach(parts, Uint32Array, (documents, part) => {
    for (let at = 0; at < documents.length; at++) documents[at]! += documentsBefore[part]!;
    place.take(documents, part);
  });
  to.add(place.placed);
  const placeCodes = placing(terms, new Uint16Array(count));
  takeEach(parts, Uint16Array, (own, part) => {
    for (let at = 0; at < own.length; at++) own[at] = codes[part]![own[at]!]!;
    placeCodes.take(own, part);
  });
  to.add(placeCodes.placed);
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

/** Puts what belongs to the postings of one part after another into the order of their terms. */
function placing<Values extends Uint32Array | Uint16Array>(terms: TermStarts, placed: Values) {
  const next = terms.starts.slice();
  return {
    placed,
    take(values: Values, part: number): void {
      const { starts, numbers } = terms.parts[part]!;
      for (let term = 0; term < numbers.length; term++) {
        const end = starts[term + 1]!;
        let place = next[numbers[term]!]!;
        for (let at = starts[term]!; at < end; at++) placed[place++] = values[at]!;
        next[numbers[term]!] = place;
      }
    },
  };
}
