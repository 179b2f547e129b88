import { element } from '../page/element.js';
import { announce, button, panel, pasteable } from './parts.js';
import { perform } from './service.js';

/** The configuration to paste into each assistant. */
export async function connectView() {
  const content = element('div', { class: 'panels flowing' });
  const remark = element('p', { class: 'quiet-text', role: 'status' });
  const make = button(
    'Create a key and insert it',
    async () => {
      const { apiKey } = await perform('key.create', {
        name: 'Connect',
        scopes: ['search', 'mcp'],
      });
      await show({ apiKey });
      remark.textContent =
        'The texts below now contain a key named “Connect” with the scopes search and mcp, where the assistant can send one. It is not shown again after you leave this page.';
      announce(remark.textContent);
    },
    { class: 'strong' },
  );

  /** @param {{ apiKey?: string }} input */
  async function show(input) {
    const { assistants, curl, isPublic } = await perform('assistant.setup', input);
    const parts = assistants.map(({ name, steps, remarks, obstacle }) =>
      panel(
        name,
        ...steps.flatMap(({ where, paste }) => [
          element('p', {}, where),
          pasteable(paste, `the text for ${name}`),
        ]),
        ...remarks.map((words) => element('p', { class: 'quiet-text' }, words)),
        ...(obstacle === null
          ? []
          : [
              element('p', {}, obstacle.reason, ' This command opens a way:'),
              pasteable(obstacle.command, `the command for ${name}`),
            ]),
      ),
    );
    const terminal = panel(
      'A terminal',
      element('p', {}, 'A search from any program:'),
      pasteable(curl, 'the command'),
    );
    const local = isPublic
      ? []
      : [
          element(
            'p',
            { class: 'notice wide' },
            'These addresses work only on this machine. Set ',
            element('code', {}, 'public_url'),
            ' to let other machines connect.',
          ),
        ];
    content.replaceChildren(...local, ...parts, terminal);
  }

  await show({});
  return [
    element('h1', {}, 'Connect'),
    element(
      'p',
      { class: 'lead' },
      'Paste one of these into an assistant. Then ask it for something that the shop sells.',
    ),
    element('div', { class: 'row' }, make, remark),
    content,
  ];
}
