import { isIP } from 'node:net';

/** Stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Names of query parameters and headers whose values nobody but their owner should read. */
const SECRET_NAME =
  /token|secret|passw|pwd|e-?mail|credential|signature|session|jwt|cookie|authoriz|api-?key|(?:^|[^a-z])(?:auth|pass|sig|sid|otp|pin)(?:$|[^a-z])|key$/i;

/** Headers that repeat the caller's address. */
const ADDRESS_HEADER =
  /^(?:forwarded|x-forwarded-for|x-original-forwarded-for|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|fastly-client-ip|cf-connecting-ip|cf-connecting-ipv6|cf-pseudo-ipv4|x-envoy-external-address|x-azure-clientip|x-appengine-user-ip)$/i;

/** An address, absolute or a path, whose query or fragment may hold parameters. */
const PARAMETER = /([?&;#])([^=&;#?\s]{1,200})=([^&;#\s]*)/g;

const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i;

/** An API key. Its id, which operators know it by, may be seen. */
const API_KEY = /\b(vk_[0-9A-Za-z]{12}_)[0-9A-Za-z]{20,}/g;

/** The same text without the secrets of API keys, wherever in it somebody put one. */
export function redactApiKeys(text: string): string {
  return text.includes('vk_') ? text.replace(API_KEY, `$1${REDACTED}`) : text;
}

/** The same address without user name, password, and values of parameters that are named like a secret. */
export function redactUrl(url: string): string {
  return url
    .replace(USER_INFO, '$1')
    .replace(PARAMETER, (whole, mark: string, name: string) =>
      SECRET_NAME.test(unescapeName(name)) ? `${mark}${name}=${REDACTED}` : whole,
    );
}

/** Whether a header's value is never kept: a secret, or the caller's address once more. */
export function isPrivateHeader(name: string): boolean {
  return SECRET_NAME.test(name) || ADDRESS_HEADER.test(name);
}

/** A header's value without secrets in the addresses it holds; an IP address is one itself. */
export function redactHeaderValue(value: string): string {
  return isIP(value.trim()) > 0 ? REDACTED : redactUrl(value);
}

/** `%74oken` → `token`; an escape that is none stays as it is. */
function unescapeName(name: string): string {
  return name.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/**
 * An address in its canonical spelling: IPv6 compressed and without a zone, IPv4 not dressed as
 * IPv6. Null for what is no address.
 */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text);
  if (family === 0) return null;
  const plain = text.replace(/%.*$/, '');
  if (family === 4) return plain;
  const compressed = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(compressed);
  if (mapped === null) return compressed;
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The network of a canonical address: /24 of IPv4, /48 of IPv6. A network stays what it is. */
export function networkOf(address: string): string {
  if (address.includes('/')) return address;
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  return prefixOf(address, 48);
}

/**
 * What a client has of the address space: an IPv4 address, or the /64 of IPv6 that every subscriber
 * gets at least, and in which each may take any number of addresses. Other text stays what it is.
 */
export function clientNetwork(address: string): string {
  const canonical = canonicalAddress(address);
  if (canonical === null) return address;
  return canonical.includes(':') ? prefixOf(canonical, 64) : canonical;
}

/** The network of a canonical IPv6 address, `bits` a multiple of 16. */
function prefixOf(address: string, bits: number): string {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const tailCount = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  if (tail !== undefined) {
    const missing = 8 - groups.length - tailCount;
    groups.push(...new Array<string>(missing).fill('0'), ...(tail === '' ? [] : tail.split(':')));
  }
  const prefix = `${groups.slice(0, bits / 16).join(':')}::`;
  return `${canonicalAddress(prefix)}/${bits}`;
}
