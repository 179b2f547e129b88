import type { DocumentDecoration } from 'elysia';
import Type, { type TObject, type TSchema } from 'typebox';
import type { Scope } from '../../domain/api-key.ts';

/** How a key is sent: either will do. */
export const KEYS = [{ apiKey: [] }, { bearer: [] }];

/** Only where there is a body. */
const BODY_ERRORS: Readonly<Record<string, string>> = {
  '409': 'Another request with the same Idempotency-Key is being answered.',
  '413': 'The body is too large.',
  '415': 'The body is of another media type.',
  '422': 'The Idempotency-Key was used with another body.',
};

const ERRORS: Readonly<Record<string, string>> = {
  '400': 'The input is wrong; `details.issues` lists every fault.',
  '401': 'No, wrong, expired or revoked key.',
  '403': 'The key lacks the scope.',
  '404': 'There is no such thing.',
  ...BODY_ERRORS,
  '429': 'The rate limit is used up; `Retry-After` says until when.',
  '503': 'Come back after `Retry-After`.',
};

export const EVENT_STREAM = 'text/event-stream';

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** What OpenAPI tells of a route beside its path, its query and its parameters. */
export interface RouteContract {
  /** Null: anyone may call it. */
  readonly scope: Scope | null;
  /** Whether organizations that take public assistants answer it without a key. */
  readonly isPublic?: boolean;
  readonly summary: string;
  readonly description: string;
  /** What a JSON body holds. Its own reader enforces it: see "Decisions" in the README. */
  readonly body?: TSchema;
  /** Bodies worth showing, by name. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  /** Media types of bodies beside JSON. */
  readonly furtherBodies?: readonly string[];
  /** What a 200 holds; left out: there is no 200. */
  readonly answer?: TSchema;
  /** Media type of a 200; JSON if left out. */
  readonly answerType?: string;
  /** What a 201 holds. */
  readonly created?: TSchema;
  /** What a 200, and a 201, looks like. */
  readonly answerExample?: unknown;
  readonly createdExample?: unknown;
  /** Headers that a caller may send, by name. */
  readonly requestHeaders?: TObject;
  /** Statuses without a body, and what each means. */
  readonly furtherAnswers?: Readonly<Record<string, string>>;
  /** What a fault holds, as JSON; a problem if left out. */
  readonly faultAnswer?: TSchema;
}

/** The `detail` of a route: its OpenAPI operation. */
export interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters: object[];
  readonly requestBody?: { readonly required: true; readonly content: object };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

export function operation(contract: RouteContract): Operation & DocumentDecoration {
  const { scope, isPublic, summary, description, body, requestHeaders } = contract;
  const told: Operation = {
    summary,
    description,
    ...(scope === null && { security: [] }),
    ...(isPublic === true && { security: [...KEYS, {}] }),
    parameters: parametersOf(requestHeaders, 'header'),
    ...(body !== undefined && { requestBody: { required: true, content: bodyContent(contract) } }),
    responses: responsesOf(contract),
  };
  return told as Operation & DocumentDecoration;
}

/** Whether a route answers with events that never end: such a GET has no HEAD. */
export function isStream({ responses }: Partial<Operation> = {}): boolean {
  return EVENT_STREAM in (responses?.['200']?.content ?? {});
}

function responsesOf(contract: RouteContract): Operation['responses'] {
  const { answer, answerExample, created, createdExample, furtherAnswers = {} } = contract;
  const { answerType = 'application/json' } = contract;
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
    ...Object.fromEntries(
      Object.entries(furtherAnswers).map(([status, description]) => [
        status,
        { description, headers: REQUEST_ID },
      ]),
    ),
    ...errorsOf(contract),
  };
}

function errorsOf({ scope, body, faultAnswer }: RouteContract): Operation['responses'] {
  const isHits = scope === 'hits';
  const statuses =
    scope === null
      ? ['503']
      : Object.keys(ERRORS).filter(
          (status) =>
            (body !== undefined || !(status in BODY_ERRORS)) &&
            (isHits || !['409', '422'].includes(status)),
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
    'application/json': {
      schema: plain(body),
      ...(Object.keys(examples).length > 0 && { examples }),
    },
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

/** A schema as plain JSON: what the compiler hides in symbols falls away. */
export function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}
