import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { siteData } from '../../site/data.ts';
import { chromiumPath, useChromium, violationsOn } from '../support/browser.ts';
import { tool } from '../support/cli.ts';
import { filesBelow, temporaryFolder } from '../support/folder.ts';
import { brokenLinks } from '../support/links.ts';
import { read as readSource } from '../support/repository.ts';

const folder = temporaryFolder();
const site = folder.at('site');
const BASE = '/some/prefix/';
const SITE = `http://site.localhost${BASE}`;
const read = (path: string): string => readFileSync(join(site, path), 'utf8');

/** A page of each kind. */
const KINDS = [
  ...[
    'index.html',
    'get-started/index.html',
    '404.html',
    'guides/ci/index.html',
    'servers/index.html',
    'servers/express/index.html',
  ],
  ...['api/index.html', 'open-points/index.html', 'checks/index.html'],
  ...['changes/index.html', 'implementations/index.html', 'implementations/unleash-8/index.html'],
];

/** Only these rules of axe-core can differ from light to dark. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** One component makes all entries of a list. With every tenth of hundreds, axe-core takes a hundredth of the time. */
const LEAVE_SOME =
  'for (const [index, entry] of document.querySelectorAll("section.entry").entries()) if (index % 10) entry.remove()';

describe('the site', () => {
  beforeAll(async () => {
    expect(await tool('site/build.ts', ['--out', site, '--base', BASE])).toMatchObject({ code: 0, stderr: '' });
  });

  let files = new Set<string>();
  beforeAll(() => {
    files = new Set(filesBelow(site));
  });

  it('links only to what is there', () => expect(brokenLinks(site, BASE)).toEqual([]));

  const pages = () => [...files].filter((each) => each.endsWith('.html'));

  it('has a policy on each page, no id twice, no addresses of findings, and descriptions without Markdown', () => {
    for (const path of pages()) {
      const text = read(path);
      expect(text, path).toContain('<meta http-equiv="Content-Security-Policy" content="default-src \'none\';');
      const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        path,
      ).toEqual([]);
      expect(text, path).not.toContain('href="mailto:');
      const [, description = ''] = /<meta name="description" content="([^"]*)"/.exec(text) ?? [];
      expect(description, path).not.toMatch(/[`*]|\]\(/);
    }
  });

  it('leads to its sources only if it knows where they are', () => {
    expect(read('guides/ci/index.html')).not.toContain('/edit/main/');
  });

  it('has at most twenty entries in the sidebar, those for maintainers last', () => {
    const [, sidebar = ''] = /<nav class="sidebar[^>]*>([^]*?)<\/nav>/.exec(read('get-started/index.html')) ?? [];
    const groups = [...sidebar.matchAll(/<span class="large[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(sidebar.match(/<a href=/g)?.length).toBeLessThanOrEqual(20);
    expect(groups.at(-1)).toBe('For maintainers');
  });

  it('explains each requirement, open point and check at a place of its own', () => {
    const places = [
      ['requirements/index.html', siteData.requirements],
      ['open-points/index.html', siteData['open-points']],
      ['checks/index.html', siteData.checks],
    ] as const;
    for (const [page, items] of places) {
      const text = read(page);
      const ofItem = ({ id, description = '' }: { id: string; description?: string | undefined }): string[] => [
        `id="${id}"`,
        ...description.split(/[`&<]/, 1),
      ];
      expect([...items].flatMap(ofItem).filter((part) => !text.includes(part))).toEqual([]);
    }
  });

  it('lists each change of the contract', () => {
    const page = read('changes/index.html');
    for (const { version, changes } of siteData.changes) {
      expect(page).toContain(`Since ${version}`);
      for (const { requirement } of changes) expect(page).toContain(`<code>${requirement}</code>`);
    }
  });

  it('has the contract at its three addresses', () => {
    const { version } = siteData.contract.info;
    for (const name of ['latest', `v${version.split('.')[0] ?? ''}`, `v${version}`]) {
      expect(read(`${name}/openapi.yaml`)).toContain(readSource('openapi.yaml'));
    }
  });

  describe.skipIf(chromiumPath === undefined)('in Chromium (skipped only where none is installed)', () => {
    const openPage = useChromium();

    /** Opens a page to which the files of the site are given as its host would. */
    async function open(options: BrowserContextOptions = {}): Promise<Page> {
      const page = await openPage('about:blank', options);
      await page.route(`${SITE}**`, (route) => {
        const path = decodeURIComponent(new URL(route.request().url()).pathname).slice(BASE.length);
        return files.has(path) ? route.fulfill({ path: join(site, path) }) : route.fulfill({ status: 404 });
      });
      return page;
    }

    const visit = (page: Page, path: string) => page.goto(SITE + path);

    // The policy of each page keeps the browser from other hosts, and it would complain.
    it('asks no other host, and complains of nothing', async () => {
      const page = await open();
      const said: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(SITE) && !request.url().startsWith('data:')) said.push(request.url());
      });
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) said.push(`${page.url()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => said.push(`${page.url()}: ${error.message}`));
      for (const path of KINDS) await visit(page, path);
      expect(said).toEqual([]);
    });

    it('has nothing that axe-core finds, in light and dark, and fits a phone', async () => {
      const page = await open({ colorScheme: 'light', viewport: { width: 390, height: 844 }, bypassCSP: true });
      const found: string[] = [];
      const look = async (path: string, rules: readonly string[] = []): Promise<void> => {
        for (const { id, nodes } of await violationsOn(page, rules))
          found.push(`${path}: ${id} ${nodes[0]?.html ?? ''}`);
      };
      for (const path of KINDS) {
        await page.emulateMedia({ colorScheme: 'light' });
        await visit(page, path);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > 390) found.push(`${path} is ${width} px wide`);
        await page.evaluate(LEAVE_SOME);
        await look(path);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.waitForFunction('document.documentElement.dataset.theme === "dark"');
        await look(path, COLOURS);
      }
      expect(found).toEqual([]);
    });

    it('finds requirements and checks by their ids', async () => {
      const page = await open();
      // In a worker of a page that is under control, requests of Pagefind are lost at times; it searches without one, too.
      await page.addInitScript('delete globalThis.Worker');
      await visit(page, 'index.html');
      await page.locator('site-search input').waitFor({ state: 'attached' });
      await page.keyboard.press('Control+k');
      const box = page.getByRole('dialog', { name: 'Search' });
      for (const target of ['requirements/#update.unsent-fields-keep', 'checks/#body-not-utf-8']) {
        await box.locator('input').fill(target.replace(/.*#/, ''));
        await box.locator(`a[href^="${BASE}${target}"]`).first().waitFor();
      }
    });
  });
});
