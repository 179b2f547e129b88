import { element, icon, unseen } from '../page/element.js';

/**
 * Two arrows for people with neither a touch screen nor a track pad; away while everything is in view.
 *
 * @param {HTMLElement} list Scrolls sideways where it is narrow.
 */
export function arrowsFor(list) {
  const backward = arrow('Show earlier offerings', 'M15 5l-7 7 7 7');
  const forward = arrow('Show further offerings', 'M9 5l7 7-7 7');
  const arrows = element('div', { class: 'arrows' }, backward, forward);

  const update = () => {
    const room = list.scrollWidth - list.clientWidth;
    const at = Math.abs(list.scrollLeft);
    arrows.hidden = room <= 1;
    // What scrolls has to be within reach of the arrow keys; what does not is no stop of the Tab key.
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
