import type { Field } from '../../domain/field.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import type { Language } from '../text/language.ts';

/** The fields of an item in which the question's groups occur. */
export interface FieldMatches {
  /** For each group, in order: the fields that hold it. */
  readonly fieldsOfGroup: readonly (readonly Field[])[];
}

/** Finds the first group that a term matches, by an alternative or a substitute; -1 for none. */
export function groupFinder(groups: readonly TermGroup[]): (term: string) => number {
  const first = new Map<string, number>();
  const prefixes: { readonly prefix: string; readonly group: number }[] = [];
  for (const [group, { alternatives, substitutes = [] }] of groups.entries()) {
    for (const term of [...alternatives, ...substitutes]) {
      if (!first.has(term)) first.set(term, group);
      if (term.endsWith('*')) prefixes.push({ prefix: term.slice(0, -1), group });
    }
  }
  return (term) => {
    const exact = first.get(term) ?? -1;
    for (const { prefix, group } of prefixes) {
      if (exact >= 0 && exact <= group) return exact;
      if (term.startsWith(prefix)) return group;
    }
    return exact;
  };
}

/** The part of a text that shows best what of it matches a question. */
export interface Highlight {
  /** The name of the text in an answer. */
  readonly field: string;
  readonly text: string;
  /** The part to show: UTF-16 offsets. */
  readonly from: number;
  readonly to: number;
  /** All matches of the text, in order. Those that do not lie in the part are not marked. */
  readonly found: readonly TextMatch[];
}

/** Code units of a snippet's text, about two lines. */
const SNIPPET_LENGTH = 160;

/** The most code units before a snippet's first match. */
const LEAD_LENGTH = 30;

/** A word of a text that matches the question. */
export interface TextMatch {
  readonly start: number;
  readonly end: number;
  /** The group it matches. */
  readonly group: number;
}

/**
 * The part of `text` that matches most of the question's groups; null if nothing matches.
 * `groupOf`: a `groupFinder`. `language`: that of the text.
 */
export function highlight(
  field: string,
  text: string,
  groupOf: (term: string) => number,
  language: Language,
): Highlight | null {
  const found: TextMatch[] = [];
  for (const { start, end, term } of language.scanWords(text)) {
    const group = groupOf(term);
    if (group >= 0) found.push({ start, end, group });
  }
  return highlightMatches(field, text, found);
}

/** As `highlight`, with the matches given in order. */
export function highlightMatches(
  field: string,
  text: string,
  found: readonly TextMatch[],
): Highlight | null {
  if (found.length === 0) return null;
  const { from, to } = bestWindow(text, found);
  return { field, text, from, to, found };
}

/** The window of the text that holds the most distinct groups. It begins at a word boundary. */
function bestWindow(text: string, found: readonly TextMatch[]): { from: number; to: number } {
  if (text.length <= SNIPPET_LENGTH) return { from: 0, to: text.length };
  const { start, end } = densestMatch(found);
  const lead = Math.max(0, Math.min(start - LEAD_LENGTH, text.length - SNIPPET_LENGTH));
  const from = lead === 0 ? 0 : wholeCharacter(text, afterBlank(text, lead, start));
  const limit = Math.min(text.length, Math.max(from + SNIPPET_LENGTH, end));
  const blank = limit === text.length ? from : lastBlank(text, from, limit);
  return { from, to: wholeCharacter(text, blank === from ? limit : Math.max(end, blank)) };
}

/** The first match of the window that holds the most distinct groups. */
function densestMatch(found: readonly TextMatch[]): TextMatch {
  let densest = found[0]!;
  if (found.length === 1) return densest;
  let most = 0;
  // How often each group occurs in the window that begins at `match` and ends before `next`.
  const counts: number[] = [];
  let distinct = 0;
  let next = 0;
  for (let index = 0; index < found.length; index += 1) {
    const match = found[index]!;
    next = Math.max(next, index);
    while (next < found.length && found[next]!.end <= match.start + SNIPPET_LENGTH) {
      const { group } = found[next++]!;
      counts[group] = (counts[group] ?? 0) + 1;
      if (counts[group] === 1) distinct += 1;
    }
    if (distinct > most) {
      most = distinct;
      densest = match;
    }
    if (next > index && --counts[match.group]! === 0) distinct -= 1;
  }
  return densest;
}

/** The place after the first blank from `from` on; `from` if there is none before `end`. */
function afterBlank(text: string, from: number, end: number): number {
  for (let at = from; at < end; at += 1) if (isBlank(text.charCodeAt(at))) return at + 1;
  return from;
}

/** The place of the last blank before `end`; `from` if there is none. */
function lastBlank(text: string, from: number, end: number): number {
  let at = end - 1;
  while (at > from && !isBlank(text.charCodeAt(at))) at -= 1;
  return Math.max(at, from);
}

/** What `\s` matches, without the price of a regular expression for Latin letters. */
function isBlank(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return /\s/.test(String.fromCharCode(unit));
}

/** `at`, or one more if that would split a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at + 1 : at;
}
