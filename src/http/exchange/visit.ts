import type { AppError } from '../../domain/errors.ts';
import type { OwnHit } from '../../domain/own-hit.ts';
import type { McpServices } from '../../mcp/conversation.ts';
import type { Metrics } from '../../metrics.ts';
import type { HitServices } from '../../operations/hits/hit-services.ts';
import type { Caller } from '../../operations/tenants/admit.ts';
import type { Readiness } from '../../operations/upkeep/readiness.ts';
import type { Connection } from '../../platform.ts';

/** What programs and assistants can reach. */
export interface HttpServices extends HitServices, McpServices {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** By lower-case name. */
export type AnswerHeaders = Record<string, string>;

/** Elysia's `set`: what the answer goes out with, whatever it is. */
export interface AnswerSet {
  status: number;
  headers: AnswerHeaders;
}

/** What a handler is given of a request: never Elysia's own context. */
export interface Visit {
  readonly services: HttpServices;
  readonly request: Request;
  readonly url: URL;
  /** Its address is the caller's own, proxies looked through. */
  readonly connection: Connection;
  readonly requestId: string;
  readonly set: AnswerSet;
  /** Those of `set`. */
  readonly headers: AnswerHeaders;
  /** What the caller did, for the record of traffic: a handler adds to it. */
  readonly ownHits: OwnHit[];
  readonly caller: Caller;
}

/** How a fault is told in the body of its answer. */
export type FaultBody = (
  fault: AppError,
  about: { readonly request: Request; readonly requestId: string },
) => { readonly type: string; readonly body: string } | Promise<{ type: string; body: string }>;

/** What is known of a request that Elysia does not know. */
export interface Arrival {
  readonly connection: Connection;
  readonly startedMs: number;
  readonly traceId: string | null;
  requestId: string;
  /** Known once the caller is. */
  visit: Visit | null;
  /** Whether this address answers callers without a key. */
  isPublicAddress: boolean;
  /** How a fault is told. */
  faultBody: FaultBody;
}

const arrivals = new WeakMap<Request, Arrival>();

/** Remembers a request for as long as somebody holds it. */
export function announce(
  request: Request,
  about: Pick<Arrival, 'connection' | 'startedMs' | 'traceId' | 'faultBody'>,
): void {
  arrivals.set(request, { ...about, requestId: '', visit: null, isPublicAddress: false });
}

/** Of a request that was announced. */
export function arrivalOf(request: Request): Arrival {
  return arrivals.get(request)!;
}

/** A JSON answer. */
export function json({ set }: Pick<Visit, 'set'>, body: unknown, status = 200): string {
  set.status = status;
  return jsonText({ set }, JSON.stringify(body));
}

/** The same for a body that is JSON already. */
export function jsonText({ set }: Pick<Visit, 'set'>, body: string): string {
  set.headers['content-type'] = 'application/json; charset=utf-8';
  return body;
}

/**
 * An answer as a `Response`, for a body that is not text. Elysia would copy it to add the headers of `set`, and make a stream
 * of what is shared between answers, so it gets them here and `set` has nothing to add.
 */
export function whole(
  { set }: Pick<Visit, 'set'>,
  body: string | Blob | ReadableStream<Uint8Array> | null,
  status = 200,
): Response {
  const response = new Response(body, { status, headers: set.headers });
  set.status = 200;
  set.headers = {};
  return response;
}
