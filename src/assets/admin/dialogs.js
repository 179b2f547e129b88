import { element } from '../page/element.js';
import { button } from './parts.js';

/**
 * Shows a message. Resolves when it is closed.
 *
 * @param {string} title
 * @param {...(Node | string)} parts
 */
export async function told(title, ...parts) {
  const close = element('button', { class: 'strong', value: 'done' }, 'Done');
  const form = element('form', { method: 'dialog', class: 'row' }, close);
  await opened(title, ...parts, form);
}

/**
 * Asks for confirmation. Resolves with true if the operator confirms.
 *
 * @param {string} question
 * @param {string} consequence
 * @param {string} action
 */
export async function confirmed(question, consequence, action) {
  const form = element(
    'form',
    { method: 'dialog', class: 'row' },
    element('button', { value: '' }, 'Cancel'),
    element('button', { value: 'yes', class: 'bad' }, action),
  );
  return (await opened(question, element('p', {}, consequence), form)) === 'yes';
}

/**
 * Asks for the values of some fields. Enter in a field of one line saves, too. `save` gets the values; if it
 * throws, the message appears and the dialog stays. Resolves with whether they were saved.
 *
 * @param {string} title
 * @param {readonly (HTMLInputElement | HTMLTextAreaElement)[]} fields Each labelled by its `aria-label`.
 * @param {(values: readonly string[]) => Promise<void>} save
 */
export async function edited(title, fields, save) {
  const labelled = fields.map((field) =>
    element('label', { class: 'field' }, field.getAttribute('aria-label'), field),
  );
  const keep = button(
    'Save',
    async () => {
      await save(fields.map(({ value }) => value.trim()));
      keep.closest('dialog')?.close('saved');
    },
    { class: 'strong' },
  );
  for (const line of fields.filter((field) => field instanceof HTMLInputElement))
    line.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') keep.click();
    });
  const cancel = element('form', { method: 'dialog' }, element('button', {}, 'Cancel'));
  const row = element('div', { class: 'row' }, keep, cancel);
  return (await opened(title, ...labelled, row)) === 'saved';
}

/**
 * @param {string} title
 * @param {...(Node | string)} parts
 * @returns {Promise<string>} The value of the button that closed the dialog; empty for Escape.
 */
function opened(title, ...parts) {
  const heading = element('h2', { id: 'dialog-title' }, title);
  const dialog = element('dialog', { 'aria-labelledby': 'dialog-title' }, heading, ...parts);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
