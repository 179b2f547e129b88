import {
  type OperatorListenerOptions,
  operatorHandler,
} from '../../src/operator/operator-listener.ts';
import type { LocalService } from './start-service.ts';

export const OPERATOR_HOST = '127.0.0.1:8788';

const GUARD = { 'x-vitrine-admin': '1' };

export type Ask = (
  path: string,
  init?: RequestInit & { headers?: Record<string, string> },
) => Promise<Response>;

/** Sends a browser's request directly to the handler of the operator's listener. */
export function operatorAsk(
  { services }: LocalService,
  options: Partial<OperatorListenerOptions> = {},
): Ask {
  const handler = operatorHandler(services, { hostname: '127.0.0.1', openApi: {}, ...options });
  services.adminSessions.listensAt(`http://${OPERATOR_HOST}`);
  return (path, init = {}) =>
    handler(
      new Request(`http://localhost${path}`, {
        ...init,
        headers: { host: OPERATOR_HOST, ...init.headers },
      }),
    );
}

/** The path of a new link. */
export async function linkPath(service: LocalService): Promise<string> {
  const { url } = await service.perform<{ url: string }>('admin.link', {});
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The cookie of a browser that opened a link. */
export async function signIn(service: LocalService, ask: Ask): Promise<string> {
  const response = await ask(await linkPath(service));
  return response.headers.get('set-cookie')!.split(';')[0]!;
}

/** Sends a request as the page's own script does. */
export function callApi(
  ask: Ask,
  cookie: string | null,
  { operation, input = {} }: { operation: string; input?: unknown },
  headers: Record<string, string> = {},
): Promise<Response> {
  return ask(`/admin/api/${operation}`, {
    method: 'POST',
    body: typeof input === 'string' ? input : JSON.stringify(input),
    headers: { ...GUARD, ...(cookie !== null && { cookie }), ...headers },
  });
}
