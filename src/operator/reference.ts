import { readPage } from '../assets/pages.ts';
import { page } from './html-page.ts';
import type { OperatorRoute } from './operator-route.ts';

/** The interface's description for people to read, with the description itself inside. */
export function referenceRoute(description: object): OperatorRoute {
  // Inside a script element only `</` could end it.
  const data = JSON.stringify(description).replaceAll('<', '\\u003c');
  const html = readPage('reference').replace('id="openapi">{}', () => `id="openapi">${data}`);
  return { method: 'GET', path: '/docs', handle: () => page(html) };
}
