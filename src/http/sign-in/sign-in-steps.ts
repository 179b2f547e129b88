import { pageHeaders } from '../../assets/html-page.ts';
import { type OAuthFault, refused } from '../../oauth/oauth-fault.ts';
import { isOnOwnComputer, redirectTarget } from '../../oauth/redirect-uri.ts';
import { type SealPurpose, seal, unseal } from '../../oauth/sealed.ts';
import {
  type Beginning,
  beginSignIn,
  faultUrl,
  type SignInRequest,
} from '../../operations/sign-in/begin-sign-in.ts';
import { grantAccess } from '../../operations/sign-in/grant-access.ts';
import { limitStrangers } from '../../operations/sign-in/limits.ts';
import { type Owner, proveOwner } from '../../operations/sign-in/prove-owner.ts';
import type { OpenSignInServices } from '../../operations/sign-in/sign-in-services.ts';
import { type AnswerSet, arrivalOf, whole } from '../exchange/visit.ts';
import { consentPage, faultPage, provePage, type WayBack } from './sign-in-page.ts';

/** How long a form can be submitted. */
const TICKET_MS = 10 * 60_000;

/** Browsers accept a cookie with this prefix only over https, and for this host alone. */
const COOKIE = '__Host-vitrine_sign_in';

const NONCE_BYTES = 32;

/** The state of a sign-in between two pages, which the form carries with our signature. */
interface Ticket {
  readonly request: SignInRequest;
  /** Also in the browser’s cookie, so that another site cannot submit the form. */
  readonly nonce: string;
  readonly untilMs: number;
}

/** After the person has proved who they are. */
interface ConsentTicket extends Ticket {
  readonly apiKeyId: string | null;
  readonly organizationIds: readonly string[];
}

/** One request to the authorization server. */
export interface SignInVisit {
  readonly services: OpenSignInServices;
  readonly request: Request;
  readonly set: AnswerSet;
}

/** `GET /oauth/authorize`: the page of the first step, or a fault. */
export async function showSignIn(visit: SignInVisit): Promise<Response> {
  const { services, request } = visit;
  const query = new URL(request.url).search.slice(1);
  const beginning = await beginSignIn(services, query, addressOf(visit));
  if ('fault' in beginning) return tellFault(visit, beginning);
  const nonce = nonceOf(request) ?? makeNonce(visit);
  visit.set.headers['set-cookie'] =
    `${COOKIE}=${nonce}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${TICKET_MS / 1000}`;
  return showProof(visit, { request: beginning.request, nonce, untilMs: expiry(visit) }, null);
}

/**
 * Sends a fault to the client if that is a program on the person's own computer. Anybody can register a
 * web site, so its faults are shown with a link, or this address would redirect anywhere (RFC 9700,
 * section 4.11.2).
 */
function tellFault(
  visit: SignInVisit,
  { fault, client }: Extract<Beginning, { fault: OAuthFault }>,
): Response {
  if (client === undefined) return showFault(visit, fault.description);
  const url = faultUrl(visit.services, client, fault);
  if (isOnOwnComputer(client.redirectUri)) return returnTo(visit, url);
  return showFault(visit, `${fault.description} (${fault.error})`, {
    url,
    host: redirectTarget(client.redirectUri),
  });
}

/** `POST /oauth/authorize`: the page of the second step, or the first one again. */
export async function takeProof(visit: SignInVisit, form: URLSearchParams): Promise<Response> {
  const { services } = visit;
  const ticket = readTicket<Ticket>(visit, 'sign-in', form);
  if (ticket === null) return showLostForm(visit);
  if (form.get('decision') !== 'continue') return cancel(visit, ticket.request);
  const entered = form.get('secret') ?? '';
  const proof = { entered, clientAddress: addressOf(visit) };
  const owner = proveOwner(services, ticket.request, proof);
  if (typeof owner === 'string') return showProof(visit, ticket, owner);
  return showConsent(visit, ticket, owner);
}

/** `POST /oauth/consent`: back to the client, with a code or a refusal. */
export async function takeConsent(visit: SignInVisit, form: URLSearchParams): Promise<Response> {
  const { services } = visit;
  limitStrangers(services, 'sign_in', addressOf(visit));
  const ticket = readTicket<ConsentTicket>(visit, 'consent', form);
  if (ticket === null) return showLostForm(visit);
  const { request, apiKeyId, organizationIds } = ticket;
  if (form.get('decision') !== 'allow') return cancel(visit, request);
  const chosen = organizationIds.find((id) => id === form.get('organization'));
  const organization = chosen === undefined ? null : services.directory.findOrganization(chosen);
  if (organization === null) return showLostForm(visit);
  const url = await grantAccess(services, { request, organization, apiKeyId });
  return url === null
    ? showFault(visit, 'The key that you entered is no longer valid.')
    : returnTo(visit, url);
}

function showProof(visit: SignInVisit, ticket: Ticket, fault: string | null): Response {
  const sealed = seal(visit.services.signIn.secret, 'sign-in', ticket);
  const html = provePage(stepOf(visit, ticket, sealed), fault);
  return showForm(visit, { html, redirectUri: ticket.request.redirectUri });
}

function showConsent(visit: SignInVisit, { request, nonce }: Ticket, owner: Owner): Response {
  const ticket: ConsentTicket = {
    ...{ request, nonce, untilMs: expiry(visit), apiKeyId: owner.apiKeyId },
    organizationIds: owner.organizations.map(({ id }) => id),
  };
  const sealed = seal(visit.services.signIn.secret, 'consent', ticket);
  const html = consentPage(stepOf(visit, ticket, sealed), owner);
  return showForm(visit, { html, redirectUri: request.redirectUri });
}

function stepOf({ services }: SignInVisit, { request }: Ticket, ticket: string) {
  const basePath = new URL(services.signIn.issuer).pathname.replace(/\/$/, '');
  return { request, ticket, basePath };
}

/** Browsers apply `form-action` also to the redirect that answers a form. */
function showForm(
  visit: SignInVisit,
  { html, redirectUri }: { readonly html: string; readonly redirectUri: string },
): Response {
  const { protocol, hostname, origin } = new URL(redirectUri);
  // A policy cannot name an IPv6 address, and an app’s scheme has no host.
  const isHost = ['https:', 'http:'].includes(protocol) && !hostname.startsWith('[');
  const formAction = ["'self'", isHost ? origin : protocol];
  Object.assign(visit.set.headers, pageHeaders(html, { formAction, isStep: true }));
  return whole(visit, html);
}

function showFault(visit: SignInVisit, description: string, back: WayBack | null = null): Response {
  const html = faultPage(description, back);
  Object.assign(visit.set.headers, pageHeaders(html));
  return whole(visit, html, 400);
}

function showLostForm(visit: SignInVisit): Response {
  return showFault(visit, 'This page is older than ten minutes, or another site sent its form.');
}

function cancel(visit: SignInVisit, request: SignInRequest): Response {
  const { fault } = refused('access_denied', 'The person did not allow it.');
  return returnTo(visit, faultUrl(visit.services, request, fault));
}

function returnTo(visit: SignInVisit, url: string): Response {
  const { headers } = visit.set;
  headers['location'] = url;
  headers['cache-control'] = 'no-store';
  headers['referrer-policy'] = 'no-referrer';
  // Other statuses would repeat the POST at the client, with what the person entered.
  return whole(visit, null, 303);
}

/** The ticket of a form, if our own page sent it in time and from the same browser; else null. */
function readTicket<One extends Ticket>(
  { services, request }: SignInVisit,
  purpose: SealPurpose,
  form: URLSearchParams,
): One | null {
  const { secret, issuer } = services.signIn;
  const ticket = unseal<One>(secret, purpose, form.get('ticket') ?? '');
  const isOurs =
    ticket !== null &&
    ticket.untilMs > services.platform.now() &&
    ticket.nonce === nonceOf(request) &&
    request.headers.get('origin') === new URL(issuer).origin;
  return isOurs ? ticket : null;
}

function expiry({ services }: SignInVisit): number {
  return services.platform.now() + TICKET_MS;
}

function makeNonce({ services }: SignInVisit): string {
  return Buffer.from(services.platform.randomBytes(NONCE_BYTES)).toString('base64url');
}

function nonceOf({ headers }: Request): string | null {
  const pattern = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]{43})(?:;|$)`);
  return pattern.exec(headers.get('cookie') ?? '')?.[1] ?? null;
}

function addressOf({ request }: SignInVisit): string {
  return arrivalOf(request).connection.address();
}
