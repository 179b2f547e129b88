import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Frame, Page } from 'playwright-core';
import type { Showing } from '../../scripts/widget/assistant.ts';
import { type AssistantPage, serveAssistantPage } from '../../scripts/widget/assistant-page.ts';
import { type SampleAnswers, sampleAnswers } from '../../scripts/widget/tool-results.ts';
import { widgetHtml } from '../../src/assets/widget.ts';
import { translatorFor } from '../../src/messages/translator.ts';
import { CHROMIUM, sharedChromium } from '../support/chromium.ts';
import { CONTRAST_MIN, faintTexts } from '../support/faint-texts.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';

if (CHROMIUM === null)
  process.stderr.write('skipped: the widget in a browser (there is no /usr/bin/chromium)\n');

const LONG =
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft '.repeat(4);

describe.skipIf(CHROMIUM === null)('the widget in Chromium', () => {
  let served: AssistantPage;
  let page: Page;
  let sample: SampleAnswers;
  let errors: string[] = [];
  let requests: string[] = [];
  beforeAll(async () => {
    served = await serveAssistantPage();
    sample = await sampleAnswers(served.picturesUrl);
    page = await (await sharedChromium()).newPage({ reducedMotion: 'reduce' });
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('request', (request) => requests.push(request.url()));
  }, 120_000);
  afterAll(async () => {
    await page.close();
    await served.stop();
  });

  /**
   * Shows the sample's search result in a new sandbox and under the policy of MCP Apps. A page for each
   * test would take three times the processor time.
   */
  async function show(change: Partial<Showing> = {}): Promise<Frame> {
    const showing: Showing = {
      html: widgetHtml(translatorFor('en')),
      imageOrigins: [served.url],
      width: 720,
      context: { theme: 'light', locale: 'en-IE', displayMode: 'inline' },
      input: { question: sample.question },
      result: sample.searched,
      answers: sample.answers,
      ...change,
    };
    errors = [];
    requests = [];
    await page.setViewportSize({ width: showing.width, height: 900 });
    if (page.url() !== `${served.url}/`) await page.goto(served.url);
    await page.waitForFunction(() => 'assistant' in globalThis);
    await page.evaluate((given) => assistant.show(JSON.parse(given)), JSON.stringify(showing));
    // The page may still have the frame of an earlier view.
    const frame = (await (await page.waitForSelector('iframe')).contentFrame())!;
    await frame.waitForSelector('h1, .plain');
    return frame;
  }

  test('runs under the policy of MCP Apps without an error, shows pictures, and asks for nothing else', async () => {
    const frame = await show();
    await frame.locator('[data-loaded]').nth(5).waitFor();
    const foreign = requests.filter((url) => !url.startsWith(served.url));
    expect([errors, foreign.filter((url) => !/^(?:about|data):/.test(url))]).toEqual([[], []]);
    const fit = await frame.evaluate(() => {
      const image = document.querySelector('img')!;
      return [
        getComputedStyle(image).objectFit,
        Math.abs(image.clientWidth - image.clientHeight) <= 1,
      ];
    });
    expect(fit).toEqual(['contain', true]);
  }, 120_000);

  test('keeps the placeholder if an image is blocked or broken', async () => {
    const frame = await show({ imageOrigins: [] });
    await frame.locator('.card').first().locator('img').waitFor({ state: 'detached' });
    expect(await frame.locator('.initial').first().isVisible()).toBe(true);
  }, 120_000);

  test('tells the host its height, so that nothing is cut off', async () => {
    const frame = await show();
    await page.waitForFunction(() => (assistant.asked.heights.at(-1) ?? 0) > 600);
    const height = await frame.evaluate(() => document.documentElement.scrollHeight);
    expect(await page.evaluate(() => assistant.asked.heights.at(-1))).toBe(height);
  }, 120_000);

  test('never scrolls sideways from 320 to 1200 pixels, not even with long names, in both directions', async () => {
    const results = (sample.searched.structuredContent!['results'] as object[]).map((result) => ({
      ...result,
      name: LONG,
      vendor: LONG,
      price: '123456789.00',
      compareAtPrice: '987654321.00',
    }));
    const structuredContent = { query: LONG, results, contexts: results.slice(0, 1) };
    for (const [locale, displayMode] of [
      ['en-IE', 'inline'],
      ['ar-EG', 'inline'],
      ['en-IE', 'fullscreen'],
    ] as const) {
      const frame = await show({
        result: { structuredContent },
        width: 1200,
        context: { locale, displayMode, theme: 'light' },
      });
      for (const width of [320, 375, 559, 560, 1200]) {
        await page.setViewportSize({ width, height: 900 });
        await frame.waitForFunction((wanted) => innerWidth === wanted, width);
        const room = await frame.evaluate(() => [
          document.documentElement.scrollWidth,
          innerWidth,
          Math.max(...[...document.querySelectorAll('h2')].map((name) => name.clientHeight)),
        ]);
        expect([locale, displayMode, width, ...room]).toEqual([
          locale,
          displayMode,
          width,
          width,
          width,
          40,
        ]);
      }
    }
  }, 120_000);

  test('text is readable in both themes: contrast of AA for every word', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const failed = { isError: true, content: [{ type: 'text' as const, text: 'Not now.' }] };
      const frame = await show({
        context: { theme },
        answers: { single_product_express_checkout: failed },
      });
      await frame.getByRole('button', { name: /^Buy/ }).first().click();
      await frame.waitForSelector('.outcome[data-failed]:not(:empty)');
      expect(await frame.evaluate(faintTexts, CONTRAST_MIN)).toEqual([]);
    }
  }, 120_000);

  test('is used by keyboard alone: the focus is seen, follows the cards, and orders', async () => {
    const frame = await show({ width: 360 });
    await frame.locator('h1').waitFor();
    const reached: string[] = [];
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press('Tab');
      reached.push(
        await frame.evaluate(() => {
          const found = document.activeElement!;
          const isSeen = getComputedStyle(found).outlineStyle === 'solid';
          return `${found.tagName} ${found.getAttribute('aria-label') ?? found.textContent} ${isSeen}`;
        }),
      );
    }
    expect(reached).toEqual([
      'BUTTON Show earlier offerings true',
      'BUTTON Show further offerings true',
      `UL “${sample.question}” true`,
      'A View Sextant Electric Burr Grinder true',
      'BUTTON Buy Sextant Electric Burr Grinder true',
      'A View Barista Course for Beginners true',
    ]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => assistant.asked.opened.length === 1);
    expect(await page.evaluate(() => assistant.asked)).toMatchObject({
      calls: [{ name: 'single_product_express_checkout' }],
      opened: ['https://shop.example.com/cart/42:1'],
    });
  }, 120_000);

  test('a variant is chosen and bought by keyboard alone, and can be read in both themes', async () => {
    const [first] = (sample.searched.structuredContent as { results: object[] }).results;
    const tee = {
      ...first,
      options: [{ name: 'Size', values: ['S', 'M'], soldOut: ['S'] }],
      variants: [{ id: 'm', title: 'M', price: '22.00', available: true }],
      variantCount: 2,
    };
    for (const theme of ['light', 'dark'] as const) {
      const result = { structuredContent: { query: 'tee', count: 1, results: [tee] } };
      const frame = await show({
        width: 360,
        context: { theme, locale: 'en-IE' },
        result,
      });
      await frame.getByRole('button', { name: /^Buy/ }).focus();
      await page.keyboard.press('Enter');
      expect(await frame.evaluate(() => document.activeElement!.tagName)).toBe('SELECT');
      expect(await frame.evaluate(faintTexts, CONTRAST_MIN)).toEqual([]);
      await page.keyboard.type('M');
      expect(await frame.locator('.price').textContent()).toBe('Price €22.00');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => assistant.asked.opened.length === 1);
      expect(await page.evaluate(() => assistant.asked)).toMatchObject({
        calls: [{ name: 'single_product_express_checkout', arguments: { variant: 'm' } }],
      });
    }
  }, 120_000);

  test('says to a screen reader what is seen', async () => {
    const frame = await show();
    const tree = await frame.locator('main').ariaSnapshot();
    for (const said of [
      'heading "“a gift for somebody who lives for coffee”" [level=1]',
      'listitem',
      'heading "Sextant Electric Burr Grinder" [level=2]',
      'Price €189.00 was €229.00',
      'link "View Sextant Electric Burr Grinder"',
      'button "Buy Sextant Electric Burr Grinder"',
      'button "Sold out Slow Tide Cold Brew Jug" [disabled]',
      'region "Good to know"',
    ])
      expect(tree.replace(/\s*- (?:text|deletion): /g, ' ')).toContain(said);
    expect(tree).not.toContain('img');
  }, 120_000);

  test('the carousel’s arrows move it, and are away where all is in view', async () => {
    const frame = await show({ width: 360 });
    await frame.getByRole('button', { name: 'Show further offerings' }).click();
    await frame.waitForFunction(() => document.querySelector('.cards')!.scrollLeft > 100);
    await page.setViewportSize({ width: 900, height: 900 });
    await page.evaluate(() => {
      document.querySelector('iframe')!.style.width = '900px';
    });
    await frame.locator('.arrows').waitFor({ state: 'hidden' });
  }, 120_000);

  test('a hostile catalogue makes no request and runs nothing', async () => {
    const results = HOSTILE_TEXTS.map((text) => ({
      id: 'x',
      name: text,
      vendor: text,
      image: text,
      publicUrl: text,
    }));
    const frame = await show({
      result: { structuredContent: { query: HOSTILE_TEXTS[0], results, contexts: results } },
      context: { displayMode: 'fullscreen' },
    });
    for (let at = 0; at < HOSTILE_TEXTS.length / 12; at++)
      await frame.evaluate(() => document.querySelector<HTMLElement>('.more button')?.click());
    expect(await frame.locator('.card').count()).toBe(HOSTILE_TEXTS.length);
    expect(
      await frame.locator('main :is(script, iframe, img, style, link, form, object)').count(),
    ).toBe(0);
    expect([await frame.evaluate('window.pwned'), await page.evaluate('window.pwned')]).toEqual([
      undefined,
      undefined,
    ]);
    const foreign = requests.filter((url) => !url.startsWith(served.url));
    expect([errors, foreign.filter((url) => !/^(?:about|data):/.test(url))]).toEqual([[], []]);
  }, 120_000);

  test('speaks the shop’s language, and keeps prices in the form of the host’s', async () => {
    const html = widgetHtml(translatorFor('de-AT'));
    const frame = await show({ html });
    expect(await frame.evaluate(() => document.documentElement.lang)).toBe('de');
    const card = frame.locator('.card').first();
    expect(await card.locator('.button').textContent()).toStartWith('Ansehen');
    expect(await card.locator('.main').textContent()).toStartWith('Kaufen');
    expect(await card.locator('.availability').textContent()).toBe('Auf Lager');
    expect(await card.locator('.price').textContent()).toStartWith('Preis €189.00');
    const count = await frame.locator('.count').textContent();
    expect(count).toBe(`${sample.searched.structuredContent!['count']} Angebote`);
    expect(errors).toEqual([]);
  }, 120_000);

  test('shows what ChatGPT put there, with nothing but window.openai', async () => {
    await page.goto('about:blank');
    await page.evaluate(
      (toolOutput) =>
        Object.assign(globalThis, { openai: { toolOutput, theme: 'dark', locale: 'de-DE' } }),
      sample.searched.structuredContent,
    );
    await page.setContent(widgetHtml(translatorFor('en')));
    await page.waitForSelector('.card');
    expect(await page.locator('.price').first().textContent()).toContain('189,00\u00a0€');
  }, 120_000);
});
