import { page } from '../assets/html-page.ts';
import { readPage } from '../assets/pages.ts';
import type { OperatorRoute } from './operator-route.ts';

/** The API reference, a page that embeds the OpenAPI document. */
export function referenceRoute(description: object): OperatorRoute {
  // Only `</` could end a script element.
  const data = JSON.stringify(description).replaceAll('<', '\\u003c');
  const html = readPage('reference').replace('id="openapi">{}', () => `id="openapi">${data}`);
  return { method: 'GET', path: '/docs', handle: () => page(html) };
}
