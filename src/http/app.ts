import { Elysia } from 'elysia';
import { SessionsInFlight } from '../mcp/in-flight.ts';
import { Streams } from '../mcp/streams.ts';
import type { ListenOptions } from '../platform.ts';
import { readTraceContext, withTraceContext } from '../trace-context.ts';
import { readClientAddress, type TrustedProxies } from './exchange/client-address.ts';
import { problemBody, tellFault } from './exchange/errors.ts';
import { answerOtherMethods, type Room } from './exchange/other-methods.ts';
import { type AnswerSet, announce, arrivalOf, type HttpServices } from './exchange/visit.ts';
import { hitsRoutes } from './hits/hits-routes.ts';
import { landingPageRoutes, llmsFileRoutes } from './landing-page.ts';
import { createHostGuard, type HostRules } from './mcp/host-guard.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { type AccessLog, RequestLog } from './request-log.ts';
import { searchRoutes } from './search/search-routes.ts';
import { serviceRoutes } from './service-routes.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

export interface HttpOptions {
  readonly services: HttpServices;
  readonly hostRules: HostRules;
  readonly trustedProxies: TrustedProxies;
  /** Nothing is logged unless it is set. */
  readonly accessLog?: AccessLog;
  /** Rooms beside those of the interface. */
  readonly further?: readonly Room[];
}

/** Answers every request to the public listener, faults included. Never throws. */
export type Handler = ListenOptions['fetch'];

export function createHandler(options: HttpOptions): Handler {
  const { services, hostRules, trustedProxies, accessLog = 'off', further = [] } = options;
  const { platform } = services;
  const requests = new RequestLog(services, accessLog);
  const rooms = [
    searchRoutes(services),
    landingPageRoutes(services),
    llmsFileRoutes(services),
    hitsRoutes(services),
  ];
  const mcp = mcpRoutes({
    services,
    streams: new Streams(services),
    sessions: new SessionsInFlight(),
    guard: createHostGuard(hostRules, (host) => services.directory.isPublicHost(host)),
    basePath: basePathOf(hostRules.publicUrl),
  });
  const service = serviceRoutes(services, [...rooms, mcp]);
  const app = createApp(services, requests, [...rooms, service, ...further]);
  // Apart, because the headers that CORS adds are those of a whole app.
  const assistants = createApp(services, requests, [mcp]);
  return (given, connection) => {
    const request = withHost(given);
    const trace = readTraceContext(request.headers);
    announce(request, {
      connection: {
        address: () => readClientAddress(request, connection, trustedProxies),
        keepOpen: connection.keepOpen,
      },
      startedMs: platform.monotonicMs(),
      traceId: trace?.traceId ?? null,
      faultBody: problemBody,
    });
    const { handle } = IS_MCP.test(request.url) ? assistants : app;
    return trace === null ? handle(request) : withTraceContext(trace, () => handle(request));
  };
}

const IS_MCP = /^\w+:\/\/[^/]*\/mcp(?:[/?]|$)/;

/** What a request goes through whatever its route: its id, its faults, its line in the log. */
function createApp(services: HttpServices, requests: RequestLog, rooms: readonly Room[]) {
  const { platform } = services;
  const app = new Elysia({
    normalize: false,
    // A path answers with and without its trailing slash.
    strictPath: false,
    // Hosts may be as short as in `http://a/`.
    handler: { standardHostname: false },
  })
    .onRequest(({ request, set }) => {
      const given = request.headers.get('x-request-id') ?? '';
      const requestId = REQUEST_ID.test(given) ? given : platform.newId();
      arrivalOf(request).requestId = requestId;
      set.headers['x-request-id'] = requestId;
      set.headers['cache-control'] = 'private, no-store';
      set.headers['x-content-type-options'] = 'nosniff';
    })
    .onAfterHandle(({ request, set, route, response }) => {
      const status = response instanceof Response ? response.status : (set.status as number);
      requests.record(route, request, status);
    })
    .onError(async ({ request, set, route, error }) => {
      const answer = set as AnswerSet;
      const body = await tellFault(error, { request, set: answer, platform });
      requests.record(route, request, answer.status);
      return body;
    });
  for (const room of rooms) app.use(answerOtherMethods(room));
  return app.compile();
}

/** What a proxy in front takes away of every path: `/catalogue` for `https://shop.example/catalogue/`. */
function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** Bun leaves the host out of the URL when a client names none, or one that cannot be a host: another stands in. */
function withHost(request: Request): Request {
  if (!request.url.startsWith('/')) return request;
  return new Request(`http://localhost${request.url}`, request);
}
