import { createHmac } from 'node:crypto';
import type { CredentialKind, RandomBytes } from '../domain/credential.ts';

/**
 * The bytes of the credentials that replace a refresh token: always the same for the same token, and
 * unpredictable without `secret`. A repeated refresh can therefore get the same answer although no token
 * is stored. At most 64 bytes.
 */
export function successorBytes(
  secret: string,
  kind: CredentialKind,
  refreshToken: string,
): RandomBytes {
  const mac = createHmac('sha512', secret).update(`successor.${kind}.${refreshToken}`).digest();
  return (count) => mac.subarray(0, count);
}
