import Type, { type TObject } from 'typebox';
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

/** The route that describes all the others, itself included. */
export function openApiRoute(routes: readonly Route[]): OpenRoute {
  const self: OpenRoute = {
    method: 'GET',
    path: '/openapi.json',
    scope: null,
    summary: 'This description',
    description: 'OpenAPI 3.1, generated from the schemas in force.',
    answer: Type.Object({}),
    handle: (visit) => json(visit, document),
  };
  const document = describe([...routes, self]);
  return self;
}

function describe(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.scope === null ? route.path : `${route.path}/`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'vitrine',
      version: '3.0.0',
      description:
        'An organization’s product catalogue for its own programs. Every path answers with and without its trailing slash.',
    },
    paths,
    components: {
      schemas: { Problem: plain(Problem) },
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  };
}

function describeRoute(route: Route): Record<string, unknown> {
  const { summary, description, query, params, body, answer, created, scope } = route;
  const answerType = route.answerType ?? 'application/json';
  const errors =
    scope === null
      ? ['503']
      : Object.keys(ERRORS).filter((status) => body !== undefined || !(status in BODY_ERRORS));
  const problem = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
  return {
    operationId: route.path.replace(/\W+/g, '_').replace(/^_|_$/g, ''),
    summary,
    description,
    ...(scope === null ? { security: [] } : { security: [{ apiKey: [] }] }),
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...(body === undefined ? {} : { requestBody: { required: true, content: bodyContent(route) } }),
    responses: {
      '200': { description: 'OK', content: { [answerType]: { schema: plain(answer) } } },
      ...(created && {
        '201': {
          description: 'Created',
          content: { 'application/json': { schema: plain(created) } },
        },
      }),
      ...Object.fromEntries(
        errors.map((status) => [status, { description: ERRORS[status], content: problem }]),
      ),
    },
  };
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

function parameters(schema: TObject | undefined, place: 'path' | 'query'): unknown[] {
  if (schema === undefined) return [];
  const required = new Set(schema.required as string[] | undefined);
  return Object.entries(
    schema.properties as Record<string, { description?: string; default?: unknown }>,
  ).map(([name, property]) => {
    const { description, ...rest } = plain(property) as { description?: string };
    return {
      name,
      in: place,
      required: place === 'path' || (required.has(name) && !('default' in property)),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

/** A schema as plain JSON: what the compiler hides in symbols falls away. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}
