import { readFileSync } from 'node:fs';

/**
 * One HTML document out of a folder's `page.html`, `style.css` and scripts, which asks nobody for
 * anything. `scripts` stand each after those that it needs to start. Comments on lines of their own,
 * indentation and empty lines are for readers of the source.
 */
export function assemblePage(folder: URL, scripts: readonly string[]): string {
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  const script = scripts.map((name) => withoutModuleSyntax(read(name))).join('');
  const parts: Readonly<Record<string, string>> = {
    'style.css': read('style.css'),
    scripts: `(() => {\n'use strict';\n${script}})();\n`,
  };
  const page = read('page.html').replace(
    /^ *\/\* ([\w.]+) \*\/\n/gm,
    (_, name: string) => parts[name]!,
  );
  return page
    .replace(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*\n/gm, '')
    .replace(/^[ \t]*\/\/.*\n/gm, '')
    .replace(/^[ \t]+|^\n/gm, '');
}

/** Modules become parts of one script: what they export is in the scope of all. */
function withoutModuleSyntax(source: string): string {
  return source.replace(/^import [^;]+;\n/gm, '').replace(/^export /gm, '');
}
