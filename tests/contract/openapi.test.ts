import { describe, expect, test } from 'bun:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Compile } from 'typebox/schema';
import packageJson from '../../package.json' with { type: 'json' };
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

interface OpenApi {
  readonly info: { readonly version: string };
  readonly security: readonly object[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: { readonly Problem: object } };
}

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Record<string, { readonly value: unknown }>;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: object;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, { readonly content?: Record<string, Media> }>;
}

/** Every operation with its method and path. */
function operationsOf({ paths }: OpenApi) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
}

/** Of the organization in examples. */
const EXAMPLE_ID = '0199e5a0-7c1e-7a3b-9d52-3f1c8b2e4d60';

test('the published contract is the committed one: a difference is one that somebody read', async () => {
  const service = await startService();
  expect(await (await service.asStranger('/openapi.json')).json()).toMatchSnapshot();
  await service.close();
});

describe('the description', () => {
  async function read(): Promise<OpenApi> {
    const service = await startService();
    const document = await (await service.asStranger('/openapi.json')).json();
    await service.close();
    return document as OpenApi;
  }

  test('is OpenAPI 3.1, of the version that runs', async () => {
    const document = await read();
    expect(document.info.version).toBe(packageJson.version);
    await SwaggerParser.validate(document as never, { resolve: { external: false } });
  });

  test('names every operation once, and says whether it wants a key', async () => {
    const document = await read();
    expect(document.security).toEqual([{ apiKey: [] }, { bearer: [] }]);
    const operations = operationsOf(document);
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    const eitherWay = [...document.security, {}];
    for (const { path, security } of operations) {
      const isPublic = /^\/(?:mcp|llms|\.well-known|rest\/org)/.test(path);
      const ofKeys = /^\/rest\/(?!webhooks)/.test(path) ? undefined : [];
      expect(security).toEqual(isPublic ? eitherWay : ofKeys);
    }
  });

  test('has every address of the interface', async () => {
    const { paths } = await read();
    const listed = Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)]);
    expect(listed).toContainEqual(['/rest/search/v2/', ['get']]);
    expect(listed).toContainEqual(['/rest/search/v3/{shop_id}/', ['get']]);
    expect(listed).toContainEqual(['/rest/hits/', ['post']]);
    expect(listed).toContainEqual(['/rest/org/ai/{organization_id}/', ['get']]);
    for (const path of ['/mcp', '/mcp/org/{organization_id}/'])
      expect(Object.keys(paths[path]!)).toContain('post');
  });

  test('shows an example of everything that is required, taken or answered, and each fits its schema', async () => {
    for (const { path, method, parameters, requestBody, responses } of operationsOf(await read())) {
      const where = `${method} ${path}`;
      for (const { name, required, schema, example } of parameters) {
        if (required) expect([where, name, example]).not.toContain(undefined);
        if (example !== undefined) expectToFit(`${where} ${name}`, schema, example);
      }
      const body = requestBody?.content['application/json'];
      for (const [name, { value }] of Object.entries(body?.examples ?? {}))
        expectToFit(`${where} ${name}`, body!.schema, value);
      if (body !== undefined) expect(Object.keys(body.examples ?? {}).length).toBeGreaterThan(0);
      for (const status of ['200', '201']) {
        for (const media of Object.values(responses[status]?.content ?? {})) {
          expect([where, status, media.example]).not.toContain(undefined);
          expectToFit(`${where} ${status}`, media.schema, media.example);
        }
      }
    }
  });

  function expectToFit(name: string, schema: object, example: unknown): void {
    const [, errors] = Compile(schema).Errors(example);
    expect([name, errors]).toEqual([name, []]);
  }
});

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  async function published(): Promise<OpenApi> {
    return (await (await service().asStranger('/openapi.json')).json()) as OpenApi;
  }

  test.each([
    ['/rest/search/v2/', '?q=lighthouse'],
    ['/rest/search/v2/', '?q=mug&products_only=true'],
    ['/rest/search/v2/{shop_id}/', '?q=return'],
    ['/rest/search/v3/', '?q=lighthouse'],
    ['/rest/search/v3/', '?q=mug&limit=100&skip_scoring=true'],
    ['/rest/search/v3/', '?q=lighthuose&unknown=1'],
    ['/rest/search/v3/{shop_id}/', '?q=xylophone'],
    ['/healthz', ''],
    ['/readyz', ''],
  ])('200: %s%s is what the contract says', async (path, query) => {
    const { schema } = (await published()).paths[path]!['get']!.responses['200']!.content![
      'application/json'
    ]!;
    const response = await service().fetch(path.replace('{shop_id}', 'shop-1') + query);
    expect(response.status).toBe(200);
    const [isValid, errors] = Compile(schema).Errors(await response.json());
    expect(errors).toEqual([]);
    expect(isValid).toBe(true);
  });

  test.each([
    [400, '/rest/search/v3/?limit=x'],
    [401, '/rest/search/v2/?q=a'],
    [404, '/rest/search/v2/nobody/?q=a'],
  ])('%i: a problem is what the contract says', async (status, path) => {
    const { paths, components } = await published();
    const operation = paths['/rest/search/v3/']!['get']!;
    expect(operation.responses[String(status)]!.content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    });
    const { asStranger, fetch } = service();
    const response = await (status === 401 ? asStranger(path) : fetch(path));
    expect(response.status).toBe(status);
    expect(Compile(components.schemas.Problem).Check(await response.json())).toBe(true);
  });

  test('200, 201: what hits are answered with, and shown as examples, is what the contract says', async () => {
    const post = (await published()).paths['/rest/hits/']!['post']!;
    const { examples = {} } = post.requestBody!.content['application/json']!;
    for (const [name, { value }] of Object.entries(examples)) {
      const own = JSON.stringify(value).replaceAll(EXAMPLE_ID, service().organization.id);
      const headers = { 'content-type': 'application/json' };
      const response = await service().fetch('/rest/hits/', { method: 'POST', headers, body: own });
      expect(response.status).toBe(name === 'batch' ? 200 : 201);
      const { content } = post.responses[String(response.status)]!;
      const answer = content!['application/json']!.schema;
      expect(Compile(answer).Errors(await response.json())[1]).toEqual([]);
    }
  });
});
