import { element, icon, unseen } from '../page/element.js';
import { say } from './say.js';

/**
 * Two arrows for people without a touch screen or a trackpad; hidden while everything is in view.
 *
 * @param {HTMLElement} list Scrolls sideways on a narrow screen.
 */
export function arrowsFor(list) {
  const backward = arrow(say('earlier'), 'M15 5l-7 7 7 7');
  const forward = arrow(say('further'), 'M9 5l7 7-7 7');
  const arrows = element('div', { class: 'arrows' }, backward, forward);

  const update = () => {
    const room = list.scrollWidth - list.clientWidth;
    const at = Math.abs(list.scrollLeft);
    arrows.hidden = room <= 1;
    // A list that scrolls must be focusable for the arrow keys. Other lists are not tab stops.
    if (room > 1) list.tabIndex = 0;
    else list.removeAttribute('tabindex');
    backward.setAttribute('aria-disabled', String(at <= 1));
    forward.setAttribute('aria-disabled', String(at >= room - 1));
  };
  /** @param {1 | -1} way */
  const go = (way) => {
    const sign = document.documentElement.dir === 'rtl' ? -way : way;
    list.scrollBy({ left: sign * list.clientWidth * 0.8 });
  };
  backward.addEventListener('click', () => go(-1));
  forward.addEventListener('click', () => go(1));
  list.addEventListener('scroll', update, { passive: true });
  new ResizeObserver(update).observe(list);
  update();
  return arrows;
}

/**
 * @param {string} label
 * @param {string} path
 */
function arrow(label, path) {
  return element('button', { type: 'button' }, icon(path), unseen(label));
}
