import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../domain/api-key.ts';
import type { Trace } from '../domain/traffic.ts';
import type { McpServices } from '../mcp/conversation.ts';
import type { Metrics } from '../metrics.ts';
import type { HitServices } from '../operations/hits/hit-services.ts';
import type { Caller } from '../operations/tenants/admit.ts';
import type { Readiness } from '../operations/upkeep/readiness.ts';
import type { Connection } from '../platform.ts';
import type { AnswerHeaders } from './answer-headers.ts';
import type { FaultBody } from './errors.ts';

/** What programs and assistants can reach. */
export interface HttpServices extends HitServices, McpServices {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** What a handler is given: never the router's own context. */
export interface Visit {
  readonly services: HttpServices;
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  /** Its address is the caller's own, proxies looked through. */
  readonly connection: Connection;
  readonly requestId: string;
  /** Go out with the answer, whatever it is. A handler may add to them. */
  readonly headers: AnswerHeaders;
  /** What the caller did, for the record of traffic: a handler adds to it. */
  readonly traces: Trace[];
}

export interface CallerVisit extends Visit {
  readonly caller: Caller;
}

interface RouteContract {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the specification, without the trailing slash: `/rest/search/v3/{shop_id}`. Both forms answer. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: TObject;
  readonly params?: TObject;
  readonly body?: TSchema;
  /** Bodies worth showing, by name. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  /** Media types of bodies beside JSON. */
  readonly furtherBodies?: readonly string[];
  /** What a 200 holds; left out: there is no 200. */
  readonly answer?: TSchema;
  /** Media type of a 200; JSON if left out. */
  readonly answerType?: string;
  /** What a 201 holds. */
  readonly created?: TSchema;
  /** What a 200, and a 201, looks like. */
  readonly answerExample?: unknown;
  readonly createdExample?: unknown;
  /** Headers that a caller may send, by name. */
  readonly requestHeaders?: TObject;
  /** Statuses without a body, and what each means. */
  readonly furtherAnswers?: Readonly<Record<string, string>>;
  /** What a fault holds, as JSON; a problem if left out. */
  readonly faultAnswer?: TSchema;
  /** A GET that never ends: it has no HEAD. */
  readonly isStream?: true;
  /** How every route of the path tells its faults; left out: as a problem. */
  readonly faultBody?: FaultBody;
  /** What every answer of the path carries, faults and OPTIONS included. */
  readonly fixedHeaders?: Readonly<Record<string, string>>;
}

/** A route for anyone. */
export interface OpenRoute extends RouteContract {
  readonly scope: null;
  handle(visit: Visit): Promise<Response> | Response;
}

/** A route for callers whose key has `scope`. */
export interface KeyedRoute extends RouteContract {
  readonly scope: Scope;
  /** `itself`: the handler calls `charge`, because what a request costs is known only from its body. */
  readonly charges?: 'itself';
  handle(visit: CallerVisit): Promise<Response> | Response;
}

/** Everything about one route: the router, `Allow`, and OpenAPI are all made from it. */
export type Route = OpenRoute | KeyedRoute;

/** A JSON answer with the visit's headers. */
export function json(visit: Visit, body: unknown, status = 200): Response {
  return jsonText(visit, JSON.stringify(body), status);
}

/** The same for a body that is JSON already. */
export function jsonText({ headers }: Visit, body: string, status = 200): Response {
  headers['content-type'] = 'application/json; charset=utf-8';
  return new Response(body, { status, headers });
}
