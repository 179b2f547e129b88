import { readFileSync } from 'node:fs';

/*
 * Seam: a compiled binary has no folder beside it. Its build replaces the content of this module by
 * one whose `widgetHtml()` returns the same page from within.
 */

/** The page's scripts, each after those that it needs to start. */
const SCRIPTS = [
  'web-address.js',
  'wording.js',
  'element.js',
  'bridge.js',
  'chatgpt.js',
  'host.js',
  'appearance.js',
  'link.js',
  'order.js',
  'card.js',
  'carousel.js',
  'phase.js',
  'view.js',
  'main.js',
];

/**
 * The page that assistants show around the offerings of a tool result: one HTML document that asks
 * nobody for anything but the offerings' pictures. It is put together anew at each call.
 */
export function widgetHtml(): string {
  const read = (name: string) => readFileSync(new URL(`./widget/${name}`, import.meta.url), 'utf8');
  const script = SCRIPTS.map((name) => withoutModuleSyntax(read(name))).join('');
  const parts: Readonly<Record<string, string>> = {
    'style.css': read('style.css'),
    scripts: `(() => {\n'use strict';\n${script}})();\n`,
  };
  const page = read('page.html').replace(
    /^ *\/\* ([\w.]+) \*\/\n/gm,
    (_, name: string) => parts[name]!,
  );
  return withoutRemarks(page);
}

/** Modules become parts of one script: what they export is in the scope of all. */
function withoutModuleSyntax(source: string): string {
  return source.replace(/^import [^;]+;\n/gm, '').replace(/^export /gm, '');
}

/** Remarks that stand on lines of their own, indentation and empty lines are for readers of the source. */
function withoutRemarks(page: string): string {
  return page
    .replace(/^[ \t]*\/\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, '')
    .replace(/^[ \t]*\/\/.*\n/gm, '')
    .replace(/^[ \t]+|^\n/gm, '');
}
