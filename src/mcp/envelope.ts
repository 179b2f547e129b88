import {
  HEADER_MISMATCH,
  INVALID_PARAMS,
  isObject,
  type Message,
  type RpcError,
  UNSUPPORTED_VERSION,
} from './messages.ts';
import { STATELESS_VERSION, VERSIONS } from './versions.ts';

/** The HTTP headers that repeat parts of a message; null for a missing header. */
export interface EnvelopeHeaders {
  /** `MCP-Protocol-Version` */
  readonly version: string | null;
  /** `Mcp-Method` */
  readonly method: string | null;
  /** `Mcp-Name` */
  readonly name: string | null;
}

type Request = Extract<Message, { kind: 'request' }>;

/** Replaces `initialize`. */
export const DISCOVER = 'server/discover';

/** How long and for whom a result may be cached. */
interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * The methods of revision 2026-07-28, each with the caching of its result; null if it must not be
 * cached.
 */
const CACHE_HINTS: ReadonlyMap<string, CacheHint | null> = new Map([
  [DISCOVER, { ttlMs: HOUR_MS, cacheScope: 'private' }],
  // Which tools there are depends on the organization, and so on the key.
  ['tools/list', { ttlMs: HOUR_MS, cacheScope: 'private' }],
  ['tools/call', null],
  ['resources/list', { ttlMs: MINUTE_MS, cacheScope: 'private' }],
  ['resources/templates/list', { ttlMs: HOUR_MS, cacheScope: 'public' }],
  ['resources/read', { ttlMs: MINUTE_MS, cacheScope: 'private' }],
]);

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'prompts/get': 'name',
};

/**
 * Whether a request belongs to revision 2026-07-28, which has no handshake: every request carries
 * an envelope.
 */
export function isStateless({ method, params }: Request, headers: EnvelopeHeaders | null): boolean {
  const version = metaOf(params)?.[VERSION_KEY];
  return (
    headers?.version === STATELESS_VERSION ||
    method === DISCOVER ||
    (version !== undefined && !isHandshakeVersion(version))
  );
}

export function isStatelessMethod(method: string): boolean {
  return CACHE_HINTS.has(method);
}

/** A result in the form of the revision: complete, with server information and caching. */
export function statelessResult(method: string, result: object, serverInfo: object): object {
  const meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  return { ...result, ...CACHE_HINTS.get(method), resultType: 'complete', _meta: meta };
}

/** The error in the envelope of a stateless request, or null. */
export function envelopeFault(
  { method, params }: Request,
  headers: EnvelopeHeaders | null,
): RpcError | null {
  const meta = metaOf(params);
  const version = meta?.[VERSION_KEY];
  if (typeof version !== 'string') return missing(VERSION_KEY);
  if (!isObject(meta?.[CAPABILITIES_KEY])) return missing(CAPABILITIES_KEY);
  if (headers !== null && headers.version !== version) return mismatch('MCP-Protocol-Version');
  if (!VERSIONS.includes(version)) return unsupportedVersion(version);
  if (headers === null) return null;
  if (headers.method !== method) return mismatch('Mcp-Method');
  const parameter = NAMED_BY[method];
  if (parameter !== undefined && decoded(headers.name) !== params[parameter])
    return mismatch('Mcp-Name');
  return null;
}

/** A client's information about itself, from `initialize` or the envelope of any request. */
export function clientInfoOf(params: Request['params']): unknown {
  return params['clientInfo'] ?? metaOf(params)?.[CLIENT_KEY];
}

/** Repeats the requested version, as the revision demands, if it could be a version. */
export function unsupportedVersion(requested: string): RpcError {
  return {
    code: UNSUPPORTED_VERSION,
    message: 'Unsupported protocol version',
    data: {
      code: 'unsupported_version',
      supported: VERSIONS,
      ...(/^[\w.-]{1,32}$/.test(requested) ? { requested } : {}),
    },
  };
}

function metaOf({ _meta: meta }: Readonly<Record<string, unknown>>) {
  return isObject(meta) ? meta : null;
}

function isHandshakeVersion(version: unknown): boolean {
  return version !== STATELESS_VERSION && VERSIONS.some((known) => known === version);
}

/** Decodes names, which are Base64 unless they are plain ASCII. */
function decoded(header: string | null): string | null {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(header ?? '') ?? [];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString();
}

function missing(name: string): RpcError {
  const issues = [{ path: `params._meta.${name}`, message: 'is required' }];
  const message = `Every request of this revision carries _meta with ${name}.`;
  return { code: INVALID_PARAMS, message, data: { code: 'invalid_params', issues } };
}

function mismatch(header: string): RpcError {
  return {
    code: HEADER_MISMATCH,
    message: `Header mismatch: ${header} is missing or is not what the body says.`,
    data: { code: 'header_mismatch', header },
  };
}
