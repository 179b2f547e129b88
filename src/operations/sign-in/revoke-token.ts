import { credentialId } from '../../domain/credential.ts';
import { type Reading, refused } from '../../oauth/oauth-fault.ts';
import { readParameters } from '../../oauth/parameters.ts';
import { findGrant } from '../../storage/oauth-grants.ts';
import { endGrant } from '../tenants/grants.ts';
import { storedHash } from './grant-access.ts';
import { limitStrangers } from './limits.ts';
import type { OpenSignInServices } from './sign-in-services.ts';

/**
 * Revokes the grant of a client's own token (RFC 7009). For any other token it succeeds without effect.
 * Throws `rate_limited`.
 */
export async function revokeToken(
  services: OpenSignInServices,
  form: string,
  clientAddress: string,
): Promise<Reading<null>> {
  limitStrangers(services, 'token', clientAddress);
  const parameters = readParameters(form);
  if ('fault' in parameters) return parameters;
  const token = parameters.value.get('token');
  if (token === undefined) return refused('invalid_request', 'The parameter token is missing.');
  const id = credentialId('accessToken', token) ?? credentialId('refreshToken', token);
  const grant = id === null ? null : await findGrant(services.db, id);
  const isOwn = grant !== null && grant.clientId === parameters.value.get('client_id');
  if (isOwn && [grant.accessHash, grant.refreshHash].includes(storedHash(token)))
    await endGrant(services, grant, 'client');
  return { value: null };
}
