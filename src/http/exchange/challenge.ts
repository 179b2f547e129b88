import { MAIN_RESOURCE, MESSAGES_RESOURCE, organizationResource } from '../../domain/grant.ts';
import type { Organization } from '../../domain/organization.ts';
import { resourceMetadataUrl, SCOPE } from '../../oauth/metadata.ts';
import type { Address } from './public-address.ts';
import type { RequestUrl } from './request-url.ts';
import { type HttpServices, KEY_CHALLENGE } from './visit.ts';

/** The path of the MCP endpoint at an address, for which access tokens must be issued. */
export type ResourceRule = (services: HttpServices, address: Address) => string;

export const mainEndpoint: ResourceRule = () => MAIN_RESOURCE;

export const messagesEndpoint: ResourceRule = () => MESSAGES_RESOURCE;

/** The one of the organization in the path. */
export const organizationEndpoint: ResourceRule = ({ directory }, { params }) =>
  organizationResource(directory.findOrganization(params['organization_id'] ?? '')?.id ?? '');

/**
 * The `WWW-Authenticate` of a 401 at an address; null where no key is needed, because hosts of
 * assistants would start a sign-in.
 */
export function challengeOf(
  { signIn }: HttpServices,
  address: {
    readonly url: Pick<RequestUrl, 'pathname'>;
    readonly open: Organization | null;
    readonly resource: string | null;
  },
): string | null {
  const { url, open, resource } = address;
  if (open !== null) return null;
  if (signIn === null || resource === null) return KEY_CHALLENGE;
  const path = resource === MESSAGES_RESOURCE ? MAIN_RESOURCE : url.pathname;
  const metadata = resourceMetadataUrl(signIn.issuer, path);
  // Clients read only the first challenge.
  return `Bearer resource_metadata="${metadata}", scope="${SCOPE}", ${KEY_CHALLENGE}`;
}
