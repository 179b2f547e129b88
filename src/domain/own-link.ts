import { parseWebUrl } from './web-url.ts';

/**
 * The link if it leads to the organization itself, else null: a catalogue must not lead a buyer elsewhere.
 * Own hosts are `domains`, each as `host` or `host:port`, every host below one, and the bare domain of a
 * `www.` host. The port has to be the domain's: another port is another service.
 *
 * An organization without a domain gives nothing to compare with: every web address counts as its own.
 */
export function ownLink(link: string | null, domains: readonly string[]): string | null {
  const address = link === null ? null : parseWebUrl(link);
  if (address === null) return null;
  const { hostname, port } = new URL(address);
  const host = withoutFinalDot(hostname);
  const isOwn = domains.length === 0 || domains.some((domain) => isAt({ host, port }, domain));
  return isOwn ? link : null;
}

function isAt({ host, port }: { host: string; port: string }, domain: string): boolean {
  const [name = '', wantedPort = ''] = domain.split(':');
  const own = withoutFinalDot(name);
  if (port !== wantedPort) return false;
  return host === own || host.endsWith(`.${own}`) || `www.${host}` === own;
}

/** DNS takes `shop.example.` for `shop.example`. */
function withoutFinalDot(host: string): string {
  return host.replace(/\.$/, '');
}
