import { expect, test } from 'bun:test';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { loadWithBridge } from '../support/widget-page.ts';

const KIND = { currency: 'EUR', available: true, type: 'product' };

/** A result in which every field is this value, whatever belongs there. */
function filledWith(value: unknown) {
  const fields = ['name', 'description', 'vendor', 'productType', 'price', 'compareAtPrice'];
  const further = [
    'currency',
    'availability',
    'publicUrl',
    'url',
    'image',
    'slug',
    'reason',
    'type',
  ];
  const whole = Object.fromEntries([...fields, ...further].map((name) => [name, value]));
  const usual = { ...whole, ...KIND, price: '1.00', id: 'usual' };
  // Never an id, so that there is no button for it.
  const id = typeof value === 'string' ? `<${value}` : value;
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: {
      query: value,
      count: 2,
      results: [{ ...whole, id }, usual],
      contexts: [{ ...whole, type: 'context' }],
      currency: value,
      meta: { lowConfidence: value },
    },
  };
}

/** Every element with its attributes, texts left out. */
function shape(root: Element | null): string[] {
  return [...(root?.querySelectorAll('*') ?? [])].map((found) => {
    const names = found.getAttributeNames().filter((name) => name !== 'data-failed');
    return `${found.tagName} ${names.sort().join(' ')}`;
  });
}

test('no hostile text becomes an element, an attribute, an address or a request', async () => {
  expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(200);
  const page = await loadWithBridge();
  const opened: string[] = [];
  page.bridge.onopenlink = async ({ url }) => {
    opened.push(url);
    return {};
  };
  const main = () => page.window.document.querySelector('main') as unknown as Element;
  const show = async (value: unknown) => {
    await page.bridge.sendToolInput({ arguments: { question: value } });
    await page.bridge.sendToolResult(filledWith(value) as never);
    await page.settle();
  };
  await show('harmless');
  const expected = shape(main());
  const head = page.window.document.head.childElementCount;
  for (const text of HOSTILE_TEXTS) {
    await show(text);
    expect(shape(main())).toEqual(expected);
    expect(page.text('h2')).toBe(text.replace(/\s+/g, ' ').trim());
  }
  expect(page.window.document.head.childElementCount).toBe(head);
  // The page's own: its messages and its code.
  expect(page.window.document.querySelectorAll('script').length).toBe(2);
  await page.window.happyDOM.waitUntilComplete();
  expect([page.requests, opened]).toEqual([[], []]);
  await page.close();
}, 120_000);

test('no hostile text in a failure, a reason, an answer to an order or a message becomes more than text', async () => {
  const page = await loadWithBridge();
  const opened: string[] = [];
  page.bridge.onopenlink = async ({ url }) => {
    opened.push(url);
    return {};
  };
  const elements = () => shape(page.window.document.querySelector('main') as unknown as Element);
  let hostile = 'harmless';
  page.bridge.oncalltool = async () => ({
    content: [],
    structuredContent: { checkoutUrl: hostile, url: hostile },
  });
  const states = async () => {
    const content = [{ type: 'text' as const, text: hostile }];
    await page.bridge.sendToolResult({ content, isError: true });
    await page.settle();
    const failed = elements();
    await page.bridge.sendToolResult({ content });
    await page.settle();
    const plain = elements();
    await page.bridge.sendToolCancelled({ reason: hostile });
    await page.settle();
    const cancelled = elements();
    const results = [{ ...KIND, id: 'usual', name: hostile }];
    await page.bridge.sendToolResult({ content: [], structuredContent: { results } } as never);
    await page.settle();
    page.click('button.main');
    await page.settle();
    return [failed, plain, cancelled, elements()];
  };
  const expected = await states();
  for (const text of HOSTILE_TEXTS) {
    hostile = text;
    expect(await states()).toEqual(expected);
  }
  await page.window.happyDOM.waitUntilComplete();
  expect([page.requests, opened]).toEqual([[], []]);
  await page.close();
}, 120_000);

test.each([
  ['numbers', 7],
  ['lists', [[], {}, null]],
  ['objects', { toString: 'x', name: { a: 1 } }],
  ['null', null],
  ['true', true],
])('fields that are %s break nothing', async (_, value) => {
  const page = await loadWithBridge();
  await page.bridge.sendToolResult(filledWith(value) as never);
  await page.settle();
  expect(page.window.document.querySelectorAll('.card').length).toBe(2);
  for (const results of [value, [value], { length: 3 }]) {
    await page.bridge.sendToolResult({ content: [], structuredContent: { results } } as never);
    await page.settle();
    expect(page.window.document.querySelector('main')?.childElementCount).toBeGreaterThan(0);
  }
  await page.close();
});
