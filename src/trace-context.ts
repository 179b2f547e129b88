import { AsyncLocalStorage } from 'node:async_hooks';

/** W3C Trace Context, level 1: version, trace id, parent id, flags. Later versions may append fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Longest `tracestate` that is forwarded: the minimum that the standard asks for. */
const TRACESTATE_LENGTH_MAX = 512;

export interface TraceContext {
  readonly traceId: string;
  /** Headers for outgoing calls made on behalf of the request. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The trace context of the current request. It is ambient rather than an argument because it crosses
 * every layer and concerns none of them, so new outgoing calls are traced without extra code.
 */
const current = new AsyncLocalStorage<TraceContext>();

export function currentTraceContext(): TraceContext | null {
  return current.getStore() ?? null;
}

/** Runs `task` so that its outgoing calls continue the trace. */
export function withTraceContext<Result>(context: TraceContext, task: () => Result): Result {
  return current.run(context, task);
}

/** Null if `traceparent` is missing or invalid: the request is then not traced. */
export function readTraceContext(headers: Headers): TraceContext | null {
  const traceparent = headers.get('traceparent');
  if (traceparent === null || traceparent.length > TRACESTATE_LENGTH_MAX) return null;
  const [, version, traceId, parentId, , further] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || version === 'ff' || (version === '00' && further !== undefined))
    return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId!)) return null;
  const tracestate = headers.get('tracestate') ?? '';
  const isCarried = tracestate.length <= TRACESTATE_LENGTH_MAX && /^[\x20-\x7e]+$/.test(tracestate);
  return { traceId, headers: isCarried ? { traceparent, tracestate } : { traceparent } };
}
