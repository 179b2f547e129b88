import { compile } from 'html-to-text';
import { Parser } from 'htmlparser2';
import type { Context } from '../../domain/catalog.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import { readText } from '../bytes/lines.ts';
import { Findings } from '../record/findings.ts';
import { HTML_MAX, HTML_OPTIONS } from '../record/html-text.ts';
import type { CatalogFormat, CatalogRow, CatalogSource } from '../record/reader.ts';
import {
  CONTEXT_TEXT_MAX,
  cut,
  EXTERNAL_ID_MAX,
  longText,
  NAME_MAX,
  shortText,
} from '../record/values.ts';

/** Characters of a page that are parsed. */
const PAGE_MAX = 2 * 1024 * 1024;

/** Selectors of a page's main text, without navigation and footers; the first match wins. */
const MAIN = ['.shopify-policy__container', 'main', 'article'];

/**
 * One page as one context, such as a policy or an FAQ. Never detected by content, because error pages and
 * login forms look the same.
 */
export const htmlPage: CatalogFormat = {
  name: 'html-page',
  detect: () => null,
  read: readPage,
};

async function* readPage({ name, bytes }: CatalogSource): AsyncGenerator<CatalogRow> {
  const raw = { columns: [], rows: [] };
  const position = { file: name, line: 1, record: 1, raw };
  const findings = new Findings(position);
  let html = '';
  for await (const text of readText(bytes)) {
    html += text;
    if (html.length > PAGE_MAX) break;
  }
  const item = toContext(html.slice(0, PAGE_MAX), name);
  findings.externalId = item.externalId;
  if (html.includes('\0') || html.includes('\ufffd')) {
    const message = 'The page contains bytes that are not text.';
    findings.error({ column: null, code: 'invalid_utf8', message });
  } else if (item.description === '' || item.name === '') {
    const message = 'The page has no text, or no title.';
    findings.error({ column: null, code: 'missing_value', message });
  }
  for (const fault of findings.faults) yield { fault };
  if (!findings.isRejected) yield { item, ...position };
}

function toContext(html: string, fileName: string): Context {
  const limits = { ...HTML_OPTIONS.limits, maxInputLength: 4 * HTML_MAX };
  const baseElements = { selectors: MAIN, returnDomByDefault: true };
  const text = longText(compile({ ...HTML_OPTIONS, limits, baseElements })(html));
  const { title, heading, url } = headOf(html);
  return {
    type: 'context',
    externalId: cut(fileName.replace(/\.html?$/i, ''), EXTERNAL_ID_MAX).text,
    name: cut(shortText(heading || title), NAME_MAX).text,
    description: cut(text, CONTEXT_TEXT_MAX).text,
    publicUrl: parseWebUrl(url),
    publishedAt: null,
  };
}

function headOf(html: string): { title: string; heading: string; url: string } {
  const found = { title: '', heading: '', url: '' };
  let target: 'title' | 'heading' | null = null;
  const parser = new Parser({
    onopentag(name, { rel, href = '' }) {
      if (name === 'link' && rel === 'canonical') found.url = href;
      if (name === 'title' && found.title === '') target = 'title';
      if (name === 'h1' && found.heading === '') target = 'heading';
    },
    ontext(text) {
      if (target !== null) found[target] += text;
    },
    onclosetag(name) {
      if (name === 'title' || name === 'h1') target = null;
    },
  });
  parser.end(html);
  return found;
}
