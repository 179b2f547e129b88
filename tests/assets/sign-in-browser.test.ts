import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page, Route } from 'playwright-core';
import { operatorHandler } from '../../src/operator/operator-listener.ts';
import { CHROMIUM, sharedChromium } from '../support/chromium.ts';
import { CONTRAST_MIN, faintTexts } from '../support/faint-texts.ts';
import {
  askForTokens,
  authorizePath,
  codeForm,
  ISSUER,
  RETURN_URL,
  register,
  signIn,
} from '../support/sign-in.ts';
import { type LocalService, startService } from '../support/start-service.ts';

if (CHROMIUM === null)
  process.stderr.write('skipped: the sign-in page in a browser (there is no /usr/bin/chromium)\n');

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

describe.skipIf(CHROMIUM === null)('the sign-in page in Chromium', () => {
  let service: LocalService;
  let page: Page;
  let errors: string[] = [];
  beforeAll(async () => {
    page = await (await sharedChromium()).newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) errors.push(message.text());
    });
    await page.route('**', answer);
    service = await startService({ flags: { 'public-url': ISSUER } });
    service.services.adminSessions.listensAt('http://127.0.0.1:8788');
  }, 120_000);
  afterAll(async () => {
    await page.close();
    await service.close();
  });

  /**
   * Opens the path as a person who was never here. The page is shared: a new one takes longer than
   * most tests.
   */
  async function open(path: string, width = 1200): Promise<void> {
    errors = [];
    await page.context().clearCookies();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(ISSUER + path);
  }

  /** Answers a browser to which the service is at its public address, and everything else is empty. */
  async function answer(route: Route): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    if (url.origin !== ISSUER) return route.fulfill({ body: 'elsewhere' });
    const response = await service.asStranger(url.pathname + url.search, {
      method: request.method(),
      headers: await request.allHeaders(),
      body: request.postData(),
    });
    return route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  }

  async function allowWith(secret: string): Promise<void> {
    await page.getByLabel(/API key/).fill(secret);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
  }

  const link = async () => (await service.perform<{ url: string }>('admin.link', {})).url;

  test.each([
    ['a web page', RETURN_URL, () => service.apiKey],
    ['a program at an IPv6 address', 'http://[::1]:49152/cb', link],
  ])(
    'a person signs in, allows, and is redirected to %s with a valid code',
    async (_, uri, secret) => {
      const clientId = await register(service, { client_name: 'Claude', redirect_uris: [uri] });
      await open(authorizePath(clientId, { redirect_uri: uri }));
      await allowWith(await secret());
      await page.waitForURL((url) => url.href.startsWith(uri));
      const { searchParams } = new URL(page.url());
      expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['xyz', ISSUER]);
      const form = codeForm(clientId, searchParams.get('code')!, { redirect_uri: uri });
      expect((await askForTokens(service, form)).status).toBe(200);
      expect(errors).toEqual([]);
    },
    20_000,
  );

  test('a wrong key is reported beside the field, and Cancel redirects with access_denied', async () => {
    await open(authorizePath(await register(service)));
    await page.getByLabel(/API key/).fill('hunter2');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('neither a valid API key');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/^https:\/\/assistant\.example\/callback\?error=access_denied/);
    expect(errors).toEqual([]);
  }, 120_000);

  test('no other site can frame the page or submit its form', async () => {
    const path = authorizePath(await register(service));
    await open(path);
    const form = await page.locator('form').evaluate((element) => element.outerHTML);
    await page.goto('https://evil.example/');
    await page.setContent(`<iframe src="${ISSUER}${path}"></iframe>`);
    await page.waitForFunction(() => document.querySelector('iframe')!.contentDocument === null);
    expect(page.frames()[1]!.url()).toStartWith('chrome-error://');
    await page.setContent(form.replace('action="', `action="${ISSUER}`));
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.getByRole('heading').textContent()).toBe('This sign-in cannot continue');
  }, 120_000);

  test('the admin page lists a sign-in with its key, and revokes it', async () => {
    service.platform.advance(1000);
    const { access_token } = await signIn(service);
    const admin = operatorHandler(service.services, { hostname: '127.0.0.1', openApi: {} });
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: admin });
    const page = await (await sharedChromium()).newPage();
    const { pathname, search } = new URL(await link());
    await page.goto(`http://127.0.0.1:${server.port}${pathname}${search}`);
    await page.waitForURL(/admin$/);
    await page.goto(`http://127.0.0.1:${server.port}/admin#keys`);
    const row = page.locator('tr', { hasText: 'Sign-in with' }).last();
    expect(await row.textContent()).toContain(`vk_${service.apiKey.slice(3, 15)}Claude`);
    expect(await row.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await service.asStranger('/mcp', { headers })).status).toBe(401);
    await page.close();
    await server.stop(true);
  }, 120_000);

  test('on a phone, in both themes, every text is legible and nothing is cut off', async () => {
    const metadata = { client_name: LONG, redirect_uris: [RETURN_URL] };
    await open(authorizePath(await register(service, metadata)), 360);
    const look = async (step: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([step, colorScheme, width]).toEqual([step, colorScheme, 360]);
        const faint = await page.evaluate(faintTexts, CONTRAST_MIN);
        expect([step, colorScheme, faint]).toEqual([step, colorScheme, []]);
      }
    };
    await look('prove');
    await page.getByLabel(/API key/).fill(service.apiKey);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await look('allow');
  }, 120_000);
});
