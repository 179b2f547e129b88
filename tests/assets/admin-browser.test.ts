import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { ASSISTANTS } from '../../src/operations/assistants/assistant.ts';
import { recordOwnTraffic } from '../../src/operations/hits/own-traffic.ts';
import {
  type AdminBrowser,
  goTo,
  type OpenOptions,
  startAdminBrowser,
} from '../support/admin-page.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { CONTRAST_MIN, faintTexts } from '../support/faint-texts.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { type LocalService, startService } from '../support/start-service.ts';

if (CHROMIUM === null)
  process.stderr.write('skipped: the admin page in a browser (there is no /usr/bin/chromium)\n');

const SECTIONS = ['search', 'traffic', 'catalog', 'landing', 'keys', 'connect'] as const;

const LONG =
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft '.repeat(3);

const WIDTHS = [360, 640, 900, 1400];

/** A section as a person sees it. */
interface Seen {
  readonly section: string;
  /** Elements that no section makes. */
  readonly planted: number;
  /** Of its links. */
  readonly protocols: readonly string[];
  /** The width that it takes at each of `WIDTHS`. */
  readonly rooms: readonly number[];
  /** Texts without enough contrast, by theme. */
  readonly faint: { readonly light: readonly string[]; readonly dark: readonly string[] };
}

interface Walk {
  readonly seen: readonly Seen[];
  readonly errors: readonly string[];
  /** Addresses outside the service and the catalogue's pictures. */
  readonly requests: readonly string[];
  /** What a hostile text would set. */
  readonly pwned: unknown;
}

describe.skipIf(CHROMIUM === null)('the admin page in Chromium', () => {
  let service: LocalService;
  let empty: LocalService;
  let browser: AdminBrowser;

  beforeAll(async () => {
    browser = await startAdminBrowser();
    empty = await startService();
    service = await startService();
    const { operator } = service;
    await operator.importRows([
      { externalId: 'kettle', name: 'Copper kettle', price: '49.00', image: 'https://a.example/k' },
      {
        externalId: 'mug',
        name: 'Kettle mug',
        description: LONG,
        publicUrl: 'https://a.example/m',
      },
      { externalId: 'long', name: `Kettle ${LONG}`, price: '123456789.00', productType: LONG },
      ...HOSTILE_TEXTS.map((text, index) => ({
        ...{ externalId: `hostile-${index}`, name: `kettle ${text}`, vendor: text },
        ...{ description: text, productType: text, tags: [text] },
      })),
    ]);
    for (const q of ['kettle', 'kettle', HOSTILE_TEXTS[0]!, 'nothing-like-4711'])
      await service.fetch(`/rest/search/v3/?q=${encodeURIComponent(q)}`, {
        headers: { 'user-agent': 'ChatGPT-User/1.0' },
      });
    for (const classification of ['product_click', 'checkout_start'])
      await hit({ classification, userAgent: 'ChatGPT-User/1.0' });
    while (await recordOwnTraffic(service.services));
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await service.close();
    await empty.close();
  });

  async function hit(event: object): Promise<void> {
    const { organization, platform } = service;
    const eventDate = new Date(platform.now()).toISOString();
    const response = await service.fetch('/rest/hits/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ organization: organization.id, eventDate, ...event }),
    });
    expect(response.status).toBe(201);
  }

  const open = (
    section: (typeof SECTIONS)[number],
    options: OpenOptions & { of?: LocalService } = {},
  ) => browser.open(options.of ?? service, { ...options, section });

  async function ask(page: Page, question: string): Promise<void> {
    await page.getByRole('searchbox', { name: 'Question' }).fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.columns').waitFor();
  }

  /** Looks at every section once, because loads and questions take most of a test's time. */
  async function walkThrough(): Promise<Walk> {
    const { page, errors, requests } = await open('search');
    await ask(page, 'kettle');
    await page.locator('.result').first().waitFor();
    const seen: Seen[] = [];
    for (const section of SECTIONS) {
      await goTo(page, section);
      if (section === 'search') await page.locator('.result').first().waitFor();
      if (section === 'catalog')
        for (const summary of await page.locator('summary').all()) await summary.click();
      const planted = page.locator('main :is(script, iframe, style, link, object, embed, base)');
      const links = page.locator('main a');
      const rooms: number[] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        rooms.push(await page.evaluate(() => document.documentElement.scrollWidth));
      }
      const faint = { light: [] as string[], dark: [] as string[] };
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        faint[colorScheme] = await page.evaluate(faintTexts, CONTRAST_MIN);
      }
      seen.push({
        ...{ section, rooms, faint, planted: await planted.count() },
        protocols: await links.evaluateAll((all) =>
          all.map((link) => (link as HTMLAnchorElement).protocol),
        ),
      });
    }
    return {
      ...{ seen, errors, pwned: await page.evaluate('window.pwned') },
      requests: requests.filter((url) => !/a\.example|^data:/.test(url)),
    };
  }

  describe('every section, after a question', () => {
    let walk: Walk;
    beforeAll(async () => {
      walk = await walkThrough();
    }, 120_000);

    test('appears without an error or an external request', () => {
      expect(walk.seen.map(({ section }) => section)).toEqual([...SECTIONS]);
      expect([walk.errors, walk.requests]).toEqual([[], []]);
    });

    test('shows hostile catalogue texts and questions as text', () => {
      const none = SECTIONS.map((section) => [section, 0, []]);
      const isWeb = (protocol: string) => /^https?:$/.test(protocol);
      expect(
        walk.seen.map(({ section, planted, protocols }) => [
          section,
          planted,
          protocols.filter((protocol) => !isWeb(protocol)),
        ]),
      ).toEqual(none);
      expect(walk.pwned).toBeUndefined();
    });

    test('never scrolls sideways from 360 to 1400 pixels', () => {
      const expected = SECTIONS.map((section) => [section, WIDTHS]);
      expect(walk.seen.map(({ section, rooms }) => [section, rooms])).toEqual(expected);
    });

    test('is readable in both themes: contrast of AA for every word', () => {
      const expected = SECTIONS.map((section) => [section, { light: [], dark: [] }]);
      expect(walk.seen.map(({ section, faint }) => [section, faint])).toEqual(expected);
    });
  });

  test('search shows pictures, scores, reasons, and where scoring moved a result', async () => {
    const { page } = await open('search');
    await ask(page, 'copper kettle');
    const first = page.locator('section:has(h2:text-is("With scoring")) .result').first();
    expect(await first.locator('h3').textContent()).toStartWith('Copper kettle');
    await first.locator('img').waitFor();
    expect(await first.locator('.price').textContent()).toBe('€49.00');
    expect(Number(await first.locator('meter').getAttribute('value'))).toBeGreaterThan(0);
    expect(await first.locator('.why').textContent()).toContain('in the name');
    const both = page.locator('.columns > section');
    expect(await both.count()).toBe(2);
    await page.getByLabel('Compare with unscored order').uncheck();
    await page.waitForFunction(() => document.querySelectorAll('.columns > section').length === 1);
  }, 120_000);

  test('a judgement is saved, shown in both orders and after a reload, and removed', async () => {
    const { page } = await open('search');
    const judged = () =>
      service.perform<{ externalId: string; grade: number }[]>('judgement.list', {});
    await ask(page, 'copper kettle');
    const thumbs = page.getByRole('button', { name: 'Right answer: Copper kettle', exact: true });
    await thumbs.first().click();
    await page.locator('.thumbs [aria-pressed="true"]').nth(1).waitFor();
    expect(await judged()).toMatchObject([{ externalId: 'kettle', grade: 3 }]);
    await page.getByRole('button', { name: 'Wrong answer: Copper kettle' }).first().click();
    await page.waitForFunction(
      () =>
        document.querySelector('.thumbs [aria-pressed="true"]')?.getAttribute('title') ===
        'Wrong answer',
    );
    expect(await judged()).toMatchObject([{ grade: 0 }]);
    await page.reload();
    await ask(page, 'copper kettle');
    const pressed = page.locator('.thumbs [aria-pressed="true"]').first();
    expect(await pressed.getAttribute('title')).toBe('Wrong answer');
    await pressed.click();
    await page.locator('.thumbs [aria-pressed="true"]').first().waitFor({ state: 'detached' });
    expect(await judged()).toEqual([]);
  }, 120_000);

  test('a result is pinned in its shop, shown beside the order before, and the pin is undone', async () => {
    const twoShops = await startService();
    const { operator } = twoShops;
    await operator.importRows([{ externalId: 'kettle', name: 'Copper kettle' }]);
    const { handle } = await operator.createShop({ name: 'Second', currency: 'EUR' });
    const holder = { externalId: 'holder', name: 'Cotton holder for a kettle' };
    await operator.importRows([holder], { shop: handle });
    const { page } = await open('search', { width: 390, of: twoShops });
    await ask(page, 'kettle');
    const card = (column: string) => page.locator(`section:has(h2:text-is("${column}")) .result`);
    const named = (column: string) => card(column).locator('h3 > :first-child').allTextContents();
    await card('With scoring').filter({ hasText: holder.name }).locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Pin here…: ${holder.name}` }).click();
    const place = page.getByLabel('Place, from 1 to 20');
    expect(await place.inputValue()).toBe('2');
    await place.fill('21');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('place must be <= 20').waitFor();
    await place.fill('1');
    await page.keyboard.press('Enter');
    await page.locator('.notice:focus', { hasText: 'is pinned on place 1' }).waitFor();
    expect(await named('Now')).toEqual([holder.name, 'Copper kettle']);
    expect(await named('Before the change')).toEqual(['Copper kettle', holder.name]);
    expect(await card('Now').locator('.move .unseen').allTextContents()).toEqual([
      'Up 1 by the change',
      'Down 1 by the change',
    ]);
    await page.getByText('Correct search (1 rule)').click();
    expect(await page.getByLabel('Shop of the rules').inputValue()).toBe(handle);
    const rule = page.getByRole('row', { name: /^Pin “kettle” → holder on place 1/ });
    await rule.getByRole('button', { name: /^Remove/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await page.evaluate(faintTexts, CONTRAST_MIN)).toEqual([]);
    await page.getByRole('button', { name: 'Undo last change' }).click();
    await page.getByText('The last change is undone.').waitFor();
    expect(await named('Now')).toEqual(['Copper kettle', holder.name]);
    expect(await page.getByText('No rules yet.').count()).toBe(1);
    await twoShops.close();
  }, 120_000);

  test('traffic shows agents, questions, those without a good answer, and what followed', async () => {
    const { page } = await open('traffic');
    const panel = (title: string) => page.locator(`.panel:has(h2:text-is("${title}"))`);
    expect(await panel('Hits a day').locator('.legend').textContent()).toContain('Assistants 6');
    expect(await panel('Hits a day').locator('svg rect').count()).toBeGreaterThan(0);
    expect(await panel('Top questions').textContent()).toContain('kettle');
    expect(await panel('Questions without a good answer').textContent()).toContain(
      'nothing-like-4711',
    );
    expect(await panel('From question to purchase').textContent()).toMatch(
      /Went to checkout\s*1 · 25 %/,
    );
    expect(await panel('Agents').textContent()).toContain('ChatGPT-User');
    expect(await panel('Latency').textContent()).toContain('4 responses');
    await page.getByLabel('Period').selectOption('7 days');
    await page.waitForFunction(() => document.querySelectorAll('.plot + .unseen tr').length === 8);
  }, 120_000);

  test('without data, each section says what to do', async () => {
    const { page, errors } = await open('traffic', { of: empty });
    expect(await page.locator('main').textContent()).toContain('vitrine hits worker');
    await goTo(page, 'catalog');
    expect(await page.locator('main').textContent()).toContain('Drop a file here');
    await goTo(page, 'search');
    await ask(page, 'kettle');
    expect(await page.locator('main').textContent()).toContain('No results.');
    expect(errors).toEqual([]);
  }, 120_000);

  test('the catalogue shows imports and what offerings lack', async () => {
    const { page } = await open('catalog');
    const gaps = page.locator('details', { hasText: 'No link' });
    await gaps.locator('summary').click();
    expect(await gaps.textContent()).toContain('Copper kettle');
    expect(await page.getByRole('region', { name: 'Imports' }).textContent()).toContain(
      'committed',
    );
  }, 120_000);

  test('the landing page is shown rendered and as Markdown, and is regenerated', async () => {
    const { page } = await open('landing');
    expect(await page.locator('.prose h3').first().textContent()).toBe('Acme');
    await page.getByRole('button', { name: 'Markdown' }).click();
    expect(await page.locator('main pre').textContent()).toStartWith('# Acme');
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: 'regenerated' })
      .waitFor({ state: 'attached' });
  }, 120_000);

  test('a key is created, shown once, works, and is revoked after confirmation', async () => {
    const { page } = await open('keys');
    await page.getByLabel('Name').fill('partner');
    await page.getByLabel('hits').uncheck();
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy this key now' });
    const apiKey = (await dialog.locator('pre').textContent())!;
    const search = () => service.as(apiKey)('/rest/search/v2/?q=kettle');
    expect((await search()).status).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /partner/ });
    expect(await row.textContent()).not.toContain('hits');
    expect(await page.locator('body').textContent()).not.toContain(apiKey);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.keyboard.press('Escape');
    expect((await search()).status).toBe(200);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
    expect((await search()).status).toBe(401);
  }, 120_000);

  test('connect puts a fresh key into every text, and the key works', async () => {
    const { page } = await open('connect');
    expect(await page.locator('pre').count()).toBe(ASSISTANTS.length + 1);
    await page.getByRole('button', { name: 'Create a key and insert it' }).click();
    const command = page.locator('pre', { hasText: 'curl' });
    await command.filter({ hasText: 'vk_' }).waitFor();
    const [apiKey] = /vk_\w+/.exec((await command.textContent())!)!;
    expect((await service.as(apiKey)('/rest/search/v3/?q=kettle')).status).toBe(200);
  }, 120_000);

  test('is used by keyboard alone: past the sections, ask, and judge with the focus in sight', async () => {
    const { page } = await open('search', { width: 360 });
    await page.reload();
    await page.locator('main h1').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('copper kettle');
    await page.keyboard.press('Enter');
    await page.locator('.result').first().waitFor();
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press('Tab');
      const [name, outline] = await page.evaluate(() => [
        document.activeElement?.getAttribute('aria-label') ?? '',
        getComputedStyle(document.activeElement!).outlineStyle,
      ]);
      if (!name?.startsWith('Right answer')) continue;
      expect(outline).toBe('solid');
      await page.keyboard.press('Space');
      await page.locator('.thumbs [aria-pressed="true"]').first().waitFor();
      await page.keyboard.press('Space');
      await page.locator('.thumbs [aria-pressed="true"]').first().waitFor({ state: 'detached' });
      return;
    }
    throw new Error('No thumb was reached.');
  }, 120_000);

  test('tells screen readers what is visible', async () => {
    const { page } = await open('traffic');
    const tree = await page.locator('body').ariaSnapshot();
    for (const said of [
      'navigation "Sections"',
      'heading "Traffic" [level=1]',
      'combobox "Period"',
      'heading "Hits a day" [level=2]',
      'rowheader "Jan 1"',
      'region "Agents"',
    ])
      expect(tree).toContain(said);
  }, 120_000);

  test('signing out leads to how to sign in again', async () => {
    const { page } = await open('keys');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
    await browser.signIn(service);
  }, 120_000);
});
