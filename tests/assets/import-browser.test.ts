import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { importNextUpload } from '../../src/operations/pushes/import-next-upload.ts';
import { type AdminBrowser, startAdminBrowser } from '../support/admin-page.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { CONTRAST_MIN, faintTexts } from '../support/faint-texts.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { type LocalService, startService } from '../support/start-service.ts';

if (CHROMIUM === null)
  process.stderr.write('skipped: an import in a browser (there is no /usr/bin/chromium)\n');

const TABLE = [
  'Art.-Nr.;Bezeichnung;EK;VK;Bild',
  '1;Tasse;4,10;9,90;https://a.example/1.jpg',
  '2;Kanne;8,00;umsonst;https://a.example/2.jpg',
  ...Array.from({ length: 12 }, (_, index) => `${index + 3};Becher ${index};4,10;9,90;`),
].join('\r\n');

describe.skipIf(CHROMIUM === null)('an import in Chromium', () => {
  let service: LocalService;
  let browser: AdminBrowser;

  beforeAll(async () => {
    browser = await startAdminBrowser();
    service = await startService({ embedder: null });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function choose(page: Page, name: string, text: string): Promise<void> {
    const buffer = Buffer.from(text);
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  }

  const card = (page: Page, name: string) => page.locator('.result', { hasText: name });

  test('an empty shop begins with it: look, correct, check, import, and undo', async () => {
    const service = await startService({ embedder: null });
    const { page, errors, requests } = await browser.open(service);
    /** Runs the queued import, which the service's background does. */
    const finish = async (button: string) => {
      await page.locator('progress').waitFor();
      while (await importNextUpload(service.services));
      await page.getByRole('button', { name: button }).waitFor();
    };
    await page.getByRole('heading', { name: 'Import your catalogue' }).waitFor();
    await choose(page, 'preise.csv', TABLE);
    expect(await page.locator('.notice').textContent()).toContain('"EK" is what the shop');
    expect(await page.locator('.result').count()).toBe(10);
    expect(await card(page, 'Tasse').locator('.price').textContent()).toBe('€9.90');
    await card(page, 'Tasse').locator('img').waitFor();
    expect(await page.locator('.faults').textContent()).toContain('Line 3 (2): VK is not a price');

    await page.getByLabel('EK is').selectOption('Price');
    await card(page, '€4.10').first().waitFor();
    expect(await page.getByLabel('VK is').inputValue()).toBe('-');
    expect(await page.locator('.notice').count()).toBe(0);
    await page.getByLabel('VK is').selectOption('Price');
    await card(page, '€9.90').first().waitFor();

    await page.getByRole('button', { name: 'Check every row first' }).click();
    await finish('Import now');
    expect(await page.locator('main').textContent()).toContain('nothing was changed');
    expect(await service.perform('catalog.stats', {})).toMatchObject({ offerings: 0 });

    await page.getByRole('button', { name: 'Import now' }).click();
    await finish('Undo this import');
    expect(await page.locator('dl').textContent()).toBe('New13Rejected1');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the rejected records' }).click();
    expect((await download).suggestedFilename()).toEndWith('.errors.csv');
    expect(await service.perform('catalog.stats', {})).toMatchObject({ offerings: 13 });

    await page.getByRole('button', { name: 'Undo this import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.drop').waitFor();
    expect(await service.perform('catalog.stats', {})).toMatchObject({ offerings: 0 });
    const others = requests.filter((url) => !/a\.example|^data:/.test(url));
    expect([errors, others]).toEqual([[], []]);
    await service.close();
  }, 120_000);

  test('a dropped file is read; hostile texts in it stay text, at any width, in both themes', async () => {
    const lines = HOSTILE_TEXTS.map((text, at) => {
      const cell = text.replace(/[\r\n]+/g, ' ').replaceAll('"', '""');
      return `${at};"${cell}";"${cell}";1,50`;
    });
    const table = ['Artikelnummer;Bezeichnung;"<img src=x onerror=pwned()>";Preis', ...lines];
    for (const theme of ['light', 'dark'] as const) {
      const { page, errors } = await browser.open(service, { theme, section: 'catalog' });
      const data = await page.evaluateHandle((text) => {
        const given = new DataTransfer();
        given.items.add(new File([text], '<b>x</b>.csv'));
        return given;
      }, table.join('\n'));
      await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
      await page.locator('.result').first().waitFor();
      const planted = page.locator('main :is(script, iframe, style, link, object, embed, base, b)');
      expect(await planted.count()).toBe(0);
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      for (const width of [360, 390, 900]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      expect(await page.evaluate(faintTexts, CONTRAST_MIN)).toEqual([]);
      expect(errors).toEqual([]);
    }
  }, 120_000);

  test('what cannot be read is said in place, and another file can be chosen', async () => {
    const { page } = await browser.open(service, { section: 'catalog' });
    const file = { name: 'x.bin', mimeType: '', buffer: Buffer.from('nothing of use') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('unknown format');
    await page.getByLabel('Address of a catalogue').fill('http://127.0.0.1/feed.xml');
    await page.getByRole('button', { name: 'Read the address' }).click();
    await page.getByRole('alert').filter({ hasText: 'only https' }).waitFor();
    await choose(page, 'preise.csv', TABLE);
  }, 120_000);

  test('an address is repeated less often, or no longer', async () => {
    const url = 'https://a.example/feed.csv';
    const given = { url, hints: {}, allowPrivate: false, validators: null };
    const result = { state: 'unchanged' };
    await service.perform('catalog.source.save', { ...given, result, everyMs: 3_600_000 });
    await service.operator.importRows([{ externalId: 'a', name: 'Lamp' }]);
    const { page } = await browser.open(service, { section: 'catalog' });
    await page.getByLabel(`How often: ${url}`).selectOption('every day');
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLSelectElement>('[aria-label^="How often"]')?.value ===
        '86400000',
    );
    expect(await service.perform('catalog.source.list', {})).toMatchObject([
      { everyMs: 86_400_000 },
    ]);
    await page.getByRole('button', { name: `Remove ${url}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Import from an address to repeat it').waitFor();
    expect(await service.perform('catalog.source.list', {})).toEqual([]);
  }, 120_000);

  test('a context is added, edited and removed, and an offering is hidden, shown again and removed', async () => {
    await service.operator.importRows([{ externalId: 'lamp', name: 'Lamp', price: '9.00' }]);
    const { page, errors } = await browser.open(service, { section: 'catalog' });
    const fill = async (values: Record<string, string>) => {
      for (const [label, value] of Object.entries(values))
        await page.getByRole('dialog').getByLabel(label).fill(value);
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    };
    const contexts = () => service.perform<object[]>('context.list', {});
    await page.getByRole('button', { name: 'Add a context' }).click();
    await fill({ Title: 'Return policy' });
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await fill({ Text: 'Within thirty days.', Address: 'https://a.example/returns' });
    await page.getByRole('link', { name: 'Return policy' }).waitFor();
    expect(await contexts()).toMatchObject([{ externalId: 'return-policy' }]);

    await page.getByRole('button', { name: 'Edit Return policy' }).click();
    await fill({ Text: 'Within sixty days.' });
    await page.getByText('Within sixty days.').waitFor();
    const found = await service.fetch('/rest/search/v3/?q=sixty');
    const { results } = (await found.json()) as { results: object[] };
    expect(results).toMatchObject([{ name: 'Return policy' }]);

    await page.getByRole('button', { name: 'Remove Return policy' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('None yet. Returns').waitFor();
    expect(await contexts()).toEqual([]);

    const find = async () => {
      await page.getByLabel('External id of an offering').fill('lamp');
      await page.keyboard.press('Enter');
    };
    const lamps = async () => {
      const answer = await service.fetch('/rest/search/v3/?q=lamp');
      return ((await answer.json()) as { results: { externalId: string }[] }).results.filter(
        ({ externalId }) => externalId === 'lamp',
      ).length;
    };
    await find();
    await page.getByRole('button', { name: 'Hide Lamp' }).click();
    await page.getByRole('button', { name: 'Show lamp again' }).waitFor();
    expect(await lamps()).toBe(0);
    await page.getByRole('button', { name: 'Show lamp again' }).click();
    await page.getByRole('button', { name: 'Show lamp again' }).waitFor({ state: 'detached' });
    expect(await lamps()).toBe(1);

    await find();
    await page.getByRole('button', { name: 'Remove Lamp' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove Lamp' }).waitFor({ state: 'detached' });
    const refused = service.perform('item.show', { externalId: 'lamp' });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    expect(errors.filter((text) => !text.includes('400'))).toEqual([]);
  }, 120_000);
});
