import Type from 'typebox';
import type { Issue } from '../domain/errors.ts';
import { createReader } from '../schema/reader.ts';

/**
 * The id that matches a response to its request. JSON-RPC allows fractions; MCP does not allow
 * null.
 */
export type MessageId = string | number;

export type Params = Readonly<Record<string, unknown>>;

/** A message from a client. Its members decide its kind (JSON-RPC 2.0). */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: MessageId;
      readonly method: string;
      readonly params: Params;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'response' }
  | { readonly kind: 'invalid'; readonly id: MessageId | null; readonly reason: string };

/** A JSON-RPC error. The request id is added to `data` when the error is sent. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly code: string; readonly issues?: readonly Issue[] } & Params;
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Up to revision 2025-11-25; since 2026-07-28, a missing resource is `INVALID_PARAMS`. */
export const RESOURCE_NOT_FOUND = -32002;
/** Both from revision 2026-07-28. */
export const HEADER_MISMATCH = -32020;
export const UNSUPPORTED_VERSION = -32022;

export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A number that a double represents exactly. The response to any other number would carry a
 * different id.
 */
export const Id = Type.Union([
  Type.String(),
  Type.Number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
]);

/** The schema of a client's message, used for validation and for OpenAPI. */
export const MessageSchema = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Id),
  method: Type.Optional(Type.String({ description: 'initialize, tools/list, tools/call, …' })),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

const readMembers = createReader(MessageSchema, { nullIsAbsent: true });

/** The reason for refusing a message, by the invalid member, the most important first. */
const REASONS: Readonly<Record<string, string>> = {
  '': 'A message is an object.',
  jsonrpc: 'The member jsonrpc must be "2.0".',
  id: 'An id is a string, or a number that a double holds exactly.',
  method: 'A method is a string.',
  params: 'The member params must be an object.',
};

/** Reads one message of a payload. Never throws: a malformed message is `invalid`. */
export function readMessage(value: unknown): Message {
  const reading = readMembers(value);
  const invalid = (reason: string): Message => ({ kind: 'invalid', id: readId(value), reason });
  if ('issues' in reading) return invalid(REASONS[reading.issues[0].path]!);
  const given = value as Params;
  if ('id' in given && given['id'] === null) return invalid(REASONS['id']!);
  const { id, method, params = {} } = reading.value;
  if (method !== undefined)
    return id === undefined
      ? { kind: 'notification', method, params }
      : { kind: 'request', id, method, params };
  return 'result' in given || 'error' in given
    ? { kind: 'response' }
    : invalid('A message has a method, a result or an error.');
}

const readIdMember = createReader(Id);

/** The id of a message, which may be malformed; null without a valid id. */
export function readId(value: unknown): MessageId | null {
  const reading = readIdMember(isObject(value) ? value['id'] : null);
  return 'value' in reading ? reading.value : null;
}

/** The id of the request that a message cancels; null if it cancels none. */
export function cancelledBy(message: Message): MessageId | null {
  return message.kind === 'notification' && message.method === 'notifications/cancelled'
    ? readId({ id: message.params['requestId'] })
    : null;
}

/** A response as JSON text; `result` is already JSON text. */
export function resultMessage(id: MessageId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function errorMessage(
  id: MessageId | null,
  { code, message, data }: RpcError,
  requestId: string,
): string {
  const error = { code, message, data: { ...data, requestId } };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

/** The revision that the answer to `initialize` names; null for any other message or answer. */
export function revisionAgreedOn(payload: unknown, body: string | null): string | null {
  const message = readMessage(payload);
  if (message.kind !== 'request' || message.method !== 'initialize' || body === null) return null;
  const { result } = JSON.parse(body) as { result?: { protocolVersion: string } };
  return result?.protocolVersion ?? null;
}
