import { AppError } from '../domain/errors.ts';
import { unsupportedVersionReply } from '../mcp/dispatch.ts';
import { InFlight, SessionsInFlight } from '../mcp/in-flight.ts';
import { isObject, type MessageId, readId, readMessage } from '../mcp/messages.ts';
import { eventId, parseEventId, type Streams } from '../mcp/streams.ts';
import {
  beginSession,
  endSession,
  missedEvents,
  recordEvent,
  type Session,
  useSession,
} from '../operations/assistants/sessions.ts';
import { charge, claimBody } from './charge.ts';
import { faultResponse } from './errors.ts';
import { MCP_FAULT, MCP_MESSAGES, OrganizationParams, SESSION, STREAM } from './mcp-messages.ts';
import {
  CORS,
  type Payload,
  readPayload,
  replyTo,
  respond,
  rpcFault,
  rpcFaultOf,
  streamResponse,
} from './mcp-wire.ts';
import type { CallerVisit, KeyedRoute } from './route.ts';

const MESSAGES_PATH = '/mcp/messages';

const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';

export interface McpOptions {
  readonly streams: Streams;
  /** Throws `forbidden` for a request that a page of somebody else's may have sent. */
  readonly guard: (request: Request) => void;
  /** What stands before every path where clients see the service; empty at the root of its host. */
  readonly basePath: string;
}

/** What the routes share. */
interface Talk extends McpOptions {
  readonly sessions: SessionsInFlight;
}

/** The Model Context Protocol: stateless at `/mcp` and at each organization's own address, with sessions at `/mcp/messages`. */
export function mcpRoutes(options: McpOptions): KeyedRoute[] {
  const sessions = new SessionsInFlight();
  const contract = {
    scope: 'mcp',
    ...MCP_FAULT,
    faultBody: rpcFault,
    fixedHeaders: CORS,
    summary: 'Model Context Protocol',
  } as const;
  const get = { ...contract, ...STREAM, method: 'GET' } as const;
  const post = { ...contract, ...MCP_MESSAGES, method: 'POST', charges: 'itself' } as const;
  const stateless = ['/mcp', '/mcp/org/{organization_id}'].flatMap((path): KeyedRoute[] => [
    {
      ...get,
      ...paramsOf(path),
      path,
      description: 'A stream of events; for clients of the older transport with a session.',
      handle: (visit) => listen(visit, options),
    },
    {
      ...post,
      ...paramsOf(path),
      path,
      description: 'A JSON-RPC message or a batch of them.',
      handle: (visit) =>
        answering(visit, options, async (read) =>
          respond(visit, await replyTo(visit, read, alone())),
        ),
    },
  ]);
  return [
    ...stateless,
    {
      ...get,
      path: MESSAGES_PATH,
      ...SESSION,
      description: 'The stream of a session, or a new session with one.',
      handle: (visit) => listenToSession(visit, options),
    },
    {
      ...post,
      path: MESSAGES_PATH,
      ...SESSION,
      description: 'A JSON-RPC message or a batch of them, in a session.',
      handle: (visit) =>
        answering(visit, options, (read) => answerInSession(visit, { ...options, sessions }, read)),
    },
    {
      ...contract,
      method: 'DELETE',
      path: MESSAGES_PATH,
      ...SESSION,
      description: 'Ends a session.',
      furtherAnswers: { '204': 'It has ended.' },
      handle: (visit) => end(visit, options),
    },
  ];
}

function paramsOf(path: string) {
  return path.includes('{') ? { params: OrganizationParams } : {};
}

/**
 * Charges for, reads and answers a POST. Every fault that comes after the body was parsed echoes the id
 * of its message. Who has no token left costs no more than a look at the headers.
 */
async function answering(
  visit: CallerVisit,
  { guard }: McpOptions,
  reply: (read: Payload) => Promise<Response>,
): Promise<Response> {
  const { request, headers, requestId, services } = visit;
  let id: MessageId | null = null;
  try {
    charge(visit);
    using claim = claimBody(visit);
    const read = await readPayload(visit, claim);
    if ('payload' in read) id = readId(read.payload);
    guard(request);
    requireOwnOrganization(visit);
    return await reply(read);
  } catch (error) {
    const { platform } = services;
    const faultBody = rpcFaultOf(id);
    return faultResponse(error, { request, headers, requestId, platform, faultBody });
  }
}

/** A conversation of one request. */
const alone = () => ({ inFlight: new InFlight(), hasSession: false });

/** In the session that the address or a header names; `initialize` without one begins one. */
async function answerInSession(
  visit: CallerVisit,
  { streams, sessions }: Talk,
  read: Payload,
): Promise<Response> {
  const { services, caller, url, request } = visit;
  const ofStream = url.searchParams.get('sessionId');
  const named = ofStream ?? request.headers.get(SESSION_HEADER);
  if (named === null) return initialize(visit, read);
  const session = await useSession(services, caller, named);
  const reply = await sessions.during(session.id, (inFlight) =>
    replyTo(visit, read, { inFlight, hasSession: true }),
  );
  if (ofStream === null || reply.body === null || !streams.has(session.id))
    return respond(visit, reply);
  // Clients of the older transport take any other status than 202 for a dead connection.
  const number = await recordEvent(services, session, reply.body);
  const isSent = number !== null && streams.send(session.id, { number, message: reply.body });
  return respond(visit, isSent ? { status: 202, body: null } : reply);
}

async function initialize(visit: CallerVisit, read: Payload): Promise<Response> {
  const { services, caller, headers } = visit;
  const reply = await replyTo(visit, read, alone());
  if (reply.status === 400) return respond(visit, reply);
  const message = readMessage('payload' in read ? read.payload : null);
  if (message.kind !== 'request' || message.method !== 'initialize')
    throw new AppError('session_required', 'Begin a session with initialize, and send its id.');
  const answered: unknown = JSON.parse(reply.body ?? 'null');
  if (isObject(answered) && 'result' in answered)
    headers[SESSION_HEADER] = (await beginSession(services, caller)).id;
  return respond(visit, reply);
}

/** A stream that begins a session of the older transport, unless the client names a session or what it heard last. */
async function listen(visit: CallerVisit, options: McpOptions): Promise<Response> {
  const { request, caller } = visit;
  requireGoodRequest(visit, options);
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

async function listenToSession(visit: CallerVisit, options: McpOptions): Promise<Response> {
  const { request, url, services, caller } = visit;
  requireGoodRequest(visit, options);
  const named = request.headers.get(SESSION_HEADER) ?? url.searchParams.get('sessionId');
  if (named === null) return (await resume(visit, options)) ?? beginStream(visit, options);
  const session = await useSession(services, caller, named);
  const last = parseEventId(request.headers.get('last-event-id') ?? '');
  return reopen(visit, options, {
    session,
    after: last?.sessionId === session.id ? last.number : null,
  });
}

/** The stream of the session that the client's last event was of; null when it names none. */
async function resume(visit: CallerVisit, options: McpOptions): Promise<Response | null> {
  const { request, services, caller } = visit;
  const last = parseEventId(request.headers.get('last-event-id') ?? '');
  if (last === null) return null;
  const session = await useSession(services, caller, last.sessionId);
  return reopen(visit, options, { session, after: last.number });
}

/** A session's stream, with what its client has missed since event `after`; null: it has missed nothing. */
async function reopen(
  visit: CallerVisit,
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

/** A new session of the older transport, whose stream begins with the address to send messages to. */
async function beginStream(
  visit: CallerVisit,
  { streams, basePath }: McpOptions,
): Promise<Response> {
  const { services, caller, request } = visit;
  // Clients that are refused come back at once: they must not cost a session each time.
  streams.requireRoom(caller, isOptional(request));
  const { id } = await beginSession(services, caller);
  const stream = streams.open(caller, {
    session: { id, lastEvent: 0 },
    isOptional: isOptional(request),
  });
  const data = `${basePath}${MESSAGES_PATH}?sessionId=${id}`;
  stream.send({ event: 'endpoint', id: eventId(id, 0), data });
  return streamResponse(visit, stream.body);
}

/** Whether a client goes on without a stream: the older transport, which has neither header, cannot. */
function isOptional({ headers }: Request): boolean {
  return headers.has(VERSION_HEADER) || headers.has(SESSION_HEADER);
}

async function end(visit: CallerVisit, options: McpOptions): Promise<Response> {
  const { request, services, caller, headers } = visit;
  requireGoodRequest(visit, options);
  const named = request.headers.get(SESSION_HEADER);
  if (named === null)
    throw new AppError('session_required', 'Name the session in the header Mcp-Session-Id.');
  const session = await useSession(services, caller, named);
  options.streams.close(session.id);
  await endSession(services, session);
  return new Response(null, { status: 204, headers });
}

function requireGoodRequest(visit: CallerVisit, { guard }: McpOptions): void {
  guard(visit.request);
  requireOwnOrganization(visit);
}

/** Another organization's address and one that nobody has are the same. */
function requireOwnOrganization({ params, services, caller }: CallerVisit): void {
  const named = params['organization_id'];
  if (named === undefined) return;
  if (services.directory.findOrganization(named)?.key !== caller.organization.key)
    throw new AppError('not_found', 'There is no such organization.');
}
