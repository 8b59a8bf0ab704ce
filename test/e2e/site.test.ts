import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPoints, operationIds, requirements } from '../../contract/document.ts';
import { commands } from '../../cli/commands.ts';
import { SETTINGS } from '../../cli/input/settings.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import * as library from '../../conformance/index.ts';
import type { Result } from '../../conformance/result/result.ts';
import { publishedContract } from '../../contract-publish/build-contract.ts';
import { variants } from '../../proof/catalogue.ts';
import { tool, type CliResult } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { chromiumPath, hostsAskedByPages, useChromium, violationsOn } from '../support/browser.ts';
import { expectedKillMatrix } from '../support/kill-matrix.ts';
import { read as readSource } from '../support/repository.ts';
import { complete, sample } from '../support/sample.ts';
import { brokenLinks, decoded, filesBelow, readLinkedPage } from '../support/links.ts';
import { serveFolder, type StaticServer } from '../support/static-server.ts';

const folder = temporaryFolder();
const site = folder.at('site');

const build = (...args: string[]): Promise<CliResult> => tool('site/main.ts', args);

const read = (path: string): string => readFileSync(join(site, path), 'utf8');

/** The texts that buttons copy: a delete character stands for the end of a line. */
const copiedFrom = (page: string): string[] =>
  [...page.matchAll(/data-code="([^"]*)"/g)].map(([, code = '']) => decoded(code).replaceAll('\u007F', '\n'));

const KINDS: readonly string[] = [
  ...['index.html', 'reference.html', 'result.html', 'requirements.html', 'open-points.html', 'downloads.html'],
  ...['changelog.html', '404.html', 'checks.html', 'checks/update-name-keeps-email.html'],
  ...['proof.html', 'proof/path-id.html', 'proof/variants.html'],
  ...['docs/ci.html', 'docs/write-a-server.html', 'docs/safety.html', 'docs/reports.html', 'docs/cli.html'],
  ...['docs/configuration.html', 'docs/architecture.html', 'docs/contributing.html'],
  ...['implementations.html', 'implementations/prism-mock.html', 'docs/implementations.html'],
  'docs/servers/express.html',
];
/** Pages of the library's reference, which typedoc makes. */
const FOREIGN = ['api/index.html', 'api/functions/run.html'];
const PHONE = { viewport: { width: 390, height: 844 } };

beforeAll(async () => {
  folder.write('kill-matrix.json', JSON.stringify(expectedKillMatrix()));
  expect(await build('--proof', folder.at('kill-matrix.json'), '--out', site)).toMatchObject({ code: 0, stderr: '' });
});

describe('the files of the site', () => {
  it.runIf(complete)('are the same bytes each time', async () => {
    const again = folder.at('again');
    expect(await build('--proof', folder.at('kill-matrix.json'), '--out', again)).toMatchObject({ code: 0 });
    expect(filesBelow(again)).toEqual(filesBelow(site));
    const differing = filesBelow(site).filter(
      (path) => !readFileSync(join(site, path)).equals(readFileSync(join(again, path))),
    );
    expect(differing).toEqual([]);
  });

  it('link only to what is there, by relative addresses', () => {
    const files = filesBelow(site);
    const pages = files.filter((path) => path.endsWith('.html')).map((path) => readLinkedPage(site, path));
    // typedoc makes its icons when the page is shown.
    const own = pages.map((page) => ({
      ...page,
      targets: page.targets.filter((target) => !target.startsWith('#icon-')),
    }));
    expect(own.filter(({ path }) => path.startsWith('checks/')).length).toBe(checks.length);
    expect(brokenLinks(own, files)).toEqual([]);
    const targets = ['index.html', '/index.html', '#nowhere', '../index.html#nowhere', 'none.png'];
    const planted = { path: 'checks/planted.html', targets, ids: new Set<string>() };
    expect(brokenLinks([...own, planted], [...files, planted.path])).toEqual([
      'checks/planted.html: index.html is not there',
      'checks/planted.html: /index.html is not relative',
      'checks/planted.html: #nowhere has no such anchor',
      'checks/planted.html: ../index.html#nowhere has no such anchor',
      'checks/planted.html: none.png is not there',
    ]);
  });

  it('have a page of the library for every export, which asks no other host for anything', () => {
    const pages = filesBelow(join(site, 'api')).filter((path) => path.endsWith('.html'));
    const names = pages.map((path) => path.replace(/^.*\/|\.html$/g, ''));
    const described = [...Object.keys(library), 'Target', 'RunOptions', 'RunEvent', 'Result', 'CheckDescription'];
    expect(described.filter((name) => !names.includes(name))).toEqual([]);
    for (const page of pages)
      expect(
        read(`api/${page}`).match(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g),
      ).toBeNull();
  });

  it('lead from the API reference to every requirement and open point', () => {
    const reference = read('reference.html');
    const linked = (page: string): string[] =>
      [...reference.matchAll(new RegExp(`href="${page}#([\\w.-]+)"`, 'g'))].map(([, id = '']) => id);
    expect([...new Set(linked('requirements.html'))].sort()).toEqual(requirements.map(({ id }) => id).sort());
    expect([...new Set(linked('open-points.html'))].sort()).toEqual(openPoints.map(({ id }) => id).sort());
  });

  it('show an option as it is typed, also where it is no code', () =>
    expect(read('docs/performance.html')).toContain('critical path of --only must'));

  it('have no id twice in one page', () => {
    const repeated = filesBelow(site)
      .filter((path) => path.endsWith('.html') && !path.startsWith('api/'))
      .flatMap((path) => {
        const ids = [...read(path).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
        return ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${path}: ${id ?? ''}`);
      });
    expect(repeated).toEqual([]);
  });

  it('show the operations of the contract and the report of the README on the start page', () => {
    const start = read('index.html');
    for (const id of operationIds) expect(start).toContain(`href="reference.html#operation/${id}"`);
    const [, report = ''] = /```text\n([\s\S]*?)\n```/.exec(readSource('README.md')) ?? [];
    expect(copiedFrom(start)[0]).toBe(report);
  });

  it('show the help of every command and every setting', async () => {
    const page = read('docs/cli.html');
    const lacking = Object.keys(commands).filter((name) => !page.includes(`id="the-help-of-${name}"`));
    expect(lacking).toEqual([]);
    const { command } = await (commands.run ?? expect.fail)();
    expect(copiedFrom(page)).toContain(command.help.trim());
    const settings = read('docs/configuration.html');
    expect(Object.keys(SETTINGS).filter((name) => !settings.includes(`<code>${name}</code>`))).toEqual([]);
  });

  it('show the outcome of every requirement for every implementation', () => {
    const [, table = ''] = /id="outcomes"([\s\S]*?)<\/table>/.exec(read('implementations.html')) ?? [];
    const { requirements: judged } = JSON.parse(read('implementations/unleash-5.json')) as Result;
    const rows = new Map(
      [...table.matchAll(/requirements\.html#([\w.-]+)"([\s\S]*?)<\/tr>/g)].map(([, id = '', row = '']) => [id, row]),
    );
    expect([...rows.keys()].sort()).toEqual(requirements.map(({ id }) => id).sort());
    const wrong = judged.filter(
      ({ id, outcome }) => rows.has(id) && !rows.get(id)?.includes(`class="outcome ${outcome}"`),
    );
    expect(wrong).toEqual([]);
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
});

describe.skipIf(chromiumPath === undefined)('the site in Chromium (skipped only where none is installed)', () => {
  const netLog = folder.at('net-log.json');
  const { open, close } = useChromium(netLog);
  const disk = `${pathToFileURL(site).href}/`;
  let server: StaticServer;

  beforeAll(async () => {
    server = await serveFolder(site, '/some/prefix/');
  });

  afterAll(() => server.close());

  const openHere = (path: string): Promise<Page> => open(server.url + path);

  /** Visits pages one after the other, and says what each asked for elsewhere, and what it complained of. */
  async function visit(base: string, paths: readonly string[]): Promise<string[]> {
    const page = await open('about:blank');
    const said: string[] = [];
    let current = '';
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(base) && !/^(data|blob):/.test(url)) said.push(`${current} asks for ${url}`);
    });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) said.push(`${current}: ${message.text()}`);
    });
    page.on('pageerror', (error) => said.push(`${current}: ${error.message}`));
    for (const path of paths) {
      current = path;
      await page.goto(base + path);
    }
    return said;
  }

  it('asks no other host, and complains of nothing, on any page', async () => {
    const pages = filesBelow(site).filter((path) => path.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(checks.length + 30);
    const some = [...new Set([...KINDS, ...FOREIGN, ...sample(pages, 10)])];
    expect(await visit(server.url, some)).toEqual([]);
    expect(await visit(disk, [...sample(KINDS, 4), ...FOREIGN])).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has nothing that axe-core finds, in %s', async (colorScheme) => {
    const page = await open('about:blank', { colorScheme, bypassCSP: true });
    const found: string[] = [];
    for (const path of sample([...KINDS, ...FOREIGN], 7)) {
      await page.goto(server.url + path);
      for (const { id, impact, nodes } of await violationsOn(page)) {
        const counts = KINDS.includes(path) || impact === 'serious' || impact === 'critical';
        if (counts) found.push(`${path}: ${id} ${nodes[0]?.html.slice(0, 200) ?? ''}`);
      }
    }
    expect(found).toEqual([]);
  });

  it('fits on a phone, with all code to be seen', async () => {
    const page = await open('about:blank', PHONE);
    const wide: string[] = [];
    for (const path of sample(KINDS, 8)) {
      await page.goto(server.url + path);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > 390) wide.push(`${path}: ${width}`);
      const cut = await page.evaluate<number>(
        `[...document.querySelectorAll('main pre')].filter((each) => each.scrollWidth > each.clientWidth + 1).length`,
      );
      if (cut > 0) wide.push(`${path}: ${cut} blocks of code are cut off`);
    }
    expect(wide).toEqual([]);
  });

  it('sends less than 200 kB for the start page', async () => {
    const page = await open('about:blank');
    const sizes: Promise<{ responseBodySize: number; responseHeadersSize: number }>[] = [];
    page.on('requestfinished', (request) => sizes.push(request.sizes()));
    await page.goto(`${server.url}index.html`, { waitUntil: 'networkidle' });
    const total = (await Promise.all(sizes)).reduce(
      (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
      0,
    );
    expect(total).toBeGreaterThan(20_000);
    expect(total).toBeLessThan(200_000);
  });

  /** Types into the search, and returns the box with what is found. */
  async function search(page: Page, sought: string): Promise<Locator> {
    await page.locator('site-search input').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    const box = page.getByRole('dialog', { name: 'Search' });
    await box.locator('input').waitFor();
    await page.keyboard.type(sought);
    await box.getByText(`for ${sought}`).waitFor();
    return box;
  }

  it('is searched by keyboard', async () => {
    const page = await openHere('checks/body-absent.html');
    const box = await search(page, 'unsent-fields');
    const target = `${server.url}requirements.html#update.unsent-fields-keep`;
    const address = `${new URL(target).pathname}#update.unsent-fields-keep`;
    await box.locator(`a[href="${address}"]`).waitFor();
    const reached = async (): Promise<boolean> =>
      page.evaluate<boolean>(`document.activeElement?.getAttribute('href') === ${JSON.stringify(address)}`);
    for (let presses = 0; presses < 6 && !(await reached()); presses += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(target);
  });

  it.each([
    ['an open point', 'open.empty-body', 'open-points.html#open.empty-body'],
    ['a check', 'body-absent', 'checks/body-absent.html'],
    ['a defect', 'no-key-needed', 'proof/auth.html#no-key-needed'],
    ['a variant', variants[0]?.id ?? '', `proof/variants.html#${variants[0]?.id ?? ''}`],
    ['an implementation', 'Prism mock', 'implementations/prism-mock.html'],
    ['a framework', 'spring', 'docs/servers/spring-boot.html'],
    ['a document', 'Known failures', 'docs/reports.html#known-failures'],
  ])('finds %s', async (_kind, sought, target) => {
    const box = await search(await openHere('index.html'), sought);
    await box.locator(`a[href="/some/prefix/${target}"]`).waitFor();
  });

  it('filters the requirements, and shows what a link leads to all the same', async () => {
    const page = await openHere('requirements.html');
    const shown = page.locator('#requirements article:visible');
    // A phone shows all areas; what is in them is folded.
    expect(await shown.count()).toBe(0);
    await page.getByLabel('Level').selectOption('should');
    const shoulds = requirements.filter(({ level }) => level === 'should');
    expect(await shown.count()).toBe(shoulds.length);
    await page.getByText(`${shoulds.length} of ${requirements.length} shown`).waitFor();
    await page.getByLabel('Area').selectOption('banner');
    expect(await shown.count()).toBe(shoulds.filter(({ id }) => id.startsWith('banner.')).length);
    expect(await page.locator('#requirements .area:visible').count()).toBe(1);
    await page.evaluate('location.hash = "#auth.key-required"');
    await page.locator('[id="auth.key-required"]:visible').waitFor();
    expect(await shown.count()).toBe(requirements.filter(({ id }) => id.startsWith('auth.')).length);
  });

  it('opens the fold that holds what a link leads to', async () => {
    const page = await openHere('proof/auth.html#no-key-needed');
    await page.locator('#no-key-needed:visible').waitFor();
    await page.getByLabel('Text').fill('caller remembered');
    expect(await page.locator('#no-key-needed:visible').count()).toBe(0);
  });

  it('can be read without JavaScript', async () => {
    const page = await open(`${server.url}requirements.html`, { javaScriptEnabled: false });
    for (const area of await page.locator('#requirements .area > summary').all()) await area.click();
    expect(await page.locator('#requirements article:visible').count()).toBe(requirements.length);
    expect(await page.locator('form:visible').count()).toBe(0);
    expect(await page.locator('site-search:visible').count()).toBe(0);
    await page.goto(`${server.url}reference.html`);
    for (const id of operationIds) expect(await page.locator(`[id="operation/${id}"]:visible`).count()).toBe(1);
    await page.setViewportSize(PHONE.viewport);
    await page.getByRole('link', { name: 'Requirements', exact: true }).first().click();
    await page.waitForURL(`${server.url}requirements.html`);
  });

  it.each([true, false])('shows the ways to judge a server as tabs (JavaScript: %s)', async (javaScriptEnabled) => {
    const page = await open(`${server.url}index.html`, { javaScriptEnabled });
    const shown = page.locator('.tabs .panel:visible');
    expect(await page.locator('main').textContent()).toContain('CONFORMANCE_ADMIN_KEY=');
    expect(await shown.textContent()).toContain('npx');
    await page.getByRole('radio', { name: 'npx' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await shown.count()).toBe(1);
    expect(await shown.textContent()).toContain('tar -xz');
  });

  it('compares implementations, and can show only what differs', async () => {
    const page = await openHere('implementations.html');
    const rows = page.locator('#outcomes tbody tr:visible');
    expect(await rows.count()).toBe(requirements.length);
    const form = page.locator('form[data-filter="outcomes"]');
    await form.getByLabel('Implementations').selectOption('yes');
    const differing = await rows.count();
    expect(differing).toBeGreaterThan(0);
    expect(differing).toBeLessThan(requirements.length);
    expect(await page.locator('#observed .differs').count()).toBeGreaterThan(0);
  });

  it('responds to an address that is not there with its own page', async () => {
    const page = await openHere('checks/of-old/none.html');
    await page.getByRole('heading', { name: 'No such page' }).waitFor();
    const start = await page.evaluate(`document.querySelector('main a[href$="index.html"]').href`);
    expect(start).toBe(`${server.url}index.html`);
    const family = await page.evaluate('getComputedStyle(document.body).fontFamily');
    expect(family).toContain('system-ui');
  });

  it('left nothing in the network log of the browser but its own server', async () => {
    // That the log would show another host is seen by one that a page of the test asks for.
    const page = await open('about:blank');
    await page.setContent('<img src="http://planted.invalid/">');
    await close();
    expect(hostsAskedByPages(readFileSync(netLog, 'utf8'))).toEqual(['127.0.0.1', 'planted.invalid']);
  });
});
