import { assemblePage } from './page/assemble.ts';

/*
 * Seam: a compiled binary has no folder beside it. Its build replaces the content of this module by
 * one whose `referenceTemplate()` returns the same text from within.
 */

const SCRIPTS = ['../page/element.js', 'main.js'];

/** The page with a place for the description of the interface. */
export function referenceTemplate(): string {
  return assemblePage(new URL('./reference/', import.meta.url), SCRIPTS);
}
