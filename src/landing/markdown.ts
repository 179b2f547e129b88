import { cleanLine, truncateWords } from '../domain/text.ts';
import { parseWebUrl } from '../domain/web-url.ts';

/** Characters that are markup anywhere in a line, in CommonMark and GitHub's tables, strikethrough and footnotes. */
const STRUCTURE = /[\\`*_[\]<>#|~]|&(?=#?\w+;)/g;

/** Bare web addresses that viewers turn into links. */
const BARE_ADDRESS =
  /(?:[a-z][a-z0-9+.-]{0,30}:\/\/+|(?<![a-z0-9])(?:(?:mailto|xmpp):(?=\S)|www\.))+/gi;

/** The `@` of anything that a viewer might turn into a mail link. */
const MAIL = /(?<=[\w.+-])@(?=([\w.-]+))/gi;

/**
 * Catalogue text for a page: one clean line of at most `limit` code points that no viewer turns into a
 * link. Web addresses lose their scheme. Mail addresses lose their `@`, unless their host is one of
 * `ownHosts` or a parent domain of one. Pure and idempotent.
 */
export function pageText(
  text: string,
  { limit, ownHosts = [] }: { limit: number; ownHosts?: readonly string[] },
): string {
  const isOwn = (host: string) =>
    ownHosts.some((own) => own === host || own.endsWith(`.${host}`) || host.endsWith(`.${own}`));
  // Cleaning removes little: eight times the limit is enough input and bounds the work.
  let line = cleanLine(text.slice(0, 8 * limit));
  // Repeats, because removing the inner scheme of `hthttp://tp://` leaves another one.
  for (let before = ''; before !== line; ) {
    before = line;
    line = line.replace(BARE_ADDRESS, '');
  }
  const defanged = line.replace(MAIL, (at, host: string) =>
    isOwn(host.toLowerCase().replace(/\.+$/, '')) ? at : ' (at) ',
  );
  return truncateWords(cleanLine(defanged), limit);
}

/** Escapes one line of text, so that Markdown shows exactly that text anywhere in a line. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(STRUCTURE, '\\$&')
      // The start of a list item, a rule, a heading underline, or a numbered item.
      .replace(/^(?:[-+](?=\s|$)|-(?=[-\s]*$)|=(?=[=\s]*$))/, '\\$&')
      .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
  );
}

/** `[text](url)`, or only the text if the URL must not be linked. */
export function markdownLink(text: string, url: string | null): string {
  const address = url === null ? null : parseWebUrl(url);
  const shown = escapeMarkdown(text);
  return address === null ? shown : `[${shown}](${escapeDestination(address)})`;
}

/** Escapes what Markdown would interpret in a URL: brackets, quotes, spaces, `&`. */
function escapeDestination(url: string): string {
  return url
    .replace(
      /[()<>[\]\\"'`|\s]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .replace(/&(?=#?\w+;)/g, '\\&');
}

/** The entries, a bullet each. */
export function markdownList(entries: readonly string[]): string {
  return entries.map((entry) => `- ${entry}`).join('\n');
}
