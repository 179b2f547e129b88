import { createHash } from 'node:crypto';
import type { Tokens } from '../../src/operations/sign-in/issue-tokens.ts';
import type { Service } from './service.ts';

/** What the services of these tests are reached at. */
export const ISSUER = 'https://shop.example';

export const VERIFIER = 'a-verifier-that-is-long-enough-for-the-RFC-7636';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

export const RETURN_URL = 'https://assistant.example/callback';

type Fields = Readonly<Record<string, string | undefined>>;

/** A query or a form; undefined leaves a field out. */
function encode(fields: Fields): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given as [string, string][]);
}

/** Registers a client and resolves with its id. */
export async function register(
  service: Service,
  metadata: object = { client_name: 'Claude', redirect_uris: [RETURN_URL] },
): Promise<string> {
  const response = await service.asStranger('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return ((await response.json()) as { client_id: string }).client_id;
}

/** The path of a good authorization request, changed by `fields`. */
export function authorizePath(clientId: string, fields: Fields = {}): string {
  const query = encode({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: RETURN_URL,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...fields,
  });
  return `/oauth/authorize?${query}`;
}

/** A person's browser: it keeps the cookie and fills in the form of the page it shows. */
export class Browser {
  readonly #service: Service;
  readonly #origin: string;
  #cookie = '';
  /** The page that it shows; empty after a redirect. */
  html = '';

  constructor(service: Service, origin = ISSUER) {
    this.#service = service;
    this.#origin = origin;
  }

  open(path: string): Promise<Response> {
    return this.#ask(path);
  }

  /** Submits the form of the page with these fields filled in. */
  submit(fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const action = /<form[^>]* action="([^"]+)"/.exec(this.html)![1]!;
    const hidden = [...this.html.matchAll(/type="hidden" name="(\w+)" value="([^"]+)"/g)];
    const carried = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
    return this.#ask(action, {
      method: 'POST',
      body: encode({ ...carried, ...fields }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: this.#origin,
        ...headers,
      },
    });
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('cookie') && this.#cookie !== '') headers.set('cookie', this.#cookie);
    const response = await this.#service.asStranger(path, { ...init, headers });
    this.#cookie = response.headers.get('set-cookie')?.split(';')[0] ?? this.#cookie;
    this.html = await response.clone().text();
    return response;
  }
}

/** Signs in with a key or a link, allows what was asked for, and resolves with where that leads. */
export async function allow(service: Service, path: string, secret: string): Promise<URL> {
  const browser = new Browser(service);
  await browser.open(path);
  await browser.submit({ secret, decision: 'continue' });
  const response = await browser.submit({ decision: 'allow' });
  return new URL(response.headers.get('location')!);
}

/** Posts a form to the token endpoint. */
export function askForTokens(service: Service, fields: Fields): Promise<Response> {
  return service.asStranger('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode(fields).toString(),
  });
}

export function codeForm(clientId: string, code: string, fields: Fields = {}): Fields {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: VERIFIER,
    redirect_uri: RETURN_URL,
    ...fields,
  };
}

export function refreshForm(clientId: string, refreshToken: string, fields: Fields = {}): Fields {
  return {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    ...fields,
  };
}

/** A whole sign-in: a client with tokens. */
export async function signIn(
  service: Service,
  { secret = service.apiKey, ...fields }: Fields & { readonly secret?: string } = {},
): Promise<Tokens & { readonly clientId: string; readonly code: string }> {
  const clientId = await register(service);
  const returned = await allow(service, authorizePath(clientId, fields), secret);
  const code = returned.searchParams.get('code')!;
  const response = await askForTokens(service, codeForm(clientId, code));
  return { ...((await response.json()) as Tokens), clientId, code };
}
