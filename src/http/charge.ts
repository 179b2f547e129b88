import { AppError } from '../domain/errors.ts';
import { type Charge, takeTurn } from '../operations/tenants/admit.ts';
import { limitHeaders } from './limit-headers.ts';
import type { CallerVisit } from './route.ts';

/**
 * Takes tokens of the caller's organization, and has the answer's headers say what is left. Throws
 * `rate_limited` when there are too few, and takes none then.
 */
export function charge(
  { services, caller, headers }: CallerVisit,
  { bucket = 'organization', cost = 1 }: Partial<Charge> = {},
): void {
  const limit = takeTurn(services, caller, { bucket, cost });
  Object.assign(headers, limitHeaders(limit, caller.apiKey));
  if (limit !== null && limit.waitMs > 0) {
    throw new AppError('rate_limited', 'The rate limit of this organization is used up.', {
      retryAfterMs: limit.waitMs,
    });
  }
}
