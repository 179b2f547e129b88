import type { Field } from '../../domain/field.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import { scanWords } from '../text/words.ts';

/** The fields of an item in which the question's groups occur. */
export interface FieldMatches {
  /** For each group, in order: the fields that hold it. */
  readonly fieldsOfGroup: readonly (readonly Field[])[];
}

/** Whether a term matches a group. */
export function isMatch(term: string, { alternatives, substitutes = [] }: TermGroup): boolean {
  return [...alternatives, ...substitutes].some((alternative) =>
    alternative.endsWith('*') ? term.startsWith(alternative.slice(0, -1)) : term === alternative,
  );
}

export interface Highlight {
  readonly field: string;
  /** HTML: escaped text with the matches in `<mark>`. */
  readonly snippet: string;
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
 * The snippet of `text` that matches most of the question's groups, with the matches marked; null
 * if nothing matches.
 */
export function highlight(
  field: string,
  text: string,
  groups: readonly TermGroup[],
): Highlight | null {
  const found: TextMatch[] = [];
  for (const { start, end, term } of scanWords(text)) {
    const group = groups.findIndex((candidate) => isMatch(term, candidate));
    if (group >= 0) found.push({ start, end, group });
  }
  return markMatches(field, text, found);
}

/** As `highlight`, with the matches given in order. */
export function markMatches(
  field: string,
  text: string,
  found: readonly TextMatch[],
): Highlight | null {
  if (found.length === 0) return null;
  const { from, to } = bestWindow(text, found);
  let snippet = from > 0 ? '…' : '';
  let at = from;
  for (const { start, end } of found) {
    if (start < at || end > to) continue;
    snippet += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`;
    at = end;
  }
  return {
    field,
    snippet: snippet + escapeHtml(text.slice(at, to)) + (to < text.length ? '…' : ''),
  };
}

export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The window of the text that holds the most distinct groups. It begins at a word boundary. */
function bestWindow(text: string, found: readonly TextMatch[]): { from: number; to: number } {
  if (text.length <= SNIPPET_LENGTH) return { from: 0, to: text.length };
  let best = { distinct: 0, match: found[0]! };
  // How often each group occurs in the window that begins at `match` and ends before `next`.
  const counts: number[] = [];
  let distinct = 0;
  let next = 0;
  for (const [index, match] of found.entries()) {
    next = Math.max(next, index);
    while (next < found.length && found[next]!.end <= match.start + SNIPPET_LENGTH) {
      const { group } = found[next++]!;
      counts[group] = (counts[group] ?? 0) + 1;
      if (counts[group] === 1) distinct += 1;
    }
    if (distinct > best.distinct) best = { distinct, match };
    if (next > index && --counts[match.group]! === 0) distinct -= 1;
  }
  const { start, end } = best.match;
  const lead = Math.max(0, Math.min(start - LEAD_LENGTH, text.length - SNIPPET_LENGTH));
  const from =
    lead === 0 ? 0 : wholeCharacter(text, lead + text.slice(lead, start).search(/\s/) + 1);
  const limit = Math.min(text.length, Math.max(from + SNIPPET_LENGTH, end));
  const lastBlank = text.slice(from, limit).search(/\s\S*$/);
  const to = limit === text.length || lastBlank <= 0 ? limit : Math.max(end, from + lastBlank);
  return { from, to: wholeCharacter(text, to) };
}

/** `at`, or one more if that would split a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at + 1 : at;
}
