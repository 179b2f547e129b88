import { Elysia } from 'elysia';
import { SessionsInFlight } from '../mcp/in-flight.ts';
import { Streams } from '../mcp/streams.ts';
import type { ListenOptions } from '../platform.ts';
import { readTraceContext, withTraceContext } from '../trace-context.ts';
import { importRoutes } from './catalog/import-routes.ts';
import { itemRoutes } from './catalog/item-routes.ts';
import { webhookRoutes } from './catalog/webhook-routes.ts';
import { readClientAddress, type TrustedProxies } from './exchange/client-address.ts';
import { problemBody, tellFault } from './exchange/errors.ts';
import { answerOtherMethods, type Room } from './exchange/other-methods.ts';
import {
  type AnswerSet,
  announce,
  arrivalOf,
  type HttpServices,
  KEY_CHALLENGE,
} from './exchange/visit.ts';
import { hitsRoutes } from './hits/hits-routes.ts';
import { landingPageRoutes, llmsFileRoutes } from './landing-page.ts';
import { createHostGuard, type HostRules } from './mcp/host-guard.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { type AccessLog, RequestLog } from './request-log.ts';
import { searchRoutes } from './search/search-routes.ts';
import { serviceRoutes } from './service-routes.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { ucpProfileRoutes } from './ucp-profile.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

export interface HttpOptions {
  readonly services: HttpServices;
  readonly hostRules: HostRules;
  readonly trustedProxies: TrustedProxies;
  /** Which requests to log; none by default. */
  readonly accessLog?: AccessLog;
  /** Rooms in addition to the public interface. */
  readonly further?: readonly Room[];
}

/** Answers every request to the public listener, including those that fail. Never throws. */
export type Handler = ListenOptions['fetch'];

export function createHandler(options: HttpOptions): Handler {
  const { services, hostRules, trustedProxies, accessLog = 'off', further = [] } = options;
  const { platform } = services;
  const requests = new RequestLog(services, accessLog);
  const rooms = [
    searchRoutes(services),
    landingPageRoutes(services),
    llmsFileRoutes(services),
    ucpProfileRoutes(services),
    hitsRoutes(services),
    importRoutes(services),
    itemRoutes(services),
    webhookRoutes(services),
  ];
  const mcp = mcpRoutes({
    services,
    streams: new Streams(services),
    sessions: new SessionsInFlight(),
    guard: createHostGuard(hostRules, (host) => services.directory.isPublicHost(host)),
    basePath: basePathOf(hostRules.publicUrl),
  });
  const service = serviceRoutes(services, [...rooms, mcp]);
  // Described by their own metadata, not by OpenAPI.
  const signIn = services.signIn === null ? [] : [signInRoutes(services, services.signIn)];
  const app = createApp(services, requests, [...rooms, service, ...signIn, ...further]);
  // A separate app, because the CORS plugin adds its headers to a whole app.
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
      requestId: '',
      visit: null,
      challenge: KEY_CHALLENGE,
      faultBody: problemBody,
    });
    // `handle` would do the same one promise later.
    const { fetch } = IS_MCP.test(request.url) ? assistants : app;
    return trace === null ? fetch(request) : withTraceContext(trace, () => fetch(request));
  };
}

const IS_MCP = /^\w+:\/\/[^/]*\/mcp(?:[/?]|$)/;

/** Adds what every route shares: the request id, error responses and the request log. */
function createApp(services: HttpServices, requests: RequestLog, rooms: readonly Room[]) {
  const { platform } = services;
  const app = new Elysia({
    normalize: false,
    // A path matches with and without a trailing slash.
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

/**
 * The prefix that a reverse proxy strips from every path: `/catalogue` for
 * `https://shop.example/catalogue/`.
 */
function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** Adds a host to the URL. Bun leaves it out if the `Host` header is missing or invalid. */
function withHost(request: Request): Request {
  if (!request.url.startsWith('/')) return request;
  return new Request(`http://localhost${request.url}`, request);
}
