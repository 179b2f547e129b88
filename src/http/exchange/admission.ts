import { Elysia } from 'elysia';
import { CHECK_AGENT } from '../../domain/agent.ts';
import type { Scope } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import type { Organization } from '../../domain/organization.ts';
import { clientNetwork } from '../../domain/private-data.ts';
import {
  type Caller,
  type Charge,
  hasScope,
  identify,
  requireScope,
} from '../../operations/tenants/admit.ts';
import { challengeOf, type ResourceRule } from './challenge.ts';
import { charge } from './charge.ts';
import { type OrganizationRule, publicOrganization } from './public-address.ts';
import { type RequestUrl, urlOf } from './request-url.ts';
import { type AnswerSet, arrivalOf, type HttpServices, type Visit } from './visit.ts';

const URL_BYTES_MAX = 8 * 1024;

/** A host name or an IP address, and a port. A comma would join two `Host` headers. */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Who may use a route, and from which bucket it takes a token. */
export interface Admits {
  readonly scope: Scope;
  /** The bucket that pays; the organization's own by default. */
  readonly bucket?: Charge['bucket'];
  /** Which organization answers callers without a key, if it wants to; left out: none does. */
  readonly publicBy?: OrganizationRule;
  /** Which access tokens are good here; left out: none is. */
  readonly tokensFor?: ResourceRule;
}

/**
 * The macros that every route has one of: `open: true` for anyone, `caller: { scope }` for callers
 * whose key has the scope, who pay one token; with `publicBy` also for callers without a key. They
 * run before anything of the request is validated or read, so a stranger learns nothing about our
 * schemas. A handler behind `caller` is given `visit`.
 */
export const admission = (services: HttpServices) =>
  new Elysia().macro({
    open: {
      transform: ({ request }) => {
        readUrl(request);
      },
    },
    caller: ({ scope, bucket = 'organization', publicBy, tokensFor }: Admits) => ({
      transform: (context) => {
        const { request } = context;
        const url = readUrl(request);
        const params = context.params as Readonly<Record<string, string>>;
        const address = { request, url, params };
        const open = publicOrganization(services, publicBy, address);
        const resource = tokensFor?.(services, address) ?? null;
        const set = context.set as AnswerSet;
        const visit = admit(services, { request, url, set, open, resource });
        charge(visit, hasScope(visit.caller, scope) ? bucket : 'organization');
        requireScope(visit.caller, scope);
        context.query = url.search.slice(1) as never;
      },
      resolve: ({ request }) => ({ visit: arrivalOf(request).visit! }),
      afterHandle: ({ request }) => {
        noteOwnHits(arrivalOf(request).visit!, arrivalOf(request).startedMs);
      },
    }),
  });

interface Admission {
  readonly request: Request;
  readonly url: RequestUrl;
  readonly set: AnswerSet;
  /** The organization that answers without a key here. */
  readonly open: Organization | null;
  /** The path that an access token must be for; null where none is good. */
  readonly resource: string | null;
}

/**
 * The visit of somebody with a good key or token, or of somebody who sends none where none is needed. Throws
 * what `identify` throws.
 */
function admit(services: HttpServices, { request, url, set, open, resource }: Admission): Visit {
  const arrival = arrivalOf(request);
  const { connection } = arrival;
  arrival.challenge = challengeOf(services, { url, open, resource });
  const caller: Caller =
    open === null || sendsKey(request)
      ? identify(services, {
          secret: readSecret(request),
          resource,
          clientAddress: connection.address,
        })
      : { organization: open, apiKey: null, network: clientNetwork(connection.address()) };
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
    session: null,
  };
  arrival.visit = visit;
  return visit;
}

/** Queues the visit's own hits, to be written later. A check is no traffic. */
function noteOwnHits(
  { services, caller, request, url, connection, ownHits, session }: Visit,
  startedMs: number,
): void {
  const userAgent = request.headers.get('user-agent');
  if (ownHits.length === 0 || userAgent === CHECK_AGENT) return;
  const { platform, ownTraffic } = services;
  const atMs = platform.now();
  const latencyMs = platform.monotonicMs() - startedMs;
  const path = url.pathname + url.search;
  const clientIp = connection.address();
  for (const ownHit of ownHits) {
    ownTraffic.note({
      organizationKey: caller.organization.key,
      atMs,
      latencyMs,
      method: request.method,
      path,
      userAgent,
      clientIp,
      access: caller.apiKey === null ? 'public' : 'key',
      keyId: caller.apiKey?.id ?? null,
      session,
      ownHit,
    });
  }
}

/** The key from `X-API-Key`, or the bearer token: a key, or what an assistant got by signing in. */
function readSecret(request: Request): string | null {
  const apiKey = request.headers.get('x-api-key');
  if (apiKey !== null) return apiKey.trim();
  return /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}

/** Whether there is a key at all, be it an empty one. */
function sendsKey({ headers }: Request): boolean {
  return headers.has('x-api-key') || /^Bearer\b/i.test(headers.get('authorization') ?? '');
}

/** Throws `invalid_input` for a malformed `Host`, `too_large` for an address that is too long. */
function readUrl(request: Request): RequestUrl {
  const host = request.headers.get('host');
  const isValid = (host === null || HOST.test(host)) && URL.canParse(request.url);
  if (!isValid) throw new AppError('invalid_input', 'The header Host is not valid.');
  const url = urlOf(request);
  if (url.pathname.length + url.search.length > URL_BYTES_MAX) {
    throw new AppError('too_large', 'The address is longer than 8 KiB.');
  }
  return url;
}
