import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

const CANDIDATES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium of this machine (`CHROMIUM` names another one); undefined where none is installed. */
export const chromiumPath: string | undefined = CANDIDATES.find((path) => path && existsSync(path));

/** ms. It ends a wait for what never comes, and so names it: no test passes or fails for it. */
const HANGS = 600_000;

/**
 * Starts a browser without a window before the tests of the `describe` that calls this, and ends it after them.
 *
 * @returns opens a page in a context of its own, which ends with the test
 */
export function useChromium(): (url: string, options?: BrowserContextOptions) => Promise<Page> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: chromiumPath ?? '',
      timeout: 0,
      // A root user, as in most containers, gets no sandbox.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  });
  afterEach(() => Promise.all(browser.contexts().map((each) => each.close())));
  afterAll(() => browser.close());
  return async (url, options = {}) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(HANGS);
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ARE_BLOCKS_FOCUSABLE =
  '[...document.querySelectorAll("pre")].every((pre) => pre.scrollWidth <= pre.clientWidth || pre.tabIndex >= 0)';

/**
 * What axe-core finds on a page, with all that is folded opened. The page needs a context with `bypassCSP`, since a policy of
 * its own may keep axe-core out.
 *
 * @param rules those of axe-core that are asked; by default all
 */
export async function violationsOn(page: Page, rules: readonly string[] = []): Promise<AxeResults['violations']> {
  await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
  // Blocks of code that scroll can be focused a moment after they got their width; axe-core tells if they never can.
  await page.waitForFunction(ARE_BLOCKS_FOCUSABLE).catch(() => undefined);
  await page.evaluate(axe);
  const options = { resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations;
}
