import { isActive } from '../../domain/api-key.ts';
import { hashCredential, makeCredential, newCredentialId } from '../../domain/credential.ts';
import { MAIN_RESOURCE, organizationResource } from '../../domain/grant.ts';
import type { Organization } from '../../domain/organization.ts';
import { redirectTarget, responseUrl } from '../../oauth/redirect-uri.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { insertGrant } from '../../storage/oauth-grants.ts';
import type { SignInRequest } from './begin-sign-in.ts';
import type { OpenSignInServices } from './sign-in-services.ts';

/** Lifetime of a code. Clients redeem it immediately. */
const CODE_MS = 60_000;

/** What a person allows. */
export interface Consent {
  readonly request: SignInRequest;
  readonly organization: Organization;
  /** The key that they signed in with; null for a link. */
  readonly apiKeyId: string | null;
}

/**
 * Grants what the client asks for. Resolves with the redirect URI with a code, or with null if the key
 * has expired or been revoked in the meantime.
 */
export async function grantAccess(
  services: OpenSignInServices,
  { request, organization, apiKeyId }: Consent,
): Promise<string | null> {
  const { db, directory, platform, signIn } = services;
  const { clientId, clientName, redirectUri, state, codeChallenge } = request;
  const nowMs = platform.now();
  const grantor = directory.grantorOf({ apiKeyId });
  if (apiKeyId !== null && (grantor === null || !isActive(grantor, nowMs))) return null;
  const id = newCredentialId(platform.randomBytes);
  const code = makeCredential('code', id, platform.randomBytes);
  const isNamed = request.organization !== null;
  const grant = {
    id,
    organizationKey: organization.key,
    apiKeyId,
    clientId,
    clientName: clientName === '' ? redirectTarget(redirectUri) : clientName,
    redirectUri,
    resource: isNamed ? organizationResource(organization.id) : MAIN_RESOURCE,
    codeHash: storedHash(code),
    codeChallenge,
    createdAt: nowMs,
    expiresAt: nowMs + CODE_MS,
  };
  const entry = {
    at: nowMs,
    organizationId: organization.id,
    event: 'sign_in.granted',
    details: {
      id,
      client: grant.clientName,
      returnsTo: redirectTarget(redirectUri),
      key: apiKeyId,
    },
  };
  await db.write([insertGrant(grant), insertAuditEntry(db, entry)]);
  return responseUrl(redirectUri, { code, state, iss: signIn.issuer });
}

/** The hash under which a code or a refresh token is stored. */
export function storedHash(secret: string): string {
  return Buffer.from(hashCredential(secret)).toString('base64url');
}
