import { parseWebUrl } from './web-url.ts';

/**
 * The link if it leads to one of the organization's own hosts, else null: a catalogue must not send a
 * buyer elsewhere. Own hosts are `domains` (each a `host` or `host:port`), their subdomains, and the
 * bare domain of a `www.` host. The port must match too, because another port is another service.
 *
 * If the organization has no domain, there is nothing to compare with and every web address passes.
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

/** In DNS, `shop.example.` and `shop.example` are the same name. */
function withoutFinalDot(host: string): string {
  return host.replace(/\.$/, '');
}
