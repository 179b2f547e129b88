import { AppError } from '../../domain/errors.ts';
import type { RateLimit } from '../../domain/organization.ts';
import { clientNetwork } from '../../domain/private-data.ts';
import type { TenantServices } from '../tenants/tenant-services.ts';

/**
 * Limits for each client network. The limit for tokens is large, because a host of assistants requests
 * the tokens of many people from few addresses.
 */
const LIMITS = {
  sign_in: { perMinute: 60, burst: 30 },
  token: { perMinute: 300, burst: 100 },
  registration: { perMinute: 20, burst: 20 },
  client_document: { perMinute: 10, burst: 10 },
} as const satisfies Record<string, RateLimit>;

/** Throws `rate_limited` if the client's network has reached the limit. */
export function limitStrangers(
  { rateLimiter }: TenantServices,
  what: keyof typeof LIMITS,
  clientAddress: string,
): void {
  const name = `${what}:${clientNetwork(clientAddress)}`;
  const { waitMs } = rateLimiter.take([{ name, limit: LIMITS[what] }]);
  if (waitMs > 0)
    throw new AppError('rate_limited', 'Too many attempts: wait a moment and try again.', {
      retryAfterMs: waitMs,
    });
}
