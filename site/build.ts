import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { execute, type Execution } from '../common/process/process.ts';
import { finishedNotFoundPage, finishedPage, finishedScript, rootFrom } from './finish.ts';
import { withoutLocalLinks } from './markdown.ts';
import type { Page } from './page.ts';
import { sitePages } from './pages.ts';
import { contractFolders } from './pages/texts.ts';
import { NAVIGATION, ROOT } from './places.ts';
import { readSite, type Sources, type SiteData } from './read.ts';

function write(folder: string, path: string, content: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** @throws Error with the output of the tool, if it failed */
function requireSuccess(tool: string, { error, stdout, stderr }: Execution): void {
  if (error) throw new Error(`${tool} failed:\n${stdout}${stderr}`);
}

/** Makes the pages with Astro and Starlight, in a folder of their own: several builds can run at the same time. */
async function generatePages(root: string, out: string, data: SiteData, pages: readonly Page[]): Promise<void> {
  mkdirSync(join(root, 'build'), { recursive: true });
  // Below the root, so that the configuration finds the packages.
  const folder = mkdtempSync(join(root, 'build/.site-'));
  try {
    cpSync(join(root, 'site/starlight'), folder, { recursive: true });
    const input = join(folder, 'data.json');
    const parts = (page: Page) =>
      page.parts.map((part) => (typeof part === 'string' ? { markdown: part } : { html: part.text }));
    const content = pages.map((page) => ({ ...page, parts: parts(page) }));
    writeFileSync(input, JSON.stringify({ title: data.tool.name, root: ROOT, navigation: NAVIGATION, pages: content }));
    const made = join(folder, 'made');
    const astro = join(root, 'node_modules/astro/astro.js');
    // Astro takes variables such as BASE_URL and MODE for settings of its own, so it gets none but these.
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, SITE_DATA: input, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
    requireSuccess(
      'astro',
      await execute([process.execPath, astro, 'build', '--root', folder, '--outDir', made], { cwd: folder, env }),
    );
    cpSync(made, out, { recursive: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Where the reference of the library is, which typedoc makes. */
const LIBRARY = 'api/';

/** Makes every address of the generated files relative. */
function finish(out: string): void {
  const folders = foldersIn(out);
  for (const entry of readdirSync(out, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(out, file).split(sep).join('/');
    const change = (by: (text: string) => string): void => writeFileSync(file, by(readFileSync(file, 'utf8')));
    if (path === '404.html') change((page) => finishedNotFoundPage(page, folders));
    else if (path.endsWith('.html') && !path.startsWith(LIBRARY)) change((page) => finishedPage(page, path));
    else if (path.startsWith('_astro/') && path.endsWith('.js')) change(finishedScript);
  }
}

const LIBRARY_POLICY =
  "default-src 'none'; script-src 'self' file: 'unsafe-inline'; style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; base-uri 'none'; form-action 'none'";

/** Where typedoc's pages link to the site; they know no relative address of it. */
const SITE = 'site:index';

/** The reference of the library, from the doc comments. */
async function buildLibraryReference(root: string, out: string, { documents }: SiteData): Promise<void> {
  const folder = join(out, LIBRARY);
  const start = join(out, 'library.md');
  writeFileSync(start, withoutLocalLinks(documents.get('docs/library.md') ?? '').replaceAll(/<!--.*-->/g, ''));
  const typedoc = join(root, 'node_modules/typedoc/bin/typedoc');
  const options = ['--options', join(root, 'site/typedoc.json'), '--readme', start, '--out', folder];
  requireSuccess('typedoc', await execute([process.execPath, typedoc, ...options], { cwd: root }));
  rmSync(start);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.name.endsWith('.html')) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(out, file).split(sep).join('/');
    const page = readFileSync(file, 'utf8')
      .replace(
        '<head>',
        `<head><meta http-equiv="Content-Security-Policy" content="${LIBRARY_POLICY}"/><link rel="icon" href="data:,"/>`,
      )
      .replaceAll(`"${SITE}"`, `"${rootFrom(path)}index.html"`)
      // A script puts the icons into each page; a page opened from a disk may not load them from another file.
      .replaceAll(/href="[^"]*icons\.svg#/g, 'href="#');
    writeFileSync(file, page);
  }
}

function writeContractFiles({ downloads, contract }: SiteData, out: string): void {
  for (const { name, content } of downloads) {
    for (const folder of contractFolders(contract.version)) write(out, `${folder}/${name}`, content);
  }
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/**
 * Writes the whole site into a folder. It is built in a temporary folder that replaces the old site at the end.
 *
 * @throws UsageError if a source is missing or invalid
 * @throws UsageError if the contract cannot be published as it is
 */
export async function buildSite(sources: Sources, out: string): Promise<void> {
  const { root } = sources;
  const data = await readSite(sources);
  mkdirSync(dirname(out), { recursive: true });
  const draft = mkdtempSync(`${out}-`);
  try {
    await Promise.all([generatePages(root, draft, data, sitePages(data)), buildLibraryReference(root, draft, data)]);
    writeContractFiles(data, draft);
    for (const { id, resultText } of data.implementations) write(draft, `implementations/${id}.json`, resultText);
    finish(draft);
    rmSync(out, { recursive: true, force: true });
    renameSync(draft, out);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}
