import { afterEach, beforeEach, expect, test } from 'bun:test';
import { ask } from '../support/mcp.ts';
import { type LocalService, startService } from '../support/start-service.ts';

interface WidgetContents {
  readonly _meta: {
    readonly ui: { readonly csp: Readonly<Record<string, readonly string[]>> };
    readonly 'openai/widgetCSP': Readonly<Record<string, readonly string[]>>;
  };
}

let service: LocalService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

async function readWidget(): Promise<WidgetContents> {
  const params = { uri: 'ui://vitrine/offerings.html' };
  const { result } = await ask(service.fetch, 'resources/read', params);
  return (result as unknown as { contents: [WidgetContents] }).contents[0];
}

const itemOf = (image: string | null, variantImage: string | null = null) => ({
  name: 'Mug',
  price: '9.00',
  image,
  variants: [{ id: 'v', title: 'Red', price: '9.00', image: variantImage }],
});

test('the widget names the hosts of all pictures, most frequent first, and opens no connection', async () => {
  const { operator, platform } = service;
  await operator.importRows([
    { externalId: '1', ...itemOf('https://rare.example/1.jpg') },
    {
      externalId: '2',
      ...itemOf('https://cdn.example/2.jpg', 'https://variants.example:8443/2.jpg'),
    },
    { externalId: '3', ...itemOf('https://cdn.example/3.jpg', 'https://cdn.example/3-red.jpg') },
    { externalId: '4', ...itemOf(null) },
  ]);
  const origins = ['https://cdn.example', 'https://rare.example', 'https://variants.example:8443'];
  const { _meta } = await readWidget();
  expect(_meta.ui.csp).toEqual({ connectDomains: [], resourceDomains: origins });
  expect(_meta['openai/widgetCSP']).toEqual({ connect_domains: [], resource_domains: origins });

  await operator.importRows([{ externalId: '5', ...itemOf('https://new.example/5.jpg') }]);
  platform.advance(60_000);
  const { csp } = (await readWidget())._meta.ui;
  expect(csp['resourceDomains']).toContain('https://new.example');
});
