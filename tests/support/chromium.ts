import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Path of the Chromium binary from Debian's package, or null. */
export const CHROMIUM: string | null = PLACES.find((path) => existsSync(path)) ?? null;

/** Chromium's sandbox needs privileges that containers lack. The pages under test are our own. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox', '--disable-gpu'] });
}
