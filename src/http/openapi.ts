import packageJson from '../../package.json' with { type: 'json' };
import { Problem } from './exchange/errors.ts';
import { KEYS, type Operation, parametersOf, plain } from './exchange/operation.ts';
import type { Room } from './exchange/other-methods.ts';
import type { RouteSchema } from './exchange/route-schema.ts';

/** Groups of operations by path prefix, in the order of the reference. */
const TAGS = [
  { name: 'Search', path: '/rest/search/', description: 'Search products and contexts.' },
  { name: 'Assistants', path: '/mcp', description: 'The Model Context Protocol over HTTP.' },
  {
    name: 'Hits',
    path: '/rest/hits',
    description: 'Record what people, assistants and crawlers did.',
  },
  {
    name: 'Catalogue',
    path: '/rest/catalog/',
    description: 'Change the catalogue from a program.',
  },
  {
    name: 'Webhooks',
    path: '/rest/webhooks/',
    description: 'What shop systems send by themselves.',
  },
  {
    name: 'Landing page',
    path: '/rest/org/',
    description: 'The page that introduces the shop to assistants.',
  },
  {
    name: 'Service',
    path: '/',
    description: 'Health and description of the service, without a key.',
  },
] as const;

const DESCRIPTION = `An organization’s product catalogue for AI assistants and its own programs.

Every path works with and without a trailing slash. Send the API key in \`X-API-Key\` or as \`Authorization: Bearer\`. Use keys on servers only.`;

const HEADERS = {
  RequestId: {
    description:
      'The request id that the caller sent, or a new one. Quote it when you report a problem.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 0 },
  },
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
    servers: [{ url: '/', description: 'The service that serves this document.' }],
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

/**
 * The spelling of the specification: the fixed MCP paths, and paths that need no key, have no
 * trailing slash.
 */
function withSlash(template: string): string {
  return template.startsWith('/rest/') || template.endsWith('}') ? `${template}/` : template;
}
