import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Path of the Chromium binary from Debian's package, or null. */
export const CHROMIUM: string | null = PLACES.find((path) => existsSync(path)) ?? null;

let started: Promise<Browser> | null = null;

/**
 * The browser of this process, which ends with it: a start takes a second of processor time. Close the
 * page, not the browser. Chromium's sandbox needs privileges that containers lack. The pages under test
 * are our own, and share a process where they may: each further one costs a fifth of a second.
 */
export function sharedChromium(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: CHROMIUM!,
    args: [
      ...['--no-sandbox', '--disable-gpu'],
      ...['--renderer-process-limit=1', '--disable-site-isolation-trials'],
    ],
  });
  return started;
}
