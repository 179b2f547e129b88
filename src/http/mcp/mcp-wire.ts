import { AppError, type ErrorCode } from '../../domain/errors.ts';
import type { Conversation } from '../../mcp/conversation.ts';
import { answerPayload, BATCH_MAX, type Reply, tooLargeBatchReply } from '../../mcp/dispatch.ts';
import type { EnvelopeHeaders } from '../../mcp/envelope.ts';
import { eventText } from '../../mcp/event-stream.ts';
import { rpcError } from '../../mcp/faults.ts';
import { errorMessage, type MessageId, PARSE_ERROR, readId } from '../../mcp/messages.ts';
import type { BodyClaim } from '../../operations/tenants/body-budget.ts';
import { parseJson, readText, requireJson } from '../exchange/body.ts';
import { chargeRest } from '../exchange/charge.ts';
import { measureJson } from '../exchange/json-shape.ts';
import { EVENT_STREAM } from '../exchange/operation.ts';
import { type FaultBody, type Visit, whole } from '../exchange/visit.ts';

const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** Size up to which a refused message is read for its id without a claim on memory. */
const REFUSED_BYTES_MAX = 4 * 1024;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers of every stream. A proxy that buffers events would make it useless. */
const EVENT_HEADERS = {
  'content-type': EVENT_STREAM,
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Errors found before the body is read, whose message may still be read for its id. */
const ECHOES_ID: ReadonlySet<ErrorCode> = new Set(['forbidden', 'not_found']);

/** Errors in JSON-RPC form, before anything is known about the message. */
export const rpcFault: FaultBody = async (fault, { request, requestId }) => {
  const id = ECHOES_ID.has(fault.code) && !request.bodyUsed ? await idOf(request) : null;
  return { type: JSON_TYPE, body: errorMessage(id, rpcError(fault), requestId) };
};

/**
 * Errors in JSON-RPC form for a known message. Invalid input in the body as a whole is a parse
 * error.
 */
export function rpcFaultOf(id: MessageId | null): FaultBody {
  return (fault, { requestId }) => ({
    type: JSON_TYPE,
    body: faultMessage(id, fault, requestId),
  });
}

function faultMessage(id: MessageId | null, fault: AppError, requestId: string): string {
  const error = rpcError(fault);
  if (fault.code !== 'invalid_input') return errorMessage(id, error, requestId);
  const data = { ...error.data, code: 'parse_error' };
  return errorMessage(id, { ...error, code: PARSE_ERROR, data }, requestId);
}

export type Payload =
  | { readonly payload: unknown }
  | { readonly tooManyMessages: true }
  | { readonly fault: AppError };

/** The body's value after its messages have been charged for, or the reason why there is none. */
export async function readPayload(visit: Visit, claim: BodyClaim): Promise<Payload> {
  const { request } = visit;
  try {
    requireJson(request);
    const text = await readText(request, { maxBytes: BODY_BYTES_MAX, claim: claim.add });
    const shape = measureJson(text, BATCH_MAX);
    const messages = shape.items ?? 1;
    if (messages > BATCH_MAX) return { tooManyMessages: true };
    chargeRest(visit, { cost: messages });
    return { payload: parseJson(text, shape) };
  } catch (error) {
    if (error instanceof AppError) return { fault: error };
    throw error;
  }
}

async function idOf(request: Request): Promise<MessageId | null> {
  try {
    const limits = { maxBytes: REFUSED_BYTES_MAX, claim: () => undefined };
    return readId(parseJson(await readText(request, limits)));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * The reply to what a POST contained. Throws errors that do not concern the message: size, media
 * type, rate limit.
 */
export async function replyTo(
  visit: Visit,
  read: Payload,
  talk: Pick<Conversation, 'inFlight' | 'hasSession' | 'revision'>,
): Promise<Reply> {
  if ('tooManyMessages' in read) return tooLargeBatchReply(visit);
  if ('fault' in read) {
    if (read.fault.code !== 'invalid_input') throw read.fault;
    return { status: 400, body: faultMessage(null, read.fault, visit.requestId) };
  }
  const { services, caller, requestId, ownHits } = visit;
  const { organization } = caller;
  const headers = envelopeOf(visit.request);
  const conversation = { services, organization, requestId, ownHits, ...talk };
  // What a session has agreed on counts, whatever a later message claims.
  const revision = talk.revision ?? headers.version;
  return answerPayload({ ...conversation, revision }, read.payload, headers);
}

function envelopeOf({ headers }: Request): EnvelopeHeaders {
  return {
    version: headers.get('mcp-protocol-version'),
    method: headers.get('mcp-method'),
    name: headers.get('mcp-name'),
  };
}

/** A reply as JSON, or as an event for a client that accepts nothing else. */
export function respond(visit: Visit, { status, body }: Reply): Response {
  const { request, headers, requestId } = visit;
  if (body === null) return whole(visit, null, status);
  if (status === 200 && takesOnlyEvents(request)) {
    Object.assign(headers, EVENT_HEADERS);
    return whole(visit, eventText({ event: 'message', id: requestId, data: body }), status);
  }
  headers['content-type'] = JSON_TYPE;
  return whole(visit, body, status);
}

/** Responds with a stream that stays open. */
export function streamResponse(visit: Visit, body: ReadableStream<Uint8Array>): Response {
  visit.connection.keepOpen();
  Object.assign(visit.headers, EVENT_HEADERS);
  return whole(visit, body);
}

/**
 * Whether a client accepts only events. Without an `Accept` header, or with a wildcard, it gets
 * JSON.
 */
function takesOnlyEvents(request: Request): boolean {
  const accept = request.headers.get('accept') ?? '';
  if (accept.includes('application/json')) return false;
  const types = accept.split(',').map((type) => type.split(';')[0]!.trim().toLowerCase());
  return (
    types.includes('text/event-stream') &&
    !types.some((type) => ['application/json', 'application/*', '*/*'].includes(type))
  );
}
