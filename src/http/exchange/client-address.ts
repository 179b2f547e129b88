import { BlockList, isIP } from 'node:net';
import type { Connection } from '../../platform.ts';

/** The proxies whose `X-Forwarded-For` is trusted. */
export type TrustedProxies = BlockList;

/**
 * Takes addresses and networks (`10.0.0.0/8`, `::1`). Throws what `node:net` throws for anything
 * else.
 */
export function trustProxies(entries: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/**
 * The client's address: that of the connection or, behind trusted proxies, the last address in
 * `X-Forwarded-For` that is not a trusted proxy's. Any client can forge the addresses to the left
 * of it.
 */
export function readClientAddress(
  request: Request,
  connection: Connection,
  trusted: TrustedProxies,
): string {
  let address = normalize(connection.address());
  const header = request.headers.get('x-forwarded-for');
  if (header === null) return address;
  const forwarded = header.split(',').map((part) => normalize(part.trim()));
  while (isTrusted(address, trusted) && forwarded.length > 0) {
    const previous = forwarded.pop()!;
    if (isIP(previous) === 0) break;
    address = previous;
  }
  return address;
}

function isTrusted(address: string, trusted: TrustedProxies): boolean {
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** A dual-stack listener reports IPv4 addresses in IPv4-mapped IPv6 form. */
function normalize(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
