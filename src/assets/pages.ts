import { readFileSync } from 'node:fs';

/*
 * Seam: a compiled binary has no folder beside it. Its build replaces the content of this module by
 * one whose `readPage()` returns the same pages from within.
 */

/** Each page's scripts by the folder they are in, each after those that it needs to start. */
const SCRIPTS = {
  /** What assistants show around offerings. */
  widget: [
    'web-address.js',
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
  /** The operator's. */
  admin: [
    '../page/element.js',
    'wording.js',
    'service.js',
    'parts.js',
    'dialogs.js',
    'plots.js',
    'markdown.js',
    'result-card.js',
    'search-view.js',
    'traffic-view.js',
    'catalog-view.js',
    'landing-view.js',
    'keys-view.js',
    'connect-view.js',
    'main.js',
  ],
  /** The interface's, with a place for its description. */
  reference: ['../page/element.js', 'schema.js', 'main.js'],
} as const;

const STYLES: Readonly<Record<PageName, readonly string[]>> = {
  widget: ['style.css'],
  admin: ['../page/operator.css', 'style.css'],
  reference: ['../page/operator.css', 'style.css'],
};

export type PageName = keyof typeof SCRIPTS;

export const PAGE_NAMES = Object.keys(SCRIPTS) as readonly PageName[];

/**
 * One HTML document that asks nobody for anything, out of a folder's `page.html`, styles and scripts. It is put together anew at each call. Comments on lines of their own, indentation and
 * empty lines are for readers of the source.
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

/** A module as part of one script: what it exports is in the scope of all, the rest is its own. */
function asClosure(source: string): string {
  const names = [...source.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)]
    .map(([, name]) => name)
    .join(', ');
  const body = source.replace(/^import [^;]+;\n/gm, '').replace(/^export /gm, '');
  return names === ''
    ? `(() => {\n${body}})();\n`
    : `const { ${names} } = (() => {\n${body}return { ${names} };\n})();\n`;
}
