import { isIP } from 'node:net';
import type { UpkeepServices } from '../operations/upkeep/upkeep-services.ts';
import type { Listener } from '../platform.ts';
import { adminRoutes } from './admin.ts';
import { problem } from './operator-route.ts';
import { referenceRoute } from './reference.ts';
import { scrapeRoutes } from './scrape.ts';

export interface OperatorListenerOptions {
  readonly hostname: string;
  /** OpenAPI of the public interface, for people to read. */
  readonly openApi: object;
}

/** Opens the operator's listener: plain routes, for whoever can reach the address. */
export async function listenToOperator(
  services: UpkeepServices,
  { port, ...options }: OperatorListenerOptions & { port: number },
): Promise<Listener> {
  const { hostname } = options;
  return services.platform.listen({ hostname, port, fetch: operatorHandler(services, options) });
}

/** Answers every request to the operator's listener, which was told to listen on `hostname`. Never throws. */
export function operatorHandler(
  services: UpkeepServices,
  { hostname, openApi }: OperatorListenerOptions,
): (request: Request) => Promise<Response> {
  const routes = [...scrapeRoutes, ...adminRoutes, referenceRoute(openApi)];
  return async (request) => {
    if (!isOwnHost(request.headers.get('host') ?? '', hostname))
      return problem(403, 'Ask for this listener by its address or as localhost.');
    const { pathname } = new URL(request.url);
    const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
    const known = routes.filter((route) => route.path === path);
    if (known.length === 0) return problem(404, 'There is no such address.');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = known.find((candidate) => candidate.method === method);
    if (route === undefined) return problem(405, 'This address does not take that method.');
    try {
      return await route.handle({ services, request });
    } catch (error) {
      services.platform.log('error', 'operator_request_failed', {
        path,
        cause: error instanceof Error ? error.stack : String(error),
      });
      return problem(500, 'The service failed at it: see its log.');
    }
  };
}

/**
 * A page on the web can have its own name point at this machine (DNS rebinding), but the browser then
 * sends that name: only addresses, localhost and the name that was listened on are answered.
 */
function isOwnHost(host: string, hostname: string): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  return isIP(name) !== 0 || name === 'localhost' || name === hostname.toLowerCase();
}
