/**
 * Characters removed from catalogue text: C0 and C1 controls except tab and line feed, soft hyphen,
 * zero-width characters, bidirectional marks and overrides, interlinear annotation, byte order mark,
 * and tag characters, which can hide instructions from a person but not from a model.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is what this is for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Joiners are significant inside emoji and in Indic and Persian words: kept only between letters or pictographs. */
const JOINER_IN_USE =
  /(?<=[\p{Extended_Pictographic}\p{M}\p{L}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{Extended_Pictographic}\p{L}])/gu;

/** Printable ASCII, tabs and line feeds: the fast path for most texts, which need no removal. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Catalogue text without invisible characters, with `\n` for line breaks, in NFC, trimmed. Pure and
 * idempotent.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text.trim();
  const joined = text.replace(LONE_SURROGATE, '').replace(/\r\n?|\u2028|\u2029/g, '\n');
  const kept = new Set<number>();
  for (const match of joined.matchAll(JOINER_IN_USE)) kept.add(match.index);
  return joined
    .replace(HIDDEN, (character, index: number) => (kept.has(index) ? character : ''))
    .normalize('NFC')
    .trim();
}

/** As `cleanText`, on one line: each run of white space becomes one space. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** Whether text contains NUL or an unpaired surrogate, which are refused in any input. */
export function isForbiddenText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** The number of Unicode code points, the unit of length limits. */
export function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** At most `limit` code points. A longer text is cut at a space, if there is one, so that words stay whole. */
export function truncateWords(text: string, limit: number): string {
  if (text.length <= limit || codePointCount(text) <= limit) return text;
  const cut = [...text].slice(0, limit - 1).join('');
  const lastBlank = cut.search(/\s\S*$/);
  return `${(lastBlank > limit / 2 ? cut.slice(0, lastBlank) : cut).trimEnd()}…`;
}
