/** The parts of a request's address. */
export interface RequestUrl {
  /** With the port, unless it is the protocol's own. */
  readonly host: string;
  readonly pathname: string;
  /** Empty, or the query with its question mark. */
  readonly search: string;
}

/**
 * The address of a request that is known to be valid. The runtime has normalized it already, so this cuts
 * it into pieces: a `URL` is a native object, which costs more to collect than to make.
 */
export function urlOf({ url }: Request): RequestUrl {
  const fragment = url.indexOf('#');
  const end = fragment < 0 ? url.length : fragment;
  const host = url.indexOf('//') + 2;
  const path = url.indexOf('/', host);
  const question = url.indexOf('?', path);
  const pathEnd = question < 0 || question > end ? end : question;
  return {
    host: url.slice(host, path),
    pathname: url.slice(path, pathEnd),
    // A lone question mark is no query.
    search: end - pathEnd > 1 ? url.slice(pathEnd, end) : '',
  };
}
