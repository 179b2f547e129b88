import { AppError } from '../../domain/errors.ts';

export interface HostRules {
  /** The address that the listener is bound to. */
  readonly boundTo: string;
  /** The service's address as clients see it; null if not configured. */
  readonly publicUrl: string | null;
  /** Additional host names to accept. */
  readonly allowedHosts: readonly string[];
  /**
   * Origins of pages that may call; if empty, any origin may, because a page has no key of its own.
   */
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Makes the check against DNS rebinding: a page that had its own name point at this machine says
 * that name in `Host`. It is made on loopback, and elsewhere once the public address is known. A
 * host for which `isPublicHost` is one that an organization answers everybody at. What is made
 * throws `forbidden`.
 */
export function createHostGuard(
  { boundTo, publicUrl, allowedHosts, allowedOrigins }: HostRules,
  isPublicHost: (host: string) => boolean,
): (request: Request) => void {
  const isChecked =
    LOOPBACK.test(boundTo.includes(':') ? `[${boundTo}]` : boundTo) || publicUrl !== null;
  const hosts = new Set([
    ...allowedHosts.map((host) => host.toLowerCase()),
    ...(publicUrl === null ? [] : [new URL(publicUrl).hostname]),
  ]);
  const origins = new Set(allowedOrigins);
  return ({ headers, url }) => {
    const host = hostname(headers.get('host') ?? new URL(url).host);
    if (isChecked && !LOOPBACK.test(host) && !hosts.has(host) && !isPublicHost(host))
      throw new AppError('forbidden', 'This host name is not one of this service.');
    const origin = headers.get('origin');
    if (origin !== null && origins.size > 0 && !origins.has(origin))
      throw new AppError('forbidden', 'Pages of this origin may not call this service.');
  };
}

/** A `Host` header's value without the port. */
function hostname(host: string): string {
  return host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
