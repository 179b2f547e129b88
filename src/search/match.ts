import { FIELDS, type Field } from '../domain/field.ts';
import type { TermGroup } from './expand-terms.ts';
import { scanWords, termsOf } from './words.ts';

/** Which of the question's groups occur in which fields of an item. */
export interface FieldMatches {
  /** One entry for each group, in order: the fields that hold it. */
  readonly fieldsOfGroup: readonly (readonly Field[])[];
}

/** Pure; `texts` are an item's texts by field. */
export function matchFields(texts: Readonly<Record<Field, string>>, groups: readonly TermGroup[]): FieldMatches {
  const termsByField = FIELDS.map((field) => [field, texts[field] === '' ? null : fieldTerms(field, texts[field])] as const);
  return {
    fieldsOfGroup: groups.map((group) =>
      termsByField.flatMap(([field, terms]) => (terms !== null && holds(terms, group) ? [field] : [])),
    ),
  };
}

/** Whether a term is what a group asks for. */
export function isMatch(term: string, { alternatives }: TermGroup): boolean {
  return alternatives.some((alternative) =>
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

/** The stretch of `text` with the most of the question in it, marked; null when nothing matches. */
export function highlight(field: string, text: string, groups: readonly TermGroup[]): Highlight | null {
  const hits: { start: number; end: number; group: number }[] = [];
  for (const { start, end, term } of scanWords(text)) {
    const group = groups.findIndex((candidate) => isMatch(term, candidate));
    if (group >= 0) hits.push({ start, end, group });
  }
  if (hits.length === 0) return null;
  const { from, to } = bestWindow(text, hits);
  let snippet = from > 0 ? '…' : '';
  let at = from;
  for (const { start, end } of hits) {
    if (start < at || end > to) continue;
    snippet += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`;
    at = end;
  }
  return { field, snippet: snippet + escapeHtml(text.slice(at, to)) + (to < text.length ? '…' : '') };
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function fieldTerms(field: Field, text: string): ReadonlySet<string> {
  const terms = new Set(termsOf(text));
  if (field === 'codes') for (const code of text.split(' ')) for (const term of termsOf(code.replace(/[^\p{L}\p{N}]/gu, ''))) terms.add(term);
  return terms;
}

function holds(terms: ReadonlySet<string>, group: TermGroup): boolean {
  for (const alternative of group.alternatives) {
    if (terms.has(alternative)) return true;
    if (!alternative.endsWith('*')) continue;
    for (const term of terms) if (term.startsWith(alternative.slice(0, -1))) return true;
  }
  return false;
}

/** From the word boundary before the hit whose window holds the most different groups. */
function bestWindow(text: string, hits: readonly { start: number; end: number; group: number }[]): { from: number; to: number } {
  if (text.length <= SNIPPET_LENGTH) return { from: 0, to: text.length };
  let best = { distinct: 0, start: 0 };
  for (const { start } of hits) {
    const inside = hits.filter((hit) => hit.start >= start && hit.end <= start + SNIPPET_LENGTH);
    const distinct = new Set(inside.map(({ group }) => group)).size;
    if (distinct > best.distinct) best = { distinct, start };
  }
  const lead = Math.max(0, Math.min(best.start - 30, text.length - SNIPPET_LENGTH));
  const from = lead === 0 ? 0 : lead + Math.max(0, text.slice(lead, best.start).search(/\s/) + 1);
  const end = Math.min(text.length, Math.max(from + SNIPPET_LENGTH, hits.find(({ start }) => start === best.start)!.end));
  const lastBlank = text.slice(from, end).search(/\s\S*$/);
  const to = end === text.length || lastBlank <= 0 ? end : from + lastBlank;
  return { from, to: Math.max(to, hits.find(({ start }) => start === best.start)!.end) };
}
