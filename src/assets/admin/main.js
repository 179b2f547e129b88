import { element } from '../page/element.js';
import { catalogView } from './catalog-view.js';
import { connectView } from './connect-view.js';
import { keysView } from './keys-view.js';
import { landingView } from './landing-view.js';
import { announce, notice } from './parts.js';
import { searchView } from './search-view.js';
import { chooseOrganization, perform, signOut } from './service.js';
import { trafficView } from './traffic-view.js';

/**
 * @typedef {(page: { redraw: () => Promise<void> }) => readonly (Node | null)[] | Promise<readonly
 * (Node | null)[]>} View
 */

/** The section without a fragment in the URL: in an empty shop, the import. */
let first = 'search';

/** Sections by URL fragment. */
const SECTIONS = /** @type {Map<string, { name: string, view: View }>} */ (
  new Map([
    ['search', { name: 'Search', view: searchView }],
    ['traffic', { name: 'Traffic', view: trafficView }],
    ['catalog', { name: 'Catalogue', view: catalogView }],
    ['landing', { name: 'Landing page', view: landingView }],
    ['keys', { name: 'Keys', view: keysView }],
    ['connect', { name: 'Connect', view: connectView }],
  ])
);

const view = byId('view');
const organizations = /** @type {HTMLSelectElement} */ (byId('organization'));
const links = [...SECTIONS].map(([key, { name }]) => element('a', { href: `#${key}` }, name));

/** Number of the latest drawing. Earlier drawings that finish later are discarded. */
let drawing = 0;

byId('sections').append(...links);
byId('sign-out').addEventListener('click', () => void signOut());
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  view.focus();
});
organizations.addEventListener('change', () => {
  chooseOrganization(organizations.value);
  void chooseFirst().then(draw);
});
window.addEventListener('hashchange', () => {
  void draw().then(() => {
    scrollTo(0, 0);
    view.focus({ preventScroll: true });
  });
});
void start();

async function start() {
  try {
    const all = await perform('org.list', {});
    chooseOrganization(all[0]?.slug ?? null);
    organizations.hidden = all.length < 2;
    organizations.replaceChildren(...all.map(({ slug, name }) => new Option(name, slug)));
    await chooseFirst();
    await draw();
  } catch (error) {
    view.replaceChildren(notice(error));
  }
}

async function chooseFirst() {
  const { offerings, contexts } = await perform('catalog.stats', {});
  first = offerings + contexts === 0 ? 'catalog' : 'search';
}

async function draw() {
  const turn = ++drawing;
  const asked = location.hash.slice(1);
  const section = SECTIONS.has(asked) ? asked : first;
  const { name, view: make } = /** @type {{ name: string, view: View }} */ (SECTIONS.get(section));
  for (const link of links) {
    if (link.hash !== `#${section}`) {
      link.removeAttribute('aria-current');
      continue;
    }
    link.setAttribute('aria-current', 'page');
    link.scrollIntoView({ block: 'nearest', inline: 'center' });
  }
  document.title = `${name} · vitrine`;
  view.setAttribute('aria-busy', 'true');
  const parts = await partsOf(make);
  if (turn !== drawing) return;
  view.replaceChildren(...parts.filter((part) => part !== null));
  view.removeAttribute('aria-busy');
  announce(name);
}

/**
 * @param {View} make
 * @returns {Promise<readonly (Node | null)[]>}
 */
async function partsOf(make) {
  try {
    return await make({ redraw: draw });
  } catch (error) {
    return [notice(error)];
  }
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
