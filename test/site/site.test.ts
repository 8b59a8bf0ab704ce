import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { siteData } from '../../site/data.ts';
import { chromiumPath, useChromium, violationsOn } from '../support/browser.ts';
import { tool } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { brokenLinks, decoded, filesBelow } from '../support/links.ts';
import { read as readSource, ROOT } from '../support/repository.ts';
import { serveFolder, type StaticServer } from '../support/static-server.ts';

const folder = temporaryFolder();
const site = folder.at('site');
const BASE = '/some/prefix/';
const read = (path: string): string => readFileSync(join(site, path), 'utf8');

/** The code that the buttons of a page copy: a delete character stands for the end of a line. */
const copiedFrom = (page: string): string[] =>
  [...page.matchAll(/ data-code="([^"]*)"/g)].map(([, code = '']) => decoded(code).replaceAll('\u007F', '\n'));

/** The code that a page shows. */
const shownOn = (page: string): string[] =>
  [...page.matchAll(/<pre data-language[^>]*>([^]*?)<\/pre>/g)].map(([, block = '']) =>
    block
      .split('<div class="ec-line"')
      .slice(1)
      .map((line) => decoded(line.slice(line.indexOf('>') + 1).replaceAll(/<[^>]*>/g, '')).replace(/^\n$/, ''))
      .join('\n'),
  );

/** A page of each kind. */
const KINDS = [
  ...['index.html', '404.html', 'guides/ci/index.html', 'servers/index.html', 'servers/express/index.html'],
  ...['api/index.html', 'requirements/index.html', 'open-points/index.html', 'checks/index.html'],
  ...['changes/index.html', 'implementations/index.html', 'implementations/unleash-8/index.html'],
];

const NAME = 'the site (skipped only until npm run build:site has installed its packages)';

describe.skipIf(!existsSync(join(ROOT, 'site/node_modules')))(NAME, () => {
  beforeAll(async () => {
    expect(await tool('site/build.ts', ['--out', site, '--base', BASE])).toMatchObject({ code: 0, stderr: '' });
  });

  it('is not built with an unknown option, and says so in one line', async () => {
    const { code, stderr } = await tool('site/build.ts', ['--outt', site]);
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 2, lines: 2 });
  });

  it('links only to what is there', () => expect(brokenLinks(site, BASE)).toEqual([]));

  it('has at most twenty entries in the sidebar, those for maintainers last', () => {
    const [, sidebar = ''] = /<nav class="sidebar[^>]*>([^]*?)<\/nav>/.exec(read('index.html')) ?? [];
    const groups = [...sidebar.matchAll(/<span class="large[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(sidebar.match(/<a href=/g)?.length).toBeLessThanOrEqual(20);
    expect(groups.at(-1)).toBe('For maintainers');
  });

  it.each(JSON.parse(readSource('examples/servers/servers.json')) as { name: string; source: string }[])(
    'shows the code of the server on $name as it is tested, without links in it',
    ({ name, source }) => {
      const page = read(`servers/${name}/index.html`);
      const code = readSource(`examples/servers/${name}/${source}`).trimEnd();
      expect(copiedFrom(page)).toContain(code);
      expect(shownOn(page)).toContain(code);
      expect(page).not.toMatch(/<pre\b(?:(?!<\/pre>)[^])*<a\b/);
    },
  );

  it('explains each requirement, open point and check at a place of its own', () => {
    const places = [
      ['requirements/index.html', siteData.requirements],
      ['open-points/index.html', siteData['open-points']],
      ['checks/index.html', siteData.checks],
    ] as const;
    for (const [page, items] of places) {
      const text = read(page);
      expect(items.filter(({ id }) => !text.includes(`id="${id}"`))).toEqual([]);
    }
  });

  it('shows what a requirement covers', () => {
    const page = read('requirements/index.html');
    const starts = siteData.requirements.flatMap(({ description = '' }) => description.split(/[`&<]/, 1));
    expect(starts.filter(Boolean).length).toBeGreaterThan(5);
    expect(starts.filter((start) => !page.includes(start))).toEqual([]);
  });

  it('lists each change of the contract', () => {
    const versions = parse(readSource('contract/changes.yaml')) as Record<string, Record<string, string>>;
    const page = read('changes/index.html');
    for (const [version, changes] of Object.entries(versions)) {
      expect(page).toContain(`Since ${version}`);
      for (const id of Object.keys(changes)) expect(page).toContain(`<code>${id}</code>`);
    }
  });

  it('has the contract at its three addresses', () => {
    const { version } = siteData.contract.info;
    for (const name of ['latest', `v${version.split('.')[0] ?? ''}`, `v${version}`]) {
      expect(read(`${name}/openapi.yaml`)).toContain(readSource('openapi.yaml'));
    }
  });

  describe.skipIf(chromiumPath === undefined)('in Chromium (skipped only where none is installed)', () => {
    const open = useChromium();
    let server: StaticServer;

    beforeAll(async () => {
      server = await serveFolder(site, BASE);
    });
    afterAll(() => server.close());

    const visit = async (page: Page, path: string): Promise<void> => {
      await page.goto(server.url + path);
    };

    it('asks no other host, and complains of nothing', async () => {
      const page = await open('about:blank');
      const said: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) said.push(request.url());
      });
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) said.push(`${page.url()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => said.push(`${page.url()}: ${error.message}`));
      for (const path of filesBelow(site).filter((each) => each.endsWith('.html'))) await visit(page, path);
      expect(said).toEqual([]);
    });

    it.each(['light', 'dark'] as const)('has nothing that axe-core finds, in %s, and fits a phone', async (scheme) => {
      const page = await open('about:blank', {
        colorScheme: scheme,
        viewport: { width: 390, height: 844 },
        bypassCSP: true,
      });
      const found: string[] = [];
      for (const path of KINDS) {
        await visit(page, path);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > 390) found.push(`${path} is ${width} px wide`);
        for (const { id, nodes } of await violationsOn(page)) found.push(`${path}: ${id} ${nodes[0]?.html ?? ''}`);
      }
      expect(found).toEqual([]);
    });

    it('finds a requirement by its id', async () => {
      const page = await open('about:blank');
      // In a worker of a page that is under control, requests of Pagefind are lost at times; it searches without one, too.
      await page.addInitScript('delete globalThis.Worker');
      await visit(page, 'index.html');
      await page.locator('site-search input').waitFor({ state: 'attached' });
      await page.keyboard.press('Control+k');
      const box = page.getByRole('dialog', { name: 'Search' });
      await box.locator('input').fill('update.unsent-fields-keep');
      await box.locator(`a[href^="${BASE}requirements/"]`).first().waitFor();
    });
  });
});
