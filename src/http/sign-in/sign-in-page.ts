import { readPage } from '../../assets/pages.ts';
import { escapeHtml } from '../../domain/html.ts';
import { ENDPOINTS } from '../../oauth/metadata.ts';
import { redirectTarget } from '../../oauth/redirect-uri.ts';
import type { SignInRequest } from '../../operations/sign-in/begin-sign-in.ts';
import type { Owner } from '../../operations/sign-in/prove-owner.ts';

const FRAME = readPage('sign-in');

/** Text that is HTML already. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** One step of a sign-in: its form, and what the form carries. */
export interface Step {
  readonly request: SignInRequest;
  /** The sealed state of the sign-in. */
  readonly ticket: string;
  /** The path of the public URL; empty at the root of its host. */
  readonly basePath: string;
}

/** The first step: names the client, and asks the person for a key or a link. */
export function provePage({ request, ticket, basePath }: Step, fault: string | null): string {
  return framed(html`
<h1>Connect ${nameOf(request)}</h1>
<p class="lead">It asks to use the catalogue of this shop on your behalf.</p>
<form class="panel" method="post" action="${basePath + ENDPOINTS.authorize}">
<input type="hidden" name="ticket" value="${ticket}">
${aboutClient(request)}
${fault === null ? '' : html`<p class="fault" role="alert">${fault}</p>`}
<label>API key, or the link that “vitrine admin link” prints
<input type="password" name="secret" autocomplete="off" spellcheck="false" autofocus></label>
<div class="row"><button class="strong" name="decision" value="continue">Continue</button>
<button name="decision" value="cancel">Cancel</button></div>
<p class="small">${nameOf(request)} never sees what you enter. It gets its own access, which you can revoke at any time.</p>
</form>`);
}

/** The second step: asks whether to allow the client's access. */
export function consentPage({ request, ticket, basePath }: Step, owner: Owner): string {
  const { apiKeyId, organizations } = owner;
  const [only, ...others] = organizations;
  const choice =
    others.length === 0
      ? html`${only!.name}<input type="hidden" name="organization" value="${only!.id}">`
      : html`<select name="organization" aria-label="Organization">${organizations.map(
          ({ id, name }) => html`<option value="${id}">${name}</option>`,
        )}</select>`;
  const end = apiKeyId === null ? '' : ` It also ends with the key vk_${apiKeyId}.`;
  return framed(html`
<h1>Allow ${nameOf(request)}?</h1>
<p class="lead">It will see what the shop’s own site shows, and nothing else.</p>
<form class="panel" method="post" action="${basePath + ENDPOINTS.consent}">
<input type="hidden" name="ticket" value="${ticket}">
${aboutClient(request, html`<dt>Organization</dt><dd>${choice}</dd>`)}
<ul><li>products and services with prices and availability</li>
<li>policies, opening hours and other information about the shop</li>
<li>links to product pages, bookings and checkouts</li></ul>
<p>It sees no orders, customers, reports or keys, changes nothing, and places no order.</p>
<div class="row"><button class="strong" name="decision" value="allow">Allow</button>
<button name="decision" value="cancel">Cancel</button></div>
<p class="small">Access ends after 30 days without use, or when you revoke it in “vitrine admin”.${end}</p>
</form>`);
}

/** The address that tells a client about a fault, and its host. */
export interface WayBack {
  readonly url: string;
  readonly host: string;
}

/** A fault. `back` is null if the client must not be told. */
export function faultPage(description: string, back: WayBack | null): string {
  return framed(html`
<h1>This sign-in cannot continue</h1>
<p class="lead" role="alert">${description}</p>
<p>Nothing was allowed. Close this page and connect the assistant again.</p>
${back === null ? '' : html`<p><a href="${back.url}">Return to ${back.host}</a></p>`}`);
}

function nameOf({ clientName }: SignInRequest): string {
  return clientName === '' ? 'An assistant' : clientName;
}

/** A client may claim any name, but the answer goes only to its redirect URI. */
function aboutClient(request: SignInRequest, further: Html | string = ''): Html {
  return html`<dl><dt>Calls itself</dt><dd>${nameOf(request)}</dd>
<dt>Returns to</dt><dd>${redirectTarget(request.redirectUri)}</dd>${further}</dl>`;
}

function framed({ text }: Html): string {
  return FRAME.replace('<!-- content -->', () => text.trim());
}

/** Escapes every value that is not HTML itself. */
function html(
  texts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const shown = values.map((value) => {
    if (typeof value === 'string') return escapeHtml(value);
    return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
  });
  return new Html(String.raw({ raw: texts }, ...shown));
}
