import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { execute, type Execution } from '../common/process.ts';
import { contractDocument } from '../contract/document.ts';
import { runRedocly } from '../contract-gate/diff/redocly.ts';
import { layout, notFoundPage, rootFrom } from './layout.ts';
import { withoutLocalLinks } from './markdown.ts';
import type { SiteData } from './model.ts';
import { sitePages } from './pages.ts';
import { contractFolders } from './pages/texts.ts';
import { readSite, type Sources } from './read.ts';
import { silenceRedoc, withLinks } from './reference.ts';
import { searchEntries, searchScript } from './search-index.ts';

function write(folder: string, path: string, content: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** @throws Error with the output of the tool, if it failed */
function requireSuccess(tool: string, { error, stdout, stderr }: Execution): void {
  if (error) throw new Error(`${tool} failed:\n${stdout}${stderr}`);
}

/** The API reference: Redoc's page, in one file. */
async function buildReference(root: string, out: string, { tool: { name }, contract }: SiteData): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-site-'));
  try {
    const [document, page] = [join(folder, 'openapi.json'), join(folder, 'reference.html')];
    writeFileSync(document, JSON.stringify(withLinks(contractDocument)));
    const title = `API reference – ${name}`;
    const args = ['build-docs', document, '--config', join(root, 'redocly.yaml'), '--output', page, '--title', title];
    const built = await runRedocly([...args, '--inlineBundle', '--openapi.disableTelemetry=true'], root);
    requireSuccess('redocly', built);
    const [style, description] = [
      readFileSync(join(root, 'site/reference.css'), 'utf8'),
      `${contract.title}: ${contract.summary}`,
    ];
    write(out, 'reference.html', silenceRedoc(readFileSync(page, 'utf8'), name, description, style));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const LIBRARY_POLICY =
  "default-src 'none'; script-src 'self' file: 'unsafe-inline'; style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; base-uri 'none'; form-action 'none'";

/** Where typedoc's pages link to the site; they know no relative address of it. */
const SITE = 'site:index';

/** The reference of the library, from the doc comments. */
async function buildLibraryReference(root: string, out: string, { documents }: SiteData): Promise<void> {
  const folder = join(out, 'api');
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

function writePages(data: SiteData, out: string): void {
  const { tool: product, contract } = data;
  const pages = sitePages(data);
  for (const page of pages) write(out, page.path, layout(page, product.name, contract.version));
  write(out, 'assets/search-index.js', searchScript(searchEntries(data, pages)));
  for (const { id, resultText } of data.implementations) write(out, `implementations/${id}.json`, resultText);
}

function writeContractFiles({ downloads, contract }: SiteData, out: string): void {
  for (const { name, content } of downloads) {
    for (const folder of contractFolders(contract.version)) write(out, `${folder}/${name}`, content);
  }
}

function styleOf(root: string): string {
  return readFileSync(join(root, 'site/assets/style.css'), 'utf8');
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
 * @throws NotPublishable if the contract cannot be published as it is
 */
export async function buildSite(sources: Sources, out: string): Promise<void> {
  const { root } = sources;
  const data = readSite(sources);
  mkdirSync(dirname(out), { recursive: true });
  const draft = mkdtempSync(`${out}-`);
  try {
    cpSync(join(root, 'site/assets'), join(draft, 'assets'), { recursive: true });
    writePages(data, draft);
    writeContractFiles(data, draft);
    await Promise.all([buildReference(root, draft, data), buildLibraryReference(root, draft, data)]);
    write(draft, '404.html', notFoundPage(data.tool.name, styleOf(root), foldersIn(draft)));
    rmSync(out, { recursive: true, force: true });
    renameSync(draft, out);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}
