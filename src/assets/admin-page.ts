import { assemblePage } from './page/assemble.ts';

/*
 * Seam: a compiled binary has no folder beside it. Its build replaces the content of this module by
 * one whose `adminPage()` returns the same page from within.
 */

const SCRIPTS = [
  '../page/element.js',
  'wording.js',
  'service.js',
  'parts.js',
  'plots.js',
  'markdown.js',
  'search-view.js',
  'traffic-view.js',
  'catalog-view.js',
  'landing-view.js',
  'keys-view.js',
  'connect-view.js',
  'main.js',
];

/** The operator's page: one HTML document whose data come from the service's own operations. */
export function adminPage(): string {
  return assemblePage(new URL('./admin/', import.meta.url), SCRIPTS);
}
