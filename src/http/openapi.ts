import Type, { type TObject } from 'typebox';
import packageJson from '../../package.json' with { type: 'json' };
import { Problem } from './errors.ts';
import { json, type OpenRoute, type Route } from './route.ts';

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

/** Groups of operations by how their paths begin, in the order of the reference. */
const TAGS = [
  { name: 'Search', path: '/rest/search/', description: 'Questions, and what fits them.' },
  { name: 'Assistants', path: '/mcp', description: 'The Model Context Protocol over HTTP.' },
  { name: 'Hits', path: '/rest/hits', description: 'What people, assistants and crawlers did.' },
  { name: 'Landing page', path: '/rest/org/', description: 'The shop told to assistants.' },
  { name: 'Service', path: '/', description: 'How it is, without a key.' },
] as const;

const DESCRIPTION = `An organization’s product catalogue for assistants and for its own programs.

Every path answers with and without its trailing slash. Keys go into \`X-API-Key\`, or behind \`Authorization: Bearer\`, and belong on servers alone.`;

const HEADERS = {
  RequestId: {
    description: 'The caller’s own, or a new one: name it when asking about an answer.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds.', schema: { type: 'integer', minimum: 0 } },
};

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** The route that describes all the others, itself included. */
export function openApiRoute(routes: readonly Route[]): OpenRoute {
  const self: OpenRoute = {
    method: 'GET',
    path: '/openapi.json',
    scope: null,
    summary: 'This description',
    description: 'OpenAPI 3.1, generated from the schemas in force.',
    answer: Type.Object({ openapi: Type.String(), paths: Type.Object({}) }),
    answerExample: { openapi: '3.1.0', paths: {} },
    handle: (visit) => json(visit, document),
  };
  const document = describe([...routes, self]);
  return self;
}

function describe(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = pathOf(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'vitrine',
      version: packageJson.version,
      description: DESCRIPTION,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that this description is from.' }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: { Problem: plain(Problem) },
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

/** As the specification spells it: MCP's fixed paths and those without a key have no slash at their end. */
function pathOf({ path, scope }: Route): string {
  const isBare = scope === null || (scope === 'mcp' && !path.endsWith('}'));
  return isBare ? path : `${path}/`;
}

function describeRoute(route: Route): Record<string, unknown> {
  const { method, path, summary, description, query, params, requestHeaders, body, scope } = route;
  return {
    operationId: `${method.toLowerCase()}_${path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`,
    tags: [TAGS.find((tag) => path.startsWith(tag.path))!.name],
    summary,
    description,
    ...(scope === null && { security: [] }),
    parameters: [
      ...parameters(params, 'path'),
      ...parameters(query, 'query'),
      ...parameters(requestHeaders, 'header'),
    ],
    ...(body !== undefined && { requestBody: { required: true, content: bodyContent(route) } }),
    responses: responsesOf(route),
  };
}

function responsesOf(route: Route): Record<string, unknown> {
  const { answer, answerExample, created, createdExample, furtherAnswers = {} } = route;
  const { answerType = 'application/json' } = route;
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
    ...errorsOf(route),
  };
}

function errorsOf({ scope, body, faultAnswer }: Route): Record<string, unknown> {
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

function bodyContent({ body, bodyExamples = {}, furtherBodies = [] }: Route): object {
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

function parameters(schema: TObject | undefined, place: 'path' | 'query' | 'header'): unknown[] {
  if (schema === undefined) return [];
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
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}
