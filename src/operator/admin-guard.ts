import { AppError } from '../domain/errors.ts';
import type { OperatorVisit } from './operator-route.ts';

export const COOKIE = 'vitrine_admin';

/** Only the page's own script sets this header; a form or an image on another site cannot. */
const GUARD_HEADER = 'x-vitrine-admin';

/** HTTP statuses of the errors that an operation may throw. Any other error is a bug. */
const STATUS: Readonly<Record<string, number>> = {
  missing_parameter: 400,
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unavailable: 503,
};

/** Refuses requests without a session, and requests that the page itself did not send. */
export function guarded(visit: OperatorVisit, handle: Handle): Promise<Response> {
  return answering(async () => {
    requireSession(visit);
    if (!isOwn(visit.request))
      throw new AppError('forbidden', 'This request did not come from the admin page.');
    return await handle(visit);
  });
}

/** Refuses requests without a session. For files that a link of the page leads to. */
export function signedIn(visit: OperatorVisit, handle: Handle): Promise<Response> {
  return answering(async () => {
    requireSession(visit);
    return await handle(visit);
  });
}

type Handle = (visit: OperatorVisit) => Promise<Response> | Response;

function requireSession({ services, request }: OperatorVisit): void {
  const session = readSession(request);
  if (session === null || !services.adminSessions.use(session))
    throw new AppError('unauthorized', 'Run "vitrine admin link" for a new link.');
}

async function answering(handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof AppError && error.code in STATUS) {
      const { code, message } = error;
      return json({ error: { code, message } }, STATUS[code]);
    }
    throw error;
  }
}

/**
 * Whether the page itself sent the request: it carries the script's header and comes from the
 * page's own origin.
 */
function isOwn(request: Request): boolean {
  const origin = request.headers.get('origin');
  const isForeign =
    origin !== null &&
    !(URL.canParse(origin) && new URL(origin).host === request.headers.get('host'));
  return !isForeign && request.headers.get(GUARD_HEADER) === '1';
}

export function readSession(request: Request): string | null {
  const cookies = request.headers.get('cookie') ?? '';
  return new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(cookies)?.[1] ?? null;
}

export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
