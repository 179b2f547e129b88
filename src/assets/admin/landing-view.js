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
 * The page that assistants read, rendered and as Markdown.
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
      'Assistants read this page to learn what the shop is, what it sells and what it promises. After an import or a change to the organization, the service rebuilds it automatically.',
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
          'The page contains an address of this machine. Set ',
          element('code', {}, 'public_url'),
          ' to an address that assistants can reach.',
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
    ['Rendered', asRead],
    ['Markdown', asSent],
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
