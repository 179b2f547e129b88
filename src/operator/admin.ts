import { page } from '../assets/html-page.ts';
import { readPage } from '../assets/pages.ts';
import { AppError } from '../domain/errors.ts';
import { type OperatorOperation, SILENT } from '../operations/define-operation.ts';
import { runOperation } from '../operations/run-operation.ts';
import { downloadErrors, upload } from './admin-files.ts';
import { COOKIE, guarded, json, readSession, signedIn } from './admin-guard.ts';
import { ADMIN_OPERATIONS } from './operation-table.ts';
import type { OperatorRoute, OperatorVisit } from './operator-route.ts';

const INPUT_BYTES_MAX = 64 * 1024;

const PAGE = readPage('admin');

/**
 * The admin page and its data. `GET /admin?token=…` signs a browser in, `GET /admin` is the page,
 * and `POST /admin/api/<operation>` runs an operator's operation for a signed-in browser.
 */
export const adminRoutes: readonly OperatorRoute[] = [
  { method: 'GET', path: '/admin', handle: showPage },
  { method: 'POST', path: '/admin/api/sign.out', handle: (visit) => guarded(visit, signOut) },
  { method: 'POST', path: '/admin/api/draft.upload', handle: (visit) => guarded(visit, upload) },
  { method: 'GET', path: '/admin/errors', handle: (visit) => signedIn(visit, downloadErrors) },
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

/** SameSite=Strict: the browser does not send the cookie with a link from another site. */
function cookie(session: string): string {
  return `${COOKIE}=${session}; Path=/admin; HttpOnly; SameSite=Strict`;
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
