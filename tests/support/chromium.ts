import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** The program of Debian's package, or null. */
export const CHROMIUM: string | null = PLACES.find((path) => existsSync(path)) ?? null;

/** Its own sandbox wants rights that containers lack; the pages under test are ours. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox', '--disable-gpu'] });
}
