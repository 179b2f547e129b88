import { cleanLine, truncateWords } from '../domain/text.ts';
import { parseWebUrl } from '../domain/web-url.ts';

/** What Markdown (CommonMark and GitHub's tables, strikethrough and footnotes) reads as structure anywhere in a line. */
const STRUCTURE = /[\\`*_[\]<>#|~]|&(?=#?\w+;)/g;

/** Web addresses as viewers make links of them although nothing marks them as such. */
const BARE_ADDRESS =
  /(?:[a-z][a-z0-9+.-]{0,30}:\/\/+|(?<![a-z0-9])(?:(?:mailto|xmpp):(?=\S)|www\.))+/gi;

/** In what some viewer takes for a mail address. */
const MAIL = /(?<=[\w.+-])@(?=([\w.-]+))/gi;

/**
 * Catalogue text for a page: one clean line of at most `limit` code points in which no viewer finds a
 * link. Addresses lose their scheme, and mail addresses their `@` unless their host is one of
 * `ownHosts` or above it. Pure; doing it twice changes nothing.
 */
export function pageText(
  text: string,
  { limit, ownHosts = [] }: { limit: number; ownHosts?: readonly string[] },
): string {
  const isOwn = (host: string) =>
    ownHosts.some((own) => own === host || own.endsWith(`.${host}`) || host.endsWith(`.${own}`));
  // Cleaning leaves out little: eight times the limit is enough, and bounds the work.
  let line = cleanLine(text.slice(0, 8 * limit));
  // What is left of `hthttp://tp://` must not be an address either.
  for (let before = ''; before !== line; ) {
    before = line;
    line = line.replace(BARE_ADDRESS, '');
  }
  const defanged = line.replace(MAIL, (at, host: string) =>
    isOwn(host.toLowerCase().replace(/\.+$/, '')) ? at : ' (at) ',
  );
  return truncateWords(cleanLine(defanged), limit);
}

/** Text of one line as Markdown that shows exactly it, wherever in a line it stands. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(STRUCTURE, '\\$&')
      // What opens a list item, a rule or the line under a heading, and a numbered item.
      .replace(/^(?:[-+](?=\s|$)|-(?=[-\s]*$)|=(?=[=\s]*$))/, '\\$&')
      .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
  );
}

/** `[text](url)`, or the text alone where the address is none that may be linked. */
export function markdownLink(text: string, url: string | null): string {
  const address = url === null ? null : parseWebUrl(url);
  const shown = escapeMarkdown(text);
  return address === null ? shown : `[${shown}](${escapeDestination(address)})`;
}

/** An address that Markdown takes as it is: no bracket, quote, blank or entity is left in it. */
function escapeDestination(url: string): string {
  return url
    .replace(
      /[()<>[\]\\"'`|\s]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .replace(/&(?=#?\w+;)/g, '\\&');
}
