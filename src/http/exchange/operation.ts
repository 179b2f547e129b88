import type { DocumentDecoration } from 'elysia';
import Type, { type TObject, type TSchema } from 'typebox';
import type { Scope } from '../../domain/api-key.ts';

/** How a key is sent: either will do. */
export const KEYS = [{ apiKey: [] }, { bearer: [] }];

/** Statuses of operations with a request body. */
const BODY_ERRORS: Readonly<Record<string, string>> = {
  '409': 'Another request with the same Idempotency-Key is being answered.',
  '413': 'The body is too large.',
  '415': 'The media type of the body is not supported.',
  '422': 'The Idempotency-Key was already used with a different body.',
};

const ERRORS: Readonly<Record<string, string>> = {
  '400': 'The input is invalid; `details.issues` lists every fault.',
  '401': 'The key is missing, wrong, expired or revoked.',
  '403': 'The key lacks the scope.',
  '404': 'The requested resource does not exist.',
  ...BODY_ERRORS,
  '429': 'The rate limit is exceeded; `Retry-After` says when to retry.',
  '503':
    'The service is temporarily unavailable, for example while it loads the catalogue; retry after `Retry-After`.',
};

export const EVENT_STREAM = 'text/event-stream';

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** What OpenAPI says about a route besides its path, query and parameters. */
export interface RouteContract {
  /** The scope that a key needs; null if anyone may call the route. */
  readonly scope: Scope | null;
  /** Whether organizations that take public assistants answer it without a key. */
  readonly isPublic?: boolean;
  readonly summary: string;
  readonly description: string;
  /** Schema of a JSON body. A reader of ours enforces it, not Elysia. */
  readonly body?: TSchema;
  /** Example bodies, by name. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  /** Media types of bodies besides JSON. Without `body`, the only ones. */
  readonly furtherBodies?: readonly string[];
  /** Schema of a 200 response; absent if there is none. */
  readonly answer?: TSchema;
  /** Media type of a 200 response; JSON by default. */
  readonly answerType?: string;
  /** Schema of a 201 response. */
  readonly created?: TSchema;
  /** Schema of a 202 response. */
  readonly accepted?: TSchema;
  /** Examples of a 200, a 201 and a 202 response. */
  readonly answerExample?: unknown;
  readonly createdExample?: unknown;
  readonly acceptedExample?: unknown;
  /** Optional request headers, by name. */
  readonly requestHeaders?: TObject;
  /** Descriptions of responses without a body, by status. */
  readonly furtherAnswers?: Readonly<Record<string, string>>;
  /** Schema of an error response in JSON; problem details by default. */
  readonly faultAnswer?: TSchema;
}

/** A route's `detail` option: its OpenAPI operation. */
export interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters: object[];
  readonly requestBody?: { readonly required: true; readonly content: object };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

export function operation(contract: RouteContract): Operation & DocumentDecoration {
  const { scope, isPublic, summary, description, requestHeaders } = contract;
  const told: Operation = {
    summary,
    description,
    ...(scope === null && { security: [] }),
    ...(isPublic === true && { security: [...KEYS, {}] }),
    parameters: parametersOf(requestHeaders, 'header'),
    ...(hasBody(contract) && { requestBody: { required: true, content: bodyContent(contract) } }),
    responses: responsesOf(contract),
  };
  return told as Operation & DocumentDecoration;
}

function hasBody({ body, furtherBodies = [] }: RouteContract): boolean {
  return body !== undefined || furtherBodies.length > 0;
}

/** Whether a route answers with an endless event stream. Such a GET has no HEAD. */
export function isStream({ responses }: Partial<Operation> = {}): boolean {
  return EVENT_STREAM in (responses?.['200']?.content ?? {});
}

function responsesOf(contract: RouteContract): Operation['responses'] {
  const { answer, answerExample, created, createdExample, furtherAnswers = {} } = contract;
  const { accepted, acceptedExample, answerType = 'application/json' } = contract;
  const success = (description: string, type: string, content: object) => ({
    description,
    headers: REQUEST_ID,
    content: { [type]: content },
  });
  return {
    ...(answer && { '200': success('OK', answerType, content(answer, answerExample)) }),
    ...(created && {
      '201': success('Created', 'application/json', content(created, createdExample)),
    }),
    ...(accepted && {
      '202': success('Accepted', 'application/json', content(accepted, acceptedExample)),
    }),
    ...Object.fromEntries(
      Object.entries(furtherAnswers).map(([status, description]) => [
        status,
        { description, headers: REQUEST_ID },
      ]),
    ),
    ...errorsOf(contract),
  };
}

function errorsOf(contract: RouteContract): Operation['responses'] {
  const { scope, faultAnswer, requestHeaders } = contract;
  const isRepeatable = 'Idempotency-Key' in (requestHeaders?.properties ?? {});
  const statuses =
    scope === null
      ? hasBody(contract)
        ? ['400', '401', '413', '429', '503']
        : ['503']
      : Object.keys(ERRORS).filter(
          (status) =>
            (hasBody(contract) || !(status in BODY_ERRORS)) &&
            (isRepeatable || !['409', '422'].includes(status)),
        );
  const problem = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
  const fault =
    faultAnswer === undefined ? problem : { 'application/json': { schema: plain(faultAnswer) } };
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: ERRORS[status],
        headers: { ...REQUEST_ID, ...(['429', '503'].includes(status) && RETRY_AFTER) },
        content: fault,
      },
    ]),
  );
}

function content(schema: unknown, example: unknown): object {
  return { schema: plain(schema), ...(example !== undefined && { example }) };
}

function bodyContent({ body, bodyExamples = {}, furtherBodies = [] }: RouteContract): object {
  const examples = Object.fromEntries(
    Object.entries(bodyExamples).map(([name, value]) => [name, { value }]),
  );
  const further = furtherBodies.map((type) => [type, { schema: { type: 'string' } }]);
  return {
    ...(body !== undefined && {
      'application/json': {
        schema: plain(body),
        ...(Object.keys(examples).length > 0 && { examples }),
      },
    }),
    ...Object.fromEntries(further),
  };
}

export function parametersOf(
  schema: TObject = Type.Object({}),
  place: 'path' | 'query' | 'header',
): object[] {
  const required = new Set(schema.required as string[] | undefined);
  return Object.entries(
    schema.properties as Record<string, { description?: string; default?: unknown }>,
  ).map(([name, property]) => {
    const { description, examples, ...rest } = plain(property) as {
      description?: string;
      examples?: unknown[];
    };
    return {
      name,
      in: place,
      required: place === 'path' || (required.has(name) && !('default' in property)),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(examples === undefined ? {} : { example: examples[0] }),
    };
  });
}

/** A schema as plain JSON, without TypeBox's symbol keys. */
export function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}
