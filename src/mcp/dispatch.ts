import type { Conversation } from './conversation.ts';
import {
  type EnvelopeHeaders,
  envelopeFault,
  isStateless,
  unsupportedVersion,
} from './envelope.ts';
import { thrownError } from './faults.ts';
import {
  errorMessage,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  type Message,
  type MessageId,
  type Params,
  RESOURCE_NOT_FOUND,
  type RpcError,
  readId,
  readMessage,
  resultMessage,
} from './messages.ts';
import { METHODS, type Outcome } from './methods.ts';
import { SERVER_INFO } from './server-info.ts';
import { STATELESS_VERSION, VERSIONS } from './versions.ts';

/** Messages of a batch. */
export const BATCH_MAX = 100;

/** What comes back for a payload. */
export interface Reply {
  /** As Streamable HTTP has it; other transports look at the body alone. */
  readonly status: 200 | 202 | 400 | 404;
  /** JSON; null when nothing was asked. */
  readonly body: string | null;
}

const ACCEPTED: Reply = { status: 202, body: null };

/**
 * Answers one message or a batch. Never throws. `headers` are those that HTTP repeats the message in;
 * null where there are none.
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
  if (message.kind !== 'request') return ACCEPTED;
  return isStateless(message, headers)
    ? answerStateless(conversation, message, headers)
    : { status: 200, body: await answerRequest(conversation, message, 'session') };
}

type Request = Extract<Message, { kind: 'request' }>;

async function answerBatch(
  conversation: Conversation,
  payload: readonly unknown[],
): Promise<Reply> {
  const { requestId } = conversation;
  const answers = await Promise.all(
    payload.map((item) => {
      const message = readMessage(item);
      if (message.kind === 'invalid')
        return errorMessage(message.id, invalidRequest(message.reason), requestId);
      if (message.kind !== 'request') return null;
      if (message.method === 'initialize')
        return errorMessage(
          message.id,
          invalidRequest('initialize must be sent alone.'),
          requestId,
        );
      return answerRequest(conversation, message, 'session');
    }),
  );
  const given = answers.filter((answer) => answer !== null);
  return given.length === 0 ? ACCEPTED : { status: 200, body: `[${given.join(',')}]` };
}

/** A request of revision 2026-07-28, which says everything about itself. */
async function answerStateless(
  conversation: Conversation,
  message: Request,
  headers: EnvelopeHeaders | null,
): Promise<Reply> {
  const { requestId } = conversation;
  const fault = envelopeFault(message, headers);
  if (fault !== null) return { status: 400, body: errorMessage(message.id, fault, requestId) };
  if (!METHODS.has(message.method) || METHODS.get(message.method)!.era === 'session')
    return { status: 404, body: errorMessage(message.id, UNKNOWN_METHOD, requestId) };
  return { status: 200, body: await answerRequest(conversation, message, 'stateless') };
}

async function answerRequest(
  conversation: Conversation,
  { id, method, params }: Request,
  era: 'session' | 'stateless',
): Promise<string> {
  const { requestId } = conversation;
  const known = METHODS.get(method);
  if (known === undefined || (known.era !== 'both' && known.era !== era))
    return errorMessage(id, UNKNOWN_METHOD, requestId);
  try {
    const outcome = await known.run(conversation, params);
    if ('missing' in outcome)
      return errorMessage(id, missingResource(outcome.missing, era), requestId);
    return resultMessage(id, era === 'session' ? outcome.result : stateless(outcome, known.cache));
  } catch (error) {
    return errorMessage(id, thrownError(error, conversation), requestId);
  }
}

/** A result as revision 2026-07-28 wants it: whole, by whom, and for how long it holds. */
function stateless(
  { result }: Extract<Outcome, { result: object | string }>,
  cache: object | undefined,
): object {
  const members = (typeof result === 'string' ? JSON.parse(result) : result) as Params;
  const meta = { 'io.modelcontextprotocol/serverInfo': SERVER_INFO };
  return { ...members, ...cache, resultType: 'complete', _meta: meta };
}

function missingResource(uri: string, era: 'session' | 'stateless'): RpcError {
  const code = era === 'session' ? RESOURCE_NOT_FOUND : INVALID_PARAMS;
  return { code, message: 'Resource not found', data: { code: 'resource_not_found', uri } };
}

const UNKNOWN_METHOD: RpcError = {
  code: METHOD_NOT_FOUND,
  message: 'Method not found',
  data: { code: 'method_not_found' },
};

function invalidRequest(reason: string): RpcError {
  return { code: INVALID_REQUEST, message: reason, data: { code: 'invalid_request' } };
}

/** The refusal of a batch of more than `BATCH_MAX` messages, which need not be parsed for it. */
export function tooLargeBatchReply({ requestId }: Pick<Conversation, 'requestId'>): Reply {
  const error = invalidRequest(`A batch holds at most ${BATCH_MAX} messages.`);
  return { status: 400, body: errorMessage(null, error, requestId) };
}

/** The refusal of a revision that nobody here knows; null for one that is known, or none. */
export function unsupportedVersionReply(
  { requestId }: Pick<Conversation, 'requestId'>,
  version: string | null,
  id: MessageId | null = null,
): Reply | null {
  if (version === null || VERSIONS.includes(version)) return null;
  return { status: 400, body: errorMessage(id, unsupportedVersion(version), requestId) };
}
