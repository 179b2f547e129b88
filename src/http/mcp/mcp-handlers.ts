import { AppError } from '../../domain/errors.ts';
import { unsupportedVersionReply } from '../../mcp/dispatch.ts';
import { InFlight, type SessionsInFlight } from '../../mcp/in-flight.ts';
import { readId, readMessage, revisionAgreedOn } from '../../mcp/messages.ts';
import { eventId, parseEventId, type Streams } from '../../mcp/streams.ts';
import {
  agreeInSession,
  beginSession,
  endSession,
  missedEvents,
  recordEvent,
  type Session,
  useSession,
} from '../../operations/assistants/sessions.ts';
import { claimBody } from '../exchange/charge.ts';
import { ORGANIZATION_QUERY } from '../exchange/public-address.ts';
import { arrivalOf, type Visit, whole } from '../exchange/visit.ts';
import {
  type Payload,
  readPayload,
  replyTo,
  respond,
  rpcFaultOf,
  streamResponse,
} from './mcp-wire.ts';

const MESSAGES_PATH = '/mcp/messages';

const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';

export interface McpOptions {
  readonly streams: Streams;
  readonly sessions: SessionsInFlight;
  /** The path prefix under which clients reach the service; empty at the root of its host. */
  readonly basePath: string;
}

/** A POST without a session. */
export function answerAlone(visit: Visit): Promise<Response> {
  return answering(visit, async (read) => respond(visit, await replyTo(visit, read, alone())));
}

/** Reads and answers a POST. Every error after the body has been parsed echoes the message's id. */
async function answering(
  visit: Visit,
  reply: (read: Payload) => Promise<Response>,
): Promise<Response> {
  const arrival = arrivalOf(visit.request);
  using claim = claimBody(visit);
  const read = await readPayload(visit, claim);
  arrival.faultBody = rpcFaultOf('payload' in read ? readId(read.payload) : null);
  return await reply(read);
}

/** A conversation of one request. */
const alone = () => ({ inFlight: new InFlight(), hasSession: false, revision: null });

/**
 * A POST in the session named in the query or a header. `initialize` without a session begins one.
 */
export function answerInSession(
  visit: Visit,
  options: McpOptions,
  ofStream: string | undefined,
): Promise<Response> {
  return answering(visit, (read) => replyInSession(visit, options, { read, ofStream }));
}

async function replyInSession(
  visit: Visit,
  { streams, sessions }: McpOptions,
  { read, ofStream }: { read: Payload; ofStream: string | undefined },
): Promise<Response> {
  const { services, caller, request } = visit;
  const named = ofStream ?? request.headers.get(SESSION_HEADER);
  if (named === null) return initialize(visit, read);
  const session = await useSession(services, caller, named);
  visit.session = session.id;
  const reply = await sessions.during(session.id, (inFlight) =>
    replyTo(visit, read, { inFlight, hasSession: true, revision: session.revision }),
  );
  const revision = revisionAgreedOn('payload' in read ? read.payload : null, reply.body);
  if (revision !== null) await agreeInSession(services, session, revision);
  if (ofStream === undefined || reply.body === null || !streams.has(session.id))
    return respond(visit, reply);
  // Clients of the older transport treat any status but 202 as a lost connection.
  const number = await recordEvent(services, session, reply.body);
  const isSent = number !== null && streams.send(session.id, { number, message: reply.body });
  return respond(visit, isSent ? { status: 202, body: null } : reply);
}

async function initialize(visit: Visit, read: Payload): Promise<Response> {
  const { services, caller, headers } = visit;
  const reply = await replyTo(visit, read, alone());
  if (reply.status === 400) return respond(visit, reply);
  const payload = 'payload' in read ? read.payload : null;
  const message = readMessage(payload);
  if (message.kind !== 'request' || message.method !== 'initialize')
    throw new AppError('session_required', 'Begin a session with initialize, and send its id.');
  const revision = revisionAgreedOn(payload, reply.body);
  if (revision !== null)
    headers[SESSION_HEADER] = (await beginSession(services, caller, revision)).id;
  return respond(visit, reply);
}

/**
 * A GET stream. Begins a session of the older transport unless the client names a session or its
 * last event.
 */
export async function listen(visit: Visit, options: McpOptions): Promise<Response> {
  const { request, caller } = visit;
  const { headers } = request;
  const resumed = await resume(visit, options);
  if (resumed !== null) return resumed;
  const refusal = unsupportedVersionReply(visit, headers.get(VERSION_HEADER));
  if (refusal !== null) return respond(visit, refusal);
  if (!headers.has(SESSION_HEADER) && !headers.has('last-event-id'))
    return beginStream(visit, options);
  const stream = options.streams.open(caller, { session: null, isOptional: true });
  return streamResponse(visit, stream.body);
}

export async function listenToSession(
  visit: Visit,
  options: McpOptions,
  ofStream: string | undefined,
): Promise<Response> {
  const { request, services, caller } = visit;
  const named = request.headers.get(SESSION_HEADER) ?? ofStream;
  if (named === undefined) return (await resume(visit, options)) ?? beginStream(visit, options);
  const session = await useSession(services, caller, named);
  const last = parseEventId(request.headers.get('last-event-id') ?? '');
  return reopen(visit, options, {
    session,
    after: last?.sessionId === session.id ? last.number : null,
  });
}

/**
 * Resumes the stream of the session that the client's last event belongs to; null if it names no
 * event.
 */
async function resume(visit: Visit, options: McpOptions): Promise<Response | null> {
  const { request, services, caller } = visit;
  const last = parseEventId(request.headers.get('last-event-id') ?? '');
  if (last === null) return null;
  const session = await useSession(services, caller, last.sessionId);
  return reopen(visit, options, { session, after: last.number });
}

/**
 * A session's stream, with the events after `after` that the client missed; null if it missed
 * nothing.
 */
async function reopen(
  visit: Visit,
  { streams }: McpOptions,
  { session, after }: { session: Session; after: number | null },
): Promise<Response> {
  const { services, caller } = visit;
  const missed = after === null ? [] : await missedEvents(services, session, after);
  const stream = streams.open(caller, {
    session: { id: session.id, lastEvent: after ?? 0 },
    isOptional: isOptional(visit.request),
  });
  for (const event of missed) streams.send(session.id, event);
  return streamResponse(visit, stream.body);
}

/** A new session of the older transport. Its stream begins with the URL for messages. */
async function beginStream(visit: Visit, { streams, basePath }: McpOptions): Promise<Response> {
  const { services, caller, request } = visit;
  // Refused clients retry at once and must not cost a session each time.
  streams.requireRoom(caller, isOptional(request));
  const { id } = await beginSession(services, caller, null);
  const stream = streams.open(caller, {
    session: { id, lastEvent: 0 },
    isOptional: isOptional(request),
  });
  // Without a key, nothing else says at that address whose session it is.
  const { apiKey, organization } = caller;
  const named = apiKey === null ? `&${ORGANIZATION_QUERY}=${organization.id}` : '';
  const data = `${basePath}${MESSAGES_PATH}?sessionId=${id}${named}`;
  stream.send({ event: 'endpoint', id: eventId(id, 0), data });
  return streamResponse(visit, stream.body);
}

/**
 * Whether a client works without a stream. The older transport, which has neither header, does not.
 */
function isOptional({ headers }: Request): boolean {
  return headers.has(VERSION_HEADER) || headers.has(SESSION_HEADER);
}

export async function end(visit: Visit, options: McpOptions): Promise<Response> {
  const { request, services, caller } = visit;
  const named = request.headers.get(SESSION_HEADER);
  if (named === null)
    throw new AppError('session_required', 'Name the session in the header Mcp-Session-Id.');
  const session = await useSession(services, caller, named);
  options.streams.close(session.id);
  await endSession(services, session);
  return whole(visit, null, 204);
}
