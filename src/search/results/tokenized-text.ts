import { TermMap } from '../index/term-map.ts';
import type { TermTable } from '../index/term-table.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import type { Language } from '../text/language.ts';
import { type Highlight, highlightMatches, type TextMatch } from './match.ts';

/** A text with its tokens as term numbers, so that highlighting need not tokenize it again. */
export interface TokenizedText {
  readonly text: string;
  /** For each word: its term number, start and end (UTF-16 offsets). */
  readonly words: Uint32Array;
}

const NUMBERS_PER_WORD = 3;

/** Null if the text has a word that is not in the table. */
export function tokenizeText(
  text: string,
  language: Language,
  table: TermTable,
): TokenizedText | null {
  const words: number[] = [];
  for (const { start, end, term } of language.scanWords(text)) {
    const number = table.find(term);
    if (number < 0) return null;
    words.push(number, start, end);
  }
  return { text, words: Uint32Array.from(words) };
}

/** A question's groups as term numbers. */
export interface LocatedGroups {
  /** For each term: the first group that it matches, plus one; 0 for none. */
  readonly first: TermMap;
  /** Groups with a prefix, as half-open ranges of term numbers. */
  readonly prefixes: readonly {
    readonly from: number;
    readonly to: number;
    readonly group: number;
  }[];
}

export function locateGroups(groups: readonly TermGroup[], table: TermTable): LocatedGroups {
  const first = new Map<number, number>();
  const prefixes: { from: number; to: number; group: number }[] = [];
  for (const [group, { alternatives, substitutes = [] }] of groups.entries()) {
    for (const term of [...alternatives, ...substitutes]) {
      const number = table.find(term);
      if (number >= 0 && !first.has(number)) first.set(number, group + 1);
      if (term.endsWith('*')) prefixes.push({ ...table.range(term.slice(0, -1)), group });
    }
  }
  return { first: new TermMap(first), prefixes };
}

/** As `highlight`, for a tokenized text. */
export function highlightTokenized(
  field: string,
  { text, words }: TokenizedText,
  { first, prefixes }: LocatedGroups,
): Highlight | null {
  const found: TextMatch[] = [];
  for (let at = 0; at < words.length; at += NUMBERS_PER_WORD) {
    const term = words[at]!;
    let group = first.get(term) - 1;
    for (let place = 0; place < prefixes.length; place += 1) {
      const prefix = prefixes[place]!;
      const isIn = term >= prefix.from && term < prefix.to;
      if (isIn && (group < 0 || prefix.group < group)) group = prefix.group;
    }
    if (group >= 0) found.push({ start: words[at + 1]!, end: words[at + 2]!, group });
  }
  return highlightMatches(field, text, found);
}
