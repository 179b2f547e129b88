import type { Organization } from '../../domain/organization.ts';
import { chargeFailure, findCaller, hasScope } from '../tenants/admit.ts';
import type { SignInRequest } from './begin-sign-in.ts';
import type { OpenSignInServices } from './sign-in-services.ts';

/** A person who may grant access, and to which organizations. */
export interface Owner {
  /** The key that they signed in with; null for a link to the admin page. */
  readonly apiKeyId: string | null;
  /** At least one. */
  readonly organizations: readonly Organization[];
}

/** A link's token: 32 bytes in base64url. */
const LINK_TOKEN = /(?:^|[?&]token=)([\w-]{43})$/;

/**
 * Identifies a person by an API key or by a link that `vitrine admin link` printed, which it uses up.
 * Returns a sentence for the person if that fails. Throws `rate_limited` after too many attempts.
 */
export function proveOwner(
  services: OpenSignInServices,
  { organization: named }: SignInRequest,
  { entered, clientAddress }: { readonly entered: string; readonly clientAddress: string },
): Owner | string {
  const secret = entered.trim();
  const token = LINK_TOKEN.exec(secret)?.[1];
  const owner =
    token === undefined
      ? ownerOfKey(services, secret, clientAddress)
      : ownerOfLink(services, token, clientAddress);
  if (typeof owner === 'string' || named === null) return owner;
  const wanted = services.directory.findOrganization(named);
  const organizations = owner.organizations.filter(({ key }) => key === wanted?.key);
  return organizations.length === 0
    ? 'This does not belong to the organization that the assistant calls.'
    : { ...owner, organizations };
}

function ownerOfKey(
  services: OpenSignInServices,
  secret: string,
  clientAddress: string,
): Owner | string {
  const caller = findCaller(services, {
    secret,
    resource: null,
    clientAddress: () => clientAddress,
  });
  if (caller === null) return 'This is neither a valid API key nor a valid link.';
  return hasScope(caller, 'mcp')
    ? { apiKeyId: caller.apiKey.id, organizations: [caller.organization] }
    : 'This key lacks the scope “mcp”.';
}

function ownerOfLink(
  services: OpenSignInServices,
  token: string,
  clientAddress: string,
): Owner | string {
  const { adminSessions, directory } = services;
  const organizations = directory.organizations();
  if (adminSessions.takeLink(token) && organizations.length > 0)
    return { apiKeyId: null, organizations };
  chargeFailure(services, clientAddress);
  return 'This link was used before or is older than ten minutes. “vitrine admin link” prints a new one.';
}
