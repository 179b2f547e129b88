import { element } from '../page/element.js';
import { link } from './parts.js';

/** @typedef {import('../../landing/markdown-tree.ts').MarkdownNode} MarkdownNode */

/** Elements of simple nodes. Node types that are not listed show only their children. */
const TAGS = /** @type {Map<string, 'p' | 'li' | 'blockquote' | 'em' | 'strong'>} */ (
  new Map([
    ['paragraph', 'p'],
    ['listItem', 'li'],
    ['blockquote', 'blockquote'],
    ['emphasis', 'em'],
    ['strong', 'strong'],
  ])
);

/** Heading levels start at h3, because the page itself has higher headings. */
const HEADINGS = /** @type {const} */ (['h3', 'h4', 'h5', 'h6']);

/**
 * Builds elements for the Markdown tree that the service parsed. HTML in it is shown as text.
 *
 * @param {MarkdownNode} node
 * @returns {Node | string}
 */
export function rendered({ type, value = '', children = [], url, depth = 1, ordered }) {
  const parts = children.map(rendered);
  if (type === 'text' || type === 'html') return value;
  if (type === 'inlineCode') return element('code', {}, value);
  if (type === 'code') return element('pre', {}, value);
  if (type === 'break') return element('br', {});
  if (type === 'thematicBreak') return element('hr', {});
  if (type === 'heading') {
    return element(HEADINGS[Math.min(depth, HEADINGS.length) - 1] ?? 'h6', {}, ...parts);
  }
  if (type === 'list') return element(ordered ? 'ol' : 'ul', {}, ...parts);
  if (type === 'link') {
    const made = link('', url);
    made.append(...parts);
    return made;
  }
  const tag = TAGS.get(type);
  return element(tag ?? 'div', type === 'root' ? { class: 'prose' } : {}, ...parts);
}
