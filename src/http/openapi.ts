import packageJson from '../../package.json' with { type: 'json' };
import { Problem } from './exchange/errors.ts';
import { KEYS, type Operation, parametersOf, plain } from './exchange/operation.ts';
import type { Room } from './exchange/other-methods.ts';
import type { RouteSchema } from './exchange/route-schema.ts';

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

/** The OpenAPI 3.1 document of every route of `rooms` that has a `detail`. */
export function describeRooms(rooms: readonly Room[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, hooks } of rooms.flatMap(({ routes }) => [...routes])) {
    const detail = hooks.detail as Operation | undefined;
    if (detail === undefined) continue;
    const template = templateOf(path);
    const published = withSlash(template);
    paths[published] = {
      ...paths[published],
      [method.toLowerCase()]: {
        operationId: `${method.toLowerCase()}_${template.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`,
        tags: [TAGS.find((tag) => path.startsWith(tag.path))!.name],
        ...detail,
        parameters: [
          ...parametersOf((hooks.params as RouteSchema<unknown, unknown>)?.schema, 'path'),
          ...parametersOf((hooks.query as RouteSchema<unknown, unknown>)?.schema, 'query'),
          ...detail.parameters,
        ],
      },
    };
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
    security: KEYS,
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

/** `/rest/search/v3/{shop_id}` for Elysia's `/rest/search/v3/:shop_id`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** As the specification spells it: the fixed paths of MCP, and those that need no key, have no slash at their end. */
function withSlash(template: string): string {
  return template.startsWith('/rest/') || template.endsWith('}') ? `${template}/` : template;
}
