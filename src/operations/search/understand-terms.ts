import {
  editDistance,
  expandTerms,
  inverseDocumentFrequency,
  isCorrectable,
  isSimilar,
  similarLengths,
  type TermGroup,
  termsToCount,
} from '../../search/query/expand-terms.ts';
import type { Question } from '../../search/query/parse-question.ts';
import { type AskedCode, squeeze } from '../../search/text/codes.ts';
import { freeOf, termsOf } from '../../search/text/words.ts';
import type { CatalogView } from './catalog-view.ts';

/**
 * The most known terms compared with an unknown one: those with the same first letter, the most
 * frequent first.
 */
const COMPARED_MAX = 5000;

/** The most unknown terms for which spellings are looked up. */
const SPELT_MAX = 8;

/** The fewest digits in a part of a code that is also searched in texts. */
const PART_DIGITS_MIN = 3;

/** A question, expressed in the catalogue's terms. */
export interface Understood {
  /** Codes first, then the terms in order. */
  readonly groups: readonly TermGroup[];
  /** The group that names the product asked for; -1 without groups. */
  readonly headGroup: number;
  readonly codes: readonly UnderstoodCode[];
}

export interface UnderstoodCode {
  readonly text: string;
  /** False if it can only be a code but the catalogue lacks it. */
  readonly isKnown: boolean;
}

/** Expands a question's terms with the catalogue's vocabulary. */
export async function understandTerms(view: CatalogView, question: Question): Promise<Understood> {
  const free = question.constraints.flatMap((constraint) =>
    constraint.kind === 'exclude' ? [freeOf(constraint.terms[0]!)] : [],
  );
  const counts = new Map(
    await view.countDocuments([
      ...termsToCount(question.terms),
      ...question.codes.flatMap(({ marks }) => marks),
      ...free,
    ]),
  );
  const count = (term: string) => counts.get(term) ?? 0;
  const size = await view.countAllDocuments();
  const known = knownCodes(question.codes, count);
  const unknown = question.codes.filter((code) => code.isCertain && !overlaps(code, known));
  const inKnown = new Set(known.flatMap(({ text }) => termsOf(text)));
  const fixed = new Set(unknown.flatMap(({ text }) => termsOf(text)));
  const named = question.terms.slice(0, question.headLength);
  const terms = question.terms.filter((term) => !inKnown.has(term));
  const spellings = new Map<string, string[]>();
  const unheard = terms.filter(
    (term) => count(term) === 0 && !fixed.has(term) && isCorrectable(term),
  );
  for (const term of unheard.slice(0, SPELT_MAX)) {
    const similar = await findSpellings(view, term);
    for (const candidate of similar) counts.set(candidate.term, candidate.count);
    spellings.set(
      term,
      similar.map((candidate) => candidate.term),
    );
  }
  const similar = (term: string) => spellings.get(term) ?? [];
  const groups = [
    ...known.map((code) => codeGroup(code, count, size)),
    ...expandTerms(terms, { size, count, similar }, fixed),
    ...freeGroups(free, count, size),
  ];
  const head = named.findLast((term) => terms.includes(term));
  return {
    groups,
    headGroup: head === undefined ? groups.length - 1 : known.length + terms.indexOf(head),
    codes: [
      ...known.map(({ text }) => ({ text, isKnown: true })),
      ...unknown.map(({ text }) => ({ text, isKnown: false })),
    ],
  };
}

/** The codes that the catalogue has, without overlaps; single words come before runs of words. */
function knownCodes(codes: readonly AskedCode[], count: (term: string) => number): AskedCode[] {
  const known: AskedCode[] = [];
  for (const code of codes) {
    if (code.marks.some((mark) => count(mark) > 0) && !overlaps(code, known)) known.push(code);
  }
  return known;
}

function overlaps({ start, end }: AskedCode, others: readonly AskedCode[]): boolean {
  return others.some((other) => start < other.end && other.start < end);
}

/** Groups for terms such as `lactosefree`, which say that something is absent. */
function freeGroups(
  free: readonly string[],
  count: (term: string) => number,
  size: number,
): TermGroup[] {
  const known = free.filter((term) => count(term) > 0);
  return known.map((term) => ({
    term,
    alternatives: [term],
    idf: inverseDocumentFrequency(count(term), size),
  }));
}

function codeGroup(code: AskedCode, count: (term: string) => number, size: number): TermGroup {
  const parts = termsOf(code.text).filter(
    (term) => term.replace(/\D/g, '').length >= PART_DIGITS_MIN,
  );
  const alternatives = code.marks.filter((mark) => count(mark) > 0);
  return {
    term: code.text,
    alternatives,
    idf: inverseDocumentFrequency(Math.min(size, Math.max(...alternatives.map(count))), size),
    substitutes: [...new Set([squeeze(code.text), ...parts])],
    isCode: true,
  };
}

/** Known terms that an unknown one may be a misspelling of: by edit distance, then by frequency. */
async function findSpellings(
  view: CatalogView,
  term: string,
): Promise<{ term: string; count: number }[]> {
  // The first letter is hardly ever wrong, but it may be swapped with the second. Splits by whole
  // characters, because a server rejects half of a surrogate pair.
  const [first = '', second = ''] = term;
  const prefixes = [first, second + first];
  const found = new Map<string, { term: string; count: number; distance: number }>();
  for (const prefix of prefixes) {
    const query = { prefix, ...similarLengths(term), limit: COMPARED_MAX };
    for (const candidate of await view.findTerms(query)) {
      if (!isSimilar(term, candidate.term)) continue;
      found.set(candidate.term, { ...candidate, distance: editDistance(term, candidate.term) });
    }
  }
  return [...found.values()].sort(
    (left, right) =>
      left.distance - right.distance ||
      right.count - left.count ||
      (left.term < right.term ? -1 : 1),
  );
}
