import { isIP } from 'node:net';
import type { UpkeepServices } from '../operations/upkeep/upkeep-services.ts';
import type { Listener } from '../platform.ts';
import { adminRoutes } from './admin.ts';
import { problem } from './operator-route.ts';
import { referenceRoute } from './reference.ts';
import { scrapeRoutes } from './scrape.ts';

export interface OperatorListenerOptions {
  readonly hostname: string;
  /** The OpenAPI document of the public interface, shown as the API reference. */
  readonly openApi: object;
}

/** Opens the operator's listener, which serves anyone who can reach its address. */
export async function listenToOperator(
  services: UpkeepServices,
  { port, ...options }: OperatorListenerOptions & { port: number },
): Promise<Listener> {
  const { hostname } = options;
  return services.platform.listen({ hostname, port, fetch: operatorHandler(services, options) });
}

/** Answers every request to the operator's listener on `hostname`. Never throws. */
export function operatorHandler(
  services: UpkeepServices,
  { hostname, openApi }: OperatorListenerOptions,
): (request: Request) => Promise<Response> {
  const routes = [...scrapeRoutes, ...adminRoutes, referenceRoute(openApi)];
  return async (request) => {
    if (!isOwnHost(request.headers.get('host') ?? '', hostname))
      return problem(403, 'Use the IP address of this listener or localhost.');
    const { pathname } = new URL(request.url);
    const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
    const known = routes.filter((route) => route.path === path);
    if (known.length === 0) return problem(404, 'There is no such path.');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = known.find((candidate) => candidate.method === method);
    if (route === undefined) return problem(405, 'This path does not accept that method.');
    try {
      return await route.handle({ services, request });
    } catch (error) {
      services.platform.log('error', 'operator_request_failed', {
        path,
        cause: error instanceof Error ? error.stack : String(error),
      });
      return problem(500, 'The service failed: see its log.');
    }
  };
}

/**
 * Guards against DNS rebinding: a web page can point its own host name at this machine, but the
 * browser then sends that name. Only IP addresses, localhost and the configured host name are
 * accepted.
 */
function isOwnHost(host: string, hostname: string): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  return isIP(name) !== 0 || name === 'localhost' || name === hostname.toLowerCase();
}
