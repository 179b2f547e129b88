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

/** Revisions that begin with `initialize`, or the stateless revision. */
export type Era = 'session' | 'stateless';

/** Built once, because every conversation asks for it and it is the same for everyone. */
const TOOL_LISTING = { tools: TOOLS.map(({ listing }) => listing) };
const TOOL_LISTING_TEXT = JSON.stringify(TOOL_LISTING);

const TOOLS_BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

/**
 * The SDK needs a validator for responses from clients, but this server sends clients no requests.
 */
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error('This server sends its clients no requests.');
  },
};

/**
 * The SDK's server with all handlers of this service. It negotiates the version, introduces itself,
 * checks parameters and handles cancellation. Creating one takes some microseconds, so each payload
 * gets its own.
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

/**
 * The parameters passed to the SDK. Fills in members that the SDK requires and the revisions leave
 * optional.
 */
export function sdkParams(method: string, params: Params): Params {
  // A server without tasks must treat a call with a task as an ordinary call.
  const { task: _, ...rest } = params;
  if (method === 'tools/call' && rest['arguments'] === null) return { ...rest, arguments: {} };
  if (method !== 'initialize') return rest;
  const { protocolVersion = NATIVE_VERSION, capabilities = {}, clientInfo = {} } = rest;
  const isKnown = typeof protocolVersion !== 'string' || SESSION_VERSIONS.includes(protocolVersion);
  return {
    ...rest,
    // The SDK would also accept a draft that precedes the first release.
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

/** The row key in a cursor of `resources/list`; 0 at the start of the list. */
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
