import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';
import type { HttpServices } from './visit.ts';

/** Seconds that a browser may keep the answer to a preflight request. */
const PREFLIGHT_MAX_AGE = '86400';

const MCP_HEADERS = 'Content-Type, Accept, MCP-Protocol-Version, X-API-Key, Origin';

/**
 * Further headers of MCP clients: tokens, sessions, and those of revision 2026-07-28. A preflight request
 * that asks for one gets it allowed; the contract fixes the list for every other request.
 */
const MCP_HEADERS_ON_REQUEST: readonly string[] = [
  ...['Authorization', 'Mcp-Session-Id', 'Last-Event-ID', 'Mcp-Method', 'Mcp-Name'],
];

const MCP_EXPOSED_HEADERS = 'Mcp-Session-Id, Retry-After, RateLimit, RateLimit-Policy';

/** CORS of the MCP endpoints, for pages of any origin. Never with credentials: a page sends its own key. */
export const crossOriginMcp = ({ signIn }: HttpServices) =>
  new Elysia()
    .use(
      cors({
        origin: '*',
        methods: ['GET', 'POST', 'OPTIONS'],
        allowedHeaders: MCP_HEADERS,
        // The challenge tells a page where to sign in.
        exposeHeaders: MCP_EXPOSED_HEADERS + (signIn === null ? '' : ', WWW-Authenticate'),
        credentials: false,
        // Every room answers OPTIONS in the same way.
        preflight: false,
      }),
    )
    .onRequest(({ request, set }) => {
      // The response is the same for every origin.
      delete set.headers['vary'];
      set.headers['access-control-max-age'] = PREFLIGHT_MAX_AGE;
      const requested = request.headers.get('access-control-request-headers')?.toLowerCase();
      const names = requested?.split(/[ ,]+/) ?? [];
      const further = MCP_HEADERS_ON_REQUEST.filter((name) => names.includes(name.toLowerCase()));
      if (further.length > 0)
        set.headers['access-control-allow-headers'] = [MCP_HEADERS, ...further].join(', ');
    });

/** CORS headers of the addresses that a client, unlike a person, uses to sign in. */
export const CROSS_ORIGIN_SIGN_IN: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Accept, MCP-Protocol-Version, Authorization',
  'access-control-expose-headers': 'Retry-After',
  'access-control-max-age': PREFLIGHT_MAX_AGE,
};
