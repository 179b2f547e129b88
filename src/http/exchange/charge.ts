import { AppError } from '../../domain/errors.ts';
import { clientNetwork } from '../../domain/private-data.ts';
import { type Caller, type Charge, takeTurn } from '../../operations/tenants/admit.ts';
import type { BodyClaim } from '../../operations/tenants/body-budget.ts';
import type { LimitState } from '../../rate-limit.ts';
import type { AnswerHeaders, Visit } from './visit.ts';

/**
 * Takes the one token that every request costs, before its body is read. The response headers
 * report the remaining tokens. Throws `rate_limited` if there is none.
 */
export function charge(visit: Visit, bucket: Charge['bucket'] = 'organization'): void {
  take(visit, { bucket });
}

/**
 * Takes the other tokens of a request that costs `cost` in total, once its body is known. If there
 * are too few, throws `rate_limited` and takes none.
 */
export function chargeRest(
  visit: Visit,
  { bucket = 'organization', cost }: { bucket?: Charge['bucket']; cost: number },
): void {
  if (cost > 1) take(visit, { bucket, cost });
}

/**
 * Takes a token for rebuilding a page. The response headers report the organization's own tokens
 * unless this throws.
 */
export function chargeRegeneration({ services, caller, headers }: Visit): void {
  const limit = takeTurn(services, caller, { bucket: 'regenerate' });
  if (limit === null || limit.waitMs === 0) return;
  setLimitHeaders(headers, limit, caller);
  throw usedUp(limit);
}

/**
 * Refused bodies of one key, or of one network without a key, that are still received, so that their
 * senders surely get the answer.
 */
const DROPPED_BODIES = { perMinute: 120, burst: 8 };

/**
 * The claim on memory for a body, released when the request has been answered. Beyond
 * `DROPPED_BODIES`, a refusal closes the connection: the runtime receives whatever is left of a refused
 * body, and 250 uploads at once took the processor from other tenants.
 */
export function claimBody({ services, caller, connection, headers }: Visit): BodyClaim {
  const sender = {
    keyId: caller.apiKey?.id ?? null,
    network: clientNetwork(connection.address()),
  };
  const name = `dropped-body:${sender.keyId ?? sender.network}`;
  return services.bodyBudget.claim(sender, () => {
    const { waitMs } = services.rateLimiter.take([{ name, limit: DROPPED_BODIES }]);
    if (waitMs > 0) headers['connection'] = 'close';
  });
}

function take({ services, caller, headers }: Visit, price: Charge): void {
  const limit = takeTurn(services, caller, price);
  setLimitHeaders(headers, limit, caller);
  if (limit !== null && limit.waitMs > 0) throw usedUp(limit);
}

function usedUp({ waitMs }: LimitState): AppError {
  return new AppError('rate_limited', 'The rate limit of this organization is used up.', {
    retryAfterMs: waitMs,
  });
}

/**
 * The response headers about the caller's rate limit (IETF draft-ietf-httpapi-ratelimit-headers-10;
 * none for an unlimited organization), and about a rotated key (RFC 9745).
 */
function setLimitHeaders(
  headers: AnswerHeaders,
  state: LimitState | null,
  { apiKey }: Caller,
): void {
  if (state !== null) {
    const { limit, remaining, nextTokenSeconds } = state;
    const windowSeconds = Math.ceil((limit.burst * 60) / limit.perMinute);
    const name = apiKey === null ? 'public' : 'org';
    headers['ratelimit-policy'] = `"${name}";q=${limit.burst};w=${windowSeconds}`;
    headers['ratelimit'] = `"${name}";r=${remaining};t=${nextTokenSeconds}`;
  }
  const rotatedAt = apiKey?.rotatedAt ?? null;
  if (rotatedAt !== null) headers['deprecation'] = `@${Math.floor(rotatedAt / 1000)}`;
}
