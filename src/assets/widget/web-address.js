/** Names that a browser keeps on this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * A web address in its parsed form, or null: http and https only, absolute, without user info.
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
 * The same for where money or a name is typed in: https only, except on this machine.
 *
 * @param {unknown} value
 * @returns {URL | null}
 */
export function safeAddress(value) {
  const url = webAddress(value);
  return url?.protocol === 'https:' || LOOPBACK.test(url?.hostname ?? '') ? url : null;
}
