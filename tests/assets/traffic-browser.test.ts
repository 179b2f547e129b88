import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { recordOwnTraffic } from '../../src/operations/hits/own-traffic.ts';
import { type AdminBrowser, type OpenOptions, startAdminBrowser } from '../support/admin-page.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { type LocalService, startService } from '../support/start-service.ts';

if (CHROMIUM === null)
  process.stderr.write('skipped: traffic in a browser (there is no /usr/bin/chromium)\n');

const HOSTILE = '<b>nothing</b>';

describe.skipIf(CHROMIUM === null)('the traffic section in Chromium', () => {
  let service: LocalService;
  let browser: AdminBrowser;

  beforeAll(async () => {
    browser = await startAdminBrowser();
    service = await startService();
    await service.operator.importRows([{ externalId: 'kettle', name: 'Copper kettle' }]);
    for (const q of [HOSTILE, '=cmd()'])
      await service.fetch(`/rest/search/v3/?q=${encodeURIComponent(q)}`, {
        headers: { 'user-agent': 'ChatGPT-User/1.0' },
      });
    while (await recordOwnTraffic(service.services));
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  const open = (options: OpenOptions = {}) =>
    browser.open(service, { ...options, section: 'traffic' });

  test('traffic of other dates, of some agents or without a key, and the control keeps the focus', async () => {
    const { page } = await open({ width: 390 });
    const hits = page.locator('.figures div', { hasText: /^Hits/ }).locator('dd');
    expect(await hits.textContent()).toStartWith('2');
    await page.getByLabel('Agents').first().selectOption('People');
    await page.getByText('No hits').waitFor();
    await page.locator('[aria-label="Agents"]:focus').waitFor();
    await page.getByLabel('Agents').first().selectOption('Assistants');
    await page.getByLabel('Period').selectOption('Other dates');
    await page.getByLabel('From').fill('2025-12-31');
    const lead = page.locator('.lead', { hasText: /^2025-12-31 to 2026-01-01/ });
    await lead.waitFor();
    await page.locator('[aria-label="From"]:focus').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2025-12-30');
    await page.getByText('The first day is after the last.').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-01-01');
    await lead.waitFor();
    expect(await hits.textContent()).toStartWith('2');
    await page.getByLabel('Access').selectOption('Without a key');
    await page.getByText('No hits').waitFor();
  }, 120_000);

  test('a question without a good answer is mended in four ways, by keyboard, and stays text', async () => {
    const { page } = await open({ width: 390 });
    const question = HOSTILE;
    const press = async (label: string) => {
      await page.getByRole('button', { name: `${label}: ${question}` }).focus();
      await page.keyboard.press('Enter');
    };
    const rules = () => service.perform<{ rules: { kind: string }[] }>('curation.list', {});
    await press('Add a synonym…');
    await page.getByLabel('Words in the question').fill('nothing');
    await page.getByLabel('Words in the catalogue').fill('kettle');
    await page.keyboard.press('Enter');
    await page.locator('.notice:focus', { hasText: 'now mean the same' }).waitFor();
    await press('Pin an answer…');
    const item = page.getByLabel('External id of the answer');
    await item.fill('copper');
    await page.locator('datalist option[value="kettle"]').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('has no item with the external id').waitFor();
    await item.fill('kettle');
    await page.keyboard.press('Enter');
    await page.locator('.notice:focus', { hasText: 'is now the first answer' }).waitFor();
    expect((await rules()).rules.map(({ kind }) => kind).sort()).toEqual(['pin', 'synonym']);
    await press('Write a context…');
    await page.getByLabel('Text', { exact: true }).fill('<b>We do not sell these.</b>');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.notice:focus', { hasText: 'The context is saved' }).waitFor();
    await press('Ignore');
    await page.getByText('1 ignored').click();
    await page.getByRole('button', { name: `Show again: ${question}` }).click();
    await page.getByRole('button', { name: `Ignore: ${question}` }).waitFor();
    expect(await page.locator('.mendable b').count()).toBe(0);
  }, 120_000);

  test('a part of the report is downloaded as CSV, and a question that is a formula is escaped', async () => {
    const { page } = await open();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV: Top questions' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('query-2025-12-03-to-2026-01-01.csv');
    const text = await Bun.file(await download.path()).text();
    expect(text).toContain("'=cmd(),1,1");
  }, 120_000);
});
