import { AsyncLocalStorage } from 'node:async_hooks';

/** W3C Trace Context, level 1: version, trace id, parent id, flags. A later version may have more behind it. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** What a system may put into `tracestate` at least, and what is carried on at most. */
const TRACESTATE_LENGTH_MAX = 512;

export interface TraceContext {
  readonly traceId: string;
  /** Headers for whoever is asked on behalf of the request. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Of the request that is being answered. In the background of the call and not an argument: it
 * crosses every layer and concerns none of them, and what is asked later on is traced by itself.
 */
const current = new AsyncLocalStorage<TraceContext>();

export function currentTraceContext(): TraceContext | null {
  return current.getStore() ?? null;
}

/** Has everything that `task` asks of others carry on the trace. */
export function withTraceContext<Result>(context: TraceContext, task: () => Result): Result {
  return current.run(context, task);
}

/** Null for a `traceparent` that is missing or not valid: such a request is not traced. */
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
