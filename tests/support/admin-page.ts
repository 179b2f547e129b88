import type { Page } from 'playwright-core';
import { operatorHandler } from '../../src/operator/operator-listener.ts';
import { sharedChromium } from './chromium.ts';
import { linkPath } from './operator-page.ts';
import type { LocalService } from './start-service.ts';

const PICTURE = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** The admin page, just loaded. */
export interface AdminPage {
  readonly page: Page;
  /** Errors of scripts and of the console, refusals by the page's policy among them. */
  readonly errors: string[];
  /** Addresses outside the service that were asked for. */
  readonly requests: string[];
}

export interface OpenOptions {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** Where the page leads by itself if omitted. */
  readonly section?: string;
}

/** One page of Chromium that shows the admin pages of a file's services, one after the other. */
export interface AdminBrowser {
  /** Loads the admin page anew, signed in. What was open before is gone. */
  open(service: LocalService, options?: OpenOptions): Promise<AdminPage>;
  /** Resolves with the service's address. Needed only after a test has signed out. */
  signIn(service: LocalService): Promise<string>;
  close(): Promise<void>;
}

/** The page is shared because a new one takes three times the processor time of a load. */
export async function startAdminBrowser(): Promise<AdminBrowser> {
  const browser = await sharedChromium();
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  page.setDefaultTimeout(60_000);
  let errors: string[] = [];
  let requests: string[] = [];
  let loads = 0;
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  const addresses = new Map<LocalService, string>();
  const servers: Bun.Server<undefined>[] = [];
  page.on('request', (request) => {
    const isOwn = [...addresses.values()].some((base) => request.url().startsWith(base));
    if (!isOwn) requests.push(request.url());
  });
  // Pictures of the catalogue are all the page may ask others for.
  await page.route(/a\.example/, (route) =>
    route.fulfill({ body: Buffer.from(PICTURE, 'base64'), contentType: 'image/gif' }),
  );

  function listenFor(service: LocalService): string {
    const fetch = operatorHandler(service.services, { hostname: '127.0.0.1', openApi: {} });
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
    servers.push(server);
    const base = `http://127.0.0.1:${server.port}`;
    addresses.set(service, base);
    service.services.adminSessions.listensAt(base);
    return base;
  }

  async function signIn(service: LocalService): Promise<string> {
    const base = addresses.get(service) ?? listenFor(service);
    await page.goto(base + (await linkPath(service)));
    await page.waitForURL(`${base}/admin`);
    return base;
  }

  return {
    signIn,
    async open(service, { width = 1200, theme = 'light', section } = {}) {
      errors = [];
      requests = [];
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: theme });
      const address = addresses.get(service) ?? (await signIn(service));
      // Without the query, a change of the section alone would load nothing.
      const hash = section === undefined ? '' : `#${section}`;
      await page.goto(`${address}/admin?${++loads}${hash}`);
      if (section !== undefined) await isShown(page, section);
      await page.locator('main:not([aria-busy]) h1').waitFor();
      return { page, errors, requests };
    },
    async close() {
      await page.context().close();
      for (const server of servers) await server.stop(true);
    },
  };
}

export async function goTo(page: Page, section: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, section);
  await isShown(page, section);
}

async function isShown(page: Page, section: string): Promise<void> {
  await page.locator(`nav a[href="#${section}"][aria-current]`).waitFor();
  await page.locator('main:not([aria-busy]) h1').waitFor();
}
