import { describe, expect, test } from 'bun:test';
import { ASSISTANTS } from '../../../src/operations/assistants/assistant.ts';
import {
  assistantSetup,
  commandForPublicUrl,
  type SetupOptions,
} from '../../../src/operations/assistants/assistant-setup.ts';

const SERVICE: SetupOptions = {
  url: 'https://shop.example/mcp',
  publicUrl: null,
  canSignIn: false,
  apiKey: null,
  local: { program: ['/usr/local/bin/vitrine'], dataFolder: '/srv/vitrine' },
  organization: null,
  toolSets: [],
};

const WAYS: Readonly<Record<string, SetupOptions>> = {
  'a key': { ...SERVICE, apiKey: 'vk_key' },
  'a key that is still to be made': SERVICE,
  'no key': { ...SERVICE, publicUrl: 'https://shop.example/mcp/org/acme/' },
  'signing in': { ...SERVICE, canSignIn: true },
  'a key, where people can also sign in': { ...SERVICE, apiKey: 'vk_key', canSignIn: true },
  'a key, on this machine only': { ...SERVICE, url: 'http://127.0.0.1:8787/mcp' },
};

describe.each(Object.entries(WAYS))('with %s', (_, options) => {
  test.each([...ASSISTANTS])('what %s needs', (assistant) => {
    expect(assistantSetup(assistant, options)).toMatchSnapshot();
  });
});

test.each([...ASSISTANTS])(
  '%s gets an address that it can reach, a way in, or the reason why not',
  (assistant) => {
    for (const options of Object.values(WAYS)) {
      const { steps, obstacle } = assistantSetup(assistant, options);
      expect(steps.length === 0).toBe(obstacle !== null);
      for (const { paste } of steps) {
        if (paste.startsWith('{')) JSON.parse(paste);
        const isHosted = ['claude', 'chatgpt', 'copilot-studio', 'le-chat'].includes(assistant);
        if (isHosted) expect(paste).toContain('https://shop.example/mcp');
        if (['claude', 'chatgpt'].includes(assistant)) expect(paste).not.toMatch(/key|token/i);
      }
    }
  },
);

test('ChatGPT is told of the tools that its deep research needs, until they are on', () => {
  const remarksWith = (toolSets: SetupOptions['toolSets'], organization: string | null) =>
    assistantSetup('chatgpt', { ...WAYS['no key']!, toolSets, organization }).remarks.join();
  expect(remarksWith([], null)).toContain('vitrine org set --tools chatgpt');
  expect(remarksWith(['cart'], 'acme')).toContain(
    'vitrine org set --org acme --tools cart,chatgpt',
  );
  expect(remarksWith(['chatgpt'], null)).not.toContain('--tools');
});

test('the command that keeps an address takes any data folder, and none where there is none', () => {
  const nowhere = { ...SERVICE, url: 'http://127.0.0.1:8787/mcp', local: null };
  expect(assistantSetup('claude', nowhere).obstacle?.command).toBe(
    'vitrine mcp config claude --public-url https://YOUR-ADDRESS',
  );
  expect(commandForPublicUrl("/srv/the shop's")).toEndWith(
    ` >> '/srv/the shop'\\''s/vitrine.toml'`,
  );
});

test('the command that opens a way names the organization if there are several', () => {
  const { obstacle } = assistantSetup('claude', { ...SERVICE, organization: 'acme' });
  expect(obstacle?.command).toBe('vitrine org set --org acme --public-assistants on');
});
