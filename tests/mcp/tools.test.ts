import { describe, expect, test } from 'bun:test';
import { Compile } from 'typebox/schema';
import { ask, callTool as call, connectMcp, post, type RpcAnswer, textOf } from '../support/mcp.ts';
import { startService } from '../support/start-service.ts';
import { TARGETS, useService } from '../support/targets.ts';

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
  readonly annotations: object;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

describe.each(TARGETS)('$name', (target) => {
  const service = useService(target);

  test('there are exactly the five tools, each with title, schemas and all four hints', async () => {
    const { tools } = (await ask(service().fetch, 'tools/list')).result as unknown as {
      tools: Listed[];
    };
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'get_booking_link',
      'get_product_link',
      'list_all_offerings',
      'search_offerings',
      'single_product_express_checkout',
    ]);
    for (const { title, description, annotations, inputSchema, outputSchema } of tools) {
      expect([title, description].every((text) => text.length > 10)).toBe(true);
      expect(inputSchema).toMatchObject({ type: 'object' });
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
    const shown = {
      ui: { resourceUri: 'ui://vitrine/offerings.html' },
      'ui/resourceUri': 'ui://vitrine/offerings.html',
      'openai/outputTemplate': 'ui://vitrine/offerings.html',
    };
    const called = { 'openai/widgetAccessible': true };
    expect(Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta]))).toEqual({
      list_all_offerings: shown,
      search_offerings: shown,
      get_product_link: undefined,
      get_booking_link: called,
      single_product_express_checkout: called,
    });
  });

  test('schemas say which members are always there, and give no list of types, which some models refuse', async () => {
    const { tools } = (await ask(service().fetch, 'tools/list')).result as unknown as {
      tools: Listed[];
    };
    for (const { inputSchema, outputSchema } of tools) {
      expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('"type":[');
      const text = JSON.stringify(outputSchema);
      expect(text.match(/"required":\[/g)).toHaveLength(text.match(/"properties":/g)!.length);
    }
  });

  test('every answer fits the schema that its tool announces, to the SDK’s client and to TypeBox', async () => {
    const client = await connectMcp(service().fetch);
    const { tools } = await client.listTools();
    const calls: [string, Record<string, string>][] = [
      ['search_offerings', { question: 'lighthouse' }],
      ['search_offerings', { question: 'xylophone' }],
      ['list_all_offerings', {}],
      ['get_product_link', { product_id: 'lighthouse-lamp' }],
      ['get_booking_link', { offering_id: 'workshop' }],
      ['single_product_express_checkout', { product_id: 'lighthouse-red' }],
    ];
    for (const [name, args] of calls) {
      // The client itself checks the answer against the schema, and throws.
      const { structuredContent, isError } = await client.callTool({ name, arguments: args });
      const { outputSchema } = tools.find((tool) => tool.name === name)!;
      const [, faults] = Compile(outputSchema as object).Errors(structuredContent);
      expect([name, isError, faults]).toEqual([name, undefined, []]);
      const announced = Object.keys(outputSchema!.properties as object);
      expect(Object.keys(structuredContent as object)).toEqual(announced);
    }
    await client.close();
  });

  test.each([
    'lighthouse',
    'mug for tea',
    'yellow anorak',
    'how do I return a mug',
    'mugs under 20',
    'nothing like it',
  ])('search_offerings gives for %j the offerings of REST, in their order', async (question) => {
    const { fetch } = service();
    const response = await fetch(`/rest/search/v3/?q=${encodeURIComponent(question)}`);
    const rest = (await response.json()) as {
      results: { type: string; id: string; score: number }[];
      scoring: string;
      total: number;
    };
    const { structuredContent } = await call(fetch, 'search_offerings', { question });
    const { results, contexts, meta, scoring } = structuredContent as unknown as {
      results: { id: string; score: number }[];
      contexts: { id: string; score: number }[];
      scoring: string;
      meta: { total: number };
    };
    const ofRest = (type: string, limit: number) =>
      rest.results
        .filter((result) => result.type === type)
        .slice(0, limit)
        .map(({ id, score }) => [id, score]);
    expect(results.map(({ id, score }) => [id, score])).toEqual(ofRest('product', 10));
    expect(contexts.map(({ id, score }) => [id, score])).toEqual(ofRest('context', 3));
    expect([meta.total, scoring]).toEqual([rest.total, rest.scoring]);
  });

  test('texts stand alone: name, price, currency, availability, link and id, a line each', async () => {
    const answer = await call(service().fetch, 'search_offerings', { question: 'lighthouse lamp' });
    const [id] = (answer.structuredContent!['results'] as { id: string }[]).map(
      (result) => result.id,
    );
    expect(textOf(answer)).toContain(
      `1. Lighthouse lamp <small>: 49.90 EUR (was 59.90), in stock. https://shop.example/products/lighthouse-lamp [id ${id}]`,
    );
    expect(textOf(answer)).toContain('- About our lighthouse: The lighthouse on our label');
  });

  test('an answer without offerings does not also say that these are the nearest', async () => {
    const { content } = await call(service().fetch, 'search_offerings', { question: 'qwzx' });
    expect(content[0]!.text).toStartWith('No offering matches “qwzx”.');
    expect(content[0]!.text).not.toContain('nearest');
  });

  test('list_all_offerings lists what is available, and counts what is not', async () => {
    const answer = await call(service().fetch, 'list_all_offerings');
    const { count, total, truncated, results } = answer.structuredContent as unknown as {
      count: number;
      total: number;
      truncated: boolean;
      results: { available: boolean; name: string }[];
    };
    expect([count, total, truncated, results.length]).toEqual([62, 62, false, 62]);
    expect(results.every(({ available }) => available)).toBe(true);
    expect(textOf(answer)).toContain('1 more is out of stock.');
  });

  test('an offering is known by whatever a model has seen of it, in any case', async () => {
    const { fetch } = service();
    const search = await call(fetch, 'search_offerings', { question: 'lighthouse lamp' });
    const [{ id }] = search.structuredContent!['results'] as [{ id: string }];
    for (const reference of [
      id,
      id.toUpperCase(),
      ` ${id} `,
      'lighthouse-lamp',
      'LIGHTHOUSE-LAMP',
      'lighthouse-red',
      'LIGHT-B',
      'light-b',
      'https://shop.example/products/lighthouse-lamp',
      'https://shop.example/products/lighthouse-lamp/?utm_source=chat#top',
      'https://shop.example/products/lighthouse-lamp?variant=lighthouse-red',
    ]) {
      const { structuredContent } = await call(fetch, 'get_product_link', {
        product_id: reference,
      });
      expect([reference, structuredContent?.['productId']]).toEqual([reference, id]);
    }
    for (const unknown of ['returns', 'x', '01999999-9999-7999-8999-999999999999', "'; --", '%']) {
      const answer = await call(fetch, 'get_product_link', { product_id: unknown });
      expect([unknown, answer.isError]).toEqual([unknown, true]);
      expect(textOf(answer)).toContain('search_offerings');
    }
  });

  test('another organization’s offering is never found, by none of its names', async () => {
    const other = await service().operator.createOrganization('Lagoon');
    const foreign = service().as(other.apiKey);
    const { structuredContent } = await call(service().fetch, 'list_all_offerings');
    const [{ id }] = structuredContent!['results'] as [{ id: string }];
    for (const reference of [
      id,
      'lighthouse-lamp',
      'LIGHT-B',
      'https://shop.example/products/lighthouse-lamp',
    ]) {
      for (const name of ['get_product_link', 'single_product_express_checkout']) {
        const answer = await call(foreign, name, { product_id: reference });
        expect(answer).toEqual(await call(foreign, name, { product_id: 'nothing' }));
      }
    }
    const read = await ask(foreign, 'resources/read', {
      uri: `landing://${service().organization.id}`,
    });
    expect(read.error?.code).toBe(-32002);
  });

  test('a misunderstanding is told with the next step, as an answer and not as a fault', async () => {
    const { fetch } = service();
    const sold = await call(fetch, 'single_product_express_checkout', { product_id: 'anorak-1' });
    expect([sold.isError, textOf(sold)]).toEqual([
      true,
      '“Yellow anorak” is out of stock. Offer another one from search_offerings.',
    ]);
    expect(sold._meta).toEqual({ 'vitrine/soldOut': true });
    const blue = await call(fetch, 'single_product_express_checkout', { product_id: 'LIGHT-B' });
    expect(textOf(blue)).toContain('Its page: https://shop.example/products/lighthouse-lamp');
    const mug = await call(fetch, 'get_booking_link', { offering_id: 'mug-1' });
    expect([mug.isError, textOf(mug)]).toEqual([
      true,
      '“Stoneware mug number 1” cannot be booked by a link. Say so.',
    ]);
  });

  test.each([
    [{}, 'is required'],
    [{ question: 1 }, 'must be a string'],
    [{ question: ' ' }, 'must hold more than blanks'],
    [{ question: 'x'.repeat(1025) }, 'is longer than 1024 characters'],
  ])('a wrong argument is named, and its value not repeated: %j', async (args, message) => {
    const answer = await ask(service().fetch, 'tools/call', {
      name: 'search_offerings',
      arguments: args,
    });
    expect(answer.error).toMatchObject({
      code: -32602,
      data: { issues: [{ path: 'arguments.question', message }] },
    });
  });

  test.each([
    [undefined, -32602],
    ['2025-03-26', -32602],
    ['2025-06-18', -32602],
    ['2025-11-25', undefined],
  ])(
    'revision %p: a model is told how to mend a wrong argument from 2025-11-25 on',
    async (revision, code) => {
      const ask = async (params: object): Promise<RpcAnswer> => {
        const headers = revision === undefined ? {} : { 'mcp-protocol-version': revision };
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        return (await (await post(service().fetch, message, { headers })).json()) as RpcAnswer;
      };
      const { error, result } = await ask({
        name: 'search_offerings',
        arguments: { question: ' ' },
      });
      expect(error?.code).toBe(code);
      if (code === undefined)
        expect(result).toEqual({
          content: [
            {
              type: 'text',
              text: 'Wrong arguments: arguments.question must hold more than blanks. Call search_offerings again with arguments that fit its input schema.',
            },
          ],
          isError: true,
        });
      expect((await ask({ name: 'no_such_tool', arguments: {} })).error?.code).toBe(-32602);
    },
  );

  test('a question of exactly 1,024 characters is answered, and what else is sent is ignored', async () => {
    const answer = await call(service().fetch, 'search_offerings', {
      question: '🫖'.repeat(1024),
      limit: 'all',
    });
    expect(answer.isError).toBeUndefined();
  });
});

test('the cards are told what is booked and not bought, and models are not', async () => {
  const service = await startService();
  await service.operator.importRows([
    { externalId: 'class', name: 'Pottery class', kind: 'service' },
    { externalId: 'table', name: 'Pottery table', bookingUrl: 'https://shop.example/book' },
    { externalId: 'bowl', name: 'Pottery bowl' },
  ]);
  for (const [name, args] of [
    ['list_all_offerings', {}],
    ['search_offerings', { question: 'pottery' }],
  ] as const) {
    const { _meta, structuredContent } = await call(service.fetch, name, args);
    const { results } = structuredContent as { results: { id: string; name: string }[] };
    const booked = _meta?.['vitrine/bookable'] as string[];
    const names = results.filter(({ id }) => booked.includes(id)).map((result) => result.name);
    expect(names.sort()).toEqual(['Pottery class', 'Pottery table']);
    expect(JSON.stringify(structuredContent)).not.toContain('bookable');
  }
});
