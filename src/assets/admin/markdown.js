import { element } from '../page/element.js';
import { link } from './parts.js';

/** @typedef {import('../../landing/markdown-tree.ts').MarkdownNode} MarkdownNode */

/** Elements of nodes that need nothing else. What is not here shows its children alone. */
const TAGS = /** @type {Map<string, 'p' | 'li' | 'blockquote' | 'em' | 'strong'>} */ (
  new Map([
    ['paragraph', 'p'],
    ['listItem', 'li'],
    ['blockquote', 'blockquote'],
    ['emphasis', 'em'],
    ['strong', 'strong'],
  ])
);

/** The page has titles of its own above those of the document. */
const HEADINGS = /** @type {const} */ (['h3', 'h4', 'h5', 'h6']);

/**
 * Elements for a document's tree, as the service parsed it. HTML in it is text.
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
