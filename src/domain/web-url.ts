/** Longest URL that a catalogue may contain, in characters. */
export const URL_MAX = 2048;

/** The normalised URL if it is http(s), has no user info and at most 2,048 characters; else null. */
export function parseWebUrl(text: string): string | null {
  if (text.length > URL_MAX || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '') return null;
  return url.href.length <= URL_MAX ? url.href : null;
}
