import {
  type Assistant,
  type Host,
  type LocalServer,
  NO_KEY,
  type SetupStep,
  type WayIn,
} from './assistant.ts';

/** What the entry is called in each assistant. */
const NAME = 'vitrine';

/** Claude's connectors, in the browser and in Claude Desktop. */
const CONNECTORS = '+ → Add custom connector:';

/**
 * Complete by construction: an assistant without an entry here does not compile. src/mcp/README.md names
 * the documentation of each.
 */
export const HOSTS: Readonly<Record<Assistant, Host>> = {
  claude: {
    name: 'Claude',
    isHosted: true,
    takesKey: false,
    stepsFor: ({ url }) => [connector(`claude.ai/customize/connectors: ${CONNECTORS}`, url)],
    signIn: 'Then press Connect.',
  },
  'claude-desktop': {
    name: 'Claude Desktop',
    isHosted: false,
    takesKey: true,
    localStep: (server, organization) => ({
      where:
        'On the machine of the service: Settings → Developer → Edit Config, claude_desktop_config.json. Then start Claude Desktop again.',
      paste: json({ mcpServers: { [NAME]: stdioServer(server, organization) } }),
    }),
    stepsFor: remoteClaudeDesktop,
    signIn: 'Then press Connect.',
  },
  'claude-code': {
    name: 'Claude Code',
    isHosted: false,
    takesKey: true,
    stepsFor: (way) => [
      {
        where: 'Run this in a terminal:',
        paste: `claude mcp add --scope user --transport http ${NAME} ${way.url}${headerFlag(way)}`,
      },
    ],
    signIn: 'Then type /mcp in Claude Code and choose Authenticate.',
  },
  chatgpt: {
    name: 'ChatGPT',
    isHosted: true,
    takesKey: false,
    uses: { toolSet: 'chatgpt', features: 'deep research and company knowledge' },
    stepsFor: ({ kind, url }) => [
      {
        where:
          'chatgpt.com: Settings → Apps → Advanced settings, turn on Developer mode; then Create app:',
        paste: lines([
          ['Name', NAME],
          ['MCP Server URL', url],
          ['Authentication', kind === 'sign-in' ? 'OAuth' : 'No authentication'],
        ]),
      },
    ],
  },
  cursor: {
    name: 'Cursor',
    isHosted: false,
    takesKey: true,
    prefersSignIn: true,
    stepsFor: (way) => [
      {
        where: '~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
        paste: json({ mcpServers: { [NAME]: { url: way.url, ...headers(way) } } }),
      },
    ],
    signIn: 'Then press Connect beside the server in Cursor’s settings.',
  },
  vscode: { name: 'VS Code', isHosted: false, takesKey: true, stepsFor: vscode },
  gemini: {
    name: 'Gemini CLI',
    isHosted: false,
    takesKey: true,
    stepsFor: (way) => [
      {
        where: 'Run this in a terminal:',
        paste: `gemini mcp add --scope user --transport http${headerFlag(way)} ${NAME} ${way.url}`,
      },
    ],
    signIn: `Then type /mcp auth ${NAME} in Gemini CLI.`,
  },
  'copilot-studio': {
    name: 'Copilot Studio',
    isHosted: true,
    takesKey: true,
    stepsFor: (way) => [
      {
        where:
          'The agent’s Tools page: Add a tool → New tool → Model Context Protocol; then Create:',
        paste: lines([
          ['Server name', NAME],
          ['Server description', 'Products of the shop, with prices and links'],
          ['Server URL', way.url],
          ...authenticationOfCopilot(way),
        ]),
      },
    ],
  },
  'le-chat': {
    name: 'Le Chat',
    isHosted: true,
    takesKey: true,
    stepsFor: (way) => [
      {
        where: 'chat.mistral.ai: Connectors → + Add Connector → Custom MCP Connector:',
        paste: lines([
          ['Connector name', NAME],
          ['Server URL', way.url],
          ...authenticationOfLeChat(way),
        ]),
      },
    ],
  },
};

function connector(where: string, url: string): SetupStep {
  return {
    where,
    paste: lines([
      ['Name', NAME],
      ['Remote MCP server URL', url],
    ]),
  };
}

/** Its connectors call from Anthropic's servers and send no key; a bridge on the same machine does. */
function remoteClaudeDesktop(way: WayIn): SetupStep[] {
  if (!way.url.startsWith('https://')) return [];
  if (way.kind !== 'key')
    return [connector(`On any machine: Customize → Connectors → ${CONNECTORS}`, way.url)];
  const server = {
    command: 'npx',
    // Without a space in it, because Claude Desktop on Windows splits arguments at spaces.
    args: ['-y', 'mcp-remote', way.url, '--header', `X-API-Key:\${VITRINE_API_KEY}`],
    env: { VITRINE_API_KEY: way.apiKey ?? NO_KEY },
  };
  return [
    {
      where:
        'On another machine that has Node.js: Settings → Developer → Edit Config, claude_desktop_config.json. Then start Claude Desktop again.',
      paste: json({ mcpServers: { [NAME]: server } }),
    },
  ];
}

function stdioServer({ program, dataFolder }: LocalServer, organization: string | null): object {
  const [command, ...first] = program;
  const org = organization === null ? [] : ['--org', organization];
  return { command, args: [...first, 'mcp', 'stdio', '--data', dataFolder, ...org] };
}

/** VS Code asks for a key that is not given, and keeps it. */
function vscode(way: WayIn): SetupStep[] {
  const where = 'Command Palette → MCP: Open User Configuration, mcp.json:';
  const server = { type: 'http', url: way.url };
  if (way.kind !== 'key' || way.apiKey !== null)
    return [{ where, paste: json({ servers: { [NAME]: { ...server, ...headers(way) } } }) }];
  const input = { type: 'promptString', id: 'vitrine-key', description: 'API key of vitrine' };
  const asked = { ...server, headers: { 'X-API-Key': `\${input:${input.id}}` } };
  const inputs = [{ ...input, password: true }];
  return [{ where, paste: json({ inputs, servers: { [NAME]: asked } }) }];
}

function authenticationOfCopilot(way: WayIn): [string, string][] {
  if (way.kind === 'public') return [['Authentication', 'None']];
  if (way.kind === 'sign-in')
    return [
      ['Authentication', 'OAuth 2.0'],
      ['Type', 'Dynamic discovery'],
    ];
  return [
    ['Authentication', 'API key'],
    ['Type', 'Header'],
    ['Header name', 'X-API-Key'],
    ['API key', way.apiKey ?? NO_KEY],
  ];
}

function authenticationOfLeChat(way: WayIn): [string, string][] {
  if (way.kind === 'public') return [['Authentication', 'No authentication']];
  if (way.kind === 'sign-in') return [['Authentication', 'OAuth 2.1']];
  return [
    ['Authentication', 'HTTP bearer token'],
    ['Token', way.apiKey ?? NO_KEY],
  ];
}

function headers(way: WayIn): { headers?: Record<string, string> } {
  return way.kind === 'key' ? { headers: { 'X-API-Key': way.apiKey ?? NO_KEY } } : {};
}

function headerFlag(way: WayIn): string {
  return way.kind === 'key' ? ` --header "X-API-Key: ${way.apiKey ?? NO_KEY}"` : '';
}

/** A form's fields, one per line. */
function lines(fields: readonly (readonly [string, string])[]): string {
  const width = Math.max(...fields.map(([label]) => label.length)) + 3;
  return fields.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`).join('\n');
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
