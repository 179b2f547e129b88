import { compile, type HtmlToTextOptions } from 'html-to-text';

/**
 * Characters of HTML that are looked at; an import keeps 20,000 of text. The parser takes quadratic
 * time over end tags that close nothing: half a second at this length, half a minute at 1 MiB.
 */
export const HTML_MAX = 128 * 1024;

/** Compiled with the first text: that takes some 10 ms, which a start of the service can do without. */
let toText: ((html: string) => string) | null = null;

export const HTML_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: HTML_MAX, maxDepth: 64, maxChildNodes: 20_000, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'script', format: 'skip' },
    { selector: 'style', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
};

/**
 * What a person would read of an HTML description: lists with their marks, paragraphs apart, no
 * links, images or scripts. Text without markup comes back as it is.
 */
export function htmlToText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  toText ??= compile(HTML_OPTIONS);
  return toText(withoutImages(html).slice(0, HTML_MAX));
}

/**
 * Drops images first: pasted as data URLs they can be megabytes, and the text behind them would be
 * cut off.
 */
function withoutImages(html: string): string {
  if (html.length <= HTML_MAX) return html;
  const parts: string[] = [];
  let from = 0;
  for (let start = html.indexOf('<img'); start !== -1; start = html.indexOf('<img', from)) {
    const end = html.indexOf('>', start);
    if (end === -1) break;
    parts.push(html.slice(from, start));
    from = end + 1;
  }
  return parts.join('') + html.slice(from);
}
