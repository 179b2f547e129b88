import { Elysia } from 'elysia';
import { AppError } from '../domain/errors.ts';
import { Streams } from '../mcp/streams.ts';
import { type Caller, identify, requireScope } from '../operations/tenants/admit.ts';
import type { Connection, ListenOptions } from '../platform.ts';
import { readTraceContext, withTraceContext } from '../trace-context.ts';
import type { AnswerHeaders } from './answer-headers.ts';
import { charge } from './charge.ts';
import { readClientAddress, type TrustedProxies } from './client-address.ts';
import { faultResponse, problemBody } from './errors.ts';
import { healthRoutes } from './health.ts';
import { hitsRoutes } from './hits.ts';
import { createHostGuard, type HostRules } from './host-guard.ts';
import { landingPageRoute } from './landing-page.ts';
import { mcpRoutes } from './mcp.ts';
import { openApiRoute } from './openapi.ts';
import { type AccessLog, RequestLog } from './request-log.ts';
import type { CallerVisit, HttpServices, KeyedRoute, Route, Visit } from './route.ts';
import { searchV2Routes } from './search-v2.ts';
import { searchV3Routes } from './search-v3.ts';

/** Every route of the interface. */
const ROUTES: readonly Route[] = [
  ...searchV2Routes,
  ...searchV3Routes,
  landingPageRoute,
  ...hitsRoutes,
  ...healthRoutes,
];

const URL_BYTES_MAX = 8 * 1024;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

export interface HttpOptions {
  readonly services: HttpServices;
  readonly hostRules: HostRules;
  readonly trustedProxies: TrustedProxies;
  /** Nothing is logged unless it is set. */
  readonly accessLog?: AccessLog;
  /** Routes beside those of the interface. */
  readonly further?: readonly Route[];
}

/** Answers every request to the public listener, faults included. Never throws. */
export type Handler = ListenOptions['fetch'];

export function createHandler(options: HttpOptions): Handler {
  const { services, hostRules, trustedProxies, accessLog = 'off', further = [] } = options;
  const mcp = mcpRoutes({
    streams: new Streams(services),
    guard: createHostGuard(hostRules),
    basePath: basePathOf(hostRules.publicUrl),
  });
  const described = [...ROUTES, ...mcp];
  const routes = [...described, openApiRoute(described), ...further];
  const connections = new WeakMap<Request, Connection>();
  const app = new Elysia({ normalize: false });
  const requests = new RequestLog(services, accessLog);
  const visit = (path: string | null, allowed: readonly Route[]) => {
    const record = requests.forPath(path);
    // Named one by one: Elysia reads this source, and makes ready only what it sees used.
    return async ({ request, params }: RouterContext) => {
      const startedMs = services.platform.monotonicMs();
      const connection = connections.get(request)!;
      const arrival: Arrival = {
        request,
        params: readParams(params ?? {}),
        connection: {
          address: () => readClientAddress(request, connection, trustedProxies),
          keepOpen: connection.keepOpen,
        },
        caller: null,
      };
      const trace = readTraceContext(request.headers);
      const response = await (trace === null
        ? answer(services, allowed, arrival)
        : withTraceContext(trace, () => answer(services, allowed, arrival)));
      const { caller } = arrival;
      record({ request, response, startedMs, caller, traceId: trace?.traceId ?? null });
      return response;
    };
  };
  for (const [path, allowed] of Map.groupBy(routes, (route) => route.path)) {
    const pattern = path.replace(/\{(\w+)\}/g, ':$1');
    const answerTo = visit(path, allowed);
    // Bodies are read by our own reader; a path answers with and without its trailing slash.
    app.all(pattern, answerTo, { parse: 'none' });
    app.all(`${pattern}/`, answerTo, { parse: 'none' });
  }
  app.all('/*', visit(null, []), { parse: 'none' });
  return (given, connection) => {
    const request = withRoutableHost(given);
    connections.set(request, connection);
    return app.handle(request);
  };
}

/** What is used of the router's own context. */
interface RouterContext {
  readonly request: Request;
  readonly params?: Record<string, string | null>;
}

/** What a proxy in front takes away of every path: `/catalogue` for `https://shop.example/catalogue/`. */
function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** Characters before a path in which Elysia's router does not look for one. */
const SKIPPED_LENGTH = 11;

/**
 * The router misses the path behind a host of up to three letters, such as `http://api/`, and without
 * any, as Bun leaves it out when a client names none or nothing that could be one: another stands in.
 */
function withRoutableHost(request: Request): Request {
  if (request.url.startsWith('/')) return new Request(`http://localhost${request.url}`, request);
  const pathStart = request.url.indexOf('/', request.url.indexOf('://') + 3);
  if (pathStart >= SKIPPED_LENGTH) return request;
  return new Request(`http://localhost${request.url.slice(pathStart)}`, request);
}

interface Arrival {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly connection: Connection;
  /** Known once the key is. */
  caller: Caller | null;
}

/** The router gives null for an escape that is not UTF-8: no such thing has an empty name either. */
function readParams(params: Readonly<Record<string, string | null>>): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name in params) read[name] = params[name] ?? '';
  return read;
}

/** One request from its arrival to its answer. `allowed` are the routes of its path; none: there is no such path. */
async function answer(
  services: HttpServices,
  allowed: readonly Route[],
  arrival: Arrival,
): Promise<Response> {
  const { request } = arrival;
  const { platform } = services;
  const given = request.headers.get('x-request-id') ?? '';
  const requestId = REQUEST_ID.test(given) ? given : platform.newId();
  const headers: AnswerHeaders = {
    'x-request-id': requestId,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    ...allowed[0]?.fixedHeaders,
  };
  try {
    const route = findRoute(allowed, request.method);
    if (route === 'options')
      return new Response(null, {
        status: 204,
        headers: { ...headers, allow: allowOf(allowed).join(', ') },
      });
    const visit = {
      services,
      request,
      url: readUrl(request),
      params: arrival.params,
      connection: arrival.connection,
      requestId,
      headers,
      traces: [],
    };
    // A HEAD gets the answer of GET: the server keeps its headers, length included, and drops its body.
    if (route.scope === null) return await route.handle(visit);
    const startedMs = platform.monotonicMs();
    const admitted = admit(visit, route, arrival);
    const response = await route.handle(admitted);
    if (visit.traces.length > 0) note(admitted, startedMs);
    return response;
  } catch (error) {
    const faultBody = allowed[0]?.faultBody ?? problemBody;
    return faultResponse(error, { request, headers, requestId, platform, faultBody });
  }
}

/** Keeps what the caller did for the record of traffic, which is written later. */
function note(
  { services, caller, request, url, connection, traces }: CallerVisit,
  startedMs: number,
): void {
  const { platform, ownTraffic } = services;
  const event = {
    organizationKey: caller.organization.key,
    atMs: platform.now(),
    latencyMs: platform.monotonicMs() - startedMs,
    method: request.method,
    path: url.pathname + url.search,
    userAgent: request.headers.get('user-agent'),
    clientIp: connection.address(),
  };
  for (const trace of traces) ownTraffic.note({ ...event, trace });
}

function findRoute(allowed: readonly Route[], method: string): Route | 'options' {
  if (allowed.length === 0) throw new AppError('not_found', 'There is no such address.');
  if (method === 'OPTIONS') return 'options';
  const route =
    method === 'HEAD'
      ? allowed.find((candidate) => candidate.method === 'GET' && candidate.isStream !== true)
      : allowed.find((candidate) => candidate.method === method);
  if (route === undefined) {
    throw new AppError('method_not_allowed', 'This address does not take that method.', {
      allow: allowOf(allowed),
    });
  }
  return route;
}

/** The visit of somebody with a good key, a token and the scope. */
function admit(visit: Visit, { scope, charges }: KeyedRoute, arrival: Arrival): CallerVisit {
  const { services, request, connection } = visit;
  const caller = identify(services, readApiKey(request), connection.address);
  arrival.caller = caller;
  const admitted = Object.assign(visit, { caller });
  // A refusal costs one, whatever the request would have.
  if (charges !== 'itself' || !caller.apiKey.scopes.includes(scope)) charge(admitted);
  requireScope(caller, scope);
  return admitted;
}

/** The header of the specification, or the bearer token that some assistants can only send. */
function readApiKey(request: Request): string | null {
  const apiKey = request.headers.get('x-api-key');
  if (apiKey !== null) return apiKey.trim();
  return /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}

/** A name or an address, and a port. Two of them come joined by a comma. */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Throws `invalid_input` for a `Host` that is none, `too_large` for an address that is too long. */
function readUrl(request: Request): URL {
  const host = request.headers.get('host');
  const url = host === null || HOST.test(host) ? URL.parse(request.url) : null;
  if (url === null) throw new AppError('invalid_input', 'The header Host is not valid.');
  if (url.pathname.length + url.search.length > URL_BYTES_MAX) {
    throw new AppError('too_large', 'The address is longer than 8 KiB.');
  }
  return url;
}

function allowOf(allowed: readonly Route[]): string[] {
  const methods = allowed.flatMap(({ method, isStream }) =>
    method === 'GET' && isStream !== true ? ['GET', 'HEAD'] : [method],
  );
  return [...methods, 'OPTIONS'];
}
