import type { Organization } from '../../domain/organization.ts';
import type { RequestUrl } from './request-url.ts';
import type { HttpServices } from './visit.ts';

/** The query parameter of `/mcp/messages` that names the organization of a session without a key. */
export const ORGANIZATION_QUERY = 'organization';

/** What of a request says which organization it is for, when no key says so. */
export interface Address {
  readonly request: Request;
  readonly url: RequestUrl;
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** Which organization an address means, by a rule of its route; null: none. */
export type OrganizationRule = (services: HttpServices, address: Address) => Organization | null;

/** The one named in the path. */
export const byPath: OrganizationRule = ({ directory }, { params }) =>
  directory.findOrganization(params['organization_id'] ?? '');

/** The one that owns the `Host`, or the only one there is. */
export const byHost: OrganizationRule = ({ directory }, { request, url }) =>
  directory.findOrganizationAt(request.headers.get('host') ?? url.host);

/** The one that the `endpoint` event of a stream named, else as `byHost`. */
export const bySession: OrganizationRule = (services, address) => {
  const named = new URLSearchParams(address.url.search).get(ORGANIZATION_QUERY);
  return named === null ? byHost(services, address) : services.directory.findOrganization(named);
};

/** The organization whose public address this is; null where a key is needed. */
export function publicOrganization(
  services: HttpServices,
  rule: OrganizationRule | undefined,
  address: Address,
): Organization | null {
  const organization = rule?.(services, address) ?? null;
  return organization?.publicAssistants.isOn === true ? organization : null;
}
