import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address belongs to the public Internet. Private, loopback, link-local, carrier-grade
 * NAT, multicast and reserved addresses do not, nor do IPv6 addresses that embed such an IPv4 address
 * (mapped, NAT64, 6to4, Teredo). Source: the special-purpose registries (RFC 6890) in ipaddr.js.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
}

/** The IP address that a URL's host consists of, without brackets; null if the host is a name. */
export function addressOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}
