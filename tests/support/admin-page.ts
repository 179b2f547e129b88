import type { Browser, BrowserContext, Page } from 'playwright-core';
import { operatorHandler } from '../../src/operator/operator-listener.ts';
import { linkPath } from './operator-page.ts';
import type { LocalService } from './start-service.ts';

const PICTURE = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** The admin page in a browser of its own. Closing the context ends it. */
export interface AdminPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts and of the console, refusals by the page's policy among them. */
  readonly errors: string[];
  /** Addresses outside the service that were asked for. */
  readonly requests: string[];
}

export interface OpenOptions {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
}

/** A browser that signed in, at one section of the page, or where the page leads by itself. */
export async function openAdminPage(
  browser: Browser,
  service: LocalService,
  { width = 1200, theme = 'light', section }: OpenOptions & { section?: string },
): Promise<AdminPage> {
  const handler = operatorHandler(service.services, { hostname: '127.0.0.1', openApi: {} });
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: handler });
  const base = `http://127.0.0.1:${server.port}`;
  service.services.adminSessions.listensAt(base);
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  context.on('close', () => void server.stop(true));
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  // Pictures of the catalogue are all the page may ask others for.
  await page.route(/a\.example/, (route) =>
    route.fulfill({ body: Buffer.from(PICTURE, 'base64'), contentType: 'image/gif' }),
  );
  page.on('request', (request) => {
    if (!request.url().startsWith(base)) requests.push(request.url());
  });
  await page.goto(base + (await linkPath(service)));
  await page.waitForURL(`${base}/admin`);
  if (section !== undefined) await goTo(page, section);
  await page.locator('main:not([aria-busy]) h1').waitFor();
  return { page, context, errors, requests };
}

export async function goTo(page: Page, section: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, section);
  await page.locator(`nav a[href="#${section}"][aria-current]`).waitFor();
  await page.locator('main:not([aria-busy]) h1').waitFor();
}
