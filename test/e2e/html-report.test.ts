import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { assert, beforeAll, describe, expect, it } from 'vitest';
import { htmlReport } from '../../conformance/report/html.ts';
import { defects } from '../../proof/catalogue.ts';
import { judgeServer } from '../../proof/judge.ts';
import { resultWith } from '../report/sample.ts';
import { chromiumPath, useChromium, violationsOn } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';

const folder = temporaryFolder();

describe.skipIf(chromiumPath === undefined)(
  'the HTML report in a browser (skipped only where none is installed)',
  () => {
    const openPage = useChromium();
    const addresses: Record<string, string> = {};
    /** What a page asked the network for, logged, or threw. */
    let noise: string[];

    beforeAll(async () => {
      const defect = defects.find(({ id }) => id === 'update-replaces-user');
      assert(defect);
      const results = {
        passed: (await judgeServer({}, { only: ['update-*'] })).result,
        failed: (await judgeServer(defect, { only: ['update-*'] })).result,
        hostile: resultWith(HOSTILE_TEXTS.join(' ')),
      };
      for (const [name, result] of Object.entries(results))
        addresses[name] = pathToFileURL(folder.write(`${name}.html`, htmlReport(result))).href;
    });

    async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
      const address = addresses[name] ?? '';
      const page = await openPage('about:blank', options);
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
      ['hostile', 390, 'dark'],
    ] as const)('%s, %i wide, %s: fits, is accessible, and asks for nothing', async (name, width, colorScheme) => {
      const page = await open(name, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      expect(noise).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const violations = await violationsOn(page);
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    });

    it('hides what is not wanted and opens all folds: the first without scripts', async () => {
      const still = await open('failed', { javaScriptEnabled: false });
      const findings = still.locator('.finding.of-must');
      expect(await findings.first().isVisible()).toBe(true);
      await still.locator('#show-must').uncheck();
      expect(await findings.first().isVisible()).toBe(false);
      await still.locator('#show-must').check();
      await still.locator('#show-failed').uncheck();
      expect(await findings.first().isVisible()).toBe(false);
      expect(await still.locator('.copy:visible').count()).toBe(0);

      const page = await open('failed');
      await page.locator('#open-all').check();
      expect(await page.locator('main details:not([open])').count()).toBe(0);
      await page.locator('#open-all').uncheck();
      expect(await page.locator('main details[open]').count()).toBe(0);
    });

    it('opens the finding that an address names', async () => {
      const page = await open('failed');
      const link = page.locator('.finding a[href^="#"]').first();
      const id = (await link.getAttribute('href'))?.slice(1) ?? '';
      expect(id).toBe('update.unsent-fields-keep');
      await page.locator('#open-all').check();
      await page.locator('#open-all').uncheck();
      expect(await link.isVisible()).toBe(false);
      await page.goto(`${addresses.failed}#${id}`);
      await link.waitFor({ state: 'visible' });
    });

    it('copies a command, and marks the member that changed in the response', async () => {
      const page = await open('failed', { permissions: ['clipboard-read', 'clipboard-write'] });
      const command = page.locator('.finding[open] .command').first();
      await command.locator('.copy').click();
      await command.getByText('Copied').waitFor();
      const selected = await page.evaluate('getSelection().toString()');
      expect(selected).toMatch(/^curl -i -X PUT /);
      expect(selected).toBe(await command.locator('pre').innerText());
      // The user that was replaced has no address any more.
      const marked = await page.locator('.finding[open] mark').allInnerTexts();
      expect(new Set(marked)).toEqual(new Set(['"email" is missing']));
    });

    it('is styled under its own policy', async () => {
      const page = await open('failed');
      expect(noise).toEqual([]);
      const radius = await page.evaluate("getComputedStyle(document.querySelector('.verdict')).borderTopLeftRadius");
      expect(radius).not.toBe('0px');
    });
  },
);
