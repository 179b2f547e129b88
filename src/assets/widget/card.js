import { element, unseen } from '../page/element.js';
import { variantChoice } from './choice.js';
import { link } from './link.js';
import { orderButton } from './order.js';
import { say } from './say.js';
import { webAddress } from './web-address.js';
import { availabilityInWords, formerPriceInWords, priceInWords, text } from './wording.js';

/**
 * One offering as an item of a list.
 *
 * @param {import('./wording.js').Offering} offering
 * @param {{ host: import('./host.js').Host, locale: string }} shown
 */
export function offeringCard(offering, { host, locale }) {
  const name = text(offering.name) || say('unnamed');
  const outcome = element('p', { class: 'outcome', role: 'status' });
  const page = webAddress(offering.url ?? offering.publicUrl);
  const choice = variantChoice(offering.bookable === true ? {} : offering, locale);
  const facts = element('div', { class: 'facts' });
  let frame = picture(offering.image, name);
  let pictured = offering.image;
  const show = () => {
    const shown = withVariant(offering, choice);
    facts.replaceChildren(...factsOf(shown, locale));
    if (shown.image === pictured) return;
    const next = picture(shown.image, name);
    frame.replaceWith(next);
    frame = next;
    pictured = shown.image;
  };
  choice.node.addEventListener('change', show);
  show();
  return element(
    'li',
    {},
    element(
      'article',
      { class: 'card' },
      frame,
      element(
        'div',
        { class: 'body' },
        element('p', { class: 'vendor', dir: 'auto' }, text(offering.vendor)),
        element('h2', { dir: 'auto', title: name }, name),
        facts,
        choice.node,
        element(
          'div',
          { class: 'actions' },
          page &&
            link(page, { host, outcome, className: 'button' }, say('view'), unseen(` ${name}`)),
          orderButton(offering, { host, outcome, name, choice }),
        ),
        outcome,
      ),
    ),
  );
}

/**
 * The offering at the price and with the picture of the variant that is chosen, as far as they are known.
 *
 * @param {import('./wording.js').Offering} offering
 * @param {import('./choice.js').Choice} choice
 */
function withVariant(offering, choice) {
  const variant = choice.chosen();
  const isShown = /** @type {any} */ (offering.matchedVariant)?.id === variant?.id;
  if (variant === null || variant.price === undefined || isShown) return offering;
  const { id, price, available } = variant;
  const { images, variantImages } = /** @type {any} */ (offering);
  // The offering's own picture may be that of the variant which the question chose.
  const image = variantImages?.[text(id)] ?? images?.[0] ?? offering.image;
  return { ...offering, image, price, compareAtPrice: null, availability: null, available };
}

/**
 * @param {import('./wording.js').Offering} offering
 * @param {string} locale
 */
function factsOf(offering, locale) {
  const shown = availabilityInWords(offering);
  const availability =
    shown && element('p', { class: 'availability', 'data-level': shown.level }, shown.words);
  return [price(offering, locale), availability].filter((part) => part !== null);
}

/**
 * Shows the initial until the picture has loaded, and permanently if it is blocked or broken.
 *
 * @param {unknown} address
 * @param {string} name
 */
function picture(address, name) {
  const initial = element(
    'span',
    { class: 'initial', 'aria-hidden': 'true' },
    [...name.trim()][0] ?? '',
  );
  const frame = element('div', { class: 'picture' }, initial);
  const url = webAddress(address);
  if (url === null) return frame;
  const attributes = { alt: '', loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer' };
  const image = element('img', attributes);
  image.addEventListener('load', () => frame.setAttribute('data-loaded', ''));
  image.addEventListener('error', () => image.remove());
  image.src = url.href;
  frame.append(image);
  return frame;
}

/**
 * @param {import('./wording.js').Offering} offering
 * @param {string} locale
 */
function price(offering, locale) {
  const now = priceInWords(offering.price, offering.currency, locale);
  if (now === '') return null;
  const before = formerPriceInWords(offering, locale);
  const struck = before === '' ? null : element('s', {}, unseen(`${say('before')} `), before);
  return element('p', { class: 'price' }, unseen(`${say('price')} `), now, struck && ' ', struck);
}
