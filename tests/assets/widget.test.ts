import { describe, expect, test } from 'bun:test';
import { widgetHtml } from '../../src/assets/widget.ts';
import { LANGUAGES } from '../../src/messages/languages.ts';
import { translatorFor } from '../../src/messages/translator.ts';
import { found, loadWidget, loadWithBridge, OFFERING, showing } from '../support/widget-page.ts';

describe('the page', () => {
  test.each(LANGUAGES)('is one self-contained document under 40 KB in %s', (language) => {
    const html = widgetHtml(translatorFor(language));
    expect(html).toContain(`<html lang="${language}">`);
    expect(Buffer.byteLength(html)).toBeLessThan(40_000);
    expect(html).not.toMatch(
      /<(?:link|base|iframe|object|embed|img)\b|\bsrc=|@import|url\(|\bimport\b/,
    );
  });

  test('has no way to make markup or code of a text', () => {
    expect(widgetHtml(translatorFor('en'))).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|\bon[a-z]+=|createContextualFragment|DOMParser/,
    );
  });
});

describe('in a host of the MCP Apps bridge', () => {
  test('shakes hands, says what it can show, and tells its height', async () => {
    const page = await showing(found([OFFERING]));
    expect(page.bridge.getAppVersion()).toMatchObject({ name: 'vitrine-offerings' });
    expect(page.bridge.getAppCapabilities()).toEqual({
      availableDisplayModes: ['inline', 'fullscreen'],
    });
    expect(page.heights.length).toBeGreaterThan(0);
    await page.close();
  });

  test('waits aloud with the question, until the result is there', async () => {
    const page = await loadWithBridge();
    await page.bridge.sendToolInput({ arguments: { question: 'a moka pot' } });
    await page.settle();
    expect(page.text('h1')).toBe('Searching for “a moka pot”…');
    expect(page.window.document.querySelector('main')?.getAttribute('aria-busy')).toBe('true');
    await page.bridge.sendToolResult(found([OFFERING]) as never);
    await page.settle();
    expect(page.text('#announcement')).toBe('1 offering.');
    expect(page.window.document.querySelector('main')?.getAttribute('aria-busy')).toBe('false');
    await page.close();
  });

  test('shows name, vendor, price with the struck one, and availability', async () => {
    const page = await showing(found([OFFERING]));
    expect(page.text('.card')).toBe(
      'SBrannvikSkerry French PressPrice €44.00 was €55.00In stockView Skerry French PressBuy Skerry French Press',
    );
    await page.close();
  });

  test.each([
    ['free', { price: '0.00', compareAtPrice: null }, 'Price Free'],
    ['free and reduced', { price: '0.00' }, 'Price Free was €55.00'],
    ['unknown', { price: null }, ''],
    ['no minor digits', { price: '4200', compareAtPrice: null, currency: 'JPY' }, 'Price JP¥4,200'],
    ['three of them', { price: '1.250', compareAtPrice: null, currency: 'KWD' }, 'Price KWD 1.250'],
    ['no currency', { price: '12.50', compareAtPrice: null, currency: null }, 'Price 12.50'],
    ['an invalid currency', { price: '1', compareAtPrice: null, currency: 'EURO' }, 'Price 1'],
    ['not a price', { price: '1e9', compareAtPrice: null }, ''],
    ['a lower former price', { compareAtPrice: '44.00' }, 'Price €44.00'],
  ])('price: %s', async (_, change, expected) => {
    const page = await showing(found([{ ...OFFERING, ...change }]));
    expect(page.text('.price').replace(/\u00a0/g, ' ')).toBe(expected);
    await page.close();
  });

  test.each([
    [{ availability: 'limited_stock' }, 'Only a few left', 'Buy'],
    [{ availability: 'preorder' }, 'Pre-order', 'Buy'],
    [{ availability: 'backorder' }, 'On backorder', 'Buy'],
    [{ availability: 'out_of_stock', available: false }, 'Out of stock', 'Sold out'],
    [{ availability: 'discontinued', available: false }, 'No longer sold', 'Sold out'],
    [{ availability: undefined }, 'Available', 'Buy'],
    [{ availability: undefined, available: false }, 'Not available', 'Sold out'],
    [{ availability: 'unknown', available: undefined }, '', 'Buy'],
    [{ bookable: true }, 'Available', 'Book'],
    [
      { bookable: true, available: false, availability: 'out_of_stock' },
      'Out of stock',
      'Unavailable',
    ],
  ])('availability of %j: %s, %s', async (change, words, button) => {
    const page = await showing(found([{ ...OFFERING, ...change }]));
    expect([page.text('.availability'), page.text('.main')]).toEqual([
      words,
      `${button} Skerry French Press`,
    ]);
    await page.close();
  });

  test('follows theme, locale, place and safe area, without drawing the cards again', async () => {
    const page = await showing(found([OFFERING]), { context: { theme: 'light', locale: 'en-IE' } });
    const root = page.window.document.documentElement;
    const card = page.window.document.querySelector('.card');
    await page.bridge.sendHostContextChange({
      theme: 'dark',
      displayMode: 'fullscreen',
      safeAreaInsets: { top: 12, right: 0, bottom: 34, left: 0 },
    });
    await page.settle();
    expect([root.dataset['theme'], root.dataset['display']]).toEqual(['dark', 'fullscreen']);
    expect(root.style.getPropertyValue('--inset-bottom')).toBe('34px');
    expect(page.window.document.querySelector('.card')).toBe(card);
    await page.bridge.sendHostContextChange({ locale: 'ar-EG' });
    await page.settle();
    expect(root.dir).toBe('rtl');
    await page.bridge.sendHostContextChange({ locale: 'de_DE' });
    await page.settle();
    expect([root.dir, page.text('.price').replace(/\u00a0/g, ' ')]).toEqual([
      'ltr',
      'Price 44,00 € was 55,00 €',
    ]);
    await page.close();
  });

  test('takes a host’s colours only as a whole, and no value that would be a request', async () => {
    const whole = Object.fromEntries(
      ['background', 'text'].flatMap((of) =>
        ['primary', 'secondary', 'inverse'].map((name) => [`--color-${of}-${name}`, '#123456']),
      ),
    );
    const variableOf = async (variables: object, name: string) => {
      const page = await loadWithBridge({ context: { styles: { variables: variables as never } } });
      const value = page.window.document.documentElement.style.getPropertyValue(name);
      await page.close();
      return value;
    };
    expect(await variableOf(whole, '--color-text-primary')).toBe('#123456');
    const { '--color-text-primary': _, ...half } = whole;
    expect(await variableOf(half, '--color-background-primary')).toBe('');
    expect(await variableOf({ '--font-sans': 'Inter' }, '--font-sans')).toBe('Inter');
    const request = { ...whole, '--color-background-primary': 'url(https://evil.example/x)' };
    expect(await variableOf(request, '--color-background-primary')).toBe('');
    expect(await variableOf({ ...whole, '--surface': 'red' }, '--surface')).toBe('');
  });

  test('announces empty, doubtful, failed, cancelled and text-only results', async () => {
    const nothing = await showing(found([]));
    expect(nothing.text()).toStartWith('Nothing found for “coffee”');
    const doubtful = await showing(found([OFFERING], { meta: { lowConfidence: true } }));
    expect(doubtful.text('.note')).toBe('Nothing matches exactly. These come closest.');
    const failure = { isError: true, content: [{ type: 'text', text: 'Ask again in a moment.' }] };
    const failed = await showing(failure);
    expect(failed.text()).toBe('The offerings could not be loaded' + 'Ask again in a moment.');
    const plain = await showing({ content: [{ type: 'text', text: 'A press, 44 EUR' }] });
    expect(plain.text()).toBe('A press, 44 EUR');
    const cancelled = await loadWithBridge();
    await cancelled.bridge.sendToolCancelled({ reason: 'timeout' });
    await cancelled.settle();
    expect(cancelled.text()).toBe('Search cancelledtimeout');
    await Promise.all([nothing, doubtful, failed, plain, cancelled].map((page) => page.close()));
  });

  test('lists contexts below, also where there is no offering', async () => {
    const returns = { type: 'context', name: 'Returns', description: '45 days.', publicUrl: null };
    const page = await showing(found([], { contexts: [returns] }));
    expect(page.text('.contexts')).toBe('Good to know' + 'Returns' + '45 days.');
    expect(page.window.document.querySelectorAll('.card').length).toBe(0);
    await page.close();
  });

  test('shows six of a long list, counts all, and brings the rest in portions', async () => {
    const results = Array.from({ length: 30 }, (_, at) => ({ ...OFFERING, id: `id-${at}` }));
    const list = { structuredContent: { count: 30, total: 130, truncated: true, results } };
    const page = await showing({ content: [], ...list });
    const count = () => page.window.document.querySelectorAll('.card').length;
    expect([count(), page.text('.count'), page.text('.more')]).toEqual([
      6,
      '30 of 130 offerings',
      'Show 12 more',
    ]);
    page.click('.more button');
    expect([count(), page.text('.more')]).toEqual([18, 'Show 12 more']);
    expect(page.window.document.activeElement?.closest('li')).toBe(
      page.window.document.querySelectorAll('.cards > li')[6] as never,
    );
    page.click('.more button');
    expect([count(), page.window.document.querySelector('.more')]).toEqual([30, null]);
    await page.close();
  });

  test('listens only to its host', async () => {
    const page = await showing(found([OFFERING]));
    const forged = {
      jsonrpc: '2.0',
      method: 'ui/notifications/tool-result',
      params: found([{ ...OFFERING, name: 'Forged' }]),
    };
    page.post(forged, 'stranger');
    await page.settle();
    expect(page.text('h2')).toBe('Skerry French Press');
    page.post(forged, 'host');
    await page.settle();
    expect(page.text('h2')).toBe('Forged');
    await page.close();
  });

  test('answers ping and unknown requests, says goodbye, and is silent from then on', async () => {
    const page = await showing(found([OFFERING]));
    expect(page.bridge.request({ method: 'tools/list', params: {} } as never)).rejects.toThrow(
      'no method tools/list',
    );
    expect(await page.bridge.teardownResource({})).toEqual({});
    await page.bridge.sendToolResult(found([]) as never);
    await page.settle();
    expect(page.text('h2')).toBe('Skerry French Press');
    await page.close();
  });
});

describe('in ChatGPT', () => {
  /** The widget on top of `window.openai` alone. */
  async function chatGpt(globals: object) {
    const said: unknown[] = [];
    const record =
      (name: string) =>
      async (...parameters: unknown[]) => {
        said.push([name, ...parameters]);
      };
    const openai = {
      openExternal: record('openExternal'),
      sendFollowUpMessage: record('sendFollowUpMessage'),
      notifyIntrinsicHeight: record('notifyIntrinsicHeight'),
      ...globals,
    };
    const page = await loadWidget((window) => Object.assign(window, { openai }));
    return { ...page, openai, said };
  }

  test('shows what is there at once, in its theme, locale and safe area', async () => {
    const page = await chatGpt({
      toolOutput: found([OFFERING]).structuredContent,
      theme: 'dark',
      locale: 'de-DE',
      displayMode: 'inline',
      safeArea: { insets: { top: 0, right: 0, bottom: 20, left: 0 } },
    });
    const root = page.window.document.documentElement;
    expect(page.text('.price').replace(/\u00a0/g, ' ')).toBe('Price 44,00 € was 55,00 €');
    expect([root.dataset['theme'], root.style.getPropertyValue('--inset-bottom')]).toEqual([
      'dark',
      '20px',
    ]);
    expect(page.said).toContainEqual(['notifyIntrinsicHeight', expect.any(Number)]);
    await page.close();
  });

  test('waits for globals that come later', async () => {
    const page = await chatGpt({ toolOutput: null, toolInput: { question: 'a moka pot' } });
    expect(page.text('h1')).toBe('Searching for “a moka pot”…');
    Object.assign(page.openai, { toolOutput: found([OFFERING]).structuredContent });
    page.window.dispatchEvent(new page.window.CustomEvent('openai:set_globals'));
    await page.settle();
    expect(page.text('h2')).toBe('Skerry French Press');
    await page.close();
  });

  test.each([
    ['as a tool result', { structuredContent: { checkoutUrl: 'https://shop.example.com/c' } }],
    ['as text', { result: '{"checkoutUrl":"https://shop.example.com/c"}' }],
  ])('buys through callTool, answered %s', async (_, answer) => {
    const calls: unknown[] = [];
    const page = await chatGpt({
      toolOutput: found([OFFERING]).structuredContent,
      callTool: async (...call: unknown[]) => {
        calls.push(call);
        return answer;
      },
    });
    page.click('button.main');
    await page.settle();
    expect(calls).toEqual([['single_product_express_checkout', { product_id: OFFERING.id }]]);
    expect(page.said).toContainEqual(['openExternal', { href: 'https://shop.example.com/c' }]);
    await page.close();
  });

  test('asks in the conversation where there is no callTool', async () => {
    const page = await chatGpt({ toolOutput: found([OFFERING]).structuredContent });
    page.click('button.main');
    await page.settle();
    const prompt = `Please get the checkout link for offering ${OFFERING.id}.`;
    expect(page.said).toContainEqual(['sendFollowUpMessage', { prompt }]);
    await page.close();
  });
});

test('says so when opened without an assistant', async () => {
  const page = await loadWidget(() => undefined);
  expect(page.text()).toStartWith('Nothing to show here');
  await page.close();
});
