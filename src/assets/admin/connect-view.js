import { element } from '../page/element.js';
import { announce, button, panel, pasteable } from './parts.js';
import { perform } from './service.js';

const NAMES = {
  'claude-code': 'Claude Code',
  'claude-desktop': 'Claude Desktop',
  cursor: 'Cursor',
  vscode: 'VS Code',
  chatgpt: 'ChatGPT',
};

/** What to paste into each assistant. */
export async function connectView() {
  const content = element('div', { class: 'panels flowing' });
  const remark = element('p', { class: 'quiet-text', role: 'status' });
  const make = button(
    'Make a key and put it in',
    async () => {
      const { apiKey } = await perform('key.create', {
        name: 'Connect',
        scopes: ['search', 'mcp'],
      });
      await show({ apiKey });
      remark.textContent =
        'A key named “Connect” with the scopes search and mcp is in every text below. It is not shown again once you leave.';
      announce(remark.textContent);
    },
    { class: 'strong' },
  );

  /** @param {{ apiKey?: string }} input */
  async function show(input) {
    const { assistants, curl, isPublic } = await perform('assistant.setup', input);
    const parts = assistants.map(({ assistant, where, paste, remarks }) =>
      panel(
        NAMES[assistant],
        element('p', {}, where),
        pasteable(paste, `the text for ${NAMES[assistant]}`),
        ...remarks.map((words) => element('p', { class: 'quiet-text' }, words)),
      ),
    );
    const terminal = panel(
      'A terminal',
      element('p', {}, 'One search, as any program may ask:'),
      pasteable(curl, 'the command'),
    );
    const local = isPublic
      ? []
      : [
          element(
            'p',
            { class: 'notice wide' },
            'These addresses are of this machine. Set ',
            element('code', {}, 'public_url'),
            ' to let others connect.',
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
      'Paste one of these into an assistant, and ask it for something the shop sells.',
    ),
    element('div', { class: 'row' }, make, remark),
    content,
  ];
}
