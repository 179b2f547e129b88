import { readFileSync } from 'node:fs';

/*
 * Seam: a compiled binary has no source folder. Its build replaces this module with one whose
 * `readPage()` returns the same pages from memory.
 */

/**
 * The scripts of each page, by the page's folder. A script follows the scripts that it depends on.
 */
const SCRIPTS = {
  /** The widget that assistants show around offerings, with a placeholder for its messages. */
  widget: [
    'web-address.js',
    'say.js',
    'wording.js',
    '../page/element.js',
    'bridge.js',
    'chatgpt.js',
    'host.js',
    'appearance.js',
    'link.js',
    'choice.js',
    'order.js',
    'card.js',
    'carousel.js',
    'phase.js',
    'view.js',
    'main.js',
  ],
  /** The admin page. */
  admin: [
    '../page/element.js',
    'wording.js',
    'service.js',
    'parts.js',
    'dialogs.js',
    'plots.js',
    'markdown.js',
    'result-card.js',
    'rules-panel.js',
    'search-view.js',
    'import-columns.js',
    'import-progress.js',
    'import-view.js',
    'sources-panel.js',
    'items-panel.js',
    'mend-panel.js',
    'traffic-filter.js',
    'traffic-view.js',
    'catalog-view.js',
    'landing-view.js',
    'keys-view.js',
    'connect-view.js',
    'main.js',
  ],
  /** The API reference, with a placeholder for the OpenAPI document. */
  reference: ['../page/element.js', 'schema.js', 'main.js'],
  /** The page on which people sign assistants in, with a placeholder for its content. */
  'sign-in': [],
} as const;

const STYLES: Readonly<Record<PageName, readonly string[]>> = {
  widget: ['style.css'],
  admin: ['../page/operator.css', '../page/controls.css', 'style.css'],
  reference: ['../page/operator.css', 'style.css'],
  'sign-in': ['../page/operator.css', '../page/controls.css', 'style.css'],
};

export type PageName = keyof typeof SCRIPTS;

export const PAGE_NAMES = Object.keys(SCRIPTS) as readonly PageName[];

/**
 * A self-contained HTML document, built on each call from a folder's `page.html`, styles and
 * scripts. It omits comment lines, indentation and empty lines.
 */
export function readPage(page: PageName): string {
  const folder = new URL(`./${page}/`, import.meta.url);
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  const script = SCRIPTS[page].map((name) => asClosure(read(name))).join('');
  const parts: Readonly<Record<string, string>> = {
    styles: STYLES[page].map(read).join(''),
    scripts: `(() => {\n'use strict';\n${script}})();\n`,
  };
  const html = read('page.html').replace(
    /^ *\/\* ([\w.]+) \*\/\n/gm,
    (_, name: string) => parts[name]!,
  );
  return html
    .replace(/^[ \t]*\/\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, '')
    .replace(/^[ \t]*\/\/.*\n/gm, '')
    .replace(/^[ \t]+|^\n/gm, '');
}

/** Wraps a module as part of one script: its exports are visible to all, the rest stays private. */
function asClosure(source: string): string {
  const names = [...source.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)]
    .map(([, name]) => name)
    .join(', ');
  const body = source.replace(/^import [^;]+;\n/gm, '').replace(/^export /gm, '');
  return names === ''
    ? `(() => {\n${body}})();\n`
    : `const { ${names} } = (() => {\n${body}return { ${names} };\n})();\n`;
}
