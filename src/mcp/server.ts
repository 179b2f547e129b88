import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { LATEST_PROTOCOL_VERSION, type Result } from '@modelcontextprotocol/sdk/types.js';
import type { Conversation } from './conversation.ts';
import { DISCOVER } from './envelope.ts';
import { thrownError } from './faults.ts';
import { introductionOf } from './introduction.ts';
import { INVALID_PARAMS, isObject, type Params, RESOURCE_NOT_FOUND } from './messages.ts';
import {
  RpcFault,
  requireWellFormed,
  UNKNOWN_METHOD,
  unknownCursor,
  unknownTool,
} from './refusals.ts';
import { listResources, listTemplates, readResource } from './resources/resources.ts';
import { toolboxOf } from './tools/tools.ts';
import { NATIVE_VERSION, SESSION_VERSIONS, VERSIONS } from './versions.ts';

/** Revisions that begin with `initialize`, or the stateless revision. */
export type Era = 'session' | 'stateless';

/**
 * The SDK needs a validator for responses from clients, but this server sends clients no requests.
 */
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error('This server sends its clients no requests.');
  },
};

/**
 * The SDK's server for one payload. It negotiates the version, introduces itself and handles
 * cancellation. The methods of this service are its fallback: for a registered `tools/call`, the SDK
 * would check the request twice, and check and copy the whole result.
 */
export function createServer(conversation: Conversation, era: Era): Server {
  const { serverInfo, ...options } = introductionOf(conversation);
  const server = new Server(serverInfo, { ...options, jsonSchemaValidator: NO_VALIDATOR });
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    try {
      if (method === DISCOVER && era === 'stateless')
        return { supportedVersions: VERSIONS, ...options };
      const handle = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
      if (handle === undefined) throw new RpcFault(UNKNOWN_METHOD);
      if (!isPlainCall(method, params)) requireWellFormed({ method, params }, conversation);
      return (await handle(conversation, params, era)) as Result;
    } catch (error) {
      throw error instanceof RpcFault ? error : new RpcFault(thrownError(error, conversation));
    }
  };
  return server;
}

type Handle = (conversation: Conversation, params: Params, era: Era) => Promise<object> | object;

/** The methods of this service. Their parameters are well-formed. */
const METHODS: Readonly<Record<string, Handle>> = {
  'tools/list': (conversation, { cursor }) => {
    if (cursor !== undefined) throw unknownCursor();
    return toolboxOf(conversation).listing;
  },
  'tools/call': (conversation, { name, arguments: args }) => {
    const tool = toolboxOf(conversation).byName.get(name as string);
    if (tool === undefined) throw unknownTool(conversation);
    return tool.call(conversation, args);
  },
  'resources/list': (conversation, { cursor }) =>
    listResources(conversation, readCursor(cursor as string | undefined)),
  'resources/templates/list': listTemplates,
  'resources/read': async (conversation, params, era) => {
    const uri = params['uri'] as string;
    const contents = await readResource(conversation, uri);
    if (contents === null) throw missingResource(uri, era);
    return { contents: [contents] };
  },
};

/** Whether this is a `tools/call` of which nothing has to be checked any more. */
function isPlainCall(method: string, params: Params): boolean {
  const { name, arguments: args = {}, ...others } = params;
  const isKnown = typeof name === 'string' && isObject(args) && Object.keys(others).length === 0;
  return method === 'tools/call' && isKnown;
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
export function resultText(result: object, conversation: Conversation): string {
  const { listing, listingText } = toolboxOf(conversation);
  return result === listing ? listingText : JSON.stringify(result);
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
