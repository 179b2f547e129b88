import { readPage } from '../assets/pages.ts';
import { AppError } from '../domain/errors.ts';
import { type OperatorOperation, SILENT } from '../operations/define-operation.ts';
import { runOperation } from '../operations/run-operation.ts';
import { page } from './html-page.ts';
import { ADMIN_OPERATIONS } from './operation-table.ts';
import type { OperatorRoute, OperatorVisit } from './operator-route.ts';

const COOKIE = 'vitrine_admin';

/** Only the page's own script sets this header; a form or an image on another site cannot. */
const GUARD_HEADER = 'x-vitrine-admin';

const INPUT_BYTES_MAX = 64 * 1024;

const PAGE = readPage('admin');

/** HTTP statuses of the errors that an operation may throw. Any other error is a bug. */
const STATUS: Readonly<Record<string, number>> = {
  missing_parameter: 400,
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unavailable: 503,
};

/**
 * The admin page and its data. `GET /admin?token=…` signs a browser in, `GET /admin` is the page,
 * and `POST /admin/api/<operation>` runs an operator's operation for a signed-in browser.
 */
export const adminRoutes: readonly OperatorRoute[] = [
  { method: 'GET', path: '/admin', handle: showPage },
  { method: 'POST', path: '/admin/api/sign.out', handle: (visit) => guarded(visit, signOut) },
  ...ADMIN_OPERATIONS.map(
    (operation): OperatorRoute => ({
      method: 'POST',
      path: `/admin/api/${operation.name}`,
      handle: (visit) => guarded(visit, () => perform(visit, operation)),
    }),
  ),
];

function showPage({ services: { adminSessions }, request }: OperatorVisit): Response {
  const token = new URL(request.url).searchParams.get('token');
  if (token === null) {
    const session = readSession(request);
    return session !== null && adminSessions.use(session) ? page(PAGE) : page(SIGNED_OUT, 401);
  }
  const session = adminSessions.openLink(token);
  if (session === null) return page(SIGNED_OUT, 401);
  const response = page(SIGNED_IN);
  response.headers.set('set-cookie', cookie(session));
  return response;
}

/** Refuses requests without a session, and requests that the page itself did not send. */
async function guarded(
  visit: OperatorVisit,
  handle: (visit: OperatorVisit) => Promise<Response> | Response,
): Promise<Response> {
  const { services, request } = visit;
  const session = readSession(request);
  try {
    if (session === null || !services.adminSessions.use(session))
      throw new AppError('unauthorized', 'Run "vitrine admin link" for a new link.');
    if (!isOwn(request))
      throw new AppError('forbidden', 'This request did not come from the admin page.');
    return await handle(visit);
  } catch (error) {
    if (error instanceof AppError && error.code in STATUS) {
      const { code, message } = error;
      return json({ error: { code, message } }, STATUS[code]);
    }
    throw error;
  }
}

function signOut({ services, request }: OperatorVisit): Response {
  services.adminSessions.end(readSession(request)!);
  return new Response(null, { status: 204, headers: { 'set-cookie': `${cookie('')}; Max-Age=0` } });
}

async function perform(
  { services, request }: OperatorVisit,
  operation: OperatorOperation,
): Promise<Response> {
  const result = await runOperation(services, operation, await readInput(request), SILENT);
  return json({ result });
}

async function readInput({ body }: Request): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > INPUT_BYTES_MAX) throw new AppError('too_large', 'The input is too large.');
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_input', 'The input is not JSON.', { cause });
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

function readSession(request: Request): string | null {
  const cookies = request.headers.get('cookie') ?? '';
  return new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(cookies)?.[1] ?? null;
}

/** SameSite=Strict: the browser does not send the cookie with a link from another site. */
function cookie(session: string): string {
  return `${COOKIE}=${session}; Path=/admin; HttpOnly; SameSite=Strict`;
}

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

/**
 * An intermediate page that leads to the admin page. After a link on another site, a redirect would
 * not carry the strict cookie. It also removes the token from the address bar and the history.
 */
const SIGNED_IN = plainPage(
  '<p><a href="/admin">Go to the admin page</a></p>',
  '<meta http-equiv="refresh" content="0; url=/admin">',
);

const SIGNED_OUT = plainPage(`<h1>Signed out</h1>
<p>Run <code>vitrine admin link</code> on this machine and open the address that it prints. Each
works once, within ten minutes.</p>`);

function plainPage(content: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>vitrine</title>
${head}
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem; }
code { font: 0.95em ui-monospace, monospace; }
</style>
<main>
${content}
</main>
</html>
`;
}
