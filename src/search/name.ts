import type { TermGroup } from './expand-terms.ts';
import { termsOf } from './words.ts';

/** A name as ranking reads it. */
export interface NameTerms {
  readonly terms: readonly string[];
  /** How many of them name the thing itself, before `for …`, `with …`, a comma or a bracket. */
  readonly headLength: number;
}

/** What ends the part of a name that says what the thing is: what follows says for whom, with what, which. */
const HEAD_END =
  / (?:for|with|by|from|of|fits|compatible|für|mit|pour|avec|para|con) | w\/|[,([|/:;]| [-–—] /i;

/** Words at the end of that part in which its noun stands: `rain jacket`, `jacket blue`. */
const NOUN_TERMS = 2;

export function nameTerms(name: string): NameTerms {
  const end = name.search(HEAD_END);
  return {
    terms: termsOf(name),
    headLength: end < 0 ? termsOf(name).length : termsOf(name.slice(0, end)).length,
  };
}

/** How a name answers a question, each from 0 to 1. */
export interface NameSignals {
  /** Share of the name's words that the question asks for: `USB cable` says less besides than a longer name. */
  readonly density: number;
  /** Share of the question's neighbouring terms that are neighbours in the name too. */
  readonly adjacency: number;
  /** 1 if the thing named is what the question asks for: a `laptop bag` is none for `laptop`. */
  readonly head: number;
}

/** Pure; all 0 for a question without a term. `headGroup` is the one that names what is asked for. */
export function matchName(
  { terms, headLength }: NameTerms,
  groups: readonly TermGroup[],
  headGroup = groups.length - 1,
): NameSignals {
  if (terms.length === 0 || groups.length === 0) return { density: 0, adjacency: 0, head: 0 };
  // Which of the groups each word of the name belongs to, as bits.
  const groupsAt = terms.map((term) =>
    groups.reduce(
      (bits, { alternatives, substitutes = [] }, index) =>
        alternatives.includes(term) || substitutes.includes(term) ? bits | (1 << index) : bits,
      0,
    ),
  );
  let neighbours = 0;
  for (let index = 0; index + 1 < groups.length; index++) {
    const isPair = groupsAt.some(
      (bits, at) => bits & (1 << index) && (groupsAt[at + 1] ?? 0) & (1 << (index + 1)),
    );
    if (isPair) neighbours += 1;
  }
  const lastGroup = 1 << headGroup;
  const noun = groupsAt.slice(Math.max(0, headLength - NOUN_TERMS), headLength);
  return {
    density: groupsAt.filter((bits) => bits !== 0).length / terms.length,
    adjacency:
      groups.length > 1
        ? neighbours / (groups.length - 1)
        : groupsAt.some((bits) => bits !== 0)
          ? 1
          : 0,
    head: noun.some((bits) => bits & lastGroup) ? 1 : 0,
  };
}
