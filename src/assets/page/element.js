const SVG = 'http://www.w3.org/2000/svg';

/**
 * Creates an element. Strings become text nodes, never markup; null is skipped.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, string>>} attributes Trusted or checked values; never attribute names from a catalogue.
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * Text for screen readers only.
 *
 * @param {string} words
 */
export function unseen(words) {
  return element('span', { class: 'unseen' }, words);
}

/**
 * A line icon on a 24 × 24 grid.
 *
 * @param {string} path
 */
export function icon(path) {
  const drawing = document.createElementNS(SVG, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  drawing.append(line);
  return drawing;
}
