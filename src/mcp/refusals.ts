import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  JSONRPCRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError, type Issue } from '../domain/errors.ts';
import type { SdkError } from './connection.ts';
import type { Conversation } from './conversation.ts';
import { thrownError } from './faults.ts';
import { isObject, METHOD_NOT_FOUND, type Params, type RpcError } from './messages.ts';
import { wrongArguments } from './tools/tool.ts';
import { toolboxOf } from './tools/tools.ts';

/** An error whose code and data the SDK passes through. */
export class RpcFault extends Error {
  readonly code: number;
  readonly data: Params;

  constructor({ code, message, data }: RpcError) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const UNKNOWN_METHOD: RpcError = {
  code: METHOD_NOT_FOUND,
  message: 'Method not found',
  data: { code: 'method_not_found' },
};

export function unknownTool(conversation: Conversation): AppError {
  const names = [...toolboxOf(conversation).byName.keys()].join(', ');
  return refused([{ path: 'params.name', message: `must be one of ${names}` }], 'Unknown tool');
}

export function unknownCursor(): AppError {
  return refused([{ path: 'params.cursor', message: 'is none that this service gave' }]);
}

/** Parameters with a specific error, whatever their fault. */
const OWN_FAULTS: ReadonlyMap<string, (conversation: Conversation) => AppError> = new Map([
  ['params.name', unknownTool],
  ['params.cursor', unknownCursor],
  ['params.arguments', () => wrongArguments([{ path: '', message: 'must be an object' }])],
]);

/**
 * Rewords the SDK's refusal of a request, which repeats a validator's message. Our own errors pass
 * unchanged.
 */
export function rpcErrorOf(
  { code, message, data }: SdkError,
  request: { readonly method: string; readonly params: Params },
  conversation: Conversation,
): RpcError {
  if (isObject(data)) return { code, message, data } as RpcError;
  if (code === METHOD_NOT_FOUND) return UNKNOWN_METHOD;
  const issues = issuesOf(request);
  if (issues.length === 0) return thrownError(new Error(message), conversation);
  return thrownError(malformed(issues, conversation), conversation);
}

/** Throws `invalid_input` for parameters that are not of the form that the protocol demands. */
export function requireWellFormed(
  request: { readonly method: string; readonly params: Params },
  conversation: Conversation,
): void {
  const issues = issuesOf(request);
  if (issues.length > 0) throw malformed(issues, conversation);
}

function malformed(issues: readonly Issue[], conversation: Conversation): AppError {
  const own = issues.map(({ path }) => OWN_FAULTS.get(path)).find((found) => found !== undefined);
  return own === undefined ? refused(issues) : own(conversation);
}

const SCHEMAS = {
  initialize: InitializeRequestSchema,
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
  'resources/list': ListResourcesRequestSchema,
  'resources/templates/list': ListResourceTemplatesRequestSchema,
  'resources/read': ReadResourceRequestSchema,
};

/** Path segments that errors show. Deeper segments may contain the caller's text. */
const PATH_PARTS_MAX = 3;

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'must be a string',
  object: 'must be an object',
  record: 'must be an object',
};

/** What the SDK's schemas refuse of a request. The SDK itself reports only the validator's message. */
function issuesOf(request: { readonly method: string; readonly params: Params }): Issue[] {
  const schemas = [
    JSONRPCRequestSchema,
    ...(Object.hasOwn(SCHEMAS, request.method)
      ? [SCHEMAS[request.method as keyof typeof SCHEMAS]]
      : []),
  ];
  const message = { jsonrpc: '2.0', id: 0, ...request };
  const refusal = schemas.map((schema) => schema.safeParse(message).error).find(Boolean);
  return (refusal?.issues ?? []).map((issue) => ({
    path: issue.path.slice(0, PATH_PARTS_MAX).join('.'),
    message: ('expected' in issue && EXPECTED[issue.expected]) || 'is not valid',
  }));
}

function refused(issues: readonly Issue[], what = 'Invalid params'): AppError {
  const faults = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new AppError('invalid_input', `${what}: ${faults}.`, { issues });
}
