import { Elysia, NotFoundError } from 'elysia';
import Type, { type Static } from 'typebox';
import { AppError } from '../domain/errors.ts';
import { getLandingPage, type ServedPage } from '../operations/landing/landing-pages.ts';
import { requireScope } from '../operations/tenants/admit.ts';
import { admission } from './exchange/admission.ts';
import { chargeRegeneration } from './exchange/charge.ts';
import { operation, type RouteContract } from './exchange/operation.ts';
import { OrganizationParams } from './exchange/organization-params.ts';
import { byHost, byPath, publicOrganization } from './exchange/public-address.ts';
import { urlOf } from './exchange/request-url.ts';
import { paramsOf, queryOf } from './exchange/route-schema.ts';
import { type HttpServices, type Visit, whole } from './exchange/visit.ts';

const LandingQuery = Type.Object({
  regenerate: Type.Boolean({
    default: false,
    description: 'Rebuilds the page and waits for the result; needs the scope `regenerate`.',
  }),
});

/** Fresh for five minutes; for a day after that, a client may show it while it revalidates. */
const CACHE_CONTROL = 'private, max-age=300, stale-while-revalidate=86400';

const LANDING_PAGE: RouteContract = {
  scope: 'landing',
  isPublic: true,
  summary: 'The landing page for assistants',
  description:
    'What the shop is, what it sells and what it promises, as Markdown in the llms.txt format, at most 25 KB. `ETag` and `Last-Modified` describe the content. `X-Cache` is hit, miss, stale or regenerated. `Age` is the number of seconds since the page was built.',
  answer: Type.String(),
  answerType: 'text/markdown',
  answerExample:
    '# Acme\n\n> Everything for the harbour.\n\n## Categories\n\n- Lamps: 12 from 19.00 EUR',
  furtherAnswers: { '304': 'The content has not changed.' },
  requestHeaders: Type.Object({
    'If-None-Match': Type.Optional(Type.String({ description: '`ETag` of the cached page.' })),
    'If-Modified-Since': Type.Optional(
      Type.String({ description: '`Last-Modified` of the cached page.' }),
    ),
  }),
};

/** The landing page of an organization, for assistants. */
export function landingPageRoutes(services: HttpServices) {
  return new Elysia()
    .use(admission(services))
    .get(
      '/rest/org/ai/:organization_id',
      ({ visit, params, query }) => showLandingPage(visit, params.organization_id, query.values),
      {
        caller: { scope: 'landing', publicBy: byPath },
        params: paramsOf(OrganizationParams),
        query: queryOf(LandingQuery),
        detail: operation(LANDING_PAGE),
      },
    );
}

/**
 * The same page where a site has it, for an organization that answers everybody at this host. Elsewhere
 * there is no such address, whatever the method.
 */
export function llmsFileRoutes(services: HttpServices) {
  return new Elysia()
    .onTransform(({ request }) => {
      const address = { request, url: urlOf(request), params: {} };
      if (publicOrganization(services, byHost, address) === null) throw new NotFoundError();
    })
    .use(admission(services))
    .get(
      '/llms.txt',
      ({ visit }) => showLandingPage(visit, organizationAt(visit), { regenerate: false }),
      {
        caller: { scope: 'landing', publicBy: byHost },
        detail: operation({
          ...LANDING_PAGE,
          summary: 'The landing page, as llms.txt of the host',
          description:
            'For callers without a key, the page of the organization whose domain the `Host` is, or of the only one; 404 unless it takes public assistants.',
        }),
      },
    );
}

/** Id of the organization that the visit's host means; empty: none, any more. */
function organizationAt({ services, request, url }: Visit): string {
  return byHost(services, { request, url, params: {} })?.id ?? '';
}

/** The page of the caller's organization, which `organizationId` has to name. */
function showLandingPage(
  visit: Visit,
  organizationId: string,
  query: Static<typeof LandingQuery>,
): Response | Promise<Response> {
  const { services, caller, ownHits, request } = visit;
  const wanted = organizationId.toLowerCase();
  const { id, slug } = caller.organization;
  if (wanted !== id && wanted !== slug)
    throw new AppError('not_found', 'There is no such organization.');
  const regenerate = query.regenerate && request.method !== 'HEAD';
  if (regenerate) {
    requireScope(caller, 'regenerate');
    chargeRegeneration(visit);
  }
  ownHits.push({ classification: 'landing_view' });
  const served = getLandingPage(services, caller.organization, { regenerate });
  const answer = (page: ServedPage) =>
    pageResponse(visit, page, !regenerate && isKnown(request.headers, page));
  return served instanceof Promise ? served.then(answer) : answer(served);
}

function pageResponse(visit: Visit, { page, cache }: ServedPage, isKnown: boolean): Response {
  const { services, headers } = visit;
  headers['cache-control'] = CACHE_CONTROL;
  headers['etag'] = page.etag;
  headers['last-modified'] = page.lastModified;
  headers['x-cache'] = cache;
  const ageMs = services.platform.now() - page.builtAt;
  headers['age'] = String(Math.max(0, Math.floor(ageMs / 1000)));
  // A 304 has no body and therefore no media type.
  return isKnown ? whole(visit, null, 304) : whole(visit, page.body);
}

/**
 * Whether the client's cached copy is current (RFC 9110, 13.2.2: the date counts only without an
 * entity tag).
 */
function isKnown(headers: Headers, { page }: ServedPage): boolean {
  const tags = headers.get('if-none-match');
  if (tags !== null) {
    const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return known.includes(page.etag) || known.includes('*');
  }
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return Number.isFinite(since) && Math.floor(page.changedAt / 1000) * 1000 <= since;
}
