import { element } from '../page/element.js';
import { confirmed, told } from './dialogs.js';
import { button, panel, pasteable, table, tag } from './parts.js';
import { perform } from './service.js';
import { ago, day, when } from './wording.js';

/** @typedef {import('./service.js').Result<'key.list'>[number]} Key */

const SCOPES = /** @type {const} */ ([
  ...['search', 'mcp', 'hits', 'landing', 'regenerate'],
  'catalog',
]);
const OVERLAP_MS = 24 * 3_600_000;
const MOODS = /** @type {const} */ ({
  active: 'good',
  rotated: 'low',
  expired: 'bad',
  revoked: 'bad',
});

/**
 * The API keys and the assistants that were signed in, with actions to create, rotate and revoke them.
 *
 * @param {{ redraw: () => void }} page
 */
export async function keysView({ redraw }) {
  const keys = await perform('key.list', {});
  const rows = keys.map((key) => [
    key.kind === 'key' ? element('code', {}, `vk_${key.id}`) : `Sign-in with ${grantorOf(key)}`,
    key.name || '–',
    element('span', { class: 'tags' }, ...key.scopes.map((scope) => tag(scope))),
    tag(key.state, MOODS[key.state]),
    ago(key.lastUsedAt),
    day(key.createdAt),
    key.expiresAt === null ? '–' : when(key.expiresAt),
    key.state === 'active' ? actions(key, redraw) : null,
  ]);
  const headings = ['Key', 'Name', 'Scopes', 'State', 'Last used', 'Created', 'Expires', 'Actions'];
  return [
    element('h1', {}, 'Keys'),
    element(
      'p',
      { class: 'lead' },
      'Keys are for servers and assistants, never for web pages. A key is shown in full only when it is created.',
    ),
    creation(redraw),
    panel('Keys and sign-ins', table(headings, rows, { label: 'Keys' })),
  ];
}

/** @param {Extract<Key, { kind: 'sign-in' }>} grant */
function grantorOf({ grantedBy }) {
  return grantedBy === null ? 'a link' : `vk_${grantedBy}`;
}

/** @param {() => void} redraw */
function creation(redraw) {
  const name = element('input', {
    type: 'text',
    class: 'grow',
    'aria-label': 'Name',
    placeholder: 'Purpose',
    maxlength: '200',
  });
  const boxes = SCOPES.map((scope) => {
    const input = element('input', { type: 'checkbox' });
    // A key changes a catalogue only if it was made for that.
    input.checked = scope !== 'catalog';
    return { scope, input, label: element('label', { class: 'check' }, input, scope) };
  });
  const make = button(
    'Create a key',
    async () => {
      const scopes = boxes.filter(({ input }) => input.checked).map(({ scope }) => scope);
      const { apiKey } = await perform('key.create', { name: name.value.trim(), scopes });
      await showOnce(apiKey);
      redraw();
    },
    { class: 'strong' },
  );
  const scopes = element(
    'fieldset',
    { class: 'row' },
    element('legend', { class: 'unseen' }, 'Scopes'),
    ...boxes.map(({ label }) => label),
  );
  return panel('A new key', element('div', { class: 'row' }, name, make), scopes);
}

/**
 * @param {Key} key
 * @param {() => void} redraw
 */
function actions({ kind, id, name }, redraw) {
  const shown = name || `vk_${id}`;
  const rotate = button(
    'Rotate',
    async () => {
      const { apiKey } = await perform('key.rotate', { id, overlapMs: OVERLAP_MS });
      await showOnce(apiKey, 'The old key works for 24 more hours.');
      redraw();
    },
    { class: 'small', 'aria-label': `Rotate ${shown}` },
  );
  const revoke = button(
    'Revoke',
    async () => {
      const consequence = `Everything that uses “${shown}” stops working immediately. This cannot be undone.`;
      const question = kind === 'key' ? 'Revoke this key?' : 'End this sign-in?';
      if (!(await confirmed(question, consequence, 'Revoke'))) return;
      await perform('key.revoke', { id });
      redraw();
    },
    { class: 'small bad', 'aria-label': `Revoke ${shown}` },
  );
  return element('span', { class: 'row tight' }, kind === 'key' ? rotate : null, revoke);
}

/**
 * @param {string} apiKey
 * @param {string} [remark]
 */
export function showOnce(apiKey, remark = '') {
  const words = `It is not shown again. ${remark}`.trim();
  return told('Copy this key now', element('p', {}, words), pasteable(apiKey, 'the key'));
}
