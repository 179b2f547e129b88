import type { ByteBuffer } from '../../collections/byte-buffer.ts';
import { escapeHtml } from '../../domain/html.ts';
import type { SearchResult } from '../../operations/search/search-result.ts';

type Highlights = SearchResult['highlights'];

/** Writes a JSON array of objects with `field` and `snippet`: HTML, escaped text with the matches in `<mark>`. */
export function addHighlights(highlights: Highlights, to: ByteBuffer): void {
  to.addText('[');
  for (const [place, highlight] of highlights.entries()) {
    to.addText(`${place === 0 ? '' : ','}{"field":"${highlight.field}","snippet":"`);
    addSnippet(highlight, to);
    to.addText('"}');
  }
  to.addText(']');
}

function addSnippet({ text, from, to: end, found }: Highlights[number], to: ByteBuffer): void {
  if (from > 0) to.addText('…');
  let at = from;
  for (const match of found) {
    if (match.start < at || match.end > end) continue;
    addHtml(text, { from: at, to: match.start }, to);
    to.addText('<mark>');
    addHtml(text, { from: match.start, to: match.end }, to);
    to.addText('</mark>');
    at = match.end;
  }
  addHtml(text, { from: at, to: end }, to);
  if (end < text.length) to.addText('…');
}

/** Printable ASCII without the characters that HTML or JSON escape. */
const UNESCAPED = Uint8Array.from({ length: 128 }, (_, code) =>
  /[ -~]/.test(String.fromCharCode(code)) && !/[&<>"'\\]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Writes a part of a text as HTML within a JSON string. */
function addHtml(text: string, part: { from: number; to: number }, to: ByteBuffer): void {
  if (to.addPart(text, part, UNESCAPED)) return;
  to.addText(JSON.stringify(escapeHtml(text.slice(part.from, part.to))).slice(1, -1));
}
