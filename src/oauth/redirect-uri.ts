const LENGTH_MAX = 2048;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Schemes that browsers handle themselves, so they do not lead to an app. */
const BROWSER_SCHEMES: ReadonlySet<string> = new Set(
  'about blob data file filesystem ftp javascript mailto tel vbscript view-source ws wss'.split(
    ' ',
  ),
);

/**
 * Whether a client may register this redirect URI: https, http on the loopback interface, or the
 * scheme of an app (RFC 8252).
 */
export function isAllowedRedirectUri(text: string): boolean {
  if (text.length > LENGTH_MAX || text.includes('#') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.test(hostname);
  return !BROWSER_SCHEMES.has(protocol.slice(0, -1));
}

/**
 * Whether `asked` equals the registered URI. On the loopback interface the ports may differ, because an
 * app takes any free port (RFC 8252, section 7.3).
 */
export function matchesRedirectUri(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  return isAllowedRedirectUri(asked) && isLoopback(registered) && isLoopback(asked)
    ? withoutPort(registered) === withoutPort(asked)
    : false;
}

function isLoopback(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && LOOPBACK.test(hostname);
}

function withoutPort(text: string): string {
  return text.replace(/^(http:\/\/(?:\[::1\]|[^/:?]+)):\d+/i, '$1');
}

/** Whether the recipient is a program on the person's own computer rather than a web site. */
export function isOnOwnComputer(redirectUri: string): boolean {
  return new URL(redirectUri).protocol !== 'https:';
}

/** The redirect URI with the parameters of a response in its query. */
export function responseUrl(
  redirectUri: string,
  parameters: Readonly<Record<string, string | null>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.append(name, value);
  return url.href;
}

/** The recipient of the response, in words for a person: a host, or an app by its scheme. */
export function redirectTarget(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === 'http:') return `a program on this computer (${hostname})`;
  return protocol === 'https:' ? host : `an app on this computer (${protocol.slice(0, -1)})`;
}
