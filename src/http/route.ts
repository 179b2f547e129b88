import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../domain/api-key.ts';
import type { Caller } from '../operations/admit.ts';
import type { Services } from '../operations/services.ts';

/** What a handler is given: never the router's own context. */
export interface Visit {
  readonly services: Services;
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Goes out with the answer, whatever it is. A handler may add to it. */
  readonly headers: Headers;
}

export interface CallerVisit extends Visit {
  readonly caller: Caller;
}

interface RouteContract {
  readonly method: 'GET' | 'POST';
  /** As in the specification, without the trailing slash: `/rest/search/v3/{shop_id}`. Both forms answer. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: TObject;
  readonly params?: TObject;
  /** What a 200 holds. */
  readonly answer: TSchema;
  readonly example?: unknown;
}

/** A route for anyone. */
export interface OpenRoute extends RouteContract {
  readonly scope: null;
  handle(visit: Visit): Promise<Response> | Response;
}

/** A route for callers whose key has `scope`. */
export interface KeyedRoute extends RouteContract {
  readonly scope: Scope;
  handle(visit: CallerVisit): Promise<Response> | Response;
}

/** Everything about one route: the router, `Allow`, and OpenAPI are all made from it. */
export type Route = OpenRoute | KeyedRoute;

/** A JSON answer with the visit's headers. */
export function json(visit: Visit, body: unknown): Response {
  return jsonText(visit, JSON.stringify(body));
}

/** The same for a body that is JSON already. */
export function jsonText({ headers }: Visit, body: string): Response {
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(body, { headers });
}
