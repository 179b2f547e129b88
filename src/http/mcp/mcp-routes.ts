import { Elysia } from 'elysia';
import { AppError } from '../../domain/errors.ts';
import { admission } from '../exchange/admission.ts';
import { mainEndpoint, messagesEndpoint, organizationEndpoint } from '../exchange/challenge.ts';
import { crossOriginMcp } from '../exchange/cross-origin.ts';
import { operation } from '../exchange/operation.ts';
import { OrganizationParams } from '../exchange/organization-params.ts';
import { methodNotAllowed, methodsOf } from '../exchange/other-methods.ts';
import { byHost, byPath, bySession } from '../exchange/public-address.ts';
import { paramsOf, queryOf } from '../exchange/route-schema.ts';
import { arrivalOf, type HttpServices, type Visit } from '../exchange/visit.ts';
import {
  answerAlone,
  answerInSession,
  end,
  listen,
  listenToSession,
  type McpOptions,
} from './mcp-handlers.ts';
import { MCP_FAULT, MCP_MESSAGES, SESSION_HEADERS, SessionQuery, STREAM } from './mcp-messages.ts';
import { rpcFault } from './mcp-wire.ts';

interface McpRoutesOptions extends McpOptions {
  readonly services: HttpServices;
  /** Throws `forbidden` for a request that a foreign page may have sent. */
  readonly guard: (request: Request) => void;
}

const contract = {
  scope: 'mcp',
  isPublic: true,
  ...MCP_FAULT,
  summary: 'Model Context Protocol',
} as const;
const inSession = { ...contract, requestHeaders: SESSION_HEADERS };

/** The OpenAPI description of each route. */
const TOLD = {
  stream: operation({
    ...contract,
    ...STREAM,
    description:
      'Opens an event stream. For clients of the older transport, it also begins a session.',
  }),
  messages: operation({
    ...contract,
    ...MCP_MESSAGES,
    description: 'A JSON-RPC message or a batch of them.',
  }),
  sessionStream: operation({
    ...inSession,
    ...STREAM,
    description: 'Opens the stream of a session, or begins a session with a stream.',
  }),
  sessionMessages: operation({
    ...inSession,
    ...MCP_MESSAGES,
    description: 'Sends a JSON-RPC message or a batch of messages in a session.',
  }),
  end: operation({
    ...inSession,
    description: 'Ends a session.',
    furtherAnswers: { '204': 'The session has ended.' },
  }),
};

const caller = { scope: 'mcp', publicBy: byHost, tokensFor: mainEndpoint } as const;

const ofOrganization = {
  caller: { ...caller, publicBy: byPath, tokensFor: organizationEndpoint },
  params: paramsOf(OrganizationParams),
  beforeHandle: ({
    request,
    params,
  }: {
    request: Request;
    params: { organization_id: string };
  }) => {
    requireOwnOrganization(arrivalOf(request).visit!, params.organization_id);
  },
};

const ofSession = {
  caller: { ...caller, publicBy: bySession, tokensFor: messagesEndpoint },
  query: queryOf(SessionQuery),
};

/**
 * The Model Context Protocol: stateless at `/mcp` and at each organization's own path, with
 * sessions at `/mcp/messages`.
 */
export function mcpRoutes(options: McpRoutesOptions) {
  const { services, guard } = options;
  const room = new Elysia()
    .use(crossOriginMcp(services))
    .use(admission(services))
    .onTransform(({ request, route }) => {
      arrivalOf(request).faultBody = rpcFault;
      // Every GET here is a stream. To answer a HEAD, Elysia would wait for its end.
      if (request.method === 'HEAD') throw methodNotAllowed(methodsOf(room, route));
    })
    .onBeforeHandle(({ request }) => {
      guard(request);
    })
    .get('/mcp', ({ visit }) => listen(visit, options), { caller, detail: TOLD.stream })
    .post('/mcp', ({ visit }) => answerAlone(visit), {
      caller,
      parse: 'none',
      detail: TOLD.messages,
    })
    .get('/mcp/org/:organization_id', ({ visit }) => listen(visit, options), {
      ...ofOrganization,
      detail: TOLD.stream,
    })
    .post('/mcp/org/:organization_id', ({ visit }) => answerAlone(visit), {
      ...ofOrganization,
      parse: 'none',
      detail: TOLD.messages,
    })
    .get(
      '/mcp/messages',
      ({ visit, query }) => listenToSession(visit, options, query.values.sessionId),
      { ...ofSession, detail: TOLD.sessionStream },
    )
    .post(
      '/mcp/messages',
      ({ visit, query }) => answerInSession(visit, options, query.values.sessionId),
      { ...ofSession, parse: 'none', detail: TOLD.sessionMessages },
    )
    .delete('/mcp/messages', ({ visit }) => end(visit, options), {
      ...ofSession,
      detail: TOLD.end,
    });
  return room;
}

/** Another organization's path and an unknown path give the same error. */
function requireOwnOrganization({ services, caller }: Visit, named: string): void {
  if (services.directory.findOrganization(named)?.key !== caller.organization.key)
    throw new AppError('not_found', 'There is no such organization.');
}
