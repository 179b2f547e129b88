export const ASSISTANTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'chatgpt'] as const;
export type Assistant = (typeof ASSISTANTS)[number];

export interface SetupOptions {
  /** Of the MCP endpoint. */
  readonly url: string;
  readonly apiKey: string | null;
  /** Absolute. */
  readonly dataFolder: string;
  readonly organization: string | null;
}

/** How one assistant is told of this service. */
export interface AssistantSetup {
  /** Where to paste it. */
  readonly where: string;
  readonly paste: string;
  readonly remarks: readonly string[];
}

const NO_KEY = 'YOUR_API_KEY';

const KEY_REMARK = `Put a key in place of ${NO_KEY}: vitrine key create --scopes mcp`;

export function assistantSetup(assistant: Assistant, options: SetupOptions): AssistantSetup {
  const { where, paste, remarks } = SETUPS[assistant](options);
  const missing = paste.includes(NO_KEY) && options.apiKey === null ? [KEY_REMARK] : [];
  return { where, paste, remarks: [...missing, ...remarks] };
}

/** Complete by construction: an assistant does not compile until it is told here. */
const SETUPS: Record<Assistant, (options: SetupOptions) => AssistantSetup> = {
  'claude-code': ({ url, apiKey }) => ({
    where: 'Run this in a terminal:',
    paste: `claude mcp add --transport http vitrine ${url} --header "X-API-Key: ${apiKey ?? NO_KEY}"`,
    remarks: [],
  }),
  'claude-desktop': ({ dataFolder, organization }) => {
    const org = organization === null ? [] : ['--org', organization];
    const args = ['mcp', 'stdio', '--data', dataFolder, ...org];
    return {
      where: 'Settings → Developer → Edit Config, claude_desktop_config.json:',
      paste: json({ mcpServers: { vitrine: { command: 'vitrine', args } } }),
      remarks: [
        'Give the whole path of vitrine if it is not on the PATH, and start Claude Desktop again.',
      ],
    };
  },
  cursor: ({ url, apiKey }) => ({
    where: '.cursor/mcp.json of a project, or ~/.cursor/mcp.json:',
    paste: json({ mcpServers: { vitrine: { url, headers: { 'X-API-Key': apiKey ?? NO_KEY } } } }),
    remarks: [],
  }),
  vscode: ({ url, apiKey }) => {
    const input = {
      type: 'promptString',
      id: 'vitrine-key',
      description: 'API key of vitrine',
      password: true,
    };
    const key = apiKey ?? `\${input:${input.id}}`;
    const server = { type: 'http', url, headers: { 'X-API-Key': key } };
    return {
      where: '.vscode/mcp.json of a workspace:',
      paste: json({
        ...(apiKey === null ? { inputs: [input] } : {}),
        servers: { vitrine: server },
      }),
      remarks: [],
    };
  },
  chatgpt: ({ url, apiKey }) => ({
    where: 'Settings → Apps & Connectors → Advanced → Developer mode; then Create:',
    paste: [
      'Name:            vitrine',
      `MCP Server URL:  ${url}`,
      'Authentication:  Access token / API key',
      `Token:           ${apiKey ?? NO_KEY}`,
    ].join('\n'),
    remarks: url.startsWith('https://')
      ? []
      : ['ChatGPT reaches https addresses on the internet only: set public_url.'],
  }),
};

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
