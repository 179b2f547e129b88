import type { Translator } from '../../messages/translator.ts';

/*
 * Catalogue text in a tool result. Anyone may have written it, such as a seller on a marketplace,
 * so a model must be able to distinguish it from the service's own sentences.
 */

/** Lines of catalogue text between tags that the text itself cannot close. */
export function fenced(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['<catalogue>', ...lines.map(withoutTags), '</catalogue>'];
}

/** A catalogue name for our own sentences, in quotation marks that the name itself cannot close. */
export function quoted(name: string, { text }: Translator): string {
  const [open, close] = [text('quote.open'), text('quote.close')];
  const marks = new RegExp(`[${open}${close}]`.replaceAll('\u00a0', ''), 'g');
  return `${open}${inert(name).replace(marks, '"')}${close}`;
}

/** Catalogue text on one line, without tags, for a member of its own. */
export function inert(text: string): string {
  return withoutTags(oneLine(text));
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function withoutTags(text: string): string {
  return text.replace(/<(?=\s*\/?\s*catalogue)/gi, '‹');
}
