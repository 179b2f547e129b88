import { element } from '../page/element.js';

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
