import { isIP } from 'node:net';

/** Replaces a secret. */
export const REDACTED = '[redacted]';

/** Names of query parameters and headers whose values are secret. */
const SECRET_NAME =
  /token|secret|passw|pwd|e-?mail|credential|signature|session|jwt|cookie|authoriz|api-?key|(?:^|[^a-z])(?:auth|pass|sig|sid|otp|pin)(?:$|[^a-z])|key$/i;

/** Headers that contain the caller's IP address. */
const ADDRESS_HEADER =
  /^(?:forwarded|x-forwarded-for|x-original-forwarded-for|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|fastly-client-ip|cf-connecting-ip|cf-connecting-ipv6|cf-pseudo-ipv4|x-envoy-external-address|x-azure-clientip|x-appengine-user-ip)$/i;

/** One parameter in the query or fragment of a URL or path. */
const PARAMETER = /([?&;#])([^=&;#?\s]{1,200})=([^&;#\s]*)/g;

const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i;

/** A key, token or code. Its id stays visible, because operators identify keys by it. */
const CREDENTIAL = /\b(v[karc]_[0-9A-Za-z]{12}_)[0-9A-Za-z]{20,}/g;

/** Redacts the secret part of every key, token and code in a text. */
export function redactCredentials(text: string): string {
  return text.replace(CREDENTIAL, `$1${REDACTED}`);
}

/** Redacts a URL's user name, password, and the values of parameters whose names suggest a secret. */
export function redactUrl(url: string): string {
  return url
    .replace(USER_INFO, '$1')
    .replace(PARAMETER, (whole, mark: string, name: string) =>
      SECRET_NAME.test(unescapeName(name)) ? `${mark}${name}=${REDACTED}` : whole,
    );
}

/** Whether a header's value must not be stored: it is a secret or contains the caller's IP address. */
export function isPrivateHeader(name: string): boolean {
  return SECRET_NAME.test(name) || ADDRESS_HEADER.test(name);
}

/** Redacts secrets in the URLs that a header's value contains, and a value that is an IP address. */
export function redactHeaderValue(value: string): string {
  return isIP(value.trim()) > 0 ? REDACTED : redactUrl(value);
}

/** `%74oken` → `token`; an invalid escape stays as it is. */
function unescapeName(name: string): string {
  return name.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/**
 * The canonical spelling of an IP address: IPv6 compressed and without a zone, IPv4 not mapped into
 * IPv6. Null if `text` is not an IP address.
 */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text);
  if (family === 0) return null;
  if (family === 4) return text;
  const plain = text.replace(/%.*$/, '');
  const compressed = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(compressed);
  if (mapped === null) return compressed;
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The network of a canonical IP address: /24 for IPv4, /48 for IPv6. Returns a network unchanged. */
export function networkOf(address: string): string {
  if (address.includes('/')) return address;
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  return prefixOf(address, 48);
}

/**
 * The part of the address space that one client controls: an IPv4 address, or an IPv6 /64, the least
 * that every subscriber gets and can take any number of addresses from. Returns other text unchanged.
 */
export function clientNetwork(address: string): string {
  const canonical = canonicalAddress(address);
  if (canonical === null) return address;
  return canonical.includes(':') ? prefixOf(canonical, 64) : canonical;
}

/** The network of a canonical IPv6 address; `bits` is a multiple of 16. */
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
