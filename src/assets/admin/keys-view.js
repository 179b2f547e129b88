import { element } from '../page/element.js';
import { button, panel, pasteable, table, tag } from './parts.js';
import { perform } from './service.js';
import { ago, when } from './wording.js';

const SCOPES = ['search', 'mcp', 'hits', 'landing', 'regenerate'];
const OVERLAP_MS = 24 * 3_600_000;
const STATE_MOODS = { active: 'good', rotated: 'low', expired: 'bad', revoked: 'bad' };

/** Keys: made, rotated and revoked. A new one is shown once. */
export async function keysView({ redraw }) {
  const keys = await perform('key.list');
  const rows = keys.map((key) => [
    element('code', {}, `vk_${key.id}`),
    key.name,
    element('span', {}, ...key.scopes.map((scope) => tag(scope))),
    tag(key.state, STATE_MOODS[key.state]),
    ago(key.lastUsedAt),
    when(key.createdAt),
    key.expiresAt === null ? '' : when(key.expiresAt),
    key.state === 'active' ? actions(key, redraw) : null,
  ]);
  return [
    element('h1', {}, 'Keys'),
    element('p', { class: 'lead' }, 'Keys are for servers and assistants, never for pages. Each is shown whole only when it is made.'),
    creation(redraw),
    panel('Keys', table(['Key', 'Name', 'Scopes', 'State', 'Used', 'Made', 'Ends', ''], rows)),
  ];
}

function creation(redraw) {
  const name = element('input', { type: 'text', 'aria-label': 'Name', placeholder: 'What it is for', maxlength: '200' });
  const boxes = SCOPES.map((scope) => {
    const input = element('input', { type: 'checkbox', value: scope });
    input.checked = true;
    return { scope, input, label: element('label', { class: 'check' }, input, scope) };
  });
  const make = button(
    'Make a key',
    async () => {
      const scopes = boxes.filter(({ input }) => input.checked).map(({ scope }) => scope);
      const { apiKey } = await perform('key.create', { name: name.value.trim(), scopes });
      await showOnce(apiKey);
      redraw();
    },
    { class: 'strong' },
  );
  const fields = element('div', { class: 'row' }, name, ...boxes.map(({ label }) => label), make);
  return panel('A new key', fields);
}

function actions({ id, name }, redraw) {
  const rotate = button('Rotate', async () => {
    const { apiKey } = await perform('key.rotate', { id, overlapMs: OVERLAP_MS });
    await showOnce(apiKey, 'The old key works for 24 more hours.');
    redraw();
  });
  const revoke = button(
    'Revoke',
    async () => {
      if (!(await confirmed(`Whatever uses the key “${name || id}” stops working at once.`, 'Revoke'))) return;
      await perform('key.revoke', { id });
      redraw();
    },
    { class: 'bad' },
  );
  return element('span', { class: 'row' }, rotate, revoke);
}

/** Resolves when the dialog is closed. */
function showOnce(apiKey, remark = '') {
  const close = element('button', { class: 'strong', value: 'done' }, 'I have kept it');
  return opened(
    element('h2', {}, 'Keep this key now'),
    element('p', {}, `It is not shown again. ${remark}`),
    pasteable(apiKey),
    element('form', { method: 'dialog' }, close),
  );
}

async function confirmed(question, action) {
  const answer = await opened(
    element('p', {}, question),
    element(
      'form',
      { method: 'dialog', class: 'row' },
      element('button', { value: '' }, 'Keep it'),
      element('button', { value: 'yes', class: 'bad' }, action),
    ),
  );
  return answer === 'yes';
}

function opened(...parts) {
  const dialog = element('dialog', {}, ...parts);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
