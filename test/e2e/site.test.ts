import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPoints, requirements } from '../../contract/document.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import type { Result } from '../../conformance/result/result.ts';
import { publishedContract } from '../../contract-publish/build-contract.ts';
import { variants } from '../../proof/catalogue.ts';
import { layout } from '../../site/layout.ts';
import { sitePages } from '../../site/pages.ts';
import { readSite } from '../../site/read.ts';
import { execute, expectUsageError, type CliResult } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { chromiumPath, hostsAskedByPages, startChromium, violationsOn } from '../support/browser.ts';
import { expectedKillMatrix } from '../support/kill-matrix.ts';
import { complete, sample } from '../support/sample.ts';
import { brokenLinks, filesBelow, readLinkedPage } from '../support/links.ts';
import { serveFolder, type StaticServer } from '../support/static-server.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();
const site = folder.at('site');

const build = (...args: string[]): Promise<CliResult> =>
  execute(process.execPath, [join(root, 'dist/site/main.js'), ...args]);

const read = (path: string): string => readFileSync(join(site, path), 'utf8');

/** One page of each kind. */
const KINDS: readonly string[] = [
  ...['index.html', 'requirements.html', 'open-points.html', 'downloads.html', 'changelog.html', '404.html'],
  ...['checks/index.html', 'checks/update-name-keeps-email.html'],
  ...['proof/index.html', 'proof/path-id.html', 'proof/variants.html'],
  ...['docs/index.html', 'docs/configuration.html', 'docs/architecture.html', 'docs/contributing.html'],
  ...['implementations/index.html', 'implementations/prism-mock.html', 'docs/implementations.html'],
];
/** Pages that tools made. */
const FOREIGN = ['reference.html', 'api/index.html', 'api/functions/run.html'];

let proof = '';

beforeAll(async () => {
  proof = folder.write('kill-matrix.json', JSON.stringify(expectedKillMatrix()));
  expect(await build('--proof', proof, '--out', site)).toMatchObject({ code: 0, stderr: '' });
});

describe('the files of the site', () => {
  it.runIf(complete)('are the same bytes each time', async () => {
    const again = folder.at('again');
    expect(await build('--proof', proof, '--out', again)).toMatchObject({ code: 0 });
    expect(filesBelow(again)).toEqual(filesBelow(site));
    const differing = filesBelow(site).filter(
      (path) => !readFileSync(join(site, path)).equals(readFileSync(join(again, path))),
    );
    expect(differing).toEqual([]);
  });

  it('link only to what is there, by relative addresses', () => {
    const files = filesBelow(site);
    const pages = files.filter((path) => path.endsWith('.html')).map((path) => readLinkedPage(site, path));
    // Redoc makes its anchors, and typedoc its icons, when the page is shown.
    const own = pages.map(({ path, targets, ids }) => ({
      path,
      ids,
      targets: targets.filter((target) => !/^#\/|^#icon-|^reference\.html#operation\//.test(target)),
    }));
    expect(own.filter(({ path }) => path.startsWith('checks/')).length).toBe(checks.length + 1);
    expect(brokenLinks(own, files)).toEqual([]);
  });

  it('lead from the API reference to every requirement and open point', () => {
    const reference = read('reference.html');
    const linked = (page: string): string[] =>
      [...reference.matchAll(new RegExp(`\\]\\(${page}#([\\w.-]+)\\)`, 'g'))].map(([, id = '']) => id);
    expect([...new Set(linked('requirements.html'))].sort()).toEqual(requirements.map(({ id }) => id).sort());
    expect([...new Set(linked('open-points.html'))].sort()).toEqual(openPoints.map(({ id }) => id).sort());
  });

  it('have an anchor for each failure mode', () => {
    const lacking = checks.flatMap(({ id, failureModes }) => {
      const { ids } = readLinkedPage(site, `checks/${id}.html`);
      return Object.keys(failureModes).filter((mode) => !ids.has(mode));
    });
    expect(lacking).toEqual([]);
  });

  it('have one anchor for each defect and each variant', () => {
    const ids = filesBelow(join(site, 'proof')).flatMap((path) => [...readLinkedPage(site, `proof/${path}`).ids]);
    const places = expectedKillMatrix().defects.map(({ id }) => id);
    const wrong = [...places, ...variants.map(({ id }) => id)].filter(
      (sought) => ids.filter((id) => id === sought).length !== 1,
    );
    expect(wrong).toEqual([]);
  });

  it('have no id twice in one page', () => {
    const repeated = filesBelow(site)
      .filter((path) => path.endsWith('.html') && !path.startsWith('api/') && path !== 'reference.html')
      .flatMap((path) => {
        const ids = [...read(path).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
        return ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${path}: ${id ?? ''}`);
      });
    expect(repeated).toEqual([]);
  });

  it('show the operations of the contract and the report of the README on the start page', () => {
    const start = read('index.html');
    expect(start).toContain('reference.html#operation/updateUser');
    const [, report = ''] = /```text\n([\s\S]*?)\n```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    const [, shown = ''] = /<pre[^>]*><code>([\s\S]*?)<\/code>/.exec(start) ?? [];
    expect(shown.replaceAll('&quot;', '"')).toBe(report);
  });

  it('hold the contract under each of its addresses, with checksums', () => {
    const { info } = JSON.parse(read('latest/openapi.json')) as { info: { version: string } };
    const { version } = info;
    for (const [file, content] of publishedContract()) {
      for (const address of ['latest', `v${version.split('.')[0] ?? ''}`, `v${version}`]) {
        expect(read(`${address}/${file}`)).toBe(content);
      }
      expect(read('downloads.html')).toContain(`v${version}/${file}`);
    }
  });

  it('hold the results of implementations as they were committed', () => {
    for (const name of ['reference', 'independent', 'prism-mock', 'unleash-5', 'unleash-8']) {
      const committed = readFileSync(join(root, `site/implementations/${name}.json`), 'utf8');
      expect(read(`implementations/${name}.json`)).toBe(committed);
      expect(read('implementations/index.html')).toContain(`${name}.html"`);
    }
  });
});

describe('the builder', () => {
  const unbuilt = (file: string, ...more: string[]) => build('--proof', file, '--out', folder.at('unbuilt'), ...more);
  const { defects, variants: proven, ...rest } = expectedKillMatrix();
  const [first, ...others] = proven;
  const failure = { ...first, problems: ['body-absent failed as accepted'] };

  it.each([
    ['is missing', undefined, /\.json is missing: run "npm run prove" first \(about two minutes\)\.\n$/],
    [
      'is of another state',
      { ...rest, defects: defects.slice(1), variants: proven },
      /\.json does not fit the current suite: run "npm run prove" again .*\n$/,
    ],
    [
      'does not hold',
      { ...rest, defects, variants: [failure, ...others] },
      /\.json: the proof does not hold: \S+: body-absent failed as accepted\.\n$/,
    ],
  ])('says in one line that the proof %s', async (what, matrix, says) => {
    const file = `${what.replaceAll(' ', '-')}.json`;
    expectUsageError(await unbuilt(matrix ? folder.write(file, JSON.stringify(matrix)) : folder.at(file)), says);
  });

  it('says in one line what is wrong with an implementation', async () => {
    const refusal = async (says: RegExp): Promise<void> => {
      expectUsageError(await unbuilt(proof, '--implementations', folder.at('wrong')), says);
    };
    folder.write('wrong/mine.json', '{}');
    await refusal(/mine\.json needs a file mine\.yaml beside it\.\n$/);
    folder.write('wrong/mine.yaml', 'title: Mine\nlanguage: Go\n');
    folder.write('wrong/mine.sh', '#!/bin/sh\n');
    await refusal(/mine\.yaml: version, summary must be given, as text\.\n$/);
    folder.write('wrong/mine.yaml', 'title: Mine\nlanguage: Go\nversion: "1"\nsummary: A server.\n');
    await refusal(/^\S+mine\.json: it is not a result; .*\n$/);
  });

  it('shows that a result is of another contract', () => {
    const { contract, checks: judged, ...rest } = JSON.parse(read('implementations/reference.json')) as Result;
    const stale = { ...rest, contract: { ...contract, version: '1.0.0' }, checks: judged.slice(1) };
    folder.write('stale/mine.json', JSON.stringify(stale));
    folder.write('stale/mine.yaml', 'title: Mine\nlanguage: Go\nversion: "1"\nsummary: <b>A</b>\n');
    folder.write('stale/mine.sh', '#!/bin/sh\n');
    const data = readSite({ root, proof, implementations: folder.at('stale') });
    const [page = ''] = sitePages(data).flatMap((each) =>
      each.path === 'implementations/mine.html' ? [layout(each, data.tool.name, data.contract.version)] : [],
    );
    expect(page).toContain('It was judged by contract 1.0.0');
    expect(page).toContain('It lacks 1 current check.');
    expect(page).toContain('&lt;b&gt;A&lt;/b&gt;');
  });
});

describe.skipIf(chromiumPath === undefined)('the site in Chromium (skipped only where none is installed)', () => {
  const netLog = folder.at('net-log.json');
  let browser: Browser;
  let server: StaticServer;
  const places = (): (readonly [place: string, base: string])[] => [
    ['under a path prefix', server.url],
    ['from a disk', `${pathToFileURL(site).href}/`],
  ];

  beforeAll(async () => {
    server = await serveFolder(site, '/some/prefix/');
    browser = await startChromium(netLog);
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  /** Opens a page, and closes it in the end. */
  async function onPage<T>(
    url: string,
    use: (page: Page) => Promise<T>,
    options: BrowserContextOptions = {},
  ): Promise<T> {
    const context = await browser.newContext(options);
    try {
      const page = await context.newPage();
      await page.goto(url);
      return await use(page);
    } finally {
      await context.close();
    }
  }

  /** Visits pages one after the other, and says what each asked for elsewhere, and what it complained of. */
  async function visit(base: string, paths: readonly string[]): Promise<string[]> {
    const context = await browser.newContext();
    const said: string[] = [];
    let current = '';
    context.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(base) && !/^(data|blob):/.test(url)) said.push(`${current} asks for ${url}`);
    });
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) said.push(`${current}: ${message.text()}`);
    });
    context.on('weberror', (error) => said.push(`${current}: ${error.error().message}`));
    const page = await context.newPage();
    for (const path of paths) {
      current = path;
      await page.goto(base + path);
      if (path.startsWith('reference')) await page.getByRole('heading', { level: 2 }).first().waitFor();
    }
    await context.close();
    return said;
  }

  it('asks no other host, and complains of nothing, on any page', async () => {
    const pages = filesBelow(site).filter((path) => path.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(checks.length + 30);
    const some = [...new Set([...KINDS, ...FOREIGN, ...sample(pages, 10)])];
    expect(await visit(server.url, some)).toEqual([]);
  });

  it('asks no other host, and complains of nothing, from a disk', async () => {
    expect(await visit(`${pathToFileURL(site).href}/`, [...sample(KINDS, 4), ...FOREIGN])).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has nothing that axe-core finds, in %s', async (colorScheme) => {
    const operations = ['updateUser', 'listBanners'].map((id) => `reference.html#operation/${id}`);
    const found: string[] = [];
    const look = async (page: Page): Promise<void> => {
      for (const path of sample([...KINDS, ...FOREIGN, ...operations], 7)) {
        // From nowhere, so that an anchor alone is a new page too.
        await page.goto('about:blank');
        await page.goto(server.url + path);
        if (path.startsWith('reference')) await page.getByRole('heading', { level: 2 }).first().waitFor();
        for (const { id, impact, nodes } of await violationsOn(page)) {
          const counts = KINDS.includes(path) || impact === 'serious' || impact === 'critical';
          if (counts) found.push(`${path}: ${id} ${nodes[0]?.html.slice(0, 200) ?? ''}`);
        }
      }
    };
    await onPage('about:blank', look, { colorScheme, bypassCSP: true });
    expect(found).toEqual([]);
  });

  it('fits on a phone', async () => {
    const wide: string[] = [];
    const look = async (page: Page): Promise<void> => {
      for (const path of KINDS) {
        await page.goto(server.url + path);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > 390) wide.push(`${path}: ${width}`);
      }
    };
    await onPage('about:blank', look, { viewport: { width: 390, height: 844 } });
    expect(wide).toEqual([]);
  });

  it('is searched by keyboard, wherever it stands', async () => {
    for (const [place, base] of places()) {
      await onPage(`${base}checks/body-absent.html`, async (page) => {
        const input = page.getByRole('combobox', { name: 'Search' });
        const status = page.locator('#site-search-state');
        await page.keyboard.press('/');
        expect(await page.evaluate('document.activeElement?.id'), place).toBe('site-search');
        await page.keyboard.type('unsent-fields');
        const options = page.getByRole('option');
        await options.first().waitFor();
        expect(await status.textContent()).toMatch(/^\d+ results?\b/);
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowUp');
        const active = await input.getAttribute('aria-activedescendant');
        expect(active).toBe(await options.first().getAttribute('id'));
        expect(await options.first().textContent()).toContain('update.unsent-fields-keep');
        await page.keyboard.press('Enter');
        await page.waitForURL(`${base}requirements.html#update.unsent-fields-keep`);
      });
    }
  });

  it('says when a search finds nothing, and closes its list on Escape', async () => {
    await onPage(`${server.url}index.html`, async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('qqqq');
      await page.getByText('Nothing found.').waitFor();
      await page.getByRole('combobox').fill('banner');
      await page.getByRole('listbox').waitFor();
      await page.keyboard.press('Escape');
      expect(await page.getByRole('combobox').getAttribute('aria-expanded')).toBe('false');
      expect(await page.getByRole('listbox').count()).toBe(0);
    });
  });

  it('finds each kind of thing', async () => {
    await onPage(`${server.url}index.html`, async (page) => {
      const firstFor = async (sought: string): Promise<string | null> => {
        await page.getByRole('combobox').fill(sought);
        const option = page.getByRole('option').filter({ hasText: sought }).first();
        await option.waitFor();
        return option.getAttribute('data-target');
      };
      const [variant = { id: '' }] = variants;
      expect(await firstFor('open.empty-body')).toBe('open-points.html#open.empty-body');
      expect(await firstFor('body-absent')).toBe('checks/body-absent.html');
      expect(await firstFor('no-key-needed')).toBe('proof/auth.html#no-key-needed');
      expect(await firstFor(variant.id)).toBe(`proof/variants.html#${variant.id}`);
      expect(await firstFor('Prism mock')).toBe('implementations/prism-mock.html');
    });
  });

  it('filters the requirements, and shows what a link leads to all the same', async () => {
    await onPage(`${server.url}requirements.html`, async (page) => {
      const shown = page.locator('#requirements article:visible');
      expect(await shown.count()).toBe(requirements.length);
      await page.getByLabel('Level').selectOption('should');
      const shoulds = requirements.filter(({ level }) => level === 'should');
      expect(await shown.count()).toBe(shoulds.length);
      await page.getByText(`${shoulds.length} of ${requirements.length} shown`).waitFor();
      await page.getByLabel('Area').selectOption('banner');
      expect(await shown.count()).toBe(shoulds.filter(({ id }) => id.startsWith('banner.')).length);
      expect(await page.locator('#requirements section:visible').count()).toBe(1);
      await page.evaluate('location.hash = "#auth.key-required"');
      await page.locator('[id="auth.key-required"]:visible').waitFor();
      expect(await shown.count()).toBe(requirements.length);
    });
  });

  it('opens the fold that holds what a link leads to', async () => {
    await onPage(`${server.url}proof/auth.html#no-key-needed`, async (page) => {
      await page.locator('#no-key-needed:visible').waitFor();
      await page.getByLabel('Text').fill('caller remembered');
      expect(await page.locator('#no-key-needed:visible').count()).toBe(0);
    });
  });

  it('can be read without JavaScript', async () => {
    const read = async (page: Page): Promise<void> => {
      await page.goto(`${server.url}requirements.html`);
      expect(await page.locator('#requirements article:visible').count()).toBe(requirements.length);
      expect(await page.locator('form:visible').count()).toBe(0);
      await page.goto(`${server.url}reference.html`);
      await page.getByText('This reference needs JavaScript.').waitFor();
      expect(await page.getByRole('link', { name: 'admin-api-conformance' }).getAttribute('href')).toBe('index.html');
    };
    await onPage('about:blank', read, { javaScriptEnabled: false });
  });

  it('shows an operation in the API reference, which leads to its requirements and back', async () => {
    for (const [, base] of places()) {
      await onPage(`${base}index.html`, async (page) => {
        await page.getByRole('link', { name: 'PUT /api/admin/user-admin/{id}' }).click();
        await page.getByRole('heading', { name: 'Partially update a user' }).waitFor();
        await page.getByText('Changes the members of the user that are in the body').first().waitFor();
        await page.getByRole('link', { name: 'update.unsent-fields-keep' }).first().click();
        await page.waitForURL(`${base}requirements.html#update.unsent-fields-keep`);
        await page.goBack();
        await page.getByRole('link', { name: 'admin-api-conformance' }).click();
        await page.waitForURL(`${base}index.html`);
      });
    }
  });

  it('responds to an address that is not there with its own page', async () => {
    await onPage(`${server.url}checks/of-old/none.html`, async (page) => {
      await page.getByRole('heading', { name: 'No such page' }).waitFor();
      expect(await page.getByRole('link', { name: 'start page' }).getAttribute('href')).toBe('/some/prefix/index.html');
      const family = await page.evaluate('getComputedStyle(document.body).fontFamily');
      expect(family).toContain('system-ui');
    });
  });

  it('lets the skip link come first, and lead to the content', async () => {
    await onPage(`${server.url}index.html`, async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement?.id')).toBe('site-main');
    });
  });

  it('left nothing in the network log of the browser but its own server', async () => {
    // That the log would show another host is seen by one that a page of the test asks for.
    await onPage('about:blank', async (page) => {
      await page.setContent('<img src="http://planted.invalid/">');
    });
    await browser.close();
    expect(hostsAskedByPages(readFileSync(netLog, 'utf8'))).toEqual(['127.0.0.1', 'planted.invalid']);
  });
});
