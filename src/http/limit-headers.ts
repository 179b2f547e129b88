import type { ApiKey } from '../domain/api-key.ts';
import type { LimitState } from '../rate-limit.ts';
import type { AnswerHeaders } from './answer-headers.ts';

/**
 * What an answer tells of the caller's limit (IETF draft-ietf-httpapi-ratelimit-headers-10; nothing
 * for an unlimited organization), and that its key was rotated (RFC 9745).
 */
export function limitHeaders(state: LimitState | null, { rotatedAt }: ApiKey): AnswerHeaders {
  const headers: AnswerHeaders = {};
  if (state !== null) {
    const { limit, remaining, nextTokenSeconds } = state;
    const windowSeconds = Math.ceil((limit.burst * 60) / limit.perMinute);
    headers['ratelimit-policy'] = `"org";q=${limit.burst};w=${windowSeconds}`;
    headers['ratelimit'] = `"org";r=${remaining};t=${nextTokenSeconds}`;
  }
  if (rotatedAt !== null) headers['deprecation'] = `@${Math.floor(rotatedAt / 1000)}`;
  return headers;
}
