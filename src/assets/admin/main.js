import { element } from '../page/element.js';
import { catalogView } from './catalog-view.js';
import { connectView } from './connect-view.js';
import { keysView } from './keys-view.js';
import { landingView } from './landing-view.js';
import { announce, notice } from './parts.js';
import { searchView } from './search-view.js';
import { chooseOrganization, perform } from './service.js';
import { trafficView } from './traffic-view.js';

/** Sections by their address behind the `#`. */
const SECTIONS = new Map([
  ['search', { name: 'Search', view: searchView }],
  ['traffic', { name: 'Traffic', view: trafficView }],
  ['catalog', { name: 'Catalogue', view: catalogView }],
  ['landing', { name: 'Landing page', view: landingView }],
  ['keys', { name: 'Keys', view: keysView }],
  ['connect', { name: 'Connect', view: connectView }],
]);
const FIRST = 'search';

const view = byId('view');
const sections = byId('sections');
const organizations = /** @type {HTMLSelectElement} */ (byId('organization'));

/** Drawings that were overtaken by a later one are thrown away. */
let drawing = 0;

byId('sign-out').addEventListener('click', async () => {
  await perform('sign.out');
  location.reload();
});
organizations.addEventListener('change', () => {
  chooseOrganization(organizations.value);
  void draw();
});
window.addEventListener('hashchange', () => {
  void draw();
  view.focus();
});
void start();

async function start() {
  const all = await perform('org.list');
  chooseOrganization(all[0]?.slug ?? null);
  organizations.hidden = all.length < 2;
  organizations.replaceChildren(...all.map(({ slug, name }) => element('option', { value: slug }, name)));
  await draw();
}

async function draw() {
  const turn = ++drawing;
  const section = currentSection();
  const { name, view: make } = /** @type {any} */ (SECTIONS.get(section));
  sections.replaceChildren(...[...SECTIONS].map(([key, { name: label }]) => sectionLink(key, label, key === section)));
  document.title = `${name} · vitrine`;
  view.setAttribute('aria-busy', 'true');
  let parts;
  try {
    parts = await make({ redraw: () => void draw() });
  } catch (error) {
    parts = [notice(error)];
  }
  if (turn !== drawing) return;
  view.replaceChildren(...parts);
  view.removeAttribute('aria-busy');
  announce(name);
}

function currentSection() {
  const asked = location.hash.slice(1);
  return SECTIONS.has(asked) ? asked : FIRST;
}

/**
 * @param {string} key
 * @param {string} label
 * @param {boolean} isCurrent
 */
function sectionLink(key, label, isCurrent) {
  return element('a', { href: `#${key}`, ...(isCurrent ? { 'aria-current': 'page' } : {}) }, label);
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
