import Type from 'typebox';
import { AppError } from '../domain/errors.ts';
import { getLandingPage, type ServedPage } from '../operations/landing/landing-pages.ts';
import { requireScope } from '../operations/tenants/admit.ts';
import { charge } from './charge.ts';
import { OrganizationParams } from './mcp-messages.ts';
import { queryReader } from './query.ts';
import type { CallerVisit, KeyedRoute } from './route.ts';

const LandingQuery = Type.Object({
  regenerate: Type.Boolean({
    default: false,
    description: 'Builds the page anew and waits for it; needs the scope `regenerate`.',
  }),
});

const readQuery = queryReader(LandingQuery);

/** Its reader may show it for five minutes, and while it asks for a newer one for a day. */
const CACHE_CONTROL = 'private, max-age=300, stale-while-revalidate=86400';

export const landingPageRoute: KeyedRoute = {
  method: 'GET',
  path: '/rest/org/ai/{organization_id}',
  scope: 'landing',
  charges: 'itself',
  summary: 'The landing page for assistants',
  description:
    'What the shop is, sells and promises, as Markdown in the form of llms.txt, at most 25 KB. `ETag` and `Last-Modified` are of the content; `X-Cache` is hit, miss, stale or regenerated, `Age` the seconds since it was built.',
  params: OrganizationParams,
  query: LandingQuery,
  answer: Type.String(),
  answerType: 'text/markdown',
  answerExample:
    '# Acme\n\n> Everything for the harbour.\n\n## Categories\n\n- Lamps: 12 from 19.00 EUR',
  furtherAnswers: { '304': 'The caller has this content already.' },
  requestHeaders: Type.Object({
    'If-None-Match': Type.Optional(Type.String({ description: '`ETag` of the page at hand.' })),
    'If-Modified-Since': Type.Optional(
      Type.String({ description: '`Last-Modified` of the page at hand.' }),
    ),
  }),
  handle: showLandingPage,
};

async function showLandingPage(visit: CallerVisit): Promise<Response> {
  const { services, caller, traces, request } = visit;
  let regenerate = false;
  try {
    regenerate = asksToRegenerate(visit);
  } finally {
    // A bad question costs its token too.
    if (regenerate) charge(visit, 'regenerate');
    charge(visit);
  }
  traces.push({ classification: 'landing_view' });
  const served = await getLandingPage(services, caller.organization, { regenerate });
  return pageResponse(visit, served, !regenerate && isKnown(request.headers, served));
}

/** Whether this request rebuilds the page. Throws for another's page, a bad query, and a missing scope. */
function asksToRegenerate({ caller, params, url, request }: CallerVisit): boolean {
  const wanted = params['organization_id']!.toLowerCase();
  const { id, slug } = caller.organization;
  if (wanted !== id && wanted !== slug)
    throw new AppError('not_found', 'There is no such organization.');
  if (url.search === '') return false;
  const { values } = readQuery(url);
  if (!values.regenerate || request.method === 'HEAD') return false;
  requireScope(caller, 'regenerate');
  return true;
}

function pageResponse(
  { services, headers }: CallerVisit,
  { page, cache }: ServedPage,
  isKnown: boolean,
): Response {
  headers['cache-control'] = CACHE_CONTROL;
  headers['etag'] = page.etag;
  headers['last-modified'] = page.lastModified;
  headers['x-cache'] = cache;
  const ageMs = services.platform.now() - page.builtAt;
  headers['age'] = String(Math.max(0, Math.floor(ageMs / 1000)));
  if (isKnown) return new Response(null, { status: 304, headers });
  // Its media type is the body's.
  return new Response(page.body, { headers });
}

/** Whether the caller has this content already (RFC 9110, 13.2.2: a tag decides, a date only without one). */
function isKnown(headers: Headers, { page }: ServedPage): boolean {
  const tags = headers.get('if-none-match');
  if (tags !== null) {
    const known = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return known.includes(page.etag) || known.includes('*');
  }
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return Number.isFinite(since) && Math.floor(page.changedAt / 1000) * 1000 <= since;
}
