import { PropertyMap } from '../../collections/property-map.ts';
import type { LayeredIndex } from '../../search/index/layered-index.ts';
import type { Compounds } from '../../search/query/compounds.ts';
import {
  editDistance,
  expandTerms,
  halvesToCount,
  inverseDocumentFrequency,
  isCorrectable,
  isSimilar,
  similarLengths,
  type TermGroup,
  termsToCount,
  type Vocabulary,
} from '../../search/query/expand-terms.ts';
import type { Question } from '../../search/query/parse-question.ts';
import { accessoryTerms, isQualifier, mayBeFirstNoun } from '../../search/ranking/name.ts';
import { type AskedCode, squeeze } from '../../search/text/codes.ts';
import type { Synonyms } from '../../search/text/synonyms.ts';
import { freeOf } from '../../search/text/tokenizer.ts';
import { findCompounds } from './find-compounds.ts';

/**
 * The most known terms compared with an unknown one: those with the same first letter, the most
 * frequent first.
 */
const COMPARED_MAX = 5000;

/** The most unknown terms for which spellings are looked up. */
const SPELT_MAX = 8;

/** The share of its weight that a word for policies keeps: every policy has it. */
const POLICY_SHARE = 0.2;

/** The fewest digits in a part of a code that is also searched in texts. */
const PART_DIGITS_MIN = 3;

/** The terms of a catalogue, counted over the organization's whole catalogue. */
export type SearchedTerms = Pick<
  LayeredIndex,
  'vocabulary' | 'size' | 'countDocuments' | 'findTerms'
>;

/** A question, expressed in the catalogue's terms. */
export interface Understood {
  /** Codes first, then the terms in order. */
  readonly groups: readonly TermGroup[];
  /** The group that names the product asked for; -1 without groups. */
  readonly headGroup: number;
  /** The terms of things that are made for another product, in the question's language. */
  readonly accessories: ReadonlySet<string>;
  /** The compounds of the question's terms, its synonyms and what it excludes. */
  readonly compounds: Compounds;
  readonly codes: readonly UnderstoodCode[];
}

export interface UnderstoodCode {
  readonly text: string;
  /** False if it can only be a code but the catalogue lacks it. */
  readonly isKnown: boolean;
}

/** What a question means in the vocabulary in which it was asked last. It goes with the question. */
const lastUnderstood = new PropertyMap<
  Question,
  { readonly vocabulary: symbol; readonly understood: Understood }
>();

/** Expands a question's terms with the catalogue's vocabulary and the shops' own synonyms. */
export function understandTerms(
  index: SearchedTerms,
  question: Question,
  ownSynonyms: readonly Synonyms[] = [],
): Understood {
  const { vocabulary } = index;
  const known = lastUnderstood.get(question);
  if (ownSynonyms.length > 0) return expand(index, question, ownSynonyms);
  if (known?.vocabulary === vocabulary) return known.understood;
  const understood = expand(index, question, ownSynonyms);
  lastUnderstood.set(question, { vocabulary, understood });
  return understood;
}

function expand(
  index: SearchedTerms,
  question: Question,
  ownSynonyms: readonly Synonyms[],
): Understood {
  const { language, otherTerms } = question;
  const free = question.constraints.flatMap((constraint) =>
    constraint.kind === 'exclude' ? [freeOf(constraint.terms[0]!)] : [],
  );
  const excluded = question.constraints.flatMap((constraint) =>
    constraint.kind === 'exclude' ? [...constraint.terms, ...constraint.otherForms.flat()] : [],
  );
  const counts = index.countDocuments([
    ...termsToCount(question.terms, language, ownSynonyms),
    ...question.codes.flatMap(({ marks }) => marks),
    ...[...otherTerms.values()].flat(),
    ...free,
  ]);
  const count = (term: string) => counts.get(term) ?? 0;
  const halves = halvesToCount(
    question.terms.filter((term) => count(term) === 0),
    language,
  );
  if (halves.length > 0)
    for (const [half, found] of index.countDocuments(halves)) counts.set(half, found);
  const { size } = index;
  const known = knownCodes(question.codes, count);
  const unknown = question.codes.filter((code) => code.isCertain && !overlaps(code, known));
  const inKnown = new Set(known.flatMap(({ text }) => language.termsOf(text)));
  const fixed = new Set(unknown.flatMap(({ text }) => language.termsOf(text)));
  const terms = question.terms.filter((term) => !inKnown.has(term));
  const head = headTerm(question, (term) => !inKnown.has(term));
  const compounds = findCompounds(index, language, {
    terms: [...terms, ...excluded, ...language.synonymsOf(terms).flat()],
    counts,
  });
  const unheard = terms.filter(
    (term) => count(term) === 0 && !fixed.has(term) && isCorrectable(term),
  );
  const spellings = spellingsOf(index, unheard.slice(0, SPELT_MAX), counts);
  const similar = (term: string) => spellings.get(term) ?? [];
  const groups = [
    ...known.map((code) => codeGroup(code, { language, count, size })),
    ...expandTerms(
      terms,
      {
        ...{ language, size, count, similar, ownSynonyms, otherTerms },
        compounds: withoutOthers(compounds, head),
      },
      fixed,
    ).map((group) => asAsked(group, question)),
    ...freeGroups(free, count, size),
  ];
  return {
    groups,
    headGroup: head === undefined ? groups.length - 1 : known.length + terms.indexOf(head),
    accessories: accessoryTerms(language),
    compounds,
    codes: [
      ...known.map(({ text }) => ({ text, isKnown: true })),
      ...unknown.map(({ text }) => ({ text, isKnown: false })),
    ],
  };
}

/** The term that names the product asked for, among those that `isAsked` leaves; undefined if none is left. */
function headTerm(
  { terms, headLength, language, policyTerms, vagueTerms }: Question,
  isAsked: (term: string) => boolean,
): string | undefined {
  const named = terms.slice(0, headLength).filter(isAsked);
  const isNoun = (term: string) =>
    !isQualifier(term, language) && !policyTerms.has(term) && !vagueTerms.has(term);
  const first = named.find((term) => isNoun(term) && mayBeFirstNoun(term, language));
  return first ?? named.findLast(isNoun) ?? named.at(-1);
}

/** A group with the word of the question, and with less weight if it only names a policy. */
function asAsked(
  group: TermGroup,
  { policyTerms, vagueTerms, hostTerms, words }: Question,
): TermGroup {
  const idf = policyTerms.has(group.term) ? POLICY_SHARE * group.idf : group.idf;
  const word = words.get(group.term);
  return {
    ...{ ...group, idf },
    ...(word === undefined ? {} : { word }),
    ...(hostTerms.has(group.term) ? { isHost: true as const } : {}),
    ...(vagueTerms.has(group.term) ? { isVague: true as const } : {}),
  };
}

/** A question for `Kaffee` does not ask for what begins with it, such as a `Kaffeemaschine`. */
function withoutOthers(compounds: Compounds, head: string | undefined): Compounds {
  const kinds = head === undefined ? [] : (compounds.get(head)?.kinds ?? []);
  return head === undefined ? compounds : new Map(compounds).set(head, { kinds, others: [] });
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

function codeGroup(
  code: AskedCode,
  { language, count, size }: Pick<Vocabulary, 'language' | 'count' | 'size'>,
): TermGroup {
  const parts = language
    .termsOf(code.text)
    .filter((term) => term.replace(/\D/g, '').length >= PART_DIGITS_MIN);
  const alternatives = code.marks.filter((mark) => count(mark) > 0);
  return {
    term: code.text,
    alternatives,
    idf: inverseDocumentFrequency(Math.min(size, Math.max(...alternatives.map(count))), size),
    substitutes: [...new Set([squeeze(code.text), ...parts])],
    isCode: true,
  };
}

/** The `findSpellings` of each term, whose document counts it adds to `counts`. */
function spellingsOf(
  index: SearchedTerms,
  terms: readonly string[],
  counts: Map<string, number>,
): ReadonlyMap<string, readonly string[]> {
  const spellings = new Map<string, readonly string[]>();
  for (const term of terms) {
    const similar = findSpellings(index, term);
    for (const candidate of similar) counts.set(candidate.term, candidate.count);
    spellings.set(
      term,
      similar.map((candidate) => candidate.term),
    );
  }
  return spellings;
}

/** Known terms that an unknown one may be a misspelling of: by edit distance, then by frequency. */
function findSpellings(index: SearchedTerms, term: string): { term: string; count: number }[] {
  // The first letter is hardly ever wrong, but it may be swapped with the second.
  const [first = '', second = ''] = term;
  const prefixes = [first, second + first];
  const found = new Map<string, { term: string; count: number; distance: number }>();
  for (const prefix of prefixes) {
    const query = { prefix, ...similarLengths(term), limit: COMPARED_MAX };
    for (const candidate of index.findTerms(query)) {
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
