import { AppError, type ErrorCode } from '../../domain/errors.ts';
import { clientNetwork } from '../../domain/private-data.ts';
import { readClientMetadata, registerClient } from '../../oauth/client.ts';
import { SCOPE } from '../../oauth/metadata.ts';
import type { OAuthErrorCode, OAuthFault } from '../../oauth/oauth-fault.ts';
import { issueTokens } from '../../operations/sign-in/issue-tokens.ts';
import { limitStrangers } from '../../operations/sign-in/limits.ts';
import { revokeToken } from '../../operations/sign-in/revoke-token.ts';
import { mediaType, parseJson, readText, requireJson } from '../exchange/body.ts';
import { type AnswerSet, arrivalOf, type FaultBody, json } from '../exchange/visit.ts';
import type { SignInVisit } from './sign-in-steps.ts';

const BODY_BYTES_MAX = 32 * 1024;

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** `POST /oauth/token` */
export async function answerToken(visit: SignInVisit): Promise<string> {
  const { services, request, set } = visit;
  const form = await readForm(visit);
  const issued = await issueTokens(services, form, addressOf(request));
  set.headers['cache-control'] = 'no-store';
  return 'fault' in issued ? tell(set, issued.fault) : json({ set }, issued.value);
}

/** `POST /oauth/revoke` */
export async function answerRevocation(visit: SignInVisit): Promise<string> {
  const { services, request, set } = visit;
  const form = await readForm(visit);
  const revoked = await revokeToken(services, form, addressOf(request));
  return 'fault' in revoked ? tell(set, revoked.fault) : '';
}

/** `POST /oauth/register` (RFC 7591) */
export async function answerRegistration(visit: SignInVisit): Promise<string> {
  const { services, request, set } = visit;
  limitStrangers(services, 'registration', addressOf(request));
  requireJson(request);
  const metadata = readClientMetadata(parseJson(await readBody(visit)));
  if ('fault' in metadata) return tell(set, metadata.fault);
  const client = registerClient(services.signIn.secret, metadata.value);
  if ('fault' in client) return tell(set, client.fault);
  const { id, name, redirectUris } = client.value;
  const registered = {
    client_id: id,
    client_id_issued_at: Math.floor(services.platform.now() / 1000),
    ...(name === '' ? {} : { client_name: name }),
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: SCOPE,
  };
  return json({ set }, registered, 201);
}

/** The body of a form. Throws `unsupported_media_type` and what `readText` throws. */
export function readForm(visit: SignInVisit): Promise<string> {
  if (mediaType(visit.request) !== FORM_TYPE)
    throw new AppError('unsupported_media_type', `Send the body as ${FORM_TYPE}.`);
  return readBody(visit);
}

async function readBody({ services, request }: SignInVisit): Promise<string> {
  using claim = services.bodyBudget.claim({
    keyId: null,
    network: clientNetwork(addressOf(request)),
  });
  return await readText(request, { maxBytes: BODY_BYTES_MAX, claim: claim.add });
}

function tell(set: AnswerSet, fault: OAuthFault): string {
  return json({ set }, bodyOf(fault), fault.error === 'invalid_client' ? 401 : 400);
}

function bodyOf({ error, description }: OAuthFault): object {
  return { error, error_description: description };
}

const CODES: Partial<Record<ErrorCode, OAuthErrorCode>> = {
  rate_limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  internal: 'server_error',
};

/** What is thrown, in the protocol's own form. */
export const oauthFault: FaultBody = ({ code, message }) => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(bodyOf({ error: CODES[code] ?? 'invalid_request', description: message })),
});

/** What is thrown, for a person. */
export const plainFault: FaultBody = ({ message }) => ({
  type: 'text/plain; charset=utf-8',
  body: `${message}\n`,
});

function addressOf(request: Request): string {
  return arrivalOf(request).connection.address();
}
