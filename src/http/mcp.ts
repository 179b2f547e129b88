import { AppError } from '../domain/errors.ts';
import type { Conversation } from '../mcp/conversation.ts';
import { answerPayload, countMessages, type Reply } from '../mcp/dispatch.ts';
import type { EnvelopeHeaders } from '../mcp/envelope.ts';
import { rpcError } from '../mcp/faults.ts';
import { errorMessage, type MessageId, PARSE_ERROR, readId } from '../mcp/messages.ts';
import { parseJson, readText, requireJson } from './body.ts';
import { charge } from './charge.ts';
import { type FaultBody, faultResponse } from './errors.ts';
import { MCP_MESSAGES, OrganizationParams } from './mcp-messages.ts';
import type { CallerVisit, KeyedRoute } from './route.ts';

const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** As the specification has them, and what a page may read of an answer. Keys are for servers: never credentials. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Accept, MCP-Protocol-Version, X-API-Key, Origin',
  'access-control-expose-headers': 'Mcp-Session-Id, Retry-After, RateLimit, RateLimit-Policy',
  'access-control-max-age': '86400',
};

const JSON_TYPE = 'application/json; charset=utf-8';

/** Faults as JSON-RPC tells them; a scope is missed before the body is read, so the id is looked for now. */
const rpcFault: FaultBody = async (fault, { request, requestId }) => {
  const id = fault.code === 'forbidden' && !request.bodyUsed ? await idOf(request) : null;
  return { type: JSON_TYPE, body: errorMessage(id, rpcError(fault), requestId) };
};

const contract = {
  scope: 'mcp',
  ...MCP_MESSAGES,
  faultBody: rpcFault,
  fixedHeaders: CORS,
} as const;

export const mcpRoutes: readonly KeyedRoute[] = ['/mcp', '/mcp/org/{organization_id}'].map(
  (path): KeyedRoute => ({
    ...contract,
    method: 'POST',
    path,
    summary: 'Model Context Protocol',
    description: 'A JSON-RPC message or a batch; stateless.',
    ...(path.includes('{') && { params: OrganizationParams }),
    charges: 'itself',
    handle: post,
  }),
);

async function post(visit: CallerVisit): Promise<Response> {
  const { request, headers, requestId, services } = visit;
  const read = await readPayload(request);
  const id = 'payload' in read ? readId(read.payload) : null;
  try {
    charge(visit, { cost: 'payload' in read ? countMessages(read.payload) : 1 });
    requireOwnOrganization(visit);
    if ('fault' in read) throw read.fault;
    return respond(
      visit,
      await answerPayload(conversationOf(visit), read.payload, envelope(request)),
    );
  } catch (error) {
    const { platform } = services;
    return faultResponse(error, {
      request,
      headers,
      requestId,
      platform,
      faultBody: (fault) => ({ type: JSON_TYPE, body: faultText(fault, id, requestId) }),
    });
  }
}

type Payload = { readonly payload: unknown } | { readonly fault: AppError };

/** The body's value, or why there is none: that costs the caller a token too. */
async function readPayload(request: Request): Promise<Payload> {
  try {
    requireJson(request);
    return { payload: parseJson(await readText(request, BODY_BYTES_MAX)) };
  } catch (error) {
    if (error instanceof AppError) return { fault: error };
    throw error;
  }
}

async function idOf(request: Request): Promise<MessageId | null> {
  const read = await readPayload(request);
  return 'payload' in read ? readId(read.payload) : null;
}

/** What is wrong with an input as a whole is that it is no JSON. */
function faultText(fault: AppError, id: MessageId | null, requestId: string): string {
  const error = rpcError(fault);
  const isUnreadable = fault.code === 'invalid_input';
  const data = { ...error.data, code: 'parse_error' };
  return errorMessage(id, isUnreadable ? { ...error, code: PARSE_ERROR, data } : error, requestId);
}

/** Another organization's address and one that nobody has are the same. */
function requireOwnOrganization({ params, services, caller }: CallerVisit): void {
  const named = params['organization_id'];
  if (named === undefined) return;
  if (services.directory.findOrganization(named)?.key !== caller.organization.key)
    throw new AppError('not_found', 'There is no such organization.');
}

function conversationOf({ services, caller, requestId, traces }: CallerVisit): Conversation {
  return { services, organization: caller.organization, requestId, traces };
}

function envelope({ headers }: Request): EnvelopeHeaders {
  return {
    version: headers.get('mcp-protocol-version'),
    method: headers.get('mcp-method'),
    name: headers.get('mcp-name'),
  };
}

function respond({ request, headers }: CallerVisit, { status, body }: Reply): Response {
  if (body === null) return new Response(null, { status, headers });
  if (status === 200 && wantsOnlyEvents(request)) {
    headers.set('content-type', 'text/event-stream');
    headers.set('cache-control', 'no-cache, no-transform');
    headers.set('x-accel-buffering', 'no');
    const id = headers.get('x-request-id');
    return new Response(`event: message\nid: ${id}\ndata: ${body}\n\n`, { status, headers });
  }
  headers.set('content-type', JSON_TYPE);
  return new Response(body, { status, headers });
}

/** Whether a client takes events and nothing else. Who says nothing, or anything, gets JSON. */
function wantsOnlyEvents(request: Request): boolean {
  const types = (request.headers.get('accept') ?? '')
    .split(',')
    .map((type) => type.split(';')[0]!.trim().toLowerCase());
  return (
    types.includes('text/event-stream') &&
    !types.some((type) => ['application/json', 'application/*', '*/*'].includes(type))
  );
}
