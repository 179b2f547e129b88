import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  LATEST_PROTOCOL_VERSION,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Conversation } from './conversation.ts';
import { DISCOVER } from './envelope.ts';
import { thrownError } from './faults.ts';
import { introductionOf } from './introduction.ts';
import { INVALID_PARAMS, isObject, type Params, RESOURCE_NOT_FOUND } from './messages.ts';
import { RpcFault, UNKNOWN_METHOD, unknownCursor, unknownTool } from './refusals.ts';
import { listResources, listTemplates, readResource } from './resources/resources.ts';
import { TOOLS } from './tools/tools.ts';
import { NATIVE_VERSION, SESSION_VERSIONS, VERSIONS } from './versions.ts';

/** Revisions that begin with `initialize`, or the one in which every request stands alone. */
export type Era = 'session' | 'stateless';

/** Made once: it is the same for everybody, and asked for in every conversation. */
const TOOL_LISTING = { tools: TOOLS.map(({ listing }) => listing) };
const TOOL_LISTING_TEXT = JSON.stringify(TOOL_LISTING);

const TOOLS_BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** The SDK asks a validator for what clients answer, and this server asks clients nothing. */
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error('This server asks its clients nothing.');
  },
};

/**
 * The SDK's server with everything that can be asked here. It negotiates the version, introduces itself,
 * checks parameters and cancels; making one costs some microseconds, so each payload gets its own.
 */
export function createServer(conversation: Conversation, era: Era): Server {
  const { serverInfo, ...options } = introductionOf(conversation);
  const server = new Server(serverInfo, { ...options, jsonSchemaValidator: NO_VALIDATOR });
  const told = <Request, Result>(answer: (request: Request) => Result | Promise<Result>) => {
    return async (request: Request): Promise<Result> => {
      try {
        return await answer(request);
      } catch (error) {
        throw error instanceof RpcFault ? error : new RpcFault(thrownError(error, conversation));
      }
    };
  };
  server.setRequestHandler(
    ListToolsRequestSchema,
    told(({ params }) => {
      if (params?.cursor !== undefined) throw unknownCursor();
      return TOOL_LISTING as unknown as ListToolsResult;
    }),
  );
  server.setRequestHandler(
    CallToolRequestSchema,
    told(({ params }) => callTool(conversation, params)),
  );
  server.setRequestHandler(
    ListResourcesRequestSchema,
    told(({ params }) => listResources(conversation, readCursor(params?.cursor))),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, told(listTemplates));
  server.setRequestHandler(
    ReadResourceRequestSchema,
    told(async ({ params: { uri } }) => {
      const contents = await readResource(conversation, uri);
      if (contents === null) throw missingResource(uri, era);
      return { contents: [contents] };
    }),
  );
  if (era === 'stateless')
    server.fallbackRequestHandler = async ({ method }) => {
      if (method !== DISCOVER) throw new RpcFault(UNKNOWN_METHOD);
      return { supportedVersions: VERSIONS, ...options };
    };
  return server;
}

/** What the SDK is asked for a client's request: what it wants and the revisions let out is filled in. */
export function sdkParams(method: string, params: Params): Params {
  // Who offers no tasks must take a call as a task for an ordinary one.
  const { task: _, ...rest } = params;
  if (method === 'tools/call' && rest['arguments'] === null) return { ...rest, arguments: {} };
  if (method !== 'initialize') return rest;
  const { protocolVersion = NATIVE_VERSION, capabilities = {}, clientInfo = {} } = rest;
  const isKnown = typeof protocolVersion !== 'string' || SESSION_VERSIONS.includes(protocolVersion);
  return {
    ...rest,
    // The SDK would also agree on a draft from before the first release.
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    capabilities,
    clientInfo: isObject(clientInfo) ? { name: '', version: '', ...clientInfo } : clientInfo,
  };
}

/** The JSON of a result. */
export function resultText(result: object): string {
  return result === TOOL_LISTING ? TOOL_LISTING_TEXT : JSON.stringify(result);
}

async function callTool(
  conversation: Conversation,
  { name, arguments: args }: CallToolRequest['params'],
) {
  const tool = TOOLS_BY_NAME.get(name);
  if (tool === undefined) throw unknownTool();
  return tool.call(conversation, args);
}

/** The row key behind a cursor of `resources/list`; 0 where the list begins. */
function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,15}$/.test(cursor)) throw unknownCursor();
  return Number(cursor);
}

function missingResource(uri: string, era: Era): RpcFault {
  const code = era === 'session' ? RESOURCE_NOT_FOUND : INVALID_PARAMS;
  const data = { code: 'resource_not_found', uri };
  return new RpcFault({ code, message: 'Resource not found', data });
}
