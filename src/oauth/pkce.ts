import { hash } from 'node:crypto';

/** SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether this may be a challenge by the method S256. */
export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether `verifier` is what `challenge` was made from. The challenge is public, so plain comparison will do. */
export function provesChallenge(verifier: string, challenge: string): boolean {
  return VERIFIER.test(verifier) && hash('sha256', verifier, 'base64url') === challenge;
}
