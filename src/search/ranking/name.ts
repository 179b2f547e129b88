import type { TermGroup } from '../query/expand-terms.ts';
import { findMeasures, type Measure } from '../text/units.ts';
import { scanWords, termOf } from '../text/words.ts';
import { MODIFIER_SHARE } from '../tuning/ranking-weights.ts';

/** A tokenized name. */
export interface NameTerms {
  readonly terms: readonly string[];
  /**
   * The length of the head, which names the product itself: the terms before `for …`, `with …`, a
   * comma or a bracket, without the colours, numbers and codes at its end (`Notebook Silver 43
   * cm`). Its last term is the head noun.
   */
  readonly headLength: number;
}

/** Words and punctuation that end the head of a name: what follows only qualifies it. */
const HEAD_END =
  / (?:for|with|by|from|of|fits|compatible|für|mit|pour|avec|para|con) | w\/|[,([|/:;]| [-–—+] /i;

/** Colours that shops append to a name. */
const COLOURS = new Set(
  `anthracite aqua beige black blue bronze brown burgundy charcoal chrome clear copper coral cream cyan gold golden
   gray green grey ivory khaki lime magenta maroon multicolor multicolour natural navy olive orange pink purple red
   rose silver tan teal transparent turquoise violet white yellow
   blau braun gelb gold grau grün lila rosa rot schwarz silber weiß
   argent blanc bleu gris jaune noir or rouge vert`
    .split(/\s+/)
    .map(termOf),
);

/** `measures`: the sizes in the name, if they are already known. */
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

/** How well a name answers a question; each number is from 0 to 1. */
export interface NameSignals {
  /**
   * Share of the name's words that the question asks for: higher for a short name such as `USB
   * cable`.
   */
  readonly density: number;
  /** Share of the question's pairs of adjacent terms that are also adjacent in the name. */
  readonly adjacency: number;
  /**
   * 1 if the head noun is what the question asks for; three quarters if the word before it is:
   * `laptop bag` for `laptop`.
   */
  readonly head: number;
  /**
   * Whether the question contains the head noun at all: `repair` of `bike repair` for `repair my
   * bike`.
   */
  readonly hasNoun: boolean;
}

const NOTHING: NameSignals = { density: 0, adjacency: 0, head: 0, hasNoun: false };

/** The groups that each term belongs to, one bit each. */
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
 * The signals of a name of `length` words. `bits`: the groups of each word. `headGroup`: the group
 * that names what is asked for. All 0 if no word matches. Pure.
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
    // Groups whose predecessor in the question also precedes them in the name.
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
