import { Elysia, NotFoundError } from 'elysia';
import Type from 'typebox';
import { UCP_VERSION, ucpProfile } from '../mcp/ucp.ts';
import { admission } from './exchange/admission.ts';
import { operation } from './exchange/operation.ts';
import { byHost, publicOrganization } from './exchange/public-address.ts';
import { urlOf } from './exchange/request-url.ts';
import { type HttpServices, json } from './exchange/visit.ts';

/** The protocol demands `public` and at least a minute. */
const CACHE_CONTROL = 'public, max-age=300';

/**
 * The business profile of the Universal Commerce Protocol, for an organization that has the tools `ucp`
 * on and answers everybody at this host. Elsewhere there is no such address, whatever the method.
 */
export function ucpProfileRoutes(services: HttpServices) {
  const organizationAt = (request: Request) => {
    const address = { request, url: urlOf(request), params: {} };
    const organization = publicOrganization(services, byHost, address);
    if (organization?.toolSets.includes('ucp') !== true) throw new NotFoundError();
    return organization;
  };
  return new Elysia()
    .onTransform(({ request }) => {
      organizationAt(request);
    })
    .use(admission(services))
    .get(
      '/.well-known/ucp',
      ({ visit, request }) => {
        const { baseUrl } = services.landing.address;
        const profile = ucpProfile(`${baseUrl}/mcp/org/${organizationAt(request).id}`);
        visit.headers['cache-control'] = CACHE_CONTROL;
        return json(visit, profile);
      },
      {
        caller: { scope: 'mcp', publicBy: byHost },
        detail: operation({
          scope: 'mcp',
          isPublic: true,
          summary: 'The business profile of the Universal Commerce Protocol',
          description:
            'For callers without a key: where the tools of the set `ucp` are, for the organization whose domain the `Host` is, or for the only one; 404 unless it has the set on and takes public assistants.',
          answer: Type.Object({ ucp: Type.Object({ version: Type.String() }) }),
          answerExample: { ucp: { version: UCP_VERSION } },
        }),
      },
    );
}
