import { element } from '../page/element.js';
import { link } from './parts.js';

/** Elements of Markdown's nodes. What is not here shows its children alone; HTML never becomes markup. */
const TAGS = new Map([
  ['paragraph', 'p'],
  ['listItem', 'li'],
  ['blockquote', 'blockquote'],
  ['emphasis', 'em'],
  ['strong', 'strong'],
]);

/** The page's own title is the largest: those of the document are smaller. */
const HEADING_OFFSET = 1;

/**
 * Elements for a document's tree, as the service parsed it.
 *
 * @param {any} node
 * @returns {Node | string}
 */
export function rendered(node) {
  const { type, value, children = [], url, depth, ordered } = node;
  const parts = children.map(rendered);
  if (type === 'text' || type === 'html') return value;
  if (type === 'inlineCode') return element('code', {}, value);
  if (type === 'code') return element('pre', {}, value);
  if (type === 'break') return element('br', {});
  if (type === 'thematicBreak') return element('hr', {});
  if (type === 'link') {
    const made = link('', url);
    made.append(...parts);
    return made;
  }
  if (type === 'heading') {
    const level = /** @type {'h2'} */ (`h${Math.min(6, depth + HEADING_OFFSET)}`);
    return element(level, {}, ...parts);
  }
  if (type === 'list') return element(ordered ? 'ol' : 'ul', {}, ...parts);
  const tag = /** @type {'p' | undefined} */ (TAGS.get(type));
  return element(tag ?? 'div', type === 'root' ? { class: 'prose' } : {}, ...parts);
}
