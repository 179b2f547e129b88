import { readPage } from './pages.ts';

/**
 * The page that assistants show around the offerings of a tool result: one HTML document that asks
 * nobody for anything but the offerings' pictures.
 */
export function widgetHtml(): string {
  return readPage('widget');
}
