export const ASSISTANTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'chatgpt'] as const;
export type Assistant = (typeof ASSISTANTS)[number];

export interface SetupOptions {
  /** URL of the MCP endpoint. */
  readonly url: string;
  /** URL of the MCP endpoint without a key; null if it requires a key. */
  readonly publicUrl: string | null;
  readonly apiKey: string | null;
  /** Absolute. */
  readonly dataFolder: string;
  readonly organization: string | null;
}

/** How to connect one assistant to this service. */
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

/** Complete by construction: an assistant without an entry here does not compile. */
const SETUPS: Record<Assistant, (options: SetupOptions) => AssistantSetup> = {
  'claude-code': ({ url, publicUrl, apiKey }) => ({
    where: 'Run this in a terminal:',
    paste:
      openUrl({ publicUrl, apiKey }) === null
        ? `claude mcp add --transport http vitrine ${url} --header "X-API-Key: ${apiKey ?? NO_KEY}"`
        : `claude mcp add --transport http vitrine ${publicUrl}`,
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
  cursor: ({ url, publicUrl, apiKey }) => ({
    where: '.cursor/mcp.json of a project, or ~/.cursor/mcp.json:',
    paste: json({
      mcpServers: {
        vitrine:
          openUrl({ publicUrl, apiKey }) === null
            ? { url, headers: { 'X-API-Key': apiKey ?? NO_KEY } }
            : { url: publicUrl },
      },
    }),
    remarks: [],
  }),
  vscode: ({ url, publicUrl, apiKey }) => {
    const where = '.vscode/mcp.json of a workspace:';
    if (openUrl({ publicUrl, apiKey }) !== null) {
      const servers = { vitrine: { type: 'http', url: publicUrl } };
      return { where, paste: json({ servers }), remarks: [] };
    }
    const input = {
      type: 'promptString',
      id: 'vitrine-key',
      description: 'API key of vitrine',
      password: true,
    };
    const key = apiKey ?? `\${input:${input.id}}`;
    const server = { type: 'http', url, headers: { 'X-API-Key': key } };
    return {
      where,
      paste: json({
        ...(apiKey === null ? { inputs: [input] } : {}),
        servers: { vitrine: server },
      }),
      remarks: [],
    };
  },
  chatgpt: ({ url, publicUrl, apiKey }) => ({
    where: 'Settings → Apps & Connectors → Advanced → Developer mode; then Create:',
    paste: [
      'Name:            vitrine',
      `MCP Server URL:  ${publicUrl ?? url}`,
      ...(publicUrl === null
        ? ['Authentication:  Access token / API key', `Token:           ${apiKey ?? NO_KEY}`]
        : ['Authentication:  No authentication']),
    ].join('\n'),
    remarks: [
      ...(publicUrl === null
        ? ['Where ChatGPT offers no field for a token: vitrine org set --public-assistants on']
        : []),
      ...(url.startsWith('https://')
        ? []
        : ['ChatGPT reaches https addresses on the internet only: set public_url.']),
    ],
  }),
};

/** The address without a key, unless a key is given. */
function openUrl({ publicUrl, apiKey }: Pick<SetupOptions, 'publicUrl' | 'apiKey'>): string | null {
  return apiKey === null ? publicUrl : null;
}

/** The address without a key of an organization that allows public assistants. */
export function publicEndpoint(base: string, { id }: { readonly id: string }): string {
  return `${base}/mcp/org/${id}/`;
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
