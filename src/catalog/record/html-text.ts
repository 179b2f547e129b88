import { compile, type HtmlToTextOptions } from 'html-to-text';

/**
 * Characters of HTML that are parsed; an import keeps 20,000 of text. The parser takes quadratic time on
 * unmatched end tags: half a second at this length, half a minute at 1 MiB.
 */
export const HTML_MAX = 128 * 1024;

/** Compiled with the first text, because compiling takes 10 ms that would delay start-up. */
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
 * The visible text of an HTML description: lists with bullets, separate paragraphs, no links, images or
 * scripts. Returns text without markup unchanged.
 */
export function htmlToText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  toText ??= compile(HTML_OPTIONS);
  return toText(withoutImages(html).slice(0, HTML_MAX));
}

/**
 * Drops images before truncation, because data URLs of several megabytes would displace the text after
 * them.
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
