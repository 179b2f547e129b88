/** Host names that a browser resolves to this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses a web address: absolute, http or https, without user info. Null for anything else.
 *
 * @param {unknown} value
 * @returns {URL | null}
 */
export function webAddress(value) {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const url = new URL(value);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url : null;
}

/**
 * The same for pages that take payments or personal data: https only, except on this machine.
 *
 * @param {unknown} value
 * @returns {URL | null}
 */
export function safeAddress(value) {
  const url = webAddress(value);
  return url?.protocol === 'https:' || LOOPBACK.test(url?.hostname ?? '') ? url : null;
}
