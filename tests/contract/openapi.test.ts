import { describe, expect, test } from 'bun:test';
import { Compile } from 'typebox/schema';
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

interface OpenApi {
  readonly paths: Record<string, Record<'get' | 'post', Operation>>;
  readonly components: { readonly schemas: { readonly Problem: object } };
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly requestBody: {
    readonly content: Record<
      string,
      { schema: object; examples: Record<string, { value: unknown }> }
    >;
  };
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Record<string, { content: Record<string, { schema: object }> }>;
}

/** Of the organization in examples. */
const EXAMPLE_ID = '0199e5a0-7c1e-7a3b-9d52-3f1c8b2e4d60';

test('the published contract is the committed one: a difference is one that somebody read', async () => {
  const service = await startService();
  expect(await (await service.asStranger('/openapi.json')).json()).toMatchSnapshot();
  await service.close();
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
    const { schema } = (await published()).paths[path]!.get.responses['200']!.content[
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
    const operation = paths['/rest/search/v3/']!.get;
    expect(operation.responses[String(status)]!.content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    });
    const { asStranger, fetch } = service();
    const response = await (status === 401 ? asStranger(path) : fetch(path));
    expect(response.status).toBe(status);
    expect(Compile(components.schemas.Problem).Check(await response.json())).toBe(true);
  });

  test('200, 201: what hits are answered with, and shown as examples, is what the contract says', async () => {
    const { post } = (await published()).paths['/rest/hits/']!;
    const { schema, examples } = post.requestBody.content['application/json']!;
    for (const [name, { value }] of Object.entries(examples)) {
      expect(Compile(schema).Check(value)).toBe(true);
      const own = JSON.stringify(value).replaceAll(EXAMPLE_ID, service().organization.id);
      const headers = { 'content-type': 'application/json' };
      const response = await service().fetch('/rest/hits/', { method: 'POST', headers, body: own });
      expect(response.status).toBe(name === 'batch' ? 200 : 201);
      const answer = post.responses[String(response.status)]!.content['application/json']!.schema;
      expect(Compile(answer).Errors(await response.json())[1]).toEqual([]);
    }
  });

  test('every operation has a name of its own, and says whether it wants a key', async () => {
    const operations = Object.entries((await published()).paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, security } of operations) {
      expect(security).toEqual(path.startsWith('/rest/') ? [{ apiKey: [] }] : []);
    }
  });
});
