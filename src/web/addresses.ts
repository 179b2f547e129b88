import ipaddr from 'ipaddr.js';

/**
 * Whether an address is one of the public Internet: not private, loopback, link-local, shared by a
 * carrier, multicast, reserved, nor one that carries such an IPv4 address inside (mapped, NAT64, 6to4,
 * Teredo). By the registries of special-purpose addresses (RFC 6890), as ipaddr.js has them.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
}

/** The address that a URL names itself, without brackets, or null if it names a host. */
export function addressOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : null;
}
