import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../conformance/result/result.ts';
import type { ReferenceServerOptions } from '../../reference-server/server.ts';
import { chromiumPath, useChromium, violationsOn } from '../support/browser.ts';
import { cli, judged, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { HOSTILE_TEXTS, hostileResult } from '../support/results.ts';
import { environmentFor, withServer } from '../support/target.ts';

const folder = temporaryFolder();

async function rendered(name: string, result: Result): Promise<string> {
  const [from, to] = [folder.write(`${name}.json`, JSON.stringify(result)), folder.at(`${name}.html`)];
  const { stderr } = await succeeds(cli(['render', from, '--format', 'html', '--output', to]));
  expect(stderr).toBe('');
  return pathToFileURL(to).href;
}

function resultFor(options: ReferenceServerOptions, own: Record<string, string> = {}, ...args: string[]) {
  return withServer(options, (server) => judged({ ...environmentFor(server), ...own }, ...args)).then(
    ({ result }) => result,
  );
}

const emptiesName: ReferenceServerOptions['replace'] = (rules) => ({
  applyUpdate: (store, user, update) => rules.applyUpdate(store, { ...user, name: '' }, update),
});

describe.skipIf(chromiumPath === undefined)(
  'the HTML report in a browser (skipped only where none is installed)',
  () => {
    const chromium = useChromium();
    const addresses: Record<string, string> = {};
    /** What a page asked the network for, logged, or threw. */
    let noise: string[];

    beforeAll(async () => {
      const results = {
        passed: await resultFor({}),
        failed: await resultFor({ replace: emptiesName }, {}, '--only', 'update*'),
        inconclusive: await resultFor({}, { CONFORMANCE_RESTRICTED_KEY: '' }),
        hostile: hostileResult(HOSTILE_TEXTS.join(' ')),
      };
      for (const [name, result] of Object.entries(results)) addresses[name] = await rendered(name, result);
    });

    async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
      const address = addresses[name] ?? '';
      const page = await chromium.open('about:blank', options);
      noise = [];
      page.on('console', (message) => noise.push(message.text()));
      page.on('pageerror', (error) => noise.push(error.message));
      page.on('dialog', (dialog) => {
        noise.push(dialog.message());
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (request.url() !== address) noise.push(request.url());
      });
      await page.goto(address);
      return page;
    }

    it.each([
      ['passed', 1280, 'dark'],
      ['failed', 1280, 'light'],
      ['failed', 390, 'dark'],
      ['inconclusive', 390, 'light'],
      ['hostile', 1280, 'dark'],
      ['hostile', 390, 'light'],
    ] as const)('%s, %i wide, %s: fits, is accessible, and asks for nothing', async (name, width, colorScheme) => {
      const page = await open(name, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      expect(noise).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const violations = await violationsOn(page);
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      // All that was folded is open now.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    });

    it('is styled under its own policy, and no policy is broken', async () => {
      const page = await open('failed');
      expect(noise).toEqual([]);
      expect(await page.evaluate("getComputedStyle(document.querySelector('.verdict')).borderTopLeftRadius")).toBe(
        '12px',
      );
    });

    it('searches findings and requirements where scripts run; the first finding alone is open', async () => {
      const visible = (page: Page): Promise<number> => page.locator('.finding:visible').count();
      const plain = await open('hostile', { javaScriptEnabled: false });
      expect(await plain.locator('#search').isVisible()).toBe(false);
      expect(await plain.locator('.copy').first().isVisible()).toBe(false);
      expect(await visible(plain)).toBe(3);
      expect(await plain.locator('.finding[open]').count()).toBe(1);
      const page = await open('hostile');
      await page.locator('#search').fill('USER-id');
      expect(await page.locator('.finding:visible').textContent()).toContain('Failed checks: user-id');
      await page.locator('#search').fill('');
      expect(await visible(page)).toBe(3);
      expect(noise).toEqual([]);
    });

    it('copies a command, or selects it where that is not permitted', async () => {
      const page = await open('failed');
      const button = page.locator('.finding[open] .copy').first();
      await button.click();
      await expect.poll(() => button.textContent()).toMatch(/^(Copied|Selected)$/);
      expect(noise).toEqual([]);
    });

    it('prints what matters: each finding, open, on a page at most, and none of the rest', async () => {
      const page = await open('failed', { viewport: { width: 794, height: 1123 } });
      await page.emulateMedia({ media: 'print' });
      const findings = await page.locator('.finding').all();
      for (const finding of findings) {
        expect(await finding.locator('.curl').last().isVisible()).toBe(true);
        expect((await finding.boundingBox())?.height).toBeLessThan(1123);
      }
      for (const id of ['failures', 'requirements', 'observations', 'settings'])
        expect(await page.locator(`#${id}`).isVisible()).toBe(false);
      expect(await page.locator('#restoration').isVisible()).toBe(true);
    });
  },
);
