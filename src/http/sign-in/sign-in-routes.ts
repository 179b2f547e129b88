import { Elysia } from 'elysia';
import type { AppError } from '../../domain/errors.ts';
import { ENDPOINTS, resourceMetadata, serverMetadata } from '../../oauth/metadata.ts';
import { mainResource, resourceAt } from '../../oauth/resource.ts';
import type { SignIn } from '../../operations/sign-in/sign-in-services.ts';
import { admission } from '../exchange/admission.ts';
import { CROSS_ORIGIN_SIGN_IN } from '../exchange/cross-origin.ts';
import { noSuchAddress, problemBody } from '../exchange/errors.ts';
import {
  byHost,
  byPath,
  type OrganizationRule,
  publicOrganization,
} from '../exchange/public-address.ts';
import { urlOf } from '../exchange/request-url.ts';
import { type AnswerSet, arrivalOf, type HttpServices, json } from '../exchange/visit.ts';
import {
  answerRegistration,
  answerRevocation,
  answerToken,
  oauthFault,
  plainFault,
  readForm,
} from './client-endpoints.ts';
import { type SignInVisit, showSignIn, takeConsent, takeProof } from './sign-in-steps.ts';

/** The MCP endpoints, each with the rule that says whose organization it is. */
const RESOURCES: readonly (readonly [path: string, OrganizationRule])[] = [
  ['', byHost],
  ['/mcp', byHost],
  ['/mcp/messages', byHost],
  ['/mcp/org/:organization_id', byPath],
];

const PAGES: ReadonlySet<string> = new Set([ENDPOINTS.authorize, ENDPOINTS.consent]);

const POST = { open: true, parse: 'none' } as const;

/**
 * The authorization server and its metadata. If the public URL has a path, metadata is served below that
 * path and at the root of the host, where clients look for it.
 */
export function signInRoutes(services: HttpServices, signIn: SignIn) {
  const { issuer } = signIn;
  const basePath = new URL(issuer).pathname.replace(/\/$/, '');
  const open = { ...services, signIn };
  const visitOf = (request: Request, set: unknown): SignInVisit => ({
    services: open,
    request,
    set: set as AnswerSet,
  });
  const room = new Elysia()
    .use(admission(services))
    .onTransform(({ request, route, set }) => {
      const isPage = PAGES.has(route);
      arrivalOf(request).faultBody = isPage ? plainFault : oauthFault;
      if (!isPage) Object.assign(set.headers, CROSS_ORIGIN_SIGN_IN);
    })
    .get(ENDPOINTS.authorize, ({ request, set }) => showSignIn(visitOf(request, set)), {
      open: true,
    })
    .post(
      ENDPOINTS.authorize,
      async ({ request, set }) => {
        const visit = visitOf(request, set);
        return takeProof(visit, new URLSearchParams(await readForm(visit)));
      },
      POST,
    )
    .post(
      ENDPOINTS.consent,
      async ({ request, set }) => {
        const visit = visitOf(request, set);
        return takeConsent(visit, new URLSearchParams(await readForm(visit)));
      },
      POST,
    )
    .post(ENDPOINTS.token, ({ request, set }) => answerToken(visitOf(request, set)), POST)
    .post(ENDPOINTS.revoke, ({ request, set }) => answerRevocation(visitOf(request, set)), POST)
    .post(
      ENDPOINTS.register,
      ({ request, set }) => answerRegistration(visitOf(request, set)),
      POST,
    );
  for (const base of new Set(['', basePath])) {
    room.get(
      ENDPOINTS.serverMetadata + base,
      ({ request, set }) => {
        if (isPublicOnly(services)) throw absentAddress(request);
        return json({ set: set as AnswerSet }, serverMetadata(issuer));
      },
      { open: true },
    );
    const prefix = ENDPOINTS.resourceMetadata + base;
    for (const [path, rule] of RESOURCES)
      room.get(
        prefix + path,
        ({ request, set, params }) => {
          const url = urlOf(request);
          if (publicOrganization(services, rule, { request, url, params }) !== null)
            throw absentAddress(request);
          const resource = resourceAt(issuer, url.pathname.slice(prefix.length));
          const answer = resourceMetadata(issuer, resource ?? mainResource(issuer));
          return json({ set: set as AnswerSet }, answer);
        },
        { open: true },
      );
  }
  return room;
}

/** Whether every organization answers without a key, so that nobody needs to sign in. */
function isPublicOnly({ directory }: HttpServices): boolean {
  return directory.organizations().every(({ publicAssistants }) => publicAssistants.isOn);
}

/** The answer of an address that does not exist. */
function absentAddress(request: Request): AppError {
  arrivalOf(request).faultBody = problemBody;
  return noSuchAddress();
}
