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

/** A browser without a window, for the tests of a `describe`. */
interface RunningChromium {
  /** Opens a page in a context of its own, which ends with the test. */
  readonly open: (url: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Ends the browser before the end of the tests. */
  readonly close: () => Promise<void>;
}

/**
 * Starts it before the tests of the `describe` that calls this, and ends it after them.
 *
 * @param netLog file that gets everything that the browser does on the network, whoever asks for it
 */
export function useChromium(netLog?: string): RunningChromium {
  let browser: Browser;
  const close = (): Promise<void> => browser.close();
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: chromiumPath ?? '',
      timeout: 0,
      args: [
        // A root user, as in most containers, gets no sandbox.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        ...(netLog === undefined ? [] : [`--log-net-log=${netLog}`]),
      ],
    });
  });
  afterEach(() => Promise.all(browser.contexts().map((each) => each.close())));
  afterAll(close);
  const open = async (url: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(HANGS);
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  return { open, close };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe-core finds on a page, with all that is folded opened. The page needs a context with `bypassCSP`, since a policy of
 * its own may keep axe-core out.
 */
export async function violationsOn(page: Page): Promise<AxeResults['violations']> {
  await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations;
}

interface NetLog {
  readonly constants: { readonly logEventTypes: Readonly<Record<string, number>> };
  readonly events: readonly {
    readonly type: number;
    readonly params?: { readonly url?: string; readonly initiator?: string };
  }[];
}

/**
 * The hosts that pages asked for, by the network log of a closed browser. What the browser asks on its own account (for
 * updates of itself) has no origin as its initiator, and is left out.
 */
export function hostsAskedByPages(netLog: string): string[] {
  const { constants, events } = JSON.parse(netLog) as NetLog;
  const start = constants.logEventTypes.URL_REQUEST_START_JOB;
  const hosts = events.flatMap(({ type, params: { url = '', initiator } = {} }) =>
    type === start && initiator !== undefined && initiator !== 'not an origin' ? [new URL(url).hostname] : [],
  );
  return [...new Set(hosts)].sort();
}
