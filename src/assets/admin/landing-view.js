import { element } from '../page/element.js';
import { rendered } from './markdown.js';
import { announce, button, figures, panel, tag } from './parts.js';
import { perform } from './service.js';
import { ago, bytes } from './wording.js';

const MOODS = /** @type {const} */ ({
  fresh: 'good',
  stale: 'low',
  rebuilding: 'low',
  failing: 'bad',
  'never built': 'low',
});

/**
 * The page that assistants read: as they understand it, and as it is sent.
 *
 * @param {{ redraw: () => Promise<void> }} page
 */
export async function landingView({ redraw }) {
  const { view, markdown, document: tree } = await perform('landing.preview', {});
  const regenerate = button(
    'Regenerate',
    async () => {
      await perform('landing.regenerate', {});
      await redraw();
      announce('The landing page was regenerated.');
    },
    { class: 'strong' },
  );
  return [
    element(
      'div',
      { class: 'head' },
      element('div', {}, element('h1', {}, 'Landing page')),
      regenerate,
    ),
    element(
      'p',
      { class: 'lead' },
      'What assistants read to know what the shop is, sells and promises. An import or a change of the organization makes it stale; it is then rebuilt by itself.',
    ),
    figures([
      ['State', tag(view.state, MOODS[view.state])],
      ['Built', ago(view.builtAt)],
      ['Changed', ago(view.changedAt)],
      ['Size', bytes(view.bytes)],
    ]),
    view.lastError === null
      ? null
      : element('p', { class: 'notice bad' }, `The last rebuild failed: ${view.lastError}`),
    view.hasPublicUrl
      ? null
      : element(
          'p',
          { class: 'notice' },
          'The page names an address of this machine. Set ',
          element('code', {}, 'public_url'),
          ' to the one that assistants reach.',
        ),
    shown(rendered(tree), element('pre', {}, markdown)),
  ];
}

/**
 * @param {Node | string} asRead
 * @param {Node} asSent
 */
function shown(asRead, asSent) {
  const content = element('div', {}, asRead);
  const choices = /** @type {const} */ ([
    ['As it reads', asRead],
    ['As it is sent', asSent],
  ]).map(([label, part]) => {
    const choice = element('button', { type: 'button' }, label);
    choice.addEventListener('click', () => {
      content.replaceChildren(part);
      for (const other of choices) other.setAttribute('aria-pressed', String(other === choice));
    });
    return choice;
  });
  choices[0]?.setAttribute('aria-pressed', 'true');
  choices[1]?.setAttribute('aria-pressed', 'false');
  const switcher = element(
    'div',
    { class: 'switch', role: 'group', 'aria-label': 'Form' },
    ...choices,
  );
  const made = panel('Content', content);
  made
    .querySelector('h2')
    ?.replaceWith(element('div', { class: 'head' }, element('h2', {}, 'Content'), switcher));
  made.classList.add('spaced');
  return made;
}
