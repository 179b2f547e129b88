import type { Field } from '../../domain/field.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import { scanWords } from '../text/words.ts';

/** Which of the question's groups occur in which fields of an item. */
export interface FieldMatches {
  /** One entry for each group, in order: the fields that hold it. */
  readonly fieldsOfGroup: readonly (readonly Field[])[];
}

/** Whether a term is what a group asks for. */
export function isMatch(term: string, { alternatives, substitutes = [] }: TermGroup): boolean {
  return [...alternatives, ...substitutes].some((alternative) =>
    alternative.endsWith('*') ? term.startsWith(alternative.slice(0, -1)) : term === alternative,
  );
}

export interface Highlight {
  readonly field: string;
  /** HTML: the text escaped, what matched in `<mark>`. */
  readonly snippet: string;
}

/** Code units of a snippet's text, about two lines. */
const SNIPPET_LENGTH = 160;

/** What a snippet shows at most before its first match. */
const LEAD_LENGTH = 30;

/** A word of a text that the question asks for. */
export interface TextMatch {
  readonly start: number;
  readonly end: number;
  /** Which of the question's groups. */
  readonly group: number;
}

/** The stretch of `text` with the most of the question in it, marked; null when nothing matches. */
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

/** The same where the words that match are known: `found` in order. */
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

/** From the word boundary before the match whose window holds the most different groups. */
function bestWindow(text: string, found: readonly TextMatch[]): { from: number; to: number } {
  if (text.length <= SNIPPET_LENGTH) return { from: 0, to: text.length };
  let best = { distinct: 0, match: found[0]! };
  // How often each group stands in the window from `match` on, which ends before `next`.
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

/** `at`, or one more where that would take a surrogate pair apart. */
function wholeCharacter(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at + 1 : at;
}
