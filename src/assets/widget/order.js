import { element, unseen } from '../page/element.js';
import { link } from './link.js';
import { say } from './say.js';
import { safeAddress } from './web-address.js';
import { itemsOf, text } from './wording.js';

/** The server's tools that the button calls. */
const BUYING = {
  label: say('buy'),
  refused: say('soldOut'),
  tool: 'single_product_express_checkout',
  argument: 'product_id',
};
const BOOKING = {
  label: say('book'),
  refused: say('unavailable'),
  tool: 'get_booking_link',
  argument: 'offering_id',
};

const ID = /^[\w-]{1,64}$/;

/**
 * The button that buys or books; null if the host offers no way to do so. It reports the outcome in
 * `outcome`.
 *
 * @param {import('./wording.js').Offering} offering
 * @param {{ host: import('./host.js').Host, outcome: HTMLElement, name: string, choice: import('./choice.js').Choice }} shown
 */
export function orderButton(offering, { host, outcome, name, choice }) {
  const id = text(offering.id);
  const kind = offering.bookable === true ? BOOKING : BUYING;
  if (!ID.test(id) || !(host.canCallTools() || host.canSendMessages())) return null;

  const button = element('button', { type: 'button', class: 'main' });
  /**
   * Disables the button without removing it from the tab order, so that it keeps the focus.
   *
   * @param {'ready' | 'busy' | 'refused'} state
   */
  const show = (state) => {
    button.setAttribute('aria-disabled', String(state !== 'ready'));
    button.setAttribute('aria-busy', String(state === 'busy'));
    const words = { ready: kind.label, busy: say('opening'), refused: kind.refused }[state];
    const spinner = state === 'busy' ? element('span', { class: 'spinner' }) : '';
    button.replaceChildren(spinner, words, unseen(` ${name}`));
  };
  /**
   * @param {boolean} isFailure
   * @param {...(Node | string)} said
   */
  const tell = (isFailure, ...said) => {
    outcome.toggleAttribute('data-failed', isFailure);
    outcome.replaceChildren(...said);
  };

  /** What is wanted of several variants. */
  const wanted = () => {
    const variant = kind === BUYING ? choice.chosen() : null;
    return text(variant?.id) || text(variant?.title);
  };

  async function order() {
    const variant = wanted();
    if (!host.canCallTools()) {
      const isSent = await host.sendMessage(request(kind, id, variant));
      tell(!isSent, say(isSent ? 'asked' : 'notAsked'));
      return show('ready');
    }
    const result = await host.callTool(kind.tool, {
      [kind.argument]: id,
      ...(variant !== '' && { variant }),
    });
    const { checkoutUrl, url } = result.structuredContent ?? {};
    const choices = itemsOf(result._meta?.['vitrine/choices']);
    if (result.isError === true && choices.length > 0) {
      choice.offer(choices);
      show('ready');
      return ask();
    }
    if (result.isError === true) {
      tell(true, wordsOf(result) || say('failed'));
      if (result._meta?.['vitrine/soldOut'] !== true) return show('ready');
      button.closest('.card')?.setAttribute('data-refused', '');
      return show('refused');
    }
    const target = safeAddress(checkoutUrl ?? url);
    if (target === null) tell(true, say('unsafe'));
    else if (await host.openLink(target)) tell(false, say('opened', { host: target.host }));
    else
      tell(
        false,
        link(
          target,
          { host, outcome: null, className: '' },
          say('continue', { host: target.host }),
        ),
      );
    show('ready');
  }

  /** Takes the person to what is still to be chosen. */
  function ask() {
    tell(false, say('chooseFirst'));
    choice.missing()?.focus();
  }

  const showState = () =>
    show((choice.chosen() ?? offering).available === false ? 'refused' : 'ready');
  choice.node.addEventListener('change', () => {
    tell(false);
    button.closest('.card')?.removeAttribute('data-refused');
    showState();
  });
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') === 'true') return;
    if (kind === BUYING && choice.missing() !== null) return ask();
    show('busy');
    tell(false);
    order().catch((error) => {
      tell(true, text(error?.message) || say('failed'));
      show('ready');
    });
  });
  showState();
  return button;
}

/**
 * What the person asks the assistant for.
 *
 * @param {typeof BUYING} kind
 * @param {string} id
 * @param {string} variant Empty if there is none.
 */
function request(kind, id, variant) {
  if (kind === BOOKING) return say('askBooking', { id });
  return variant === '' ? say('askCheckout', { id }) : say('askVariant', { id, variant });
}

/**
 * The text of a tool's result.
 *
 * @param {import('./host.js').ToolResult} result
 */
export function wordsOf({ content }) {
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .map((block) => text(block?.text))
    .join('\n')
    .trim();
}
