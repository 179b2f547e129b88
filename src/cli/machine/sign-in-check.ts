import { type CheckResult, fail, ok, warn } from '../../domain/check-result.ts';
import { ENDPOINTS } from '../../oauth/metadata.ts';

/** A JSON document and its status; null if nothing answers. The body is null if it is not JSON. */
export type GetDocument = (
  url: string,
) => Promise<{ readonly status: number; readonly body: unknown } | null>;

/**
 * Whether assistants find the metadata of the authorization server, which they look for at the root of
 * the host even if the public URL has a path. `issuer` is null if nobody can sign in.
 */
export async function lookAtSignIn(issuer: string | null, get: GetDocument): Promise<CheckResult> {
  if (issuer === null) return ok('off: it needs a public address, and the setting oauth');
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const serverUrl = origin + ENDPOINTS.serverMetadata + path;
  const server = await get(serverUrl);
  if (server === null) return warn('not checked', `make ${issuer} answer, then run doctor again`);
  if (!says(server, 'issuer', issuer)) return lookBelow(issuer, get, serverUrl);
  const resourceUrl = `${origin}${ENDPOINTS.resourceMetadata}${path}/mcp`;
  const resource = await get(resourceUrl);
  // Where the only organization at this host answers without a key, that document is missing.
  if (resource?.status !== 404 && !says(resource, 'resource', `${issuer}/mcp`))
    return fail(`${resourceUrl} is not vitrine’s`, 'let the proxy pass it on to vitrine');
  return ok(`people can sign assistants in at ${issuer}${ENDPOINTS.authorize}`);
}

/** Why the document is not where clients look for it. */
async function lookBelow(
  issuer: string,
  get: GetDocument,
  serverUrl: string,
): Promise<CheckResult> {
  const below = await get(issuer + ENDPOINTS.serverMetadata);
  if (says(below, 'issuer', issuer))
    return fail(`assistants do not find ${serverUrl}`, 'let the proxy pass it on to vitrine');
  return below?.status === 404
    ? ok('not offered: every organization answers without a key')
    : fail(
        `${serverUrl} is not vitrine’s`,
        'give the service the same public_url, and let the proxy pass /.well-known/oauth-* on to it',
      );
}

function says(
  answer: { readonly body: unknown } | null,
  member: string,
  expected: string,
): boolean {
  const body = answer?.body;
  return typeof body === 'object' && body !== null && Reflect.get(body, member) === expected;
}
