import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium is installed (Debian's package `chromium`); undefined if there is none. */
export const chromiumPath = CANDIDATES.find((path) => existsSync(path));

/** Starts it without a window. Whoever starts it closes it. */
export function startChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium; install the package chromium.');
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}
