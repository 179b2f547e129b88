import { element } from '../page/element.js';
import { say } from './say.js';

/**
 * A link that the host opens. If it cannot, the browser may.
 *
 * @param {URL} url
 * @param {{ host: import('./host.js').Host, outcome: HTMLElement | null, className: string }} shown
 * @param {...(Node | string)} children
 */
export function link(url, { host, outcome, className }, ...children) {
  const attributes = {
    class: className,
    href: url.href,
    target: '_blank',
    rel: 'noopener noreferrer',
  };
  const made = element('a', attributes, ...children);
  made.addEventListener('click', async (event) => {
    if (!host.canOpenLinks()) return;
    event.preventDefault();
    const isOpen = await host.openLink(url).catch(() => false);
    if (!isOpen) outcome?.replaceChildren(say('notOpened', { url: url.href }));
  });
  return made;
}
