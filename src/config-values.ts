import { isIP } from 'node:net';

/*
 * How values of settings are written. Every parser throws a `RangeError` that says what is allowed.
 */

export const INDEX_MEMORY_MB_MAX = 65_536;

const THREADS_MAX = 16;

export function oneOf<const Choice extends string>(
  ...choices: readonly Choice[]
): (text: string) => Choice {
  return (text) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) throw new RangeError(`must be one of ${choices.join(', ')}`);
    return chosen;
  };
}

export function integer(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= minimum && value <= maximum))
      throw new RangeError(`must be a whole number from ${minimum} to ${maximum}`);
    return value;
  };
}

/** A number of threads. */
export function threads(text: string): number | 'auto' {
  return text === 'auto' ? text : integer(1, THREADS_MAX)(text);
}

export function memoryMb(text: string): number | 'auto' {
  return text === 'auto' ? text : integer(0, INDEX_MEMORY_MB_MAX)(text);
}

/** `host:port` or `[::1]:port`; port 0 picks a free port. */
export function parseAddress(text: string): { hostname: string; port: number } {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const hostname = bracketed ?? plain;
  const port = Number(digits);
  if (hostname === undefined || port > 65_535)
    throw new RangeError('must be host:port, such as 127.0.0.1:8787');
  return { hostname, port };
}

export function parseAddressOrOff(text: string): { hostname: string; port: number } | null {
  return text === 'off' ? null : parseAddress(text);
}

/** Drops the trailing slash, so that a path can be appended. */
export function parsePublicUrl(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new RangeError('must be an https address such as https://shop.example');
  return url.href.replace(/\/+$/, '');
}

export function parseHosts(text: string): readonly string[] {
  const hosts = parseList(text);
  if (hosts.some((host) => !/^[A-Za-z0-9.-]+$/.test(host)))
    throw new RangeError('must be host names without ports, such as shop.example');
  return hosts;
}

export function parseOrigins(text: string): readonly string[] {
  const origins = parseList(text);
  if (origins.some((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin))
    throw new RangeError('must be origins such as https://shop.example');
  return origins;
}

function parseList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

export function parseNetworks(text: string): readonly string[] {
  const entries = parseList(text);
  for (const entry of entries) {
    const [address = '', prefix, ...further] = entry.split('/');
    const bits = isIP(address) === 6 ? 128 : 32;
    const isNetwork = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (isIP(address) === 0 || !isNetwork || further.length > 0) {
      throw new RangeError('must be addresses or networks such as 10.0.0.0/8');
    }
  }
  return entries;
}

/** The URL of a libSQL server. A token in it is refused, because the URL is printed and logged. */
export function parseDatabaseUrl(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^(?:libsql|https?):$/.test(url.protocol) || url.hostname === '')
    throw new RangeError(
      'must be a libSQL server’s address, such as libsql://shop.example or http://127.0.0.1:8080; to use a file in the data folder although DATABASE_URL is set, set VITRINE_DATABASE_URL to nothing',
    );
  if (url.username !== '' || url.password !== '' || url.searchParams.has('authToken'))
    throw new RangeError('must not contain a secret: put it into database_auth_token');
  const isPlain = url.protocol === 'libsql:' && url.search === '?tls=0' && url.port !== '';
  if ((url.search !== '' && !isPlain) || url.hash !== '')
    throw new RangeError('must have no query except ?tls=0, which needs libsql:// and a port');
  return text;
}

export function parseText(text: string): string {
  if (text.includes('\0')) throw new RangeError('must be text');
  return text;
}

export function parseUrl(text: string): string | null {
  if (text === '') return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new RangeError('must be an http(s) address');
  return text;
}
