import type { Page } from './layout.ts';
import { at, type SiteData } from './model.ts';
import { documentPages } from './pages/documents.ts';

/** What can be found: its kind, its name, its text, and where it is from the site's root. */
export type SearchEntry = readonly [kind: string, name: string, text: string, target: string];

/** Everything that the search finds, the most important kinds first. */
export function searchEntries(data: SiteData, pages: readonly Page[]): SearchEntry[] {
  const ownPage = new Set([...data.checks.map(({ id }) => at.check(id))]);
  return [
    ...pages
      .filter(({ path }) => !ownPage.has(path))
      .map(({ title, description, path }): SearchEntry => ['page', title, description, path]),
    ...documentPages(data).flatMap(({ title: page, path, contents = [] }) =>
      contents.map(({ id, title }): SearchEntry => ['page', title, page, `${path}#${id}`]),
    ),
    ['page', 'API reference', 'The operations, their schemas and examples.', 'reference.html'],
    ['page', 'Library reference', 'The API of the suite and the reference server.', 'api/index.html'],
    ...data.requirements.map(({ id, text, level }): SearchEntry => [level, id, text, at.requirement(id)]),
    ...data.openPoints.map(({ id, text, ruling }): SearchEntry => ['open', id, `${text} ${ruling}`, at.openPoint(id)]),
    ...data.checks.map(({ id, title }): SearchEntry => ['check', id, title, at.check(id)]),
    ...data.matrix.defects.map((each): SearchEntry => ['defect', each.id, each.title, at.defect(each)]),
    ...data.matrix.variants.map(({ id, title }): SearchEntry => ['variant', id, title, at.variant(id)]),
  ];
}

/** The index as a script: a page opened from a disk can load a file in no other way. */
export function searchScript(entries: readonly SearchEntry[]): string {
  return `window.siteIndex = ${JSON.stringify(entries)};\n`;
}
