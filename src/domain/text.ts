/**
 * Characters that catalogue text never keeps: C0 and C1 controls except tab and line feed, soft
 * hyphen, zero-width characters, bidirectional marks and overrides, interlinear annotation, byte
 * order mark, and tag characters, which can hide instructions from a person but not from a model.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is what this is for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Joiners mean something inside emoji and in Indic and Persian words: kept only between letters or pictographs. */
const JOINER_IN_USE =
  /(?<=[\p{Extended_Pictographic}\p{M}\p{L}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{Extended_Pictographic}\p{L}])/gu;

/** What most texts are made of, and nothing has to be taken out of. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Catalogue text without what a person cannot see, with line breaks as `\n` and composed
 * characters (NFC), trimmed. Pure; cleaning twice changes nothing.
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

/** As `cleanText`, on one line: runs of white space become one blank. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** Whether text holds NUL or an unpaired surrogate, which no input may. */
export function isForbiddenText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** Number of Unicode code points, the unit of every length limit. */
export function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `limit` code points; whole words only if `text` has to be cut and has a blank to cut at. */
export function truncateWords(text: string, limit: number): string {
  if (text.length <= limit || codePointCount(text) <= limit) return text;
  const cut = [...text].slice(0, limit - 1).join('');
  const lastBlank = cut.search(/\s\S*$/);
  return `${(lastBlank > limit / 2 ? cut.slice(0, lastBlank) : cut).trimEnd()}…`;
}
