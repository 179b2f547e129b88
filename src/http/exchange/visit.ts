import type { AppError } from '../../domain/errors.ts';
import type { OwnHit } from '../../domain/own-hit.ts';
import type { McpServices } from '../../mcp/conversation.ts';
import type { Metrics } from '../../metrics.ts';
import type { HitServices } from '../../operations/hits/hit-services.ts';
import type { PushServices } from '../../operations/pushes/push-services.ts';
import type { SignInServices } from '../../operations/sign-in/sign-in-services.ts';
import type { Caller } from '../../operations/tenants/admit.ts';
import type { Readiness } from '../../operations/upkeep/readiness.ts';
import type { Connection } from '../../platform.ts';
import type { RequestUrl } from './request-url.ts';

/** The services that the public interface uses. */
export interface HttpServices extends HitServices, McpServices, PushServices, SignInServices {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** What a 401 says where a key is needed. */
export const KEY_CHALLENGE = 'ApiKey realm="vitrine"';

/** Response headers by lower-case name. */
export type AnswerHeaders = Record<string, string>;

/** Elysia's `set`: status and headers of any response. */
export interface AnswerSet {
  status: number;
  headers: AnswerHeaders;
}

/** What a handler receives instead of Elysia's context. */
export interface Visit {
  readonly services: HttpServices;
  readonly request: Request;
  readonly url: RequestUrl;
  /** The client. Its address is the real one, even behind trusted proxies. */
  readonly connection: Connection;
  readonly requestId: string;
  readonly set: AnswerSet;
  /** The headers of `set`. */
  readonly headers: AnswerHeaders;
  /** Own hits: what the caller did. Handlers add to the list. */
  readonly ownHits: OwnHit[];
  readonly caller: Caller;
  /** Id of the assistant's session, once it is known; null outside a session. */
  session: string | null;
}

/** Formats an error as a response body. */
export type FaultBody = (
  fault: AppError,
  about: { readonly request: Request; readonly requestId: string },
) => { readonly type: string; readonly body: string } | Promise<{ type: string; body: string }>;

/** What we know about a request beyond Elysia's context. */
export interface Arrival {
  readonly connection: Connection;
  readonly startedMs: number;
  readonly traceId: string | null;
  requestId: string;
  /** Known once the caller is. */
  visit: Visit | null;
  /** What a 401 at this address says in `WWW-Authenticate`; null: nothing. */
  challenge: string | null;
  /** Formats errors of this request. */
  faultBody: FaultBody;
}

const ARRIVAL = Symbol('arrival');

/** Stores data about a request as a property of it, which costs a third of an entry in a weak map. */
export function announce(request: Request, arrival: Arrival): void {
  (request as { [ARRIVAL]?: Arrival })[ARRIVAL] = arrival;
}

/** The data stored by `announce`. */
export function arrivalOf(request: Request): Arrival {
  return (request as { [ARRIVAL]?: Arrival })[ARRIVAL]!;
}

/** A JSON response. */
export function json({ set }: Pick<Visit, 'set'>, body: unknown, status = 200): string {
  set.status = status;
  return jsonText({ set }, JSON.stringify(body));
}

/** A JSON response whose body is already JSON text. */
export function jsonText({ set }: Pick<Visit, 'set'>, body: string): string {
  set.headers['content-type'] = 'application/json; charset=utf-8';
  return body;
}

/**
 * A `Response` for a body that is not text. It takes the headers of `set` here, because Elysia
 * would otherwise copy the response to add them, and turn a body shared between responses into a
 * stream.
 */
export function whole(
  { set }: Pick<Visit, 'set'>,
  body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null,
  status = 200,
): Response {
  const response = new Response(body, { status, headers: set.headers });
  set.status = 200;
  set.headers = {};
  return response;
}
