import { Elysia } from 'elysia';
import type { Scope } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import { type Charge, identify, requireScope } from '../../operations/tenants/admit.ts';
import { charge } from './charge.ts';
import { type AnswerSet, arrivalOf, type HttpServices, type Visit } from './visit.ts';

const URL_BYTES_MAX = 8 * 1024;

/** A name or an address, and a port. Two hosts arrive joined by a comma. */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Who may use a route, and which tokens it costs. */
export interface Admits {
  readonly scope: Scope;
  /** The organization's own tokens unless it says so. */
  readonly bucket?: Charge['bucket'];
}

/**
 * The macros that every route has one of: `open: true` for anyone, `caller: { scope }` for callers whose
 * key has the scope, who pay one token. They run before anything of the request is validated or read, so
 * a stranger learns nothing about our schemas. A handler behind `caller` is given `visit`.
 */
export const admission = (services: HttpServices) =>
  new Elysia().macro({
    open: {
      transform({ request }) {
        readUrl(request);
      },
    },
    caller: ({ scope, bucket = 'organization' }: Admits) => ({
      transform(context) {
        const { request } = context;
        const url = readUrl(request);
        const visit = admit(services, { request, url, set: context.set as AnswerSet });
        const isAllowed = visit.caller.apiKey.scopes.includes(scope);
        charge(visit, isAllowed ? bucket : 'organization');
        requireScope(visit.caller, scope);
        context.query = url.search.slice(1) as never;
      },
      resolve: ({ request }) => ({ visit: arrivalOf(request).visit! }),
      afterHandle({ request }) {
        noteOwnHits(arrivalOf(request).visit!, arrivalOf(request).startedMs);
      },
    }),
  });

/** The visit of somebody with a good key. Throws what `identify` throws. */
function admit(
  services: HttpServices,
  { request, url, set }: { request: Request; url: URL; set: AnswerSet },
): Visit {
  const arrival = arrivalOf(request);
  const { connection } = arrival;
  const caller = identify(services, readApiKey(request), connection.address);
  const { headers } = set;
  const { requestId } = arrival;
  const visit = {
    services,
    request,
    url,
    connection,
    requestId,
    set,
    headers,
    caller,
    ownHits: [],
  };
  arrival.visit = visit;
  return visit;
}

/** Keeps what the caller did for the record of traffic, which is written later. */
function noteOwnHits(
  { services, caller, request, url, connection, ownHits }: Visit,
  startedMs: number,
): void {
  if (ownHits.length === 0) return;
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
  for (const ownHit of ownHits) ownTraffic.note({ ...event, ownHit });
}

/** The header of the specification, or the bearer token, which is all that some assistants can send. */
function readApiKey(request: Request): string | null {
  const apiKey = request.headers.get('x-api-key');
  if (apiKey !== null) return apiKey.trim();
  return /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}

/** Throws `invalid_input` for a malformed `Host`, `too_large` for an address that is too long. */
function readUrl(request: Request): URL {
  const host = request.headers.get('host');
  const url = host === null || HOST.test(host) ? URL.parse(request.url) : null;
  if (url === null) throw new AppError('invalid_input', 'The header Host is not valid.');
  if (url.pathname.length + url.search.length > URL_BYTES_MAX) {
    throw new AppError('too_large', 'The address is longer than 8 KiB.');
  }
  return url;
}
