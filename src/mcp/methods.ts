import type { InitializeResult } from '@modelcontextprotocol/sdk/types.js';
import { AppError, type Issue } from '../domain/errors.ts';
import { truncateWords } from '../domain/text.ts';
import type { Conversation } from './conversation.ts';
import { isObject, type Params } from './messages.ts';
import { listResources, listTemplates, readResource } from './resources/resources.ts';
import { CAPABILITIES, SERVER_INFO } from './server-info.ts';
import { TOOLS } from './tools/tools.ts';
import { negotiateVersion, VERSIONS } from './versions.ts';

/** A result, as an object or as JSON already, or the address that nothing is at. */
export type Outcome = { readonly result: object | string } | { readonly missing: string };

interface Method {
  /** Revisions with a handshake know some methods, the one without others. */
  readonly era: 'session' | 'stateless' | 'both';
  /** What revision 2026-07-28 tells caches of the result. */
  readonly cache?: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  /** Throws `invalid_input` for wrong parameters. */
  run(conversation: Conversation, params: Params): Outcome | Promise<Outcome>;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Names in instructions, in code points. */
const NAME_MAX = 80;

/** Made once: it is the same for everybody, and asked for in every conversation. */
const TOOL_LISTING = JSON.stringify({ tools: TOOLS.map(({ listing }) => listing) });

const TOOLS_BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** Everything that can be asked. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', { era: 'session', run: initialize }],
  ['ping', { era: 'session', run: () => ({ result: {} }) }],
  [
    'server/discover',
    { era: 'stateless', cache: { ttlMs: HOUR_MS, cacheScope: 'private' }, run: discover },
  ],
  [
    'tools/list',
    {
      era: 'both',
      cache: { ttlMs: HOUR_MS, cacheScope: 'public' },
      run(_, params) {
        if (params['cursor'] !== undefined) throw unknownCursor();
        return { result: TOOL_LISTING };
      },
    },
  ],
  ['tools/call', { era: 'both', run: callTool }],
  [
    'resources/list',
    {
      era: 'both',
      cache: { ttlMs: MINUTE_MS, cacheScope: 'private' },
      run: async (conversation, { cursor }) => {
        const after = cursor === undefined ? 0 : readCursor(cursor);
        return { result: await listResources(conversation, after) };
      },
    },
  ],
  [
    'resources/templates/list',
    {
      era: 'both',
      cache: { ttlMs: HOUR_MS, cacheScope: 'public' },
      run: () => ({ result: listTemplates() }),
    },
  ],
  [
    'resources/read',
    { era: 'both', cache: { ttlMs: MINUTE_MS, cacheScope: 'private' }, run: read },
  ],
]);

function initialize({ organization }: Conversation, params: Params): Outcome {
  const { protocolVersion: version, capabilities = {}, clientInfo = {} } = params;
  const issues: Issue[] = [];
  if (version !== undefined && typeof version !== 'string')
    issues.push({ path: 'params.protocolVersion', message: 'must be a string' });
  if (!isObject(capabilities))
    issues.push({ path: 'params.capabilities', message: 'must be an object' });
  if (!isObject(clientInfo))
    issues.push({ path: 'params.clientInfo', message: 'must be an object' });
  if (issues.length > 0) throw refused(issues);
  const result: InitializeResult = {
    protocolVersion: negotiateVersion(version as string | undefined),
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: instructionsFor(organization.name),
  };
  return { result };
}

function discover({ organization }: Conversation): Outcome {
  const result = {
    supportedVersions: VERSIONS,
    capabilities: CAPABILITIES,
    instructions: instructionsFor(organization.name),
  };
  return { result };
}

/** At most 600 characters. */
function instructionsFor(name: string): string {
  return [
    `The catalogue of ${truncateWords(name, NAME_MAX)}: what it sells, with prices, availability and links.`,
    'Begin with search_offerings, in the person’s own words; it also finds returns, shipping and other shop information.',
    'Then give the link that fits: get_product_link to see it, get_booking_link for a service, single_product_express_checkout to buy.',
    'Say only what an answer says: names, prices and availability as they are. No tool orders, books or pays.',
  ].join(' ');
}

async function callTool(conversation: Conversation, params: Params): Promise<Outcome> {
  const name = params['name'];
  const tool = typeof name === 'string' ? TOOLS_BY_NAME.get(name) : undefined;
  if (tool === undefined) {
    const names = [...TOOLS_BY_NAME.keys()].join(', ');
    throw refused([{ path: 'params.name', message: `must be one of ${names}` }], 'Unknown tool');
  }
  return { result: await tool.call(conversation, params['arguments']) };
}

async function read(conversation: Conversation, { uri }: Params): Promise<Outcome> {
  if (typeof uri !== 'string') throw refused([{ path: 'params.uri', message: 'must be a string' }]);
  const contents = await readResource(conversation, uri);
  return contents === null ? { missing: uri } : { result: { contents: [contents] } };
}

/** The row key behind a cursor of `resources/list`. */
function readCursor(cursor: unknown): number {
  if (typeof cursor !== 'string' || !/^\d{1,15}$/.test(cursor)) throw unknownCursor();
  return Number(cursor);
}

function unknownCursor(): AppError {
  return refused([{ path: 'params.cursor', message: 'is none that this service gave' }]);
}

function refused(issues: readonly Issue[], what = 'Invalid params'): AppError {
  const faults = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new AppError('invalid_input', `${what}: ${faults}.`, { issues });
}
