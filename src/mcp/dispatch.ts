import { Connection } from './connection.ts';
import type { Conversation } from './conversation.ts';
import {
  type EnvelopeHeaders,
  envelopeFault,
  isStateless,
  isStatelessMethod,
  statelessResult,
  unsupportedVersion,
} from './envelope.ts';
import { introductionOf } from './introduction.ts';
import {
  cancelledBy,
  errorMessage,
  INVALID_REQUEST,
  type Message,
  type MessageId,
  type RpcError,
  readId,
  readMessage,
  resultMessage,
} from './messages.ts';
import { rpcErrorOf, UNKNOWN_METHOD } from './refusals.ts';
import { createServer, resultText, sdkParams } from './server.ts';
import { STATELESS_VERSION, VERSIONS } from './versions.ts';

/** Maximum messages of a batch. */
export const BATCH_MAX = 100;

/** The response to a payload. */
export interface Reply {
  /** The status for Streamable HTTP. Other transports use only the body. */
  readonly status: 200 | 202 | 400 | 404;
  /** JSON text; null if the payload contained no request. */
  readonly body: string | null;
}

const ACCEPTED: Reply = { status: 202, body: null };

/**
 * Answers one message or a batch. Never throws. `headers` are the HTTP headers that repeat parts of
 * the message; null for other transports.
 */
export async function answerPayload(
  conversation: Conversation,
  payload: unknown,
  headers: EnvelopeHeaders | null,
): Promise<Reply> {
  const { requestId } = conversation;
  const refuse = (reason: string): Reply => ({
    status: 400,
    body: errorMessage(readId(payload), invalidRequest(reason), requestId),
  });
  if (Array.isArray(payload)) {
    if (headers?.version === STATELESS_VERSION) return refuse('This revision has no batches.');
    if (payload.length === 0) return refuse('A batch holds at least one message.');
    if (payload.length > BATCH_MAX) return tooLargeBatchReply(conversation);
  }
  const unsupported = unsupportedVersionReply(
    conversation,
    headers?.version ?? null,
    readId(payload),
  );
  if (unsupported !== null) return unsupported;
  if (Array.isArray(payload)) return answerBatch(conversation, payload);
  const message = readMessage(payload);
  if (message.kind === 'invalid') return refuse(message.reason);
  if (message.kind !== 'request') return taken(conversation, message);
  if (!conversation.hasSession && isStateless(message, headers))
    return answerStateless(conversation, message, headers);
  const connection = new Connection(createServer(conversation, 'session'));
  const body = await answerRequest(conversation, message, connection);
  return body === null ? ACCEPTED : { status: 200, body };
}

type Request = Extract<Message, { kind: 'request' }>;

/** Accepts a message that expects no response. Only a cancellation has an effect. */
function taken({ inFlight }: Conversation, message: Exclude<Message, Request>): Reply {
  const cancelled = cancelledBy(message);
  if (cancelled !== null) inFlight.cancel(cancelled);
  return ACCEPTED;
}

async function answerBatch(
  conversation: Conversation,
  payload: readonly unknown[],
): Promise<Reply> {
  const { requestId } = conversation;
  const connection = new Connection(createServer(conversation, 'session'));
  const answers = await Promise.all(
    payload.map((item) => {
      const message = readMessage(item);
      if (message.kind === 'invalid')
        return errorMessage(message.id, invalidRequest(message.reason), requestId);
      if (message.kind !== 'request') return taken(conversation, message).body;
      if (message.method === 'initialize')
        return errorMessage(
          message.id,
          invalidRequest('initialize must be sent alone.'),
          requestId,
        );
      return answerRequest(conversation, message, connection);
    }),
  );
  const given = answers.filter((answer) => answer !== null);
  return given.length === 0 ? ACCEPTED : { status: 200, body: `[${given.join(',')}]` };
}

/** Answers a request on its own connection; null if it was cancelled. */
async function answerRequest(
  conversation: Conversation,
  { id, method, params }: Request,
  connection: Connection,
): Promise<string | null> {
  const request = { id, method, params: sdkParams(method, params) };
  const answer = await conversation.inFlight.ask(connection, request);
  if (answer === null) return null;
  if ('result' in answer) return resultMessage(id, resultText(answer.result, conversation));
  return errorMessage(id, rpcErrorOf(answer.error, request, conversation), conversation.requestId);
}

/** Answers a request of revision 2026-07-28, which is self-contained. */
async function answerStateless(
  conversation: Conversation,
  message: Request,
  headers: EnvelopeHeaders | null,
): Promise<Reply> {
  const { id, method, params } = message;
  const { requestId, inFlight } = conversation;
  const fault = envelopeFault(message, headers);
  if (fault !== null) return { status: 400, body: errorMessage(id, fault, requestId) };
  if (!isStatelessMethod(method))
    return { status: 404, body: errorMessage(id, UNKNOWN_METHOD, requestId) };
  const stateless = { ...conversation, revision: STATELESS_VERSION };
  const connection = new Connection(createServer(stateless, 'stateless'));
  const request = { id, method, params: sdkParams(method, params) };
  const answer = await inFlight.ask(connection, request);
  if (answer === null) return ACCEPTED;
  if ('error' in answer) {
    const error = rpcErrorOf(answer.error, request, conversation);
    return { status: 200, body: errorMessage(id, error, requestId) };
  }
  const { serverInfo } = introductionOf(conversation);
  const result = statelessResult(method, answer.result, serverInfo);
  return { status: 200, body: resultMessage(id, JSON.stringify(result)) };
}

function invalidRequest(reason: string): RpcError {
  return { code: INVALID_REQUEST, message: reason, data: { code: 'invalid_request' } };
}

/** Refuses a batch of more than `BATCH_MAX` messages without parsing it. */
export function tooLargeBatchReply({ requestId }: Pick<Conversation, 'requestId'>): Reply {
  const error = invalidRequest(`A batch holds at most ${BATCH_MAX} messages.`);
  return { status: 400, body: errorMessage(null, error, requestId) };
}

/** Refuses an unknown revision; null if the revision is known or absent. */
export function unsupportedVersionReply(
  { requestId }: Pick<Conversation, 'requestId'>,
  version: string | null,
  id: MessageId | null = null,
): Reply | null {
  if (version === null || VERSIONS.includes(version)) return null;
  return { status: 400, body: errorMessage(id, unsupportedVersion(version), requestId) };
}
