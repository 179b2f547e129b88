import type { TermGroup } from '../query/expand-terms.ts';
import { findMeasures, type Measure } from '../text/units.ts';
import { scanWords, termOf } from '../text/words.ts';
import { MODIFIER_SHARE } from '../tuning/ranking-weights.ts';

/** A name as ranking reads it. */
export interface NameTerms {
  readonly terms: readonly string[];
  /**
   * How many of them name the thing itself: those before `for …`, `with …`, a comma or a bracket, less
   * the colours, numbers and codes at their end (`Notebook Silver 43 cm`).
   */
  readonly headLength: number;
}

/** What ends the part of a name that says what the thing is: what follows says for whom, with what, which. */
const HEAD_END =
  / (?:for|with|by|from|of|fits|compatible|für|mit|pour|avec|para|con) | w\/|[,([|/:;]| [-–—+] /i;

/** Colours that shops put behind a name. */
const COLOURS = new Set(
  `anthracite aqua beige black blue bronze brown burgundy charcoal chrome clear copper coral cream cyan gold golden
   gray green grey ivory khaki lime magenta maroon multicolor multicolour natural navy olive orange pink purple red
   rose silver tan teal transparent turquoise violet white yellow
   blau braun gelb gold grau grün lila rosa rot schwarz silber weiß
   argent blanc bleu gris jaune noir or rouge vert`
    .split(/\s+/)
    .map(termOf),
);

/** `measures`: the sizes in it, where they have been found already. */
export function nameTerms(
  name: string,
  measures: readonly Measure[] = findMeasures(name),
): NameTerms {
  const end = name.search(HEAD_END);
  const words = scanWords(name, measures).filter(({ term }) => term !== '');
  const terms = words.map(({ term }) => term);
  let headLength = end < 0 ? terms.length : words.filter(({ start }) => start < end).length;
  while (headLength > 1 && isTrailing(terms[headLength - 1]!)) headLength -= 1;
  return { terms, headLength };
}

function isTrailing(term: string): boolean {
  return COLOURS.has(term) || /\d/.test(term);
}

/** How a name answers a question, each from 0 to 1. */
export interface NameSignals {
  /** Share of the name's words that the question asks for: `USB cable` says less besides than a longer name. */
  readonly density: number;
  /** Share of the question's neighbouring terms that are neighbours in the name too. */
  readonly adjacency: number;
  /** 1 if the thing named is what the question asks for, three quarters if that only says which: a `laptop bag` for `laptop`. */
  readonly head: number;
  /** Whether the question has the noun at all: `repair` of a `bike repair` for `repair my bike`. */
  readonly hasNoun: boolean;
}

const NOTHING: NameSignals = { density: 0, adjacency: 0, head: 0, hasNoun: false };

/** Which of the groups each of their terms belongs to, as bits. */
export function groupBits(groups: readonly TermGroup[]): Map<string, number> {
  const bits = new Map<string, number>();
  for (const [index, { alternatives, substitutes = [] }] of groups.entries()) {
    for (const term of [...alternatives, ...substitutes]) {
      bits.set(term, (bits.get(term) ?? 0) | (1 << index));
    }
  }
  return bits;
}

/**
 * The signals of a name of `length` words; `bits` are each word's groups, `headGroup` is the one that
 * names what is asked for. All 0 where no word is asked for. Pure.
 */
export function nameSignals(
  bits: ArrayLike<number>,
  { length, headLength }: { readonly length: number; readonly headLength: number },
  { groupCount, headGroup }: { readonly groupCount: number; readonly headGroup: number },
): NameSignals {
  let matched = 0;
  let before = 0;
  let neighbours = 0;
  for (let at = 0; at < length; at++) {
    const present = bits[at]!;
    if (present !== 0) matched += 1;
    // Groups whose neighbour in the question stood right before.
    neighbours |= (before << 1) & present;
    before = present;
  }
  if (matched === 0) return NOTHING;
  const pairs = groupCount - 1;
  const asked = 1 << headGroup;
  const noun = headLength > 0 ? bits[headLength - 1]! : 0;
  const modifier = headLength > 1 ? bits[headLength - 2]! : 0;
  return {
    density: matched / length,
    adjacency: pairs > 0 ? bitCount(neighbours) / pairs : 1,
    head: (noun & asked) !== 0 ? 1 : (modifier & asked) !== 0 ? MODIFIER_SHARE : 0,
    hasNoun: noun !== 0,
  };
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
